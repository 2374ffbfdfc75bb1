package trade

import (
	"context"
	"fmt"

	"tradepost/core"
)

// ReceivedPlace marks a place in a buyer's list of received offers: right after this offer on this order.
type ReceivedPlace struct {
	Order core.OrderID
	Offer core.OfferID
}

// ReceivedPage is part of the offers that wait for a buyer's answer. Offers on one order follow each other.
type ReceivedPage struct {
	Offers []OpenOffer
	Next   ReceivedPlace // ask for those after it; zero on the last page
}

// ReceivedOffers lists the offers on all open orders of the actor's, by order, the newest first of both. It
// returns Unauthenticated.
func (m *offerActs) ReceivedOffers(
	ctx context.Context, actor core.Actor, after ReceivedPlace, limit int,
) (ReceivedPage, error) {
	if err := actor.MustBeUser(); err != nil {
		return ReceivedPage{}, err
	}
	offers, err := m.store.ReceivedOffers(ctx, actor.UserID, after, m.now(), limit+1)
	if err != nil {
		return ReceivedPage{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("offers received by user %d: %w", actor.UserID, err))
	}
	page := ReceivedPage{Offers: offers}
	if len(offers) > limit {
		last := offers[limit-1]
		page.Offers, page.Next = offers[:limit], ReceivedPlace{Order: last.Order.ID, Offer: last.Offer.ID}
	}
	return page, nil
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
		return nil, core.NewFieldError("answers",
			core.NewText("answers_range", "Choose 1 to %d offers", MaxAnswers))
	}
	outcomes := make([]OfferOutcome, len(answers))
	for i, answer := range answers {
		outcomes[i] = m.answerOffer(ctx, actor.KeyedFor(answer.Offer), answer)
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
	// DeleteOffer also withdraws an offer of the actor's own.
	order, _, err := m.Offer(ctx, actor, answer.Offer)
	if err == nil {
		err = actor.MustBe(order.Owner)
	}
	if err == nil {
		err = m.DeleteOffer(ctx, actor, answer.Offer)
	}
	outcome.Err = err
	return outcome
}
