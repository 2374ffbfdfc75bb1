package core_test

import (
	"context"
	"testing"

	"tradepost/core"
)

// The market has no store here: a visitor gets the error before anything is read.
func TestOnlyUsersMayDoMoreThanBrowseAndOffer(t *testing.T) {
	m, visitor := core.New(nil, core.Options{}), core.Actor{Address: "192.0.2.1"}
	for name, try := range map[string]func(context.Context) error{
		"post":    func(ctx context.Context) error { _, err := m.PostOrder(ctx, visitor, core.OrderDraft{}); return err },
		"preview": func(context.Context) error { _, err := m.PreviewOrder(visitor, core.OrderDraft{}); return err },
		"edit":    func(ctx context.Context) error { _, err := m.EditOrder(ctx, visitor, 1, core.OrderEdit{}); return err },
		"close":   func(ctx context.Context) error { _, err := m.CloseOrder(ctx, visitor, 1); return err },
		"renew":   func(ctx context.Context) error { _, err := m.RenewOrder(ctx, visitor, 1); return err },
		"delete":  func(ctx context.Context) error { return m.DeleteOrder(ctx, visitor, 1) },
		"list one's own requests": func(ctx context.Context) error {
			_, err := m.OwnOrders(ctx, visitor, core.OrderQuery{})
			return err
		},
		"list offers":     func(ctx context.Context) error { _, _, err := m.Offers(ctx, visitor, 1); return err },
		"read an offer":   func(ctx context.Context) error { _, _, err := m.Offer(ctx, visitor, 1); return err },
		"accept an offer": func(ctx context.Context) error { _, err := m.AcceptOffer(ctx, visitor, 1, 1); return err },
		"delete an offer": func(ctx context.Context) error { return m.DeleteOffer(ctx, visitor, 1) },
		"list one's own offers": func(ctx context.Context) error {
			_, err := m.SentOffers(ctx, visitor, 0, 1)
			return err
		},
		"log a sale":   func(ctx context.Context) error { _, err := m.LogSale(ctx, visitor, 1, core.SaleDraft{}); return err },
		"list sales":   func(ctx context.Context) error { _, _, _, err := m.Sales(ctx, visitor, 1, 1); return err },
		"count":        func(ctx context.Context) error { _, err := m.Counts(ctx, visitor); return err },
		"read inbox":   func(ctx context.Context) error { _, err := m.Notices(ctx, visitor, 0, 1); return err },
		"mark as read": func(ctx context.Context) error { return m.ReadNotices(ctx, visitor, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := try(t.Context()); core.KindOf(err) != core.Unauthenticated || err.Error() != "Sign in with Discord to do that" {
				t.Errorf("returned %v", err)
			}
		})
	}
}
