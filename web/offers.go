package web

import (
	"context"
	"time"

	"tradepost/core"
)

// offerView is the JSON shape of an offer, for the buyer and for the seller who sent it.
type offerView struct {
	ID              core.OfferID `json:"id" example:"70"`
	OrderID         core.OrderID `json:"orderId" example:"7"`
	SellerName      string       `json:"sellerName" example:"Fern"`
	SellerContact   string       `json:"sellerContact" doc:"A Discord username" example:"fern"`
	Message         string       `json:"message" example:"I have plenty"`
	PricePerUnit    core.Copper  `json:"pricePerUnit" doc:"The request's price when the offer was made, in copper" example:"250"`
	QuantityOffered int          `json:"quantityOffered" doc:"What is left of it" example:"20"`
	CreatedAt       time.Time    `json:"createdAt"`
	Verified        bool         `json:"verified" doc:"The seller was signed in, so the contact is theirs"`
}

func viewOffer(o core.Offer) offerView {
	return offerView{
		ID: o.ID, OrderID: o.OrderID, SellerName: o.SellerName, SellerContact: o.SellerContact, Message: o.Message,
		PricePerUnit: o.Price, QuantityOffered: o.Quantity, CreatedAt: o.CreatedAt, Verified: o.Verified(),
	}
}

type offerListView struct {
	Offers []offerView `json:"offers" doc:"Newest first"`
	Total  int         `json:"total"`
}

func (a *api) listOffers(ctx context.Context, in *ByOrder) (*answer[offerListView], error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	_, offers, err := a.market.Offers(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	list := offerListView{Offers: make([]offerView, 0, len(offers)), Total: len(offers)}
	for _, o := range offers {
		list.Offers = append(list.Offers, viewOffer(o))
	}
	return &answer[offerListView]{list}, nil
}

// offerDraft is what a seller says.
type offerDraft struct {
	SellerName      string `json:"sellerName" maxLength:"64" example:"Fern"`
	SellerContact   string `json:"sellerContact" required:"false" maxLength:"64" doc:"A Discord username; of no account when signed in: the account's own is taken" example:"fern"`
	Message         string `json:"message" maxLength:"500" example:"I have plenty"`
	QuantityOffered int    `json:"quantityOffered" minimum:"1" maximum:"1000000" doc:"Up to the quantity of the request" example:"20"`
}

type sendOfferInput struct {
	ByOrder
	Keyed
	Body sent[offerDraft]
}

type offerSentView struct {
	Offer    offerView `json:"offer"`
	Replaced bool      `json:"replaced" doc:"An earlier offer of the same seller made way for it"`
}

func (a *api) sendOffer(ctx context.Context, in *sendOfferInput) (*answer[offerSentView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	if err := a.limitVisitorOffers(ctx, actor); err != nil {
		return nil, err
	}
	d := in.Body.Fields
	done, err := a.market.SendOffer(ctx, actor, in.ID, core.OfferDraft{
		SellerName: d.SellerName, SellerContact: d.SellerContact, Message: d.Message, Quantity: d.QuantityOffered,
	})
	if err != nil {
		return nil, err
	}
	return &answer[offerSentView]{offerSentView{Offer: viewOffer(done.Offer), Replaced: done.Replaced}}, nil
}

type acceptDraft struct {
	Quantity int `json:"quantity" minimum:"1" doc:"Up to what is left of the offer and of the request" example:"5"`
}

type acceptOfferInput struct {
	ByOffer
	Keyed
	Body sent[acceptDraft]
}

type acceptanceView struct {
	Order orderView         `json:"order"`
	Offer orNull[offerView] `json:"offer" doc:"null when all of it was taken"`
	Sale  saleView          `json:"sale"`
}

func (a *api) acceptOffer(ctx context.Context, in *acceptOfferInput) (*answer[acceptanceView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	done, err := a.market.AcceptOffer(ctx, actor, in.ID, in.Body.Fields.Quantity)
	if err != nil {
		return nil, err
	}
	view := acceptanceView{Order: viewOrder(done.Order, a.now()), Sale: viewSale(done.Sale)}
	if done.Offer.Quantity > 0 {
		left := viewOffer(done.Offer)
		view.Offer.value = &left
	}
	return &answer[acceptanceView]{view}, nil
}

type offerWrite struct {
	ByOffer
	Keyed
}

func (a *api) deleteOffer(ctx context.Context, in *offerWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.DeleteOffer(ctx, actor, in.ID)
}

// sentOfferView is a seller's own record of an offer, which outlives it.
type sentOfferView struct {
	ID               core.OfferID    `json:"id" example:"70"`
	OrderID          *core.OrderID   `json:"orderId" doc:"null once the request is deleted" example:"7"`
	ItemName         string          `json:"itemName" example:"Iron Ore"`
	PricePerUnit     core.Copper     `json:"pricePerUnit" doc:"In copper" example:"250"`
	QuantityOffered  int             `json:"quantityOffered" example:"20"`
	QuantityAccepted int             `json:"quantityAccepted" example:"5"`
	QuantityLeft     int             `json:"quantityLeft" doc:"What may still be accepted" example:"15"`
	State            core.OfferState `json:"state"`
	BuyerContact     *string         `json:"buyerContact" doc:"Once something was accepted" example:"maple"`
	CreatedAt        time.Time       `json:"createdAt"`
	UpdatedAt        time.Time       `json:"updatedAt"`
}

func viewSentOffer(o core.SentOffer) sentOfferView {
	v := sentOfferView{
		ID: o.ID, OrderID: idOrNil(o.OrderID), ItemName: o.ItemName, PricePerUnit: o.Price,
		QuantityOffered: o.Quantity, QuantityAccepted: o.Accepted, State: o.State, BuyerContact: textOrNil(o.BuyerContact),
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt,
	}
	if o.State == core.OfferOpen {
		v.QuantityLeft = o.Quantity - o.Accepted
	}
	return v
}

type sentOfferPageView struct {
	Offers     []sentOfferView `json:"offers" doc:"Newest first"`
	NextCursor *string         `json:"nextCursor" doc:"Where the next page begins; null on the last one"`
}

func (a *api) listMyOffers(ctx context.Context, in *cursorInput) (*answer[sentOfferPageView], error) {
	before, err := placeAfter[core.OfferID](in.Cursor)
	if err != nil {
		return nil, err
	}
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	// One more than a page tells whether there is a next one.
	offers, err := a.market.SentOffers(ctx, actor, before, pageSize+1)
	if err != nil {
		return nil, err
	}
	page := sentOfferPageView{Offers: make([]sentOfferView, 0, len(offers))}
	for _, o := range offers[:min(len(offers), pageSize)] {
		page.Offers = append(page.Offers, viewSentOffer(o))
	}
	if len(offers) > pageSize {
		page.NextCursor = writeCursor(offers[pageSize-1].ID)
	}
	return &answer[sentOfferPageView]{page}, nil
}
