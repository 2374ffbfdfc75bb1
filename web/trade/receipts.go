package trade

import (
	"context"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

// receiptView is the JSON shape of the agreement of one accept, for one of its two sides.
type receiptView struct {
	ID           core.SaleID   `json:"id" example:"12"`
	OfferID      *core.OfferID `json:"offerId" doc:"null when not known; the offer may be gone" example:"70"`
	OrderID      *core.OrderID `json:"orderId" doc:"null once the request is deleted" example:"7"`
	ItemName     string        `json:"itemName" example:"Iron Ore"`
	Quantity     int           `json:"quantity" example:"5"`
	PricePerUnit core.Copper   `json:"pricePerUnit" doc:"Unit price, in copper" example:"250"`
	Total        string        `json:"total" pattern:"^[0-9]+$" doc:"Quantity times price, in copper" example:"1250"`
	Side         string        `json:"side" enum:"buyer,seller" doc:"The caller's side" example:"buyer"`
	With         partyView     `json:"with" doc:"The other side"`
	IGN          *string       `json:"ign" doc:"The buyer's in-game name" example:"Maple"`
	AcceptedAt   time.Time     `json:"acceptedAt"`
	Crossed      bool          `json:"crossed,omitempty" doc:"A request that accepts offers as they come met a listing that sells without asking; left out for a trade that one of the two agreed to"`

	Undo *kernel.UndoView `json:"undo,omitempty" doc:"How the caller can undo it while the request is not closed otherwise; left out when they can't"`
}

// partyView is the other side of a receipt. Nothing else in the API leads to a Discord account.
type partyView struct {
	Name       string                `json:"name" doc:"Empty once they have left" example:"Fern"`
	Contact    *string               `json:"contact" doc:"A Discord username, as typed; null once the request is deleted or they have left" example:"fern"`
	Verified   bool                  `json:"verified" doc:"The contact is the username of their account"`
	LookAlike  *kernel.LookAlikeView `json:"lookAlike,omitempty" doc:"Whether the contact, or the name that they typed, looks like the name of an established trader, but isn't theirs; left out when neither does"`
	DiscordURL *string               `json:"discordUrl" doc:"Their Discord profile; null for a visitor and once they have left" example:"https://discord.com/users/80351110224678912"`
}

func viewReceipt(t trade.Trade, reader core.UserID) receiptView {
	other, side := t.Other(reader), trust.SellerSide
	if t.BoughtBy(reader) {
		side = trust.BuyerSide
	}
	return receiptView{
		ID: t.Sale, OfferID: kernel.IDOrNil(t.Offer), OrderID: kernel.IDOrNil(t.Order),
		ItemName: t.ItemName,
		Quantity: t.Quantity, PricePerUnit: t.UnitPrice, Total: strconv.FormatInt(int64(t.Total()), 10),
		Side: string(side), IGN: kernel.TextOrNil(t.Buyer.Typed.InGameName), AcceptedAt: t.AcceptedAt,
		Crossed: t.Crossed != 0,
		With: partyView{
			Name: other.Typed.Name, Contact: kernel.TextOrNil(other.Typed.Contact),
			Verified: t.ContactVerified(reader), LookAlike: kernel.ViewLookAlike(other.LookAlike),
			DiscordURL: kernel.TextOrNil(other.Account().ProfileURL()),
		},
	}
}

type listReceiptsInput struct {
	Requests []int64 `query:"request,explode" maxItems:"60" doc:"Only those of these requests; may be repeated" example:"[7]"`
	Offers   []int64 `query:"offer,explode" maxItems:"60" doc:"Only those of these offers; may be repeated" example:"[70]"`
	kernel.CursorInput
}

type receiptPageView struct {
	Receipts   []receiptView `json:"receipts" doc:"Newest first"`
	NextCursor *string       `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

// listReceipts lists the receipts in which the signed-in user is one of the two sides. Other
// users' receipts cannot be requested.
func (a handovers) listReceipts(
	ctx context.Context, in *listReceiptsInput,
) (*kernel.Answer[receiptPageView], error) {
	before, err := kernel.PlaceAfter[core.SaleID](in.Cursor)
	if err != nil {
		return nil, err
	}
	var c core.Checks
	tooMany := core.NewText("too_many_values", "limit", kernel.PageSize)
	c.That(len(in.Requests) <= kernel.PageSize, "request", tooMany)
	c.That(len(in.Offers) <= kernel.PageSize, "offer", tooMany)
	if err := c.Err(); err != nil {
		return nil, err
	}
	receipts, err := a.Market.Trade.Receipts(ctx, in.By, trade.Query{
		Orders: kernel.Numbers[core.OrderID](in.Requests), Offers: kernel.Numbers[core.OfferID](in.Offers),
		Before: before, Limit: kernel.PageSize + 1,
	})
	if err != nil {
		return nil, err
	}
	page := receiptPageView{Receipts: make([]receiptView, 0, len(receipts))}
	for _, r := range receipts[:min(len(receipts), kernel.PageSize)] {
		own := viewReceipt(r, in.By.UserID)
		own.Undo = kernel.ViewUndo(r.Undo(), in.By.UserID, a.Now())
		page.Receipts = append(page.Receipts, own)
	}
	if len(receipts) > kernel.PageSize {
		page.NextCursor = kernel.WriteCursor(receipts[kernel.PageSize-1].Sale)
	}
	return &kernel.Answer[receiptPageView]{Body: page}, nil
}
