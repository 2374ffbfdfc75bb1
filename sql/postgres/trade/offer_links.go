package trade

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// OfferLink returns the target of a private link, as stored, with the receipts of its offer. It returns a
// NotFound error if there is none.
func (s *Store) OfferLink(ctx context.Context, key trade.OfferLinkKey) (trade.OfferLink, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.OfferLink, error) {
		row, err := q.OfferLink(ctx, key[:])
		if err != nil {
			return trade.OfferLink{}, linkNotFound(err)
		}
		l := row.OfferLink
		link := trade.OfferLink{Order: Order(row.Order), Left: kernel.OrZero(row.QuantityLeft)}
		link.Sent = trade.SentOffer{
			ID: l.OfferID, OrderID: l.OrderID, ItemName: link.Order.ItemName, SellerName: l.SellerName,
			Message: l.Message,
			Price:   l.PricePerUnit, Quantity: l.QuantityOffered, State: l.State, CreatedAt: l.CreatedAt,
			UpdatedAt: l.UpdatedAt,
			GoodUntil: kernel.OrZero(l.GoodUntil),
		}
		rows, err := q.OfferReceipts(ctx, int64(l.OrderID), append(l.EarlierOffers, int64(l.OfferID)))
		link.Receipts = kernel.Convert(rows, Trade)
		return link, err
	})
}

// linkNotFound says the same of a wrong token and of a link that has ended.
func linkNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return kernel.NotFound(core.NewText("offer_link_gone"))
	}
	return err
}

// AddOfferLink stores the private link to a visitor's offer that this transaction has added.
func (t *Tx) AddOfferLink(ctx context.Context, key trade.OfferLinkKey, o trade.Offer) error {
	t.NoteWrite()
	return t.Q.AddOfferLink(ctx, db.AddOfferLinkParams{
		TokenHash: key[:], OfferID: o.ID, OrderID: o.OrderID, SellerName: o.SellerName, Message: o.Message,
		PricePerUnit: o.Price, QuantityOffered: o.Quantity, CreatedAt: o.CreatedAt,
		GoodUntil: kernel.TimeOrNull(o.GoodUntil),
	})
}

// MoveOfferLinks has every link of the offer that one leads to lead to the offer that has replaced it.
func (t *Tx) MoveOfferLinks(ctx context.Context, key trade.OfferLinkKey, o trade.Offer) error {
	t.NoteWrite()
	return kernel.Translate(t.Q.MoveOfferLinks(ctx, db.MoveOfferLinksParams{
		TokenHash: key[:], OfferID: o.ID, SellerName: o.SellerName, Message: o.Message, PricePerUnit: o.Price,
		QuantityOffered: o.Quantity,
		CreatedAt:       o.CreatedAt, GoodUntil: kernel.TimeOrNull(o.GoodUntil),
	}))
}

// AddOfferLinkAgain adds a link beside the links that an offer has.
func (t *Tx) AddOfferLinkAgain(ctx context.Context, key trade.OfferLinkKey, id core.OfferID) (bool, error) {
	added, err := t.Q.AddOfferLinkAgain(ctx, db.AddOfferLinkAgainParams{
		TokenHash: key[:], OfferID: id, Most: trade.MaxOfferLinks,
	})
	return len(added) > 0, kernel.Translate(err)
}

// LinkedOffer returns the number of the offer that a private link leads to.
func (t *Tx) LinkedOffer(ctx context.Context, key trade.OfferLinkKey) (core.OfferID, error) {
	id, err := t.Q.LinkedOffer(ctx, key[:])
	return id, kernel.Translate(linkNotFound(err))
}
