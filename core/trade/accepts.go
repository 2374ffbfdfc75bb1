package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
)

// AcceptOffer accepts qty of an offer on the buyer's order, and logs the sale. It fails with Conflict when
// the order takes no sales or the offer has lapsed, Invalid (carrying the present order) when qty is out of
// reach, Forbidden and NotFound.
func (m *offerActs) AcceptOffer(
	ctx context.Context, actor core.Actor, id core.OfferID, qty int,
) (Acceptance, error) {
	return m.AcceptOfferBy(ctx, actor, id, qty, time.Time{})
}

// AcceptOfferBy is AcceptOffer with the time by which the two want to have met; zero for AgreedWithin. It
// fails with Invalid when that is out of reach. With handovers off, the time is left out.
func (m *offerActs) AcceptOfferBy(
	ctx context.Context, actor core.Actor, id core.OfferID, qty int, by time.Time,
) (Acceptance, error) {
	if err := actor.MayTrade(); err != nil {
		return Acceptance{}, err
	}
	items := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	input := []any{id, qty}
	if !by.IsZero() {
		input = append(input, by.UTC())
	}
	return core.Write(ctx, m.trades, actor, "accept offer", input,
		func(tx Scope, now time.Time) (Acceptance, error) {
			order, offer, err := tx.LockOffer(ctx, id)
			if err != nil {
				return Acceptance{}, fmt.Errorf("accept offer %d: %w", id, err)
			}
			if err := actor.MustBe(order.Owner); err != nil {
				return Acceptance{}, err
			}
			if m.features.Handover && offer.Lapsed(now) {
				return Acceptance{}, core.NewError(core.Conflict, core.NewText("offer_lapsed"))
			}
			done, err := asTraded(actor, order).Accept(offer, qty, actor.UserID, now)
			if err != nil {
				return Acceptance{}, err
			}
			// Each turn of accepting and undoing messages the seller.
			limit := core.LimitUndoneAccepts
			if err := limit.Check(limit.Quota, tx.UndoneAccepts(id), now); err != nil {
				return Acceptance{}, err
			}
			if done.Sale.ID, err = m.saveAcceptance(ctx, tx, done, items, now); err != nil {
				return Acceptance{}, err
			}
			if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, done.changed()...); err != nil {
				return Acceptance{}, err
			}
			return done, m.addHandover(ctx, tx, actor, done.Sale, by, now)
		})
}

// addHandover stores the handover of a sale, when it has one.
func (m *offerActs) addHandover(
	ctx context.Context, tx Tx, actor core.Actor, sale Sale, by, now time.Time,
) error {
	if !m.features.Handover || actor.Canary {
		return nil
	}
	h, err := NewHandover(sale, by, now)
	if err != nil || h == nil {
		return err
	}
	h.Sale = sale.ID
	if h.Meets, err = m.firstMeeting(ctx, tx, *h, now); err != nil {
		return err
	}
	if err := tx.AddHandover(ctx, *h); err != nil {
		return fmt.Errorf("add handover of sale %d: %w", sale.ID, err)
	}
	return nil
}

// saveAcceptance saves the changes of an accept, and reports it to Happened.
func (m *offerActs) saveAcceptance(
	ctx context.Context, tx Scope, done Acceptance, items *items.Index, now time.Time,
) (core.SaleID, error) {
	offer, sale := done.Offer, done.Sale
	id, err := tx.AddSale(ctx, sale)
	if err != nil {
		return 0, fmt.Errorf("add sale: %w", err)
	}
	done.Sale.ID = id
	if offer.Verified() {
		if err := tx.RecordAccepted(ctx, offer.ID, sale.Quantity, done.Order.BuyerContact, now); err != nil {
			return 0, fmt.Errorf("record acceptance of offer %d: %w", offer.ID, err)
		}
	}
	if offer.Quantity == 0 {
		if err := tx.KeepEndedOffer(ctx, offer.ID, OfferAccepted, sale.UpdatedBy, now); err != nil {
			return 0, fmt.Errorf("keep offer %d: %w", offer.ID, err)
		}
		err = tx.EndOffer(ctx, offer.ID, OfferAccepted, now)
	} else {
		err = tx.SaveOffer(ctx, offer)
	}
	if err != nil {
		return 0, fmt.Errorf("save offer %d: %w", offer.ID, err)
	}
	if err := m.saveOrder(ctx, tx, done.Order, now); err != nil {
		return 0, err
	}
	return id, tx.Accepted(ctx, done, items, now)
}

// acceptStanding accepts an offer that was just sent when the buyer takes such offers as they come, and
// notifies them of it.
func (m *offerActs) acceptStanding(
	ctx context.Context, tx Scope, actor core.Actor, sent *SendOfferResult, seller Seller,
	items *items.Index, now time.Time,
) error {
	standing, fits := seller.Standing.takes(sent.Offer, sent.Order, seller, now)
	if !fits {
		return nil
	}
	done, err := sent.Order.Accept(sent.Offer, sent.Offer.Quantity, sent.Order.Owner, now)
	if err != nil {
		return err
	}
	if done.Sale.ID, err = m.saveAcceptance(ctx, tx, done, items, now); err != nil {
		return err
	}
	n := OfferReceived(sent.Order, sent.Offer, now)
	n.Kind, n.Sale, n.Quantity = notify.NoticeStandingAccepted, done.Sale.ID, done.Sale.Quantity
	if err := notify.AddNotices(ctx, tx, []notify.Notice{n}); err != nil {
		return err
	}
	if err := m.addHandover(ctx, tx, actor, done.Sale, time.Time{}, now); err != nil {
		return err
	}
	if err := tx.SaveStanding(ctx, standing); err != nil {
		return fmt.Errorf("save standing acceptance: %w", err)
	}
	sent.Order, sent.Accepted = done.Order, done.Sale.Quantity
	return nil
}

// Cross saves a trade of a locked order with a listing, which its seller was not asked about. Both are
// notified. Without a standing acceptance the buyer has asked for that listing.
func (m *offerActs) Cross(
	ctx context.Context, tx Scope, actor core.Actor, order Order, c Crossing, items *items.Index,
	now time.Time,
) (Order, error) {
	done, err := order.cross(c, now)
	if err != nil {
		return Order{}, fmt.Errorf("cross order %d with listing %d: %w", order.ID, c.Listing, err)
	}
	if done.Sale.ID, err = tx.AddSale(ctx, done.Sale); err != nil {
		return Order{}, fmt.Errorf("add sale: %w", err)
	}
	if err := m.saveOrder(ctx, tx, done.Order, now); err != nil {
		return Order{}, err
	}
	if err := tx.Accepted(ctx, done, items, now); err != nil {
		return Order{}, err
	}
	if c.Standing.ID != 0 {
		if err := tx.SaveStanding(ctx, c.Standing); err != nil {
			return Order{}, fmt.Errorf("save standing acceptance: %w", err)
		}
	}
	if err := m.addHandover(ctx, tx, actor, done.Sale, time.Time{}, now); err != nil {
		return Order{}, err
	}
	return done.Order, m.redrawOrder(ctx, tx, actor, done.Order, now)
}

// AcceptAsk is a seller's yes to a locked order that asks for their listing, for all of it or fewer: an offer
// at the listing's price and its acceptance. may decides once the seller is locked. The order asks for the
// rest no more.
func (m *offerActs) AcceptAsk(
	ctx context.Context, tx Scope, seller core.Actor, ask Order, draft OfferDraft, items *items.Index,
	may func() error, now time.Time,
) (Acceptance, error) {
	facts, err := tx.LockSeller(ctx, ask, seller.UserID, m.quotas, now)
	if err != nil {
		return Acceptance{}, fmt.Errorf("seller %d on order %d: %w", seller.UserID, ask.ID, err)
	}
	seller.LeavingAt = facts.Leaving
	if err := seller.MustStay(); err != nil {
		return Acceptance{}, err
	}
	if facts.Offer != 0 { // the buyer has undone that it was accepted
		draft.Replaces = new(core.OfferID)
		return Acceptance{}, draft.mayReplace(facts)
	}
	offer, err := ask.NewOffer(draft, seller, facts, m.forms, now)
	if err != nil {
		return Acceptance{}, err
	}
	if offer.Quantity > ask.Remaining() {
		return Acceptance{}, core.NewFieldError("accept",
			core.NewText("quantity_range", "most", ask.Remaining()))
	}
	if err := may(); err != nil {
		return Acceptance{}, err
	}
	if !m.features.Handover {
		offer.LapsesAt = time.Time{}
	}
	if offer.ID, err = tx.AddOffer(ctx, offer, ask.ItemName); err != nil {
		return Acceptance{}, fmt.Errorf("add offer: %w", err)
	}
	ask.Quantity = ask.Sold + offer.Quantity
	done, err := ask.Accept(offer, offer.Quantity, ask.Owner, now)
	if err != nil {
		return Acceptance{}, err
	}
	done.Asked = true
	if done.Sale.ID, err = m.saveAcceptance(ctx, tx, done, items, now); err != nil {
		return Acceptance{}, err
	}
	return done, m.addHandover(ctx, tx, seller, done.Sale, time.Time{}, now)
}

// MaxAnswers is how many offers are answered at once.
const MaxAnswers = core.PageSize

// OfferAnswer is a buyer's answer to one of several offers.
type OfferAnswer struct {
	Offer  core.OfferID
	Accept int // how many of it; zero declines it
}

// OfferOutcome is the result of one answer.
type OfferOutcome struct {
	Offer    core.OfferID
	Accepted *Acceptance // nil when it was declined, or failed
	Err      error       // why nothing came of it
}

// AnswerOffers accepts or declines several offers on the actor's orders, one after another, each in a
// transaction of its own: a failed answer does not affect the others. It returns Unauthenticated, and
// Invalid for no answers or more than MaxAnswers.
func (m *offerActs) AnswerOffers(
	ctx context.Context, actor core.Actor, answers []OfferAnswer,
) ([]OfferOutcome, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	if len(answers) == 0 || len(answers) > MaxAnswers {
		return nil, core.NewFieldError("answers", core.NewText("answers_range", "most", MaxAnswers))
	}
	outcomes := make([]OfferOutcome, len(answers))
	for i, answer := range answers {
		outcomes[i] = m.answerOffer(ctx, actor.KeyedFor(int64(answer.Offer)), answer)
	}
	return outcomes, nil
}

func (m *offerActs) answerOffer(ctx context.Context, actor core.Actor, answer OfferAnswer) OfferOutcome {
	outcome := OfferOutcome{Offer: answer.Offer}
	if answer.Accept != 0 {
		accepted, err := m.AcceptOffer(ctx, actor, answer.Offer, answer.Accept)
		if outcome.Err = err; err == nil {
			outcome.Accepted = &accepted
		}
		return outcome
	}
	// DeleteOffer would also withdraw an offer of the actor's own.
	owned := func(o Order) error { return actor.MustBe(o.Owner) }
	outcome.Err = m.deleteOffer(ctx, actor, answer.Offer, owned)
	return outcome
}

// LogSaleResult is the result of logging a sale.
type LogSaleResult struct {
	Order Order
	Sale  Sale
}

// LogSale records that some of an order of the actor's was bought, and closes the order when nothing is
// left. It refuses with Conflict when the order takes no sales, Invalid (carrying the present order),
// Forbidden and NotFound.
func (m *offerActs) LogSale(
	ctx context.Context, actor core.Actor, id core.OrderID, draft SaleDraft,
) (LogSaleResult, error) {
	if err := actor.MayTrade(); err != nil {
		return LogSaleResult{}, err
	}
	return core.Write(ctx, m.trades, actor, "log sale", []any{id, draft},
		func(tx Scope, now time.Time) (LogSaleResult, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return LogSaleResult{}, fmt.Errorf("log sale on order %d: %w", id, err)
			}
			if err := actor.MustBe(order.Owner); err != nil {
				return LogSaleResult{}, err
			}
			if order.Listing != 0 {
				return LogSaleResult{}, askFixed(order)
			}
			order, sale, err := order.Sell(draft, actor.UserID, m.forms, now)
			if err != nil {
				return LogSaleResult{}, err
			}
			if sale.ID, err = tx.AddSale(ctx, sale); err != nil {
				return LogSaleResult{}, fmt.Errorf("add sale: %w", err)
			}
			if err := m.saveOrder(ctx, tx, order, now); err != nil {
				return LogSaleResult{}, err
			}
			if err := tx.Closed(ctx, order, now); err != nil {
				return LogSaleResult{}, err
			}
			return LogSaleResult{Order: order, Sale: sale}, m.redrawOrder(ctx, tx, actor, order, now)
		})
}
