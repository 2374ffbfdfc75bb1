package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

// SnoozeStock holds the alerts of the actor's stock that one of their alerts is about, pending ones
// included. They come as one message. It returns the stock. It fails with Unauthenticated, Invalid, and
// NotFound when the stock is gone.
func (m *stockActs) SnoozeStock(
	ctx context.Context, actor core.Actor, alert core.NoticeID, snooze Snooze,
) (Stock, error) {
	if err := actor.MustBeUser(); err != nil {
		return Stock{}, err
	}
	if !slices.Contains(Snoozes, snooze) {
		return Stock{}, unknownSnooze()
	}
	box, err := m.store.Mailbox(ctx, actor.UserID)
	if err != nil {
		return Stock{}, fmt.Errorf("mailbox of user %d: %w", actor.UserID, err)
	}
	return m.changeStockAlerts(ctx, actor, "snooze stock", []any{alert, snooze}, m.ofAlert(actor, alert),
		func(s Stock, now time.Time) Stock {
			s.SnoozedUntil = snooze.until(box.Settings, now)
			return s
		})
}

// StopStock ends the alerts of the actor's stock that one of their alerts is about, until AlertStock. Its
// pending alerts end. It fails with Unauthenticated, and with NotFound when the stock is gone.
func (m *stockActs) StopStock(ctx context.Context, actor core.Actor, alert core.NoticeID) (Stock, error) {
	return m.changeStockAlerts(ctx, actor, "stop stock", alert, m.ofAlert(actor, alert), stopStock)
}

// AlertStock says whether requests that fit an entry of the actor's stock alert them. It fails with
// Unauthenticated and NotFound.
func (m *stockActs) AlertStock(
	ctx context.Context, actor core.Actor, id core.StockID, on bool,
) (Stock, error) {
	change := stopStock
	if on {
		change = func(s Stock, _ time.Time) Stock {
			s.SnoozedUntil, s.AlertsOffAt = time.Time{}, time.Time{}
			return s
		}
	}
	which := func(_ context.Context, _ Tx, s Stock) (bool, error) { return s.ID == id, nil }
	return m.changeStockAlerts(ctx, actor, "alert stock", []any{id, on}, which, change)
}

func stopStock(s Stock, now time.Time) Stock {
	s.SnoozedUntil, s.AlertsOffAt = time.Time{}, now
	return s
}

// ofAlert finds the stock that an alert of the actor is about.
func (m *stockActs) ofAlert(
	actor core.Actor, alert core.NoticeID,
) func(context.Context, Tx, Stock) (bool, error) {
	return func(ctx context.Context, tx Tx, s Stock) (bool, error) {
		n, err := tx.AlertNotice(ctx, actor.UserID, alert)
		if err != nil || n.Search != 0 {
			return false, err
		}
		return m.items.IndexOrEmpty(ctx).SameItem(s.ItemName, n.ItemName), nil
	}
}

// changeStockAlerts changes when the first entry of the actor's stock alerts that it is to be.
func (m *stockActs) changeStockAlerts(
	ctx context.Context, actor core.Actor, action string, input any,
	which func(context.Context, Tx, Stock) (bool, error), change func(Stock, time.Time) Stock,
) (Stock, error) {
	if err := actor.MustBeUser(); err != nil {
		return Stock{}, err
	}
	index := m.items.IndexOrEmpty(ctx)
	return core.Write(ctx, m.run, actor, action, input, func(tx Tx, now time.Time) (Stock, error) {
		stock, err := tx.LockStock(ctx, actor.UserID)
		if err != nil {
			return Stock{}, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
		}
		for _, s := range stock {
			found, err := which(ctx, tx, s)
			if err != nil {
				return Stock{}, err
			}
			if !found || s.Gone(now) {
				continue
			}
			s = change(s, now)
			if err := tx.SaveStockAlerts(ctx, s); err != nil {
				return Stock{}, fmt.Errorf("save stock %d: %w", s.ID, err)
			}
			names := index.Same(s.ItemName)
			switch {
			case !s.AlertsOffAt.IsZero():
				err = tx.EndStockAlerts(ctx, actor.UserID, names, alertStopped, now)
			case !s.SnoozedUntil.IsZero():
				err = tx.HoldStockAlerts(ctx, actor.UserID, names, s.SnoozedUntil)
			}
			return s, err
		}
		return Stock{}, stockNotFound()
	})
}
