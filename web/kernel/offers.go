package kernel

import (
	"time"

	"tradepost/core"
	"tradepost/core/trade"
)

// OfferView is the JSON shape of an offer, for the buyer and for the seller who sent it.
type OfferView struct {
	ID              core.OfferID `json:"id" example:"70"`
	OrderID         core.OrderID `json:"orderId" example:"7"`
	SellerID        *core.UserID `json:"sellerId,omitempty" doc:"The seller's user ID on this site; left out for a visitor" example:"5"`
	SellerName      string       `json:"sellerName" example:"Fern"`
	SellerContact   string       `json:"sellerContact" doc:"A Discord username" example:"fern"`
	Message         string       `json:"message" example:"I have plenty"`
	PricePerUnit    core.Copper  `json:"pricePerUnit" doc:"The request's price when the offer was made, in copper" example:"250"`
	QuantityOffered int          `json:"quantityOffered" doc:"What is left of it" example:"20"`
	CreatedAt       time.Time    `json:"createdAt"`
	GoodUntil       *time.Time   `json:"goodUntil,omitempty" doc:"When it lapses, as the seller said; left out when they didn't"`
	Verified        bool         `json:"verified" doc:"The seller was signed in, so the contact is their own"`

	LookAlike *LookAlikeView `json:"lookAlike,omitempty" doc:"Whether contact or name looks like the name of an established trader, but isn't theirs; left out when neither does"`
}

// ViewOffer returns the shape of an offer.
func ViewOffer(o trade.Offer) OfferView {
	return OfferView{
		ID: o.ID, OrderID: o.OrderID, SellerID: IDOrNil(o.Seller), SellerName: o.SellerName,
		SellerContact: o.SellerContact, Message: o.Message,
		PricePerUnit: o.Price, QuantityOffered: o.Quantity, CreatedAt: o.CreatedAt, Verified: o.Verified(),
		LookAlike: ViewLookAlike(o.LookAlike), GoodUntil: TimeOrNil(o.GoodUntil),
	}
}
