package kernel

import "tradepost/core"

// Caller is part of the input of every operation that depends on its caller.
type Caller struct {
	By core.Actor // the route sets it
}

// Keyed is part of every write.
type Keyed struct {
	Caller
	Key string `header:"Idempotency-Key" limit:"key" doc:"Identifies this write. A retry with the same key and body has no further effect and gets the first response; the same key with another body is rejected." example:"0c9f1c2e-6c0b-4f0a-9a53-6a4b4f0e7d11"`
}

// ByOrder is part of everything about one order.
type ByOrder struct {
	ID core.OrderID `path:"id" doc:"The request" example:"7"`
}

// OneOrder is the input of an operation that reads about one order.
type OneOrder struct {
	Caller
	ByOrder
}

// ByOffer is part of everything about one offer.
type ByOffer struct {
	ID core.OfferID `path:"id" doc:"The offer" example:"70"`
}

// ByItem is part of everything about one item.
type ByItem struct {
	ID core.ItemID `path:"id" doc:"The item" example:"12"`
}

// BySale is part of everything about one sale.
type BySale struct {
	ID core.SaleID `path:"id" doc:"The sale" example:"12"`
}

// ByUser is part of everything about one user.
type ByUser struct {
	ID core.UserID `path:"id" doc:"The user's ID on this site" example:"3"`
}
