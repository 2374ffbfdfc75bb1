package web_test

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tradepost/core"
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

// stuckMarket lists nothing until it is released.
type stuckMarket struct {
	web.Market
	arrived, release chan struct{}
}

func (m *stuckMarket) BrowseOrders(context.Context, core.OrderQuery) (core.OrderPage, error) {
	m.arrived <- struct{}{}
	<-m.release
	return core.OrderPage{}, nil
}

// failingMarket fails as a broken program or database would.
type failingMarket struct {
	web.Market
	err   error
	panic any
}

func (m failingMarket) fail() error {
	if m.panic != nil {
		panic(m.panic)
	}
	return m.err
}

func (m failingMarket) BrowseOrders(context.Context, core.OrderQuery) (core.OrderPage, error) {
	return core.OrderPage{}, m.fail()
}

func (m failingMarket) Order(context.Context, core.Actor, core.OrderID) (core.ListedOrder, error) {
	return core.ListedOrder{}, m.fail()
}

func (m failingMarket) SendOffer(context.Context, core.Actor, core.OrderID, core.OfferDraft) (core.SendOfferResult, error) {
	return core.SendOfferResult{}, m.fail()
}

// oneOrder is a market with one order that everybody may read.
type oneOrder struct {
	web.Market
	order core.Order
}

func (m oneOrder) Order(_ context.Context, _ core.Actor, id core.OrderID) (core.ListedOrder, error) {
	if id != m.order.ID {
		return core.ListedOrder{}, &core.Error{Kind: core.NotFound, Message: "Order not found"}
	}
	return core.ListedOrder{Order: m.order}, nil
}

func textLog(into *log) *slog.Logger { return slog.New(slog.NewTextHandler(into, nil)) }
