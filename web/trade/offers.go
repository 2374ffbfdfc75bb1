package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

type offerListView struct {
	Offers []receivedOfferView `json:"offers" doc:"The one to choose first is first"`
	Total  int                 `json:"total"`

	Declined []declinedView `json:"declined" doc:"What you declined in the last ten minutes, latest first: it can be undone"`
	Received bool           `json:"received" doc:"Whether the request ever received an offer. It may be false once the notice of it is removed"`
}

// declinedView is the JSON shape of an offer that the buyer declined and can have back.
type declinedView struct {
	ID              core.OfferID `json:"id" example:"70"`
	SellerName      string       `json:"sellerName" example:"Fern"`
	QuantityOffered int          `json:"quantityOffered" example:"20"`
	DeclinedAt      time.Time    `json:"declinedAt"`

	Undo *kernel.UndoView `json:"undo,omitempty" doc:"Left out when the caller can't undo it"`
}

func (a offers) listOffers(ctx context.Context, in *kernel.OneOrder) (*kernel.Answer[offerListView], error) {
	_, offers, err := a.Market.Trade.ChoicesOn(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	answered, err := a.Market.Trade.AnsweredOffers(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	list := offerListView{
		Offers: make([]receivedOfferView, 0, len(offers)), Total: len(offers),
		Declined: make([]declinedView, 0, len(answered.Declined)), Received: answered.Any || len(offers) > 0,
	}
	for _, o := range offers {
		list.Offers = append(list.Offers, viewChoice(o))
	}
	for _, ended := range answered.Declined {
		list.Declined = append(list.Declined, declinedView{
			ID: ended.Offer.ID, SellerName: ended.Offer.SellerName, QuantityOffered: ended.Offer.Quantity,
			DeclinedAt: ended.At, Undo: kernel.ViewUndo(ended.Undo(), in.By.UserID, a.Now()),
		})
	}
	return &kernel.Answer[offerListView]{Body: list}, nil
}

// offerDraft is the JSON shape of a new offer.
type offerDraft struct {
	SellerName      string `json:"sellerName" limit:"sellerName" example:"Fern"`
	SellerContact   string `json:"sellerContact" required:"false" limit:"contact" doc:"A Discord username; ignored when signed in, where the account's own username is used" example:"fern"`
	Message         string `json:"message" limit:"message" example:"I have plenty"`
	QuantityOffered int    `json:"quantityOffered" minimum:"1" limit:"quantity" doc:"At most the quantity of the request" example:"20"`

	GoodUntil *time.Time `json:"goodUntil" required:"false" doc:"When the offer lapses, within the next 14 days; 14 days from now without a value" example:"2026-05-03T20:00:00Z"`

	Price core.Copper `json:"price" required:"false" minimum:"0" limit:"price" doc:"The price per unit that you saw, in copper; the response is 409 with the current request when it is another one now. Without a value, any price" example:"4000"`

	ReplacesLink trade.OfferToken `json:"replacesLink" required:"false" maxLength:"64" doc:"As a visitor, the secret of your private link to the open offer on the request that this one replaces; the response is 409 with the code offered when there is none" example:"pQ0n3c9Zb1yq7mGxkT5vJr2uWd8eLhXaSfIoNwE4B6M"`

	Replaces *core.OfferID `json:"replaces" required:"false" doc:"The id of your open offer to replace, or 0 for none. If your open offer on the request is another one, the response is 409 with the code offered. Without a value, any open offer of yours is replaced" example:"70"`
}

type sendOfferInput struct {
	kernel.ByOrder
	kernel.Keyed
	Body kernel.Sent[offerDraft]
}

type offerSentView struct {
	Offer    kernel.OfferView `json:"offer"`
	Replaced bool             `json:"replaced" doc:"It replaced an earlier offer of the same seller"`
	Accepted int              `json:"accepted,omitempty" doc:"Of the offer, at once: the buyer takes such offers as they come; left out for none" example:"20"`
	Link     *string          `json:"link" doc:"A visitor's private link to follow and withdraw the offer, shown only here; null for a signed-in seller" example:"https://trade.example/offer/pQ0n3c9Zb1yq7mGxkT5vJr2uWd8eLhXaSfIoNwE4B6M"`
}

func (a offers) sendOffer(ctx context.Context, in *sendOfferInput) (*kernel.Answer[offerSentView], error) {
	if err := a.LimitVisitorOffers(ctx, in.By); err != nil {
		return nil, err
	}
	d := in.Body.Fields
	done, err := a.Market.Trade.SendOffer(ctx, in.By, in.ID, trade.OfferDraft{
		SellerName: d.SellerName, SellerContact: d.SellerContact, Message: d.Message,
		Quantity: d.QuantityOffered,
		Replaces: d.Replaces, ReplacesLink: d.ReplacesLink, GoodUntil: kernel.TimeOrZero(d.GoodUntil),
		PriceSeen: d.Price,
	})
	if err != nil {
		return nil, err
	}
	view := offerSentView{Offer: kernel.ViewOffer(done.Offer), Replaced: done.Replaced,
		Accepted: done.Accepted}
	if done.Link != "" {
		link := a.Public.JoinPath(kernel.OfferPagePrefix, string(done.Link)).String()
		view.Link = &link
	}
	return &kernel.Answer[offerSentView]{Body: view}, nil
}

type acceptDraft struct {
	Quantity int        `json:"quantity" minimum:"1" doc:"At most what is left of the offer and of the request" example:"5"`
	AgreedBy *time.Time `json:"agreedBy" required:"false" doc:"By when you want to meet, within the next 30 days; 72 hours without a value" example:"2026-05-03T20:00:00Z"`
}

type acceptOfferInput struct {
	kernel.ByOffer
	kernel.Keyed
	Body kernel.Sent[acceptDraft]
}

type acceptanceView struct {
	Order kernel.OrderView                `json:"order"`
	Offer kernel.OrNull[kernel.OfferView] `json:"offer" doc:"null when all of it was taken"`
	Sale  SaleView                        `json:"sale"`
}

func (a offers) acceptOffer(
	ctx context.Context, in *acceptOfferInput,
) (*kernel.Answer[acceptanceView], error) {
	done, err := a.Market.Trade.AcceptOfferBy(ctx, in.By, in.ID, in.Body.Fields.Quantity,
		kernel.TimeOrZero(in.Body.Fields.AgreedBy))
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[acceptanceView]{Body: a.viewAcceptance(done)}, nil
}

func (a offers) viewAcceptance(done trade.Acceptance) acceptanceView {
	var view acceptanceView
	view.Order, view.Sale = viewSold(done.Order, done.Sale, a.Now())
	if done.Offer.Quantity > 0 {
		left := kernel.ViewOffer(done.Offer)
		view.Offer.Value = &left
	}
	return view
}

type offerWrite struct {
	kernel.ByOffer
	kernel.Keyed
}

func (a offers) deleteOffer(ctx context.Context, in *offerWrite) error {
	return a.Market.Trade.DeleteOffer(ctx, in.By, in.ID)
}

// SentOfferView is a seller's own record of an offer, which outlives it.
type SentOfferView struct {
	ID               core.OfferID     `json:"id" example:"70"`
	OrderID          *core.OrderID    `json:"orderId" doc:"null once the request is deleted" example:"7"`
	ItemName         string           `json:"itemName" example:"Iron Ore"`
	SellerName       *string          `json:"sellerName" doc:"null for old offers" example:"Fern"`
	Message          *string          `json:"message" doc:"The seller's message; null for old offers" example:"I have plenty"`
	PricePerUnit     core.Copper      `json:"pricePerUnit" doc:"In copper" example:"250"`
	QuantityOffered  int              `json:"quantityOffered" example:"20"`
	QuantityAccepted int              `json:"quantityAccepted" example:"5"`
	QuantityLeft     int              `json:"quantityLeft" doc:"What may still be accepted" example:"15"`
	State            trade.OfferState `json:"state"`
	GoodUntil        *time.Time       `json:"goodUntil,omitempty" doc:"When it lapses, as you said; left out when you didn't"`
	BuyerContact     *string          `json:"buyerContact" doc:"Once something was accepted" example:"maple"`
	CreatedAt        time.Time        `json:"createdAt"`
	UpdatedAt        time.Time        `json:"updatedAt"`

	Undo *kernel.UndoView `json:"undo,omitempty" doc:"Left out when the caller can't undo it"`
}

// ViewSentOffer returns the shape of an offer for the seller who sent it.
func ViewSentOffer(o trade.SentOffer) SentOfferView {
	return SentOfferView{
		ID: o.ID, OrderID: kernel.IDOrNil(o.OrderID), ItemName: o.ItemName,
		SellerName: kernel.TextOrNil(o.SellerName),
		Message:    kernel.TextOrNil(o.Message), PricePerUnit: o.Price, QuantityLeft: o.Left(),
		QuantityOffered: o.Quantity, QuantityAccepted: o.Accepted, State: o.State,
		BuyerContact: kernel.TextOrNil(o.BuyerContact),
		CreatedAt:    o.CreatedAt, UpdatedAt: o.UpdatedAt, GoodUntil: kernel.TimeOrNil(o.GoodUntil),
	}
}

type sentOfferPageView struct {
	Offers     []SentOfferView              `json:"offers" doc:"Newest first"`
	Counts     kernel.OrNull[sentCountView] `json:"counts" doc:"How many offers are in each part; null without part"`
	NextCursor *string                      `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

type sentCountView struct {
	Open     int `json:"open"`
	Accepted int `json:"accepted"`
	Past     int `json:"past"`
}

type listMyOffersInput struct {
	Part trade.SentPart `query:"part" enum:"open,accepted,past" doc:"Only open offers, closed offers of which some was accepted, or the other closed ones; defaults to all"`
	kernel.CursorInput
}

func (a offers) listMyOffers(
	ctx context.Context, in *listMyOffersInput,
) (*kernel.Answer[sentOfferPageView], error) {
	before, err := kernel.PlaceAfter[core.OfferID](in.Cursor)
	if err != nil {
		return nil, err
	}
	// Reading one offer more than a page shows whether there is a next page.
	var (
		offers []trade.SentOffer
		counts trade.SentCounts
		page   sentOfferPageView
	)
	if in.Part == "" {
		offers, err = a.Market.Trade.SentOffers(ctx, in.By, before, kernel.PageSize+1)
	} else {
		offers, counts, err = a.Market.Trade.SentOffersIn(ctx, in.By, in.Part, before, kernel.PageSize+1)
		page.Counts.Value = &sentCountView{Open: counts.Open, Accepted: counts.Accepted, Past: counts.Past}
	}
	if err != nil {
		return nil, err
	}
	page.Offers = make([]SentOfferView, 0, len(offers))
	for _, o := range offers[:min(len(offers), kernel.PageSize)] {
		own := ViewSentOffer(o)
		own.Undo = kernel.ViewUndo(o.Undo(), in.By.UserID, a.Now())
		page.Offers = append(page.Offers, own)
	}
	if len(offers) > kernel.PageSize {
		page.NextCursor = kernel.WriteCursor(offers[kernel.PageSize-1].ID)
	}
	return &kernel.Answer[sentOfferPageView]{Body: page}, nil
}

// openOfferView is as much of an open offer as a card of its request shows.
type openOfferView struct {
	ID               core.OfferID `json:"id" example:"70"`
	OrderID          core.OrderID `json:"orderId" example:"7"`
	QuantityOffered  int          `json:"quantityOffered" example:"20"`
	QuantityAccepted int          `json:"quantityAccepted" example:"5"`
	Price            core.Copper  `json:"price" doc:"For one, in copper" example:"4000"`
	UndoUntil        *time.Time   `json:"undoUntil" doc:"Until when withdrawing it counts as undoing it; null when that is over, or some of it was accepted"`
}

type openOfferListView struct {
	Offers []openOfferView `json:"offers" doc:"Newest first"`
}

func (a offers) listMyOpenOffers(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[openOfferListView], error) {
	offers, err := a.Market.Trade.OpenOffers(ctx, in.By)
	if err != nil {
		return nil, err
	}
	list := openOfferListView{Offers: make([]openOfferView, 0, len(offers))}
	for _, o := range offers {
		until := o.UndoUntil()
		if !a.Now().Before(until) {
			until = time.Time{}
		}
		list.Offers = append(list.Offers, openOfferView{
			ID: o.ID, OrderID: o.OrderID, QuantityOffered: o.Quantity, QuantityAccepted: o.Accepted,
			Price: o.Price, UndoUntil: kernel.TimeOrNil(until),
		})
	}
	return &kernel.Answer[openOfferListView]{Body: list}, nil
}

type myOfferView struct {
	Offer kernel.OrNull[SentOfferView] `json:"offer" doc:"null when you have no open offer on the request"`
}

func (a offers) getMyOffer(ctx context.Context, in *kernel.OneOrder) (*kernel.Answer[myOfferView], error) {
	sent, err := a.Market.Trade.OpenOfferOn(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	var view myOfferView
	if sent != nil {
		own := ViewSentOffer(*sent)
		view.Offer.Value = &own
	}
	return &kernel.Answer[myOfferView]{Body: view}, nil
}
