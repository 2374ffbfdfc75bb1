package postgres

import (
	"cmp"
	"context"
	"math"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Receipts returns accepts in which a user was the buyer or the seller, newest first.
func (s *tradeStore) Receipts(ctx context.Context, user core.UserID, q core.ReceiptQuery) ([]core.Receipt, error) {
	params := receiptsParams(user, q)
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Receipt, error) {
		rows, err := q.Receipts(ctx, params)
		return convert(rows, receipt), err
	})
}

func receiptsParams(user core.UserID, q core.ReceiptQuery) db.ReceiptsParams {
	before := int64(q.Before)
	if before == 0 {
		before = math.MaxInt64
	}
	return db.ReceiptsParams{
		UserID: int64(user), Before: before, Most: int32(q.Limit), Orders: raw(q.Orders), Offers: raw(q.Offers),
	}
}

func receipt(r db.ReceiptsRow) core.Receipt {
	u := r.OrderUpdate
	return core.Receipt{
		ID: u.ID, OfferID: orZero(u.OfferID), OrderID: orZero(u.OrderID), ItemName: orZero(u.ItemName),
		Quantity: u.QuantitySold, UnitPrice: u.UnitPrice, At: u.CreatedAt,
		Buyer: core.Party{
			User: orZero(u.BuyerID), Name: either(r.BuyerDisplayName, r.KeptBuyerName), Contact: either(r.BuyerContact, r.KeptBuyerContact),
			InGameName: either(r.InGameName, r.KeptInGameName),
			Account: core.Account{
				DiscordID: orZero(r.BuyerDiscordID), Username: orZero(r.BuyerUsername), DisplayName: orZero(r.BuyerDisplayName),
			},
		},
		Seller: core.Party{
			User: orZero(u.SellerID), Name: sellerName(r), Contact: either(u.SellerContact, r.KeptSellerContact),
			Account: core.Account{
				DiscordID: orZero(r.SellerDiscordID), Username: orZero(r.SellerUsername), DisplayName: orZero(r.SellerDisplayName),
			},
		},
	}
}

// sellerName is the name in the offer. Without it, it is the account's.
func sellerName(r db.ReceiptsRow) string {
	if name := orZero(r.OrderUpdate.SellerName); name != "" {
		return name
	}
	return either(r.SellerDisplayName, r.KeptSellerName)
}

// either returns a text of the account or its order, or what is kept of it once that is deleted.
func either(text, kept *string) string { return cmp.Or(orZero(text), orZero(kept)) }
