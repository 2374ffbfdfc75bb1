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
	"tradepost/core/trust"
)

// tradersStore has one established trader.
type tradersStore struct{ Store }

func (tradersStore) TraderNames(context.Context) ([]trust.TraderName, error) {
	return []trust.TraderName{{Skeleton: core.TextForms{}.NameSkeleton("juniper"), User: 9}}, nil
}

func (tradersStore) AllowedNames(context.Context) ([]trust.AllowedName, error) { return nil, nil }

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

func (tx *callsTx) ReturnStock(context.Context, core.SaleID) error {
	tx.calls = append(tx.calls, "stock back")
	return nil
}

func (tx *callsTx) AddAlertRound(context.Context, match.AlertRound) error {
	tx.calls = append(tx.calls, "alerts")
	return nil
}

func (tx *callsTx) RecheckAlerts(context.Context, core.OrderID, []string, time.Time) error {
	return nil
}

func (tx *callsTx) CountNamed(context.Context, string) (orders, people int, err error) {
	tx.calls = append(tx.calls, "name")
	return 0, 0, nil
}

func (tx *callsTx) StockWatchers(
	context.Context, match.StockFits, int, core.StockID,
) ([]match.Watcher, error) {
	return []match.Watcher{{SavedSearch: match.SavedSearch{Owner: 4}}}, nil
}

func (tx *callsTx) AddLookAlike(context.Context, core.UserID, string, time.Time, time.Time, int) (bool, error) {
	return true, nil
}

func (tx *callsTx) LockSender(context.Context, trade.Order, time.Time) (match.Sender, error) {
	return match.Sender{}, nil
}

func (tx *callsTx) ReachOf(context.Context, core.UserID, time.Time) (trust.Reach, error) {
	return trust.Reach{}, nil
}

// A reaction may depend on the rows of the ones before it: a user with closed direct messages gets the notices in a thread only
// when the thread is planned before them.
func TestReactionsHaveAnOrderAndEachIsPassedOverWithItsFeature(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	filled := trade.Order{
		ID: 1, Owner: 2, Status: trade.Fulfilled, CloseReason: trade.Filled,
		OrderDraft: trade.OrderDraft{ItemName: "Iron Ore", Quantity: 10, MaxPrice: 5, BuyerContact: "juniper"},
	}
	open := filled
	open.Status, open.CloseReason, open.ExpiresAt = trade.Active, trade.NotClosed, now.Add(time.Hour)
	edited := open
	edited.Quantity, edited.BuyerContact = 20, "@juniper"
	accepted := trade.Acceptance{
		Order: filled, Offer: trade.Offer{ID: 3, Seller: 4, OrderID: 1, SellerContact: "juniper"},
		Sale: trade.Sale{ID: 5, Seller: 4, Quantity: 10},
	}
	index := items.NewIndex(nil, nil, core.TextForms{})
	posting := trade.Posting{Orders: []trade.Order{open, open}, Asked: 6, Items: index}
	without := func(off ...string) core.Features {
		off = append(off, "listings", "crossing") // which have no reaction of their own
		names := slices.DeleteFunc(slices.Clone(core.FeatureNames), func(name string) bool { return slices.Contains(off, name) })
		features, err := core.ParseFeatures(names)
		if err != nil {
			t.Fatal(err)
		}
		return features
	}
	post := func(r reactions) error { return r.Posted(t.Context(), posting, now) }
	edit := func(r reactions) error { return r.Edited(t.Context(), open, edited, true, now) }
	quietly := func(r reactions) error { return r.Edited(t.Context(), open, edited, false, now) }
	renew := func(r reactions) error { return r.Renewed(t.Context(), open, now) }
	accept := func(r reactions) error { return r.Accepted(t.Context(), accepted, index, now) }
	reverse := func(r reactions) error { return r.Reversed(t.Context(), accepted.Sale.ID) }
	for name, tt := range map[string]struct {
		features core.Features
		happened func(reactions) error
		want     []string
	}{
		"a post of two": {
			without(), post,
			[]string{"request_watched", "request_watched", "alerts", "alerts", "name", "name", "look_alike"},
		},
		"a post without stock":            {without("stock"), post, []string{"alerts", "alerts", "name", "name", "look_alike"}},
		"a post without stock or watches": {without("stock", "watches"), post, []string{"name", "name", "look_alike"}},
		"a post without items": {
			without("stock", "prices", "items"), post, []string{"alerts", "alerts", "look_alike"},
		},
		"an edit":                          {without(), edit, []string{"alerts", "look_alike"}},
		"an edit without alerts":           {without(), quietly, []string{"look_alike"}},
		"an edit without stock or watches": {without("stock", "watches"), edit, []string{"look_alike"}},
		"a renewal":                        {without(), renew, []string{"alerts"}},
		"a renewal without stock, watches": {without("stock", "watches"), renew, nil},
		"an accept that fills its order":   {without(), accept, []string{"thread", "offer_accepted", "order_filled", "stock"}},
		"an accept without threads":        {without("threads"), accept, []string{"offer_accepted", "order_filled", "stock"}},
		"an accept without threads, stock": {without("threads", "stock"), accept, []string{"offer_accepted", "order_filled"}},
		"a reversed sale":                  {without(), reverse, []string{"stock back"}},
		"a reversed sale without stock":    {without("stock"), reverse, []string{"stock back"}},
		"an offer": {
			without(),
			func(r reactions) error { return r.OfferSent(t.Context(), open, accepted.Offer, trust.Reach{}, now) },
			[]string{"look_alike", "offer_received"},
		},
		"a close by the last sale": {
			without(), func(r reactions) error { return r.Closed(t.Context(), filled, now) }, []string{"order_filled"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx := &callsTx{}
			m := New(tradersStore{}, Options{Features: tt.features})
			if _, err := m.Trust.LearnTraders(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := tt.happened(reactions{m, tx}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(tx.calls, tt.want) {
				t.Errorf("wrote %q, want %q", tx.calls, tt.want)
			}
		})
	}
}
