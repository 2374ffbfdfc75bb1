// Package postgres keeps the market in PostgreSQL: it is the core's Store, on pgx, and keeps the browser's sessions.
package postgres

import (
	"context"

	"tradepost/core"
	"tradepost/sql/queue"
)

// Store keeps the market. It is safe for concurrent use.
type Store struct {
	*DB
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
	_ core.Store  = (*Store)(nil)
	_ queue.Store = (*Store)(nil)
)

// Open connects to the server that dsn names and checks that it answers. The schema must be there: see schema.Migrate.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	on, err := openDB(ctx, dsn, opts)
	if err != nil {
		return nil, err
	}
	return &Store{
		on, newPeopleStore(on), newItemsStore(on), newNotifyStore(on), newTrustStore(on), newTradeStore(on),
		newMatchStore(on), newModerationStore(on), newChannelsStore(on), newUpkeepStore(on),
	}, nil
}

// Atomically runs do in one transaction, see InTx.
func (s *Store) Atomically(ctx context.Context, do func(core.Tx) error) error {
	return s.InTx(ctx, func(t *Tx) error { return do(newStoreTx(t)) })
}

// tx is the Store inside a transaction.
type tx struct {
	*Tx
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

var _ core.Tx = (*tx)(nil)

func newStoreTx(in *Tx) *tx {
	return &tx{
		in, newPeopleTx(in), newItemsTx(in), newNotifyTx(in), newTrustTx(in), newTradeTx(in), newMatchTx(in),
		newModerationTx(in), newChannelsTx(in), newUpkeepTx(in),
	}
}
