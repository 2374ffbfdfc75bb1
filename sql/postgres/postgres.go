// Package postgres keeps the market in PostgreSQL: it is the core's Store, on pgx, and keeps the browser's
// sessions.
package postgres

import (
	"context"

	"tradepost/core/market"
	"tradepost/sql/postgres/channels"
	"tradepost/sql/postgres/items"
	"tradepost/sql/postgres/kernel"
	"tradepost/sql/postgres/match"
	"tradepost/sql/postgres/moderation"
	"tradepost/sql/postgres/notify"
	"tradepost/sql/postgres/people"
	"tradepost/sql/postgres/trade"
	"tradepost/sql/postgres/trust"
	"tradepost/sql/postgres/upkeep"
	"tradepost/sql/queue"
)

// Options of a Store.
type Options = kernel.Options

// Sessions stores the browser's sessions.
type Sessions = people.Sessions

// Pace is how often something may be done that all replicas share.
type Pace = upkeep.Pace

// RetentionKinds are the kinds of rows that retention removes or archives.
var RetentionKinds = upkeep.RetentionKinds

// The stores of the nouns, under names by which one struct can embed them all.
type (
	peopleStore     = people.Store
	itemsStore      = items.Store
	notifyStore     = notify.Store
	trustStore      = trust.Store
	tradeStore      = trade.Store
	matchStore      = match.Store
	moderationStore = moderation.Store
	channelsStore   = channels.Store
	upkeepStore     = upkeep.Store
)

// Store keeps the market. It is safe for concurrent use.
type Store struct {
	*kernel.DB
	*peopleStore
	*itemsStore
	*notifyStore
	*trustStore
	*tradeStore
	*matchStore
	*moderationStore
	*channelsStore
	*upkeepStore
}

var (
	_ market.Store = (*Store)(nil)
	_ queue.Store  = (*Store)(nil)
)

// Open connects to the server that dsn names and checks that it answers. The schema must be there: see
// schema.Migrate.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	on, err := kernel.Open(ctx, dsn, opts)
	if err != nil {
		return nil, err
	}
	return &Store{
		on, people.New(on), items.New(on), notify.New(on), trust.New(on), trade.New(on),
		match.New(on), moderation.New(on), channels.New(on), upkeep.New(on),
	}, nil
}

// Atomically runs do in one transaction, see InTx.
func (s *Store) Atomically(ctx context.Context, do func(market.Tx) error) error {
	return s.InTx(ctx, func(t *kernel.Tx) error { return do(newStoreTx(t)) })
}

type (
	peopleTx     = people.Tx
	itemsTx      = items.Tx
	notifyTx     = notify.Tx
	trustTx      = trust.Tx
	tradeTx      = trade.Tx
	matchTx      = match.Tx
	moderationTx = moderation.Tx
	channelsTx   = channels.Tx
	upkeepTx     = upkeep.Tx
)

// tx is the Store inside a transaction.
type tx struct {
	*kernel.Tx
	*peopleTx
	*itemsTx
	*notifyTx
	*trustTx
	*tradeTx
	*matchTx
	*moderationTx
	*channelsTx
	*upkeepTx
}

var _ market.Tx = (*tx)(nil)

func newStoreTx(in *kernel.Tx) *tx {
	return &tx{
		in, people.NewTx(in), items.NewTx(in), notify.NewTx(in), trust.NewTx(in), trade.NewTx(in),
		match.NewTx(in), moderation.NewTx(in), channels.NewTx(in), upkeep.NewTx(in),
	}
}
