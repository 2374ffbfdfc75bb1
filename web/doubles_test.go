package web_test

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web"
)

var silence = slog.New(slog.DiscardHandler)

// noSessions is a store without sessions.
type noSessions struct{}

func (noSessions) Find(string) ([]byte, bool, error)      { return nil, false, nil }
func (noSessions) Commit(string, []byte, time.Time) error { return nil }
func (noSessions) Delete(string) error                    { return nil }

// lostSessions is a store that cannot be reached.
type lostSessions struct{}

var errLost = errors.New("dial tcp 10.0.0.5:5432: password authentication failed for user tradepost")

func (lostSessions) Find(string) ([]byte, bool, error)      { return nil, false, errLost }
func (lostSessions) Commit(string, []byte, time.Time) error { return errLost }
func (lostSessions) Delete(string) error                    { return errLost }

// marketOn returns a market on a double of the store, with the clock and the features of its server.
func marketOn(store market.Store, opts web.Options) *market.Market {
	return market.New(store, market.Options{Now: opts.Now, Forms: coretest.Forms, Features: opts.Features})
}

// manyMatches is a store in which every search finds enough that no typo is looked for.
type manyMatches struct{ market.Store }

func (manyMatches) Total(context.Context, match.OrderFilter, time.Time) (match.Total, error) {
	return match.Total{Orders: match.FewMatches}, nil
}

// stuckStore lists nothing until it is released.
type stuckStore struct {
	manyMatches
	arrived, release chan struct{}
}

func (m *stuckStore) Orders(context.Context, match.OrderQuery) (match.OrderPage, error) {
	m.arrived <- struct{}{}
	<-m.release
	return match.OrderPage{}, nil
}

// failingStore fails as a broken program or database would.
type failingStore struct {
	market.Store
	err   error
	panic any
}

func (m failingStore) fail() error {
	if m.panic != nil {
		panic(m.panic)
	}
	return m.err
}

func (m failingStore) Orders(context.Context, match.OrderQuery) (match.OrderPage, error) {
	return match.OrderPage{}, m.fail()
}

func (m failingStore) Order(context.Context, core.OrderID) (trade.Order, error) {
	return trade.Order{}, m.fail()
}

func (m failingStore) Atomically(context.Context, func(market.Tx) error) error { return m.fail() }

// oneOrder is a store with one order.
type oneOrder struct {
	market.Store
	order trade.Order
}

func (m oneOrder) Order(_ context.Context, id core.OrderID) (trade.Order, error) {
	if id != m.order.ID {
		return trade.Order{}, &core.Error{Kind: core.NotFound, Message: "Order not found"}
	}
	return m.order, nil
}

func textLog(into *log) *slog.Logger { return slog.New(slog.NewTextHandler(into, nil)) }
