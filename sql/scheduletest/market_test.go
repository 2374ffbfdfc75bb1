package scheduletest

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// host runs schedules, one at a time, in a database of its own.
type host struct {
	t       *testing.T
	store   *postgres.Store
	hook    *hook
	clock   *storetest.Clock
	tables  *tables
	watcher *pgx.Conn
	empty   string            // statements that empty the database
	kept    map[string]*place // by set-up

	prepared int
}

func newHost(t *testing.T) *host {
	t.Helper()
	dsn := pgtest.New(t)
	owner := storetest.Connect(t, dsn)
	_, err := owner.Exec(t.Context(), `do $$ begin
		execute format('alter database %I set deadlock_timeout = ''20ms''', current_database()); end $$`)
	must(t, err)
	h := &host{
		t: t, hook: &hook{dead: map[*lane]bool{}}, clock: storetest.NewClock(), tables: tablesOf(t, owner),
		watcher: storetest.Connect(t, dsn), kept: map[string]*place{},
	}
	h.store, err = postgres.Open(context.WithoutCancel(t.Context()), dsn, postgres.Options{
		MaxConns: 40, Log: slog.New(slog.DiscardHandler), Now: h.clock.Now, Tracer: h.hook,
		Patience: coretest.Patience(20 * time.Second),
	})
	must(t, err)
	t.Cleanup(h.store.Close)
	h.empty, err = h.tables.keep(t.Context(), "nothing", 1)
	must(t, err)
	return h
}

// counted yields the same bytes in each run.
type counted struct{ next byte }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		c.next++
		p[i] = c.next
	}
	return len(p), nil
}

// market returns the market as a new process has it.
func (h *host) market(random byte) *market.Market {
	return market.New(h.store, market.Options{
		Forms: coretest.Forms, Now: h.clock.Now, Features: core.EveryFeature(), Random: &counted{random},
		Moderators: people.Moderators{Accounts: []string{"1mod"}},
	})
}

// place is a set-up: one request of one buyer, a seller with offers, and what came of them.
type place struct {
	*market.Market
	h       *host
	ctx     context.Context
	restore string
	at      time.Time

	// a buyer, two sellers, a moderator, a user that the moderator has blocked, and a visitor
	ann, bob, cat, mod, dan, guest core.Actor

	order      trade.Order
	offers     []trade.Offer // of bob, cat and the visitor
	link       trade.OfferToken
	declined   trade.Offer
	ping       []core.WebhookDeliveryID
	sales      []core.SaleID
	list       trade.PostedList
	stock      core.StockID
	ask        core.OrderID // of bob, for the stock
	asking     core.Copper  // for the stock
	second     trade.Order  // of bob, for the same item as the order
	gone       core.StockID // stock that was removed and may be restored
	watch      core.SearchID
	search     core.SearchID
	alert      core.NoticeID // of the watch
	stockAlert core.NoticeID
	reports    []core.ReportID
	removals   []core.AuditID
	ring       core.RingID
	proposal   core.ProposedRingID
	item       core.ItemID // provisional
}

func (p *place) signUp(name string) core.Actor {
	p.h.t.Helper()
	user, err := p.People.SignIn(p.ctx, people.Profile{DiscordID: "1" + name, Username: name, DisplayName: "Player " + name})
	must(p.h.t, err)
	return coretest.AlwaysFresh(user.Actor())
}

// vacuumEvery limits how many rows that were deleted each statement passes.
const vacuumEvery = 400

// prepare brings the database to a set-up.
func (h *host) prepare(ctx context.Context, name string) (*place, error) {
	if h.prepared++; h.prepared%vacuumEvery == 0 {
		if _, err := h.tables.conn.Exec(ctx, "vacuum"); err != nil {
			return nil, fmt.Errorf("remove deleted rows: %w", err)
		}
	}
	if p := h.kept[name]; p != nil {
		if err := h.tables.statements(ctx, p.restore); err != nil {
			return nil, fmt.Errorf("restore the set-up %s: %w", name, err)
		}
		h.clock.Forward(p.at.Sub(h.clock.Now()))
		h.store.Feed().Refresh()
		return p, nil
	}
	if err := h.tables.statements(ctx, h.empty); err != nil {
		return nil, fmt.Errorf("restore the empty database: %w", err)
	}
	h.clock.Forward(coretest.Noon.Sub(h.clock.Now()))
	h.store.Feed().Refresh()
	p := &place{Market: h.market(0), h: h, ctx: ctx}
	setups[name](p)
	p.at = h.clock.Now()
	listed, err := p.Trade.Order(ctx, p.ann, p.order.ID)
	if err != nil {
		return nil, fmt.Errorf("the request of the set-up %s: %w", name, err)
	}
	p.order = listed.Order
	if p.restore, err = h.tables.keep(ctx, name, firstNew); err != nil {
		return nil, fmt.Errorf("keep the set-up %s: %w", name, err)
	}
	h.kept[name] = p
	return h.prepare(ctx, name)
}
