package trade

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
)

// SendOfferResult is the result of sending an offer.
type SendOfferResult struct {
	Offer    Offer
	Order    Order
	Replaced bool // an earlier offer of the same seller made way for it
	Accepted int  `json:",omitzero"` // of the offer, at once: the buyer takes such offers as they come

	// Link is the secret of a visitor's private link to the offer. It is kept out of the stored answer of
	// the write.
	Link OfferToken `json:"-"`
}

// SendOffer makes an offer on an order, for a visitor or a user. A user has one live offer an order: a
// second one replaces the first, and fails when the draft does not expect it. It returns Conflict when the
// order takes no offers or the seller's open offer is not draft.Replaces, a visitor's link leads to no open
// offer on it, Unauthenticated when it or the market takes none of visitors, Forbidden on one's own order,
// Invalid, NotFound, and TooMany when a quota is used up.
func (m *offerActs) SendOffer(
	ctx context.Context, actor core.Actor, id core.OrderID, draft OfferDraft,
) (SendOfferResult, error) {
	var link OfferToken
	if !actor.SignedIn() {
		var err error
		if link, err = newOfferToken(m.random); err != nil {
			return SendOfferResult{}, fmt.Errorf("link of an offer: %w", err)
		}
	}
	items := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	sent, err := core.Write(ctx, m.trades, actor, "send offer", []any{id, draft},
		func(tx Scope, now time.Time) (SendOfferResult, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return SendOfferResult{}, fmt.Errorf("offer on order %d: %w", id, err)
			}
			answer, err := m.offerOn(ctx, tx, actor, order, draft, items, now)
			if err != nil {
				return SendOfferResult{}, err
			}
			if link != "" {
				if err := tx.AddOfferLink(ctx, link.Key(), answer.Offer); err != nil {
					return SendOfferResult{}, fmt.Errorf("link of offer %d: %w", answer.Offer.ID, err)
				}
				answer.Link = link
				if draft.ReplacesLink != "" {
					if err := tx.MoveOfferLinks(ctx, draft.ReplacesLink.Key(), answer.Offer); err != nil {
						return SendOfferResult{},
							fmt.Errorf("links of the offer before %d: %w", answer.Offer.ID, err)
					}
				}
			}
			return answer, nil
		})
	// The answer that was kept for a repeat has no link. A short key might be another visitor's.
	if err == nil && link != "" && sent.Link == "" && len(actor.Key) >= core.MinRoamingKey {
		sent.Link, err = m.linkAgain(ctx, sent.Offer.ID)
	}
	return sent, err
}

// offerOn makes an offer on a locked order, and notifies the buyer.
func (m *offerActs) offerOn(
	ctx context.Context, tx Scope, actor core.Actor, order Order, draft OfferDraft, items *items.ItemIndex,
	now time.Time,
) (SendOfferResult, error) {
	var (
		seller Seller
		err    error
	)
	if actor.SignedIn() {
		if seller, err = tx.LockSeller(ctx, order, actor.UserID, m.quotas); err != nil {
			return SendOfferResult{}, fmt.Errorf("seller %d on order %d: %w", actor.UserID, order.ID, err)
		}
		actor.LeavingAt = seller.Leaving
		if err := actor.MustStay(); err != nil {
			return SendOfferResult{}, err
		}
	} else if seller, err = tx.LockVisitors(ctx, order.ID); err != nil {
		return SendOfferResult{}, fmt.Errorf("offers of visitors on order %d: %w", order.ID, err)
	} else if draft.ReplacesLink != "" {
		if seller, err = seller.withLinked(ctx, tx, order, draft.ReplacesLink, now); err != nil {
			return SendOfferResult{}, err
		}
	}
	order = asTraded(actor, order)
	offer, err := order.NewOffer(draft, actor, seller, m.forms, now)
	if err != nil {
		return SendOfferResult{}, err
	}
	if !m.features.Handover {
		offer.GoodUntil, offer.LapsesAt = time.Time{}, time.Time{}
	}
	if err := mayOffer(m.quotas, seller, now); err != nil {
		return SendOfferResult{}, err
	}
	record, err := m.recordFor(ctx, tx, actor, seller, now)
	if err != nil {
		return SendOfferResult{}, err
	}
	if m.features.Records {
		if err := seller.Least.check(record, offer.Quantity); err != nil {
			return SendOfferResult{}, err
		}
	}
	if actor.SignedIn() {
		// Last: a seller is not asked whether to replace an offer by one that is refused anyway.
		if err := draft.mayReplace(seller); err != nil {
			return SendOfferResult{}, err
		}
	}
	answer := SendOfferResult{Order: order, Replaced: seller.Offer != 0}
	if answer.Replaced {
		if err := tx.EndOffer(ctx, seller.Offer, OfferReplaced, now); err != nil {
			return SendOfferResult{}, fmt.Errorf("replace offer %d: %w", seller.Offer, err)
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, seller.Offer); err != nil {
			return SendOfferResult{}, err
		}
	}
	if offer.ID, err = tx.AddOffer(ctx, offer, order.ItemName); err != nil {
		return SendOfferResult{}, fmt.Errorf("add offer: %w", err)
	}
	answer.Offer = offer
	if err := tx.OfferSent(ctx, order, offer, now); err != nil || !m.features.Records {
		return answer, err
	}
	err = m.acceptStanding(ctx, tx, actor, &answer, seller.Standing, record, items, now)
	return answer, err
}

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
				return Acceptance{}, core.NewError(core.Conflict,
					core.NewText("offer_lapsed", "This offer has lapsed: it stood until a time that is over"))
			}
			done, err := asTraded(actor, order).Accept(offer, qty, actor.UserID, now)
			if err != nil {
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

// changed are the offers that an accept changed; none for all on an order that it filled.
func (a Acceptance) changed() []core.OfferID {
	if a.Order.Status == Fulfilled {
		return nil
	}
	return []core.OfferID{a.Offer.ID}
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
	if err := tx.AddHandover(ctx, *h); err != nil {
		return fmt.Errorf("add handover of sale %d: %w", sale.ID, err)
	}
	return nil
}

// saveAcceptance saves the changes of an accept, and reports it to Happened.
func (m *offerActs) saveAcceptance(
	ctx context.Context, tx Scope, done Acceptance, items *items.ItemIndex, now time.Time,
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

// DeleteOffer deletes an offer: its buyer declines it, its seller withdraws it. The other side is
// notified. It fails with Forbidden and NotFound.
func (m *offerActs) DeleteOffer(ctx context.Context, actor core.Actor, id core.OfferID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "delete offer", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete offer %d: %w", id, err)
		}
		state, notices, err := order.RemoveOffer(offer, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		if err := tx.KeepEndedOffer(ctx, id, state, actor.UserID, now); err != nil {
			return struct{}{}, fmt.Errorf("keep offer %d: %w", id, err)
		}
		if err := tx.EndOffer(ctx, id, state, now); err != nil {
			return struct{}{}, fmt.Errorf("delete offer %d: %w", id, err)
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, id); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, notify.AddNotices(ctx, tx, notices)
	})
	return err
}

// RemoveOffer decides which event the actor's removal of the offer is, and who is notified. It
// fails with Forbidden when the actor is neither the buyer nor the seller.
func (o Order) RemoveOffer(offer Offer, by core.Actor, now time.Time) (OfferState, []notify.Notice, error) {
	switch {
	case by.MustBe(o.Owner) == nil:
		return OfferDeclined, ToSeller(o, offer, notify.NoticeOfferDeclined, offer.Quantity, "", now), nil
	case offer.Verified() && offer.Seller == by.UserID:
		n := OfferReceived(o, offer, now)
		n.Kind = notify.NoticeOfferWithdrawn
		return OfferWithdrawn, []notify.Notice{n}, nil
	default:
		return "", nil, core.NewError(core.Forbidden,
			core.NewText("buyer_or_seller_only", "Only the buyer or the seller can do that"))
	}
}

// Offers lists the offers on one of the actor's orders, newest first. It fails with Forbidden and NotFound.
func (m *offerActs) Offers(ctx context.Context, actor core.Actor, id core.OrderID) (Order, []Offer, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return Order{}, nil, err
	}
	offers, err := m.store.Offers(ctx, id)
	if err != nil {
		return Order{}, nil, core.WithMessage(core.FailedOffers,
			fmt.Errorf("offers on order %d: %w", id, err))
	}
	return order, offers, nil
}

// AnsweredOffers returns the earlier offers on the user's own order. It fails with Forbidden and NotFound.
func (m *offerActs) AnsweredOffers(
	ctx context.Context, actor core.Actor, id core.OrderID,
) (AnsweredOffers, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return AnsweredOffers{}, err
	}
	answered, err := m.store.AnsweredOffers(ctx, order, m.now().Add(-core.UndoWindow))
	if err != nil {
		return AnsweredOffers{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("answered offers on order %d: %w", id, err))
	}
	return answered, nil
}

// Offer returns an offer and its order to the buyer or the offer's own seller. It fails with Forbidden and
// NotFound.
func (m *offerActs) Offer(ctx context.Context, actor core.Actor, id core.OfferID) (Order, Offer, error) {
	if err := actor.MustBeUser(); err != nil {
		return Order{}, Offer{}, err
	}
	offer, err := m.store.Offer(ctx, id)
	if err != nil {
		return Order{}, Offer{}, core.WithMessage(core.FailedOffers, fmt.Errorf("offer %d: %w", id, err))
	}
	order, err := m.store.Order(ctx, offer.OrderID)
	if err != nil {
		return Order{}, Offer{}, core.WithMessage(core.FailedOrder,
			fmt.Errorf("order of offer %d: %w", id, err))
	}
	if offer.Seller != actor.UserID {
		if err := actor.MustBe(order.Owner); err != nil {
			return Order{}, Offer{}, err
		}
	}
	return order, offer, nil
}

// SentOffers lists the actor's own offers, newest first, below the id before (zero: from the top). It fails
// with Unauthenticated.
func (m *offerActs) SentOffers(
	ctx context.Context, actor core.Actor, before core.OfferID, limit int,
) ([]SentOffer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.SentOffers(ctx, actor.UserID, before, limit)
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers, fmt.Errorf("sent offers: %w", err))
	}
	return sent, nil
}

// SentPart is a part of a seller's sent offers. Each offer is in one.
type SentPart string

// The parts of sent offers.
const (
	SentOpen     SentPart = "open"     // some of it may be accepted yet
	SentAccepted SentPart = "accepted" // over, and some of it was accepted
	SentPast     SentPart = "past"     // over, and nothing was
)

// SentParts lists every part.
var SentParts = []SentPart{SentOpen, SentAccepted, SentPast}

// SentCounts is how many offers are in each part.
type SentCounts struct{ Open, Accepted, Past int }

// SentOffersIn lists one part of the actor's own offers, newest first, below the id before (zero: from the
// top), and counts each part. It returns Unauthenticated, and Invalid for an unknown part.
func (m *offerActs) SentOffersIn(
	ctx context.Context, actor core.Actor, part SentPart, before core.OfferID, limit int,
) ([]SentOffer, SentCounts, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, SentCounts{}, err
	}
	if !slices.Contains(SentParts, part) {
		return nil, SentCounts{}, core.NewFieldError("part",
			core.NewText("sent_part_unknown", "Part must be open, accepted or past"))
	}
	sent, err := m.store.SentOffersIn(ctx, actor.UserID, part, before, limit)
	if err != nil {
		return nil, SentCounts{}, core.WithMessage(core.FailedOffers, fmt.Errorf("sent offers: %w", err))
	}
	counts, err := m.store.SentCounts(ctx, actor.UserID)
	if err != nil {
		return nil, SentCounts{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("count sent offers: %w", err))
	}
	return sent, counts, nil
}

// MaxOpenOffers is how many of a seller's open offers are listed.
const MaxOpenOffers = 1000

// OpenOffers lists all open offers of the actor's, newest first. It returns Unauthenticated.
func (m *offerActs) OpenOffers(ctx context.Context, actor core.Actor) ([]SentOffer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.OpenSentOffers(ctx, actor.UserID, MaxOpenOffers)
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers,
			fmt.Errorf("open offers of user %d: %w", actor.UserID, err))
	}
	return sent, nil
}

// OpenOfferOn returns the actor's open offer on an order; nil when there is none. It returns Unauthenticated.
func (m *offerActs) OpenOfferOn(ctx context.Context, actor core.Actor, id core.OrderID) (*SentOffer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.OpenSentOfferOn(ctx, actor.UserID, id)
	if core.KindOf(err) == core.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers,
			fmt.Errorf("open offer of user %d on order %d: %w", actor.UserID, id, err))
	}
	return &sent, nil
}

func (m *offerActs) ownOrder(ctx context.Context, actor core.Actor, id core.OrderID) (Order, error) {
	if err := actor.MustBeUser(); err != nil {
		return Order{}, err
	}
	order, err := m.store.Order(ctx, id)
	if err != nil {
		return Order{}, core.WithMessage(core.FailedOrder, fmt.Errorf("order %d: %w", id, err))
	}
	return order, actor.MustBe(order.Owner)
}
