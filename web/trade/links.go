package trade

import (
	"context"

	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// ByToken is part of everything about the offer that a private link leads to.
type ByToken struct {
	Token trade.OfferToken `path:"token" doc:"The secret of the link: the last part of its address" example:"pQ0n3c9Zb1yq7mGxkT5vJr2uWd8eLhXaSfIoNwE4B6M"`
}

// offerLinkView is the JSON shape of a visitor's offer, which its private link leads to.
type offerLinkView struct {
	Offer    SentOfferView                   `json:"offer" doc:"The offer as it was sent, and its state"`
	Order    kernel.OrNull[kernel.OrderView] `json:"order" doc:"The request while the offer is open; null after that"`
	Receipts []receiptView                   `json:"receipts" doc:"One per accept, newest first"`
}

func (a offers) getOfferLink(ctx context.Context, in *ByToken) (*kernel.Answer[offerLinkView], error) {
	link, err := a.Market.Trade.FollowOffer(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	view := offerLinkView{Offer: ViewSentOffer(link.Sent),
		Receipts: make([]receiptView, 0, len(link.Receipts))}
	if link.Open() {
		order := kernel.ViewOrder(link.Order, a.Now())
		view.Order.Value = &order
	}
	for _, r := range link.Receipts {
		view.Receipts = append(view.Receipts, viewVisitorsReceipt(r))
	}
	return &kernel.Answer[offerLinkView]{Body: view}, nil
}

// viewVisitorsReceipt returns a receipt for a visitor who sold. Only signed-in sides of a receipt get a way
// to the other's Discord account.
func viewVisitorsReceipt(r trade.Trade) receiptView {
	v := viewReceipt(r, 0)
	v.With.DiscordURL = nil
	return v
}

type withdrawLinkedInput struct {
	ByToken
	kernel.Keyed
}

func (a offers) withdrawLinked(ctx context.Context, in *withdrawLinkedInput) error {
	return a.Market.Trade.WithdrawLinked(ctx, in.By, in.Token)
}
