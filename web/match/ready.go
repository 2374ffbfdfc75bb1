package match

import (
	"cmp"
	"context"

	"tradepost/core"
	"tradepost/web/kernel"
)

// readyOfferView is the JSON shape of what one press offers on a request.
type readyOfferView struct {
	OrderID  core.OrderID `json:"orderId" example:"7"`
	Quantity int          `json:"quantity" doc:"What is left of the request, at most what of your stock is in no open offer" example:"260"`
	Why      *string      `json:"why" doc:"Why that offer would be refused, such as the buyer's terms or a quota; null when it would be sent"`
}

type readyView struct {
	Ready      []readyOfferView `json:"ready" nullable:"false" doc:"Without requests on which you have an open offer; at most 200"`
	Message    string           `json:"message" doc:"The message of such an offer" example:"I have these ready."`
	Remembered bool             `json:"remembered" doc:"The message is your own, from an earlier offer"`
}

// getReady returns what the caller offers with one press.
func (a operations) getReady(ctx context.Context, in *kernel.Caller) (*kernel.Answer[readyView], error) {
	ready, err := a.Market.Match.Ready(ctx, in.By)
	if err != nil {
		return nil, err
	}
	view := readyView{
		Ready:   make([]readyOfferView, len(ready.Offers)),
		Message: ready.MessageIn(kernel.PagePrinter(ctx)), Remembered: ready.Message != "",
	}
	for i, o := range ready.Offers {
		view.Ready[i] = readyOfferView{OrderID: o.ID, Quantity: o.Quantity}
		if o.Refused != nil {
			why := kernel.ProblemOf(ctx, o.Refused, a.Now())
			view.Ready[i].Why = kernel.TextOrNil(cmp.Or(why.Errors["quantityOffered"], why.Detail))
		}
	}
	return &kernel.Answer[readyView]{Body: view}, nil
}
