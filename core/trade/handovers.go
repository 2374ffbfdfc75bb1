package trade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trust"
)

// Handovers lists the handovers in which the actor is a party, newest first. It fails with Unauthenticated.
func (m *handoverActs) Handovers(ctx context.Context, actor core.Actor, q Query) ([]Trade, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	if !m.features.Handover {
		return nil, nil
	}
	found, err := m.store.Handovers(ctx, actor.UserID, q)
	if err != nil {
		return nil, fmt.Errorf("handovers of user %d: %w", actor.UserID, err)
	}
	return found, nil
}

// Receipts lists the receipts of accepts in which the actor was the buyer or the seller, newest first. It
// returns Unauthenticated.
func (m *offerActs) Receipts(ctx context.Context, actor core.Actor, q Query) ([]Trade, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	receipts, err := m.store.Receipts(ctx, actor.UserID, q)
	if err != nil {
		return nil, fmt.Errorf("receipts of user %d: %w", actor.UserID, err)
	}
	return receipts, nil
}

// SayHandovers stores the actor's word on handovers, and settles the handovers that it completes. Repeating
// the same word changes nothing. It fails with Unauthenticated, Forbidden when the actor is no party of one,
// Conflict when one has been settled otherwise, and NotFound.
func (m *handoverActs) SayHandovers(
	ctx context.Context, actor core.Actor, sales []core.SaleID, word Word,
) ([]Trade, error) {
	if !slices.Contains(Words, word) {
		return nil, core.NewFieldError("word", core.NewText("word_unknown"))
	}
	return m.changeHandovers(ctx, actor, "say handovers", sales, word, word == SaidNotMet,
		func(h Trade, now time.Time) (Trade, error) {
			return h.Say(actor.UserID, word, now)
		})
}

// TakeBackWords takes back the actor's words in disputed handovers. Repeating it changes nothing. It fails
// as SayHandovers, and with Conflict where WordUndo does.
func (m *handoverActs) TakeBackWords(
	ctx context.Context, actor core.Actor, sales []core.SaleID,
) ([]Trade, error) {
	return m.changeHandovers(ctx, actor, "take back words", sales, nil, true,
		func(h Trade, now time.Time) (Trade, error) {
			return h.TakeBack(actor.UserID, now)
		})
}

// PostponeHandovers has the actor asked about handovers LaterFor later. It fails as SayHandovers, and with
// Conflict where MayPostpone does.
func (m *handoverActs) PostponeHandovers(
	ctx context.Context, actor core.Actor, sales []core.SaleID,
) ([]Trade, error) {
	return m.changeHandovers(ctx, actor, "postpone handovers", sales, nil, false,
		func(h Trade, now time.Time) (Trade, error) {
			return h.Postpone(actor.UserID, now)
		})
}

// AgreeHandover changes by when the sides of a handover meet. It fails as AgreeBy and with NotFound.
func (m *handoverActs) AgreeHandover(
	ctx context.Context, actor core.Actor, sale core.SaleID, by time.Time,
) (Trade, error) {
	changed, err := m.changeHandovers(ctx, actor, "agree handover", []core.SaleID{sale}, by.UTC(), false,
		func(h Trade, now time.Time) (Trade, error) {
			return h.AgreeBy(actor.UserID, by, now)
		})
	if err != nil {
		return Trade{}, err
	}
	return changed[0], nil
}

// changeHandovers locks the handovers, decides each and saves the results.
func (m *handoverActs) changeHandovers(
	ctx context.Context, actor core.Actor, operation string, sales []core.SaleID, input any, cancels bool,
	decide func(Trade, time.Time) (Trade, error),
) ([]Trade, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	if !m.features.Handover || len(sales) == 0 || len(sales) > MaxHandoversAtOnce {
		return nil, handoverGone()
	}
	asked := sales
	sales = slices.Compact(slices.Sorted(slices.Values(sales)))
	return core.Write(ctx, m.trades, actor, operation, []any{sales, input},
		func(tx Scope, now time.Time) ([]Trade, error) {
			found, err := tx.LockHandovers(ctx, sales, cancels)
			if err != nil {
				return nil, fmt.Errorf("%s %v: %w", operation, sales, err)
			}
			decided, err := decideEach(asked, found,
				func(h Trade) (Trade, error) { return decide(h, now) })
			if err != nil {
				return nil, err
			}
			var notices []notify.Notice
			for i, before := range found {
				after := decided[i]
				owed, err := m.saveHandover(ctx, tx, before, &after, actor.UserID, now)
				if err != nil {
					return nil, err
				}
				found[i], notices = after, append(notices, owed...)
			}
			if err := notify.AddNotices(ctx, tx, notices); err != nil {
				return nil, err
			}
			return found, tx.RedrawHandovers(ctx, sales, actor.ActsOn)
		})
}

// decideEach decides each of the requested handovers. When one of several can't be decided, none is: the
// error gives the reason for each that can't, under sales[N], counted from 1.
func decideEach(
	asked []core.SaleID, found []Trade, decide func(Trade) (Trade, error),
) ([]Trade, error) {
	decided := make([]Trade, len(found))
	failed := map[core.SaleID]error{}
	for _, id := range asked {
		failed[id] = handoverGone()
	}
	for i, h := range found {
		after, err := decide(h)
		if err != nil && core.KindOf(err) == 0 {
			return nil, err
		}
		decided[i], failed[h.Sale] = after, err
	}
	var (
		c     core.Checks
		first *core.Error
	)
	for i, id := range asked {
		var err *core.Error
		if !errors.As(failed[id], &err) {
			continue
		}
		if first == nil {
			first = err
		}
		c.AddField(core.FieldOf(saleField(i+1), err))
	}
	if first == nil {
		return decided, nil
	}
	if len(asked) == 1 {
		return nil, first
	}
	several := *first
	several.Fields = c.Fields
	return nil, &several
}

// saleField names one of the sales of a call, counted from 1.
func saleField(number int) string { return fmt.Sprintf("sales[%d]", number) }

func handoverGone() error {
	return core.NewError(core.NotFound, core.NewText("handover_gone"))
}

// saveHandover stores the present state of a handover, gives its quantity back when it is cancelled, and
// returns the notices for moderators and for the sides, except for the side by, who knows already.
func (m *handoverActs) saveHandover(
	ctx context.Context, tx Scope, before Trade, h *Trade, by core.UserID, now time.Time,
) (notices []notify.Notice, err error) {
	*h = h.settled(now)
	if h.State != before.State {
		if notices, err = m.handoverNotices(ctx, tx, h, by, now); err != nil {
			return nil, err
		}
	}
	if err := tx.SaveHandover(ctx, *h); err != nil {
		return nil, fmt.Errorf("save handover of sale %d: %w", h.Sale, err)
	}
	if m.features.Hours && h.State == trust.HandoverMet && before.State != trust.HandoverMet {
		if err := h.learnHours(ctx, tx); err != nil {
			return nil, err
		}
	}
	if h.State == trust.HandoverCancelled && before.State != trust.HandoverCancelled {
		return notices, giveBack(ctx, tx, *h, by, now)
	}
	return notices, nil
}

// handoverNotices returns the notices about the new state of a handover.
func (m *handoverActs) handoverNotices(
	ctx context.Context, tx Tx, h *Trade, by core.UserID, now time.Time,
) ([]notify.Notice, error) {
	switch h.State {
	case trust.HandoverCancelled:
		return h.tell(notify.NoticeHandoverCancelled, by, now), nil
	case trust.HandoverDisputed:
		if took := latest(h.Buyer.TookBackAt, h.Seller.TookBackAt); !took.IsZero() &&
			now.Before(took.Add(core.Day)) {
			// all have a message about it, which is drawn again, and it is in the moderators' list
			return nil, nil
		}
		moderators, err := tx.ModeratorsToTell(ctx, m.moderators, []core.UserID{h.Buyer.User, h.Seller.User},
			now.Add(-people.ModeratorRoleRetention))
		if err != nil {
			return nil, fmt.Errorf("moderators to notify of a dispute: %w", err)
		}
		notices := h.tell(notify.NoticeHandoverDisputed, by, now)
		for _, moderator := range moderators {
			n := h.notice(notify.NoticeDisputeReceived, now)
			n.User = moderator
			notices = append(notices, n)
		}
		return notices, nil
	case trust.HandoverAgreed, trust.HandoverMet, trust.HandoverUnconfirmed:
	}
	return nil, nil
}

// giveBack reverses the sale of a cancelled handover. Its request has that much more to buy, or was
// fulfilled and stays so.
func giveBack(ctx context.Context, tx Scope, h Trade, by core.UserID, now time.Time) error {
	order, sale, err := tx.LockSale(ctx, h.Sale)
	if err != nil && core.KindOf(err) != core.NotFound {
		return fmt.Errorf("sale %d: %w", h.Sale, err)
	}
	if gone := err != nil; gone { // its order was deleted
		return reverse(ctx, tx, Sale{ID: h.Sale}, by, now)
	}
	if sale.Reversed {
		return nil
	}
	if err := reverse(ctx, tx, sale, by, now); err != nil {
		return err
	}
	if err := tx.SaveOrder(ctx, order.giveBack(sale.Quantity, now)); err != nil {
		return fmt.Errorf("save order %d: %w", order.ID, err)
	}
	return nil
}

// missing returns the sale of a cancelled handover that gave back the quantity that a new order asks for
// again: such an order counts against no quota. It returns zero for none.
func (m *orderActs) missing(ctx context.Context, tx Tx, o Order) (core.SaleID, error) {
	if !m.features.Handover {
		return 0, nil
	}
	sale, err := tx.LockMissing(ctx, o)
	if err != nil {
		return 0, fmt.Errorf("what a cancelled handover gave back to user %d: %w", o.Owner, err)
	}
	return sale, nil
}

// nobodyHasSaid returns Conflict when a side of the sale's handover has given its word: the accept can't be
// undone any more.
func (m *offerActs) nobodyHasSaid(ctx context.Context, tx Tx, id core.SaleID) error {
	if !m.features.Handover {
		return nil
	}
	found, err := tx.LockHandovers(ctx, []core.SaleID{id}, false)
	if err != nil {
		return fmt.Errorf("handover of sale %d: %w", id, err)
	}
	for _, h := range found {
		if acted := h.Undo().Acted; acted != nil {
			return acted
		}
	}
	return nil
}
