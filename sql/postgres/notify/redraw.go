package notify

import (
	"context"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	"tradepost/sql/queue"
)

// RedrawOffers queues a redraw of the messages that list offers on an order.
func (t *Tx) RedrawOffers(ctx context.Context, r notify.RedrawnOffers) error {
	err := t.Q.RedrawOffers(ctx, db.RedrawOffersParams{
		OrderID: int64(r.Order), Changed: kernel.Raw(r.Changed), Everything: len(r.Changed) == 0,
		ActedOn: r.ActedOn, Since: r.Since, Later: t.Now().Add(r.After),
		Most: int32(r.Most), MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.Now(),
	})
	if err != nil {
		return kernel.Translate(err)
	}
	return t.Jobs.NoticesAdded(ctx, t.Q)
}

// RedrawHandovers queues a redraw of the messages that show handovers, except the message that is acted on:
// the answer to that action redraws it.
func (t *Tx) RedrawHandovers(ctx context.Context, sales []core.SaleID, actedOn string) error {
	err := t.Q.RedrawHandovers(ctx, db.RedrawHandoversParams{
		Sales: kernel.Raw(sales), ActedOn: actedOn, MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices,
		Now: t.Now(),
	})
	if err != nil {
		return err
	}
	return t.Jobs.NoticesAdded(ctx, t.Q)
}
