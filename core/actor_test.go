package core_test

import (
	"context"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// The market has no store here: a visitor gets the error before anything is read.
func TestOnlyUsersMayDoMoreThanBrowseAndOffer(t *testing.T) {
	m, visitor := market.New(nil, market.Options{}), core.Actor{Address: "192.0.2.1"}
	for name, try := range map[string]func(context.Context) error{
		"post": func(ctx context.Context) error {
			_, err := m.Trade.PostOrder(ctx, visitor, trade.OrderDraft{})
			return err
		},
		"preview": func(context.Context) error { _, err := m.Trade.PreviewOrder(visitor, trade.OrderDraft{}); return err },
		"edit": func(ctx context.Context) error {
			_, err := m.Trade.EditOrder(ctx, visitor, 1, trade.OrderEdit{})
			return err
		},
		"close":  func(ctx context.Context) error { _, err := m.Trade.CloseOrder(ctx, visitor, 1); return err },
		"renew":  func(ctx context.Context) error { _, err := m.Trade.RenewOrder(ctx, visitor, 1); return err },
		"delete": func(ctx context.Context) error { return m.Trade.DeleteOrder(ctx, visitor, 1) },
		"list one's own requests": func(ctx context.Context) error {
			_, err := m.Match.OwnOrders(ctx, visitor, match.OrderQuery{})
			return err
		},
		"list offers":     func(ctx context.Context) error { _, _, err := m.Trade.Offers(ctx, visitor, 1); return err },
		"read an offer":   func(ctx context.Context) error { _, _, err := m.Trade.Offer(ctx, visitor, 1); return err },
		"accept an offer": func(ctx context.Context) error { _, err := m.Trade.AcceptOffer(ctx, visitor, 1, 1); return err },
		"delete an offer": func(ctx context.Context) error { return m.Trade.DeleteOffer(ctx, visitor, 1) },
		"list one's own offers": func(ctx context.Context) error {
			_, err := m.Trade.SentOffers(ctx, visitor, 0, 1)
			return err
		},
		"log a sale": func(ctx context.Context) error {
			_, err := m.Trade.LogSale(ctx, visitor, 1, trade.SaleDraft{})
			return err
		},
		"list sales":   func(ctx context.Context) error { _, _, _, err := m.Trade.Sales(ctx, visitor, 1, 1); return err },
		"count":        func(ctx context.Context) error { _, err := m.Counts(ctx, visitor); return err },
		"read inbox":   func(ctx context.Context) error { _, err := m.Notify.Notices(ctx, visitor, 0, 1); return err },
		"mark as read": func(ctx context.Context) error { return m.Notify.ReadNotices(ctx, visitor, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := try(t.Context()); core.KindOf(err) != core.Unauthenticated || err.Error() != "Sign in with Discord to do that" {
				t.Errorf("returned %v", err)
			}
		})
	}
}
