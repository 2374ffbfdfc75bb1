package market

import (
	"context"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// callsTx notes which rows are written, in order.
type callsTx struct {
	Tx
	calls []string
}

func (tx *callsTx) PlanTradeThread(context.Context, core.SaleID, core.OrderID, time.Time) error {
	tx.calls = append(tx.calls, "thread")
	return nil
}

func (tx *callsTx) AddNotices(_ context.Context, notices []notify.Notice) error {
	for _, n := range notices {
		tx.calls = append(tx.calls, string(n.Kind))
	}
	return nil
}

func (tx *callsTx) TakeStock(context.Context, trade.Sale, []string) error {
	tx.calls = append(tx.calls, "stock")
	return nil
}

func (tx *callsTx) AddAlertRound(context.Context, match.AlertRound) error {
	tx.calls = append(tx.calls, "alerts")
	return nil
}

func (tx *callsTx) CountNamed(context.Context, string) (orders, people int, err error) {
	tx.calls = append(tx.calls, "name")
	return 0, 0, nil
}

// Each reaction may depend on the rows of the ones before it: a user whom no direct message reaches gets the notices that a thread can
// tell only when the thread is planned before them.
func TestReactionsHaveAnOrder(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	order := trade.Order{
		ID: 1, Owner: 2, Status: trade.Fulfilled, CloseReason: trade.Filled,
		OrderDraft: trade.OrderDraft{ItemName: "Iron Ore", Quantity: 10, MaxPrice: 5},
	}
	open := order
	open.Status, open.CloseReason, open.ExpiresAt = trade.Active, trade.NotClosed, now.Add(time.Hour)
	accepted := trade.Acceptance{
		Order: order, Offer: trade.Offer{ID: 3, Seller: 4, OrderID: 1},
		Sale: trade.Sale{ID: 5, Seller: 4, Quantity: 10},
	}
	index := items.NewItemIndex(nil, nil, core.TextForms{})
	for name, tt := range map[string]struct {
		features core.Features
		happened func(reactions) error
		want     []string
	}{
		"an accept that fills its order": {
			core.AllFeatures(), func(r reactions) error { return r.Accepted(t.Context(), accepted, index, now) },
			[]string{"thread", "offer_accepted", "order_filled", "stock"},
		},
		"an accept where threads and stock are off": {
			core.Features{}, func(r reactions) error { return r.Accepted(t.Context(), accepted, index, now) },
			[]string{"offer_accepted", "order_filled"},
		},
		"a post": {
			core.AllFeatures(),
			func(r reactions) error {
				return r.Posted(t.Context(), trade.Posting{Orders: []trade.Order{open}, Items: index}, now)
			},
			[]string{"alerts", "name"},
		},
		"an offer": {
			core.AllFeatures(),
			func(r reactions) error { return r.OfferSent(t.Context(), open, accepted.Offer, now) },
			[]string{"offer_received"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx := &callsTx{}
			m := New(nil, Options{Features: tt.features})
			if err := tt.happened(reactions{m, tx}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(tx.calls, tt.want) {
				t.Errorf("wrote %q, want %q", tx.calls, tt.want)
			}
		})
	}
}
