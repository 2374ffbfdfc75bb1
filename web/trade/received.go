package trade

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// receivedView is a request with offers that wait for its buyer's answer.
type receivedView struct {
	Order  kernel.OrderView    `json:"order"`
	Offers []receivedOfferView `json:"offers" doc:"The one to choose first is first"`
}

// receivedOfferView is an offer with what distinguishes it from the others on its request.
type receivedOfferView struct {
	kernel.OfferView

	Met     int  `json:"met" doc:"How often you have met the seller" example:"3"`
	Soonest bool `json:"soonest,omitempty" doc:"Likely soonest: of the sellers on the request, you share the most hours with this one"`

	Why []trade.Reason `json:"why" enum:"missed,met,all,reliable,cheaper,earliest" doc:"Why it stands here, the strongest reason first: the seller did not keep their word to several partners, you have met, it is all that you still need, an established trader who keeps their word, below your price, or the oldest of several"`
}

func viewChoice(c trade.Choice) receivedOfferView {
	return receivedOfferView{
		OfferView: kernel.ViewOffer(c.Offer), Met: c.Met, Why: append([]trade.Reason{}, c.Why...),
		Soonest: c.Soonest,
	}
}

type receivedPageView struct {
	Requests   []receivedView `json:"requests" doc:"Newest first; the last one may continue on the next page"`
	NextCursor *string        `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (a offers) listReceivedOffers(
	ctx context.Context, in *kernel.CursorInput,
) (*kernel.Answer[receivedPageView], error) {
	after, err := parseReceivedPlace(in.Cursor)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Trade.Choices(ctx, in.By, after, kernel.PageSize)
	if err != nil {
		return nil, err
	}
	view := receivedPageView{Requests: []receivedView{}}
	for _, o := range page.Choices {
		last := len(view.Requests) - 1
		if last < 0 || view.Requests[last].Order.ID != o.Order.ID {
			view.Requests = append(view.Requests, receivedView{Order: kernel.ViewOrder(o.Order, a.Now())})
			last++
		}
		view.Requests[last].Offers = append(view.Requests[last].Offers, viewChoice(o))
	}
	if page.Next != (trade.ReceivedPlace{}) {
		cursor := fmt.Sprintf("%d.%d", page.Next.Order, page.Next.Offer)
		view.NextCursor = &cursor
	}
	return &kernel.Answer[receivedPageView]{Body: view}, nil
}

func parseReceivedPlace(cursor string) (trade.ReceivedPlace, error) {
	if cursor == "" {
		return trade.ReceivedPlace{}, nil
	}
	order, offer, _ := strings.Cut(cursor, ".")
	first, err1 := strconv.ParseInt(order, 10, 64)
	second, err2 := strconv.ParseInt(offer, 10, 64)
	if err1 != nil || err2 != nil || first <= 0 || second <= 0 {
		_, err := kernel.PlaceAfter[core.OfferID]("-")
		return trade.ReceivedPlace{}, err
	}
	return trade.ReceivedPlace{Order: core.OrderID(first), Offer: core.OfferID(second)}, nil
}

// answerDraft is a buyer's answer to one of several offers.
type answerDraft struct {
	ID     core.OfferID `json:"id" doc:"The offer" example:"70"`
	Accept int          `json:"accept" minimum:"0" maximum:"1000000" doc:"How many to accept; 0 declines the offer" example:"5"`
}

type answersDraft struct {
	Answers []answerDraft `json:"answers" minItems:"1" maxItems:"60"`
}

type answerOffersInput struct {
	kernel.Keyed
	Body kernel.Sent[answersDraft]
}

// outcomeView is the result of one answer: declined when there is neither an acceptance nor a
// problem.
type outcomeView struct {
	ID       core.OfferID                  `json:"id" doc:"The offer" example:"70"`
	Accepted kernel.OrNull[acceptanceView] `json:"accepted" doc:"null unless some of it was accepted"`
	Problem  kernel.OrNull[kernel.Problem] `json:"problem" doc:"Why it failed; null on success"`
	Undo     *kernel.UndoView              `json:"undo,omitempty" doc:"Left out unless it was declined"`
}

type outcomesView struct {
	Outcomes []outcomeView `json:"outcomes" doc:"One per answer, in the same order"`
}

func (a offers) answerOffers(
	ctx context.Context, in *answerOffersInput,
) (*kernel.Answer[outcomesView], error) {
	var answers []trade.OfferAnswer
	for _, d := range in.Body.Fields.Answers {
		answers = append(answers, trade.OfferAnswer{Offer: d.ID, Accept: d.Accept})
	}
	outcomes, err := a.Market.Trade.AnswerOffers(ctx, in.By, answers)
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		if core.CommitUnknown(o.Err) {
			return nil, o.Err // a repeat under the same key finds out, and returns the other answers again
		}
	}
	view := outcomesView{Outcomes: make([]outcomeView, 0, len(outcomes))}
	for _, o := range outcomes {
		one := outcomeView{ID: o.Offer}
		if o.Accepted == nil && o.Err == nil {
			declined := trade.EndedOffer{Offer: trade.Offer{ID: o.Offer}, By: in.By.UserID, At: a.Now()}
			one.Undo = kernel.NewUndoView(declined.Undo())
		}
		if o.Accepted != nil {
			accepted := a.viewAcceptance(*o.Accepted)
			one.Accepted.Value = &accepted
		}
		if o.Err != nil {
			one.Problem.Value = kernel.ProblemOf(ctx, o.Err, a.Now())
			kernel.NoteFailure(ctx, one.Problem.Value.Cause)
		}
		view.Outcomes = append(view.Outcomes, one)
	}
	return &kernel.Answer[outcomesView]{Body: view}, nil
}
