//go:build unix

package postgres_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// copies are two processes of one market, with a standby that both read from.
type copies struct {
	t                *testing.T
	primary, standby *pgtest.Server
	stores           [2]*postgres.Store
	markets          [2]*market.Market
	buyers           [2]core.Actor // the same buyer, as each process has signed them in
}

func newCopies(t *testing.T) *copies {
	c := &copies{t: t, primary: pgtest.NewPrimary(t)}
	dsn := c.primary.New()
	c.standby = c.primary.Standby()
	for i := range c.stores {
		store, err := postgres.Open(context.Background(), dsn, postgres.Options{
			MaxConns: 4, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Replicas: []string{c.standby.At(dsn)},
		})
		storetest.Must(t, err)
		t.Cleanup(store.Close)
		listening, cancel := context.WithCancel(context.Background())
		listened := make(chan struct{})
		t.Cleanup(func() { cancel(); <-listened })
		go func() {
			defer close(listened)
			store.Feed().Listen(listening, func(core.Change) {})
		}()
		c.stores[i], c.markets[i] = store, market.New(store, market.Options{})
	}
	for i := range c.stores {
		c.buyers[i] = c.signIn(i)
	}
	return c
}

func (c *copies) signIn(process int) core.Actor {
	c.t.Helper()
	user, err := c.markets[process].People.SignIn(c.t.Context(), people.Profile{DiscordID: "1", Username: "maple", DisplayName: "Maple"})
	storetest.Must(c.t, err)
	return coretest.AlwaysFresh(user.Actor())
}

func (c *copies) post() trade.Order {
	c.t.Helper()
	order, err := c.markets[0].Trade.PostOrder(c.t.Context(), c.buyers[0], trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, Description: storetest.Lot(), BuyerContact: "maple", Category: "Miner", Importance: game.Medium,
	})
	storetest.Must(c.t, err)
	return order
}

// shows fails unless a process shows an order by its number, on the board and by the words of its description.
func (c *copies) shows(process int, order trade.Order) {
	c.t.Helper()
	for _, filter := range []match.OrderFilter{{MinPrice: 1}, {Text: order.Description}, {}} {
		page, err := c.markets[process].Match.BrowseOrders(c.t.Context(), match.OrderQuery{OrderFilter: filter})
		if err != nil || len(page.Orders) == 0 || page.Orders[0].ID != order.ID {
			c.t.Errorf("process %d does not list order %d first for %q: %v", process, order.ID, filter.Text, err)
		}
	}
	// The last: what a replica does not have is asked of the primary, and so is how far that is.
	if _, err := c.markets[process].Trade.Order(c.t.Context(), core.Actor{}, order.ID); err != nil {
		c.t.Errorf("process %d does not show order %d: %v", process, order.ID, err)
	}
}

// untilReplica reads until the replica answers the reads of a process.
func (c *copies) untilReplica(process int) {
	c.t.Helper()
	before, _ := c.stores[process].Reads()
	c.until("the replica answers", func() bool {
		_, err := c.stores[process].Order(c.t.Context(), 1)
		storetest.Must(c.t, err)
		now, _ := c.stores[process].Reads()
		return now >= before+5
	})
}

func (c *copies) until(what string, so func() bool) {
	c.t.Helper()
	for end := time.Now().Add(coretest.Patience(20 * time.Second)); !so(); {
		if time.Now().After(end) {
			c.t.Fatalf("it is never so that %s", what)
		}
		time.Sleep(5 * time.Millisecond) // no signal says where a read went
	}
}

func (c *copies) onStandby(statement string) {
	c.t.Helper()
	c.standby.Exec(statement)
}

func TestPublicReadsAreAnsweredByAReplicaThatHasWhatTheReaderWrote(t *testing.T) {
	t.Parallel()
	c := newCopies(t)
	c.post()
	for process := range c.stores {
		c.untilReplica(process)
	}

	c.onStandby("alter system set recovery_min_apply_delay = '30ms'") // else it is mostly there before the question
	c.onStandby("select pg_reload_conf()")
	t.Run("the writer's process", func(t *testing.T) {
		for range 20 {
			c.shows(0, c.post())
		}
	})
	t.Run("another process, which the writer signs in to", func(t *testing.T) {
		for range 20 {
			order := c.post()
			_, err := c.markets[0].Trade.EditOrder(t.Context(), c.buyers[0], order.ID, trade.OrderEdit{Version: order.Version, Quantity: new(12)})
			storetest.Must(t, err)
			c.signIn(1) // as the bot does with each interaction, and the page with each request of a user
			if got, err := c.stores[1].Order(t.Context(), order.ID); err != nil || got.Quantity != 12 {
				t.Errorf("order %d has quantity %d, %v", order.ID, got.Quantity, err)
			}
		}
	})
	c.onStandby("alter system reset recovery_min_apply_delay")
	c.onStandby("select pg_reload_conf()")
	t.Run("a replica that replays late", func(t *testing.T) {
		c.onStandby("select pg_wal_replay_pause()")
		before := c.post()
		c.shows(0, before) // by the primary
		if _, err := c.markets[0].Trade.EditOrder(t.Context(), c.buyers[0], before.ID, trade.OrderEdit{Version: before.Version, Quantity: new(12)}); err != nil {
			t.Fatal(err)
		}
		c.signIn(1)
		// An order that it has, but not as it is now.
		got, err := c.stores[1].Order(t.Context(), before.ID)
		if err != nil || got.Quantity != 12 {
			t.Errorf("the other process shows quantity %d, %v", got.Quantity, err)
		}
		c.onStandby("select pg_wal_replay_resume()")
		for process := range c.stores {
			c.untilReplica(process)
		}
		c.shows(1, before)
	})
	t.Run("a replica that hangs", func(t *testing.T) {
		c.standby.Pause()
		for range 3 {
			c.shows(0, c.post())
		}
		c.standby.Resume()
		c.untilReplica(0)
	})
	t.Run("a replica that hangs, while all other connections to the primary wait", func(t *testing.T) {
		order := c.post()
		c.standby.Pause()
		pool := c.stores[0].Pool()
		for range pool.Config().MaxConns {
			conn, err := pool.Acquire(t.Context())
			storetest.Must(t, err)
			defer conn.Release()
		}
		c.shows(0, order)
		c.standby.Resume()
		c.untilReplica(0)
	})
	t.Run("a replica that is killed", func(t *testing.T) {
		c.standby.Kill()
		c.shows(0, c.post())
		c.standby.Ready()
		c.untilReplica(0)
	})
	t.Run("the primary is gone", func(t *testing.T) {
		last := c.post()
		c.untilReplica(0)
		c.untilReplica(1)
		c.primary.Down()
		c.shows(0, last)
		c.shows(1, last)
		if counts, err := c.markets[0].Match.CountOrders(t.Context(), match.OrderFilter{}); err != nil || counts.All == 0 {
			t.Errorf("counted %d, %v", counts.All, err)
		}
		c.primary.Up()
		c.until("the market takes requests again", func() bool {
			_, err := c.markets[0].Trade.RenewOrder(t.Context(), c.buyers[0], last.ID)
			return err == nil
		})
		order := c.post()
		c.shows(0, order)
		c.untilReplica(0)
	})
}
