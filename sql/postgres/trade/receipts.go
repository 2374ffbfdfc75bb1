package trade

import (
	"cmp"
	"context"
	"math"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Receipts returns accepts in which a user was the buyer or the seller, newest first.
func (s *Store) Receipts(
	ctx context.Context, user core.UserID, q trade.ReceiptQuery,
) ([]trade.Receipt, error) {
	params := ReceiptsParams(user, q)
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Receipt, error) {
		rows, err := q.Receipts(ctx, params)
		return kernel.Convert(rows, Receipt), err
	})
}

// ReceiptsParams returns the parameters of the statement that reads a user's receipts.
func ReceiptsParams(user core.UserID, q trade.ReceiptQuery) db.ReceiptsParams {
	before := int64(q.Before)
	if before == 0 {
		before = math.MaxInt64
	}
	return db.ReceiptsParams{
		UserID: int64(user), Before: before, Most: int32(q.Limit), Orders: kernel.Raw(q.Orders),
		Offers: kernel.Raw(q.Offers),
	}
}

// Receipt returns the receipt of a row.
func Receipt(r db.ReceiptsRow) trade.Receipt {
	u := r.OrderUpdate
	return trade.Receipt{
		ID: u.ID, OfferID: kernel.OrZero(u.OfferID), OrderID: kernel.OrZero(u.OrderID),
		ItemName: kernel.OrZero(u.ItemName),
		Quantity: u.QuantitySold, UnitPrice: u.UnitPrice, At: u.CreatedAt,
		Buyer: trade.Party{
			User: kernel.OrZero(u.BuyerID), Name: either(r.BuyerDisplayName, r.KeptBuyerName),
			Contact:    either(r.BuyerContact, r.KeptBuyerContact),
			InGameName: either(r.InGameName, r.KeptInGameName),
			Account: people.Account{
				DiscordID: kernel.OrZero(r.BuyerDiscordID), Username: kernel.OrZero(r.BuyerUsername),
				DisplayName: kernel.OrZero(r.BuyerDisplayName),
			},
		},
		Seller: trade.Party{
			User: kernel.OrZero(u.SellerID), Name: sellerName(r),
			Contact: either(u.SellerContact, r.KeptSellerContact),
			Account: people.Account{
				DiscordID: kernel.OrZero(r.SellerDiscordID), Username: kernel.OrZero(r.SellerUsername),
				DisplayName: kernel.OrZero(r.SellerDisplayName),
			},
		},
	}
}

// sellerName is the name in the offer. Without it, it is the account's.
func sellerName(r db.ReceiptsRow) string {
	if name := kernel.OrZero(r.OrderUpdate.SellerName); name != "" {
		return name
	}
	return either(r.SellerDisplayName, r.KeptSellerName)
}

// either returns a text of the account or its order, or what is kept of it once that is deleted.
func either(text, kept *string) string { return cmp.Or(kernel.OrZero(text), kernel.OrZero(kept)) }
