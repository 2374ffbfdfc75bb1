package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// OfferLink returns what a private link leads to, as stored, with the receipts of its offer. It returns a NotFound error if
// there is none.
func (s *tradeStore) OfferLink(ctx context.Context, key core.OfferLinkKey) (core.OfferLink, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.OfferLink, error) {
		row, err := q.OfferLink(ctx, key[:])
		if err != nil {
			return core.OfferLink{}, linkNotFound(err)
		}
		l := row.OfferLink
		link := core.OfferLink{Order: order(row.Order), Left: orZero(row.QuantityLeft)}
		link.Sent = core.SentOffer{
			ID: l.OfferID, OrderID: l.OrderID, ItemName: link.Order.ItemName, SellerName: l.SellerName, Message: l.Message,
			Price: l.PricePerUnit, Quantity: l.QuantityOffered, State: l.State, CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt,
			GoodUntil: orZero(l.GoodUntil),
		}
		rows, err := q.OfferReceipts(ctx, int64(l.OrderID), append(l.EarlierOffers, int64(l.OfferID)))
		link.Receipts = convert(rows, func(r db.OfferReceiptsRow) core.Receipt { return receipt(db.ReceiptsRow(r)) })
		return link, err
	})
}

// linkNotFound says the same of a wrong token and of a link that has ended.
func linkNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return notFound(core.NewText("offer_link_gone", "This link is wrong, or it has ended with its request"))
	}
	return err
}

func (t *tradeTx) AddOfferLink(ctx context.Context, key core.OfferLinkKey, o core.Offer) error {
	t.NoteWrite()
	return t.Q.AddOfferLink(ctx, db.AddOfferLinkParams{
		TokenHash: key[:], OfferID: o.ID, OrderID: o.OrderID, SellerName: o.SellerName, Message: o.Message,
		PricePerUnit: o.Price, QuantityOffered: o.Quantity, CreatedAt: o.CreatedAt,
		GoodUntil: timeOrNull(o.GoodUntil),
	})
}

func (t *tradeTx) MoveOfferLinks(ctx context.Context, key core.OfferLinkKey, o core.Offer) error {
	t.NoteWrite()
	return translate(t.Q.MoveOfferLinks(ctx, db.MoveOfferLinksParams{
		TokenHash: key[:], OfferID: o.ID, SellerName: o.SellerName, Message: o.Message, PricePerUnit: o.Price, QuantityOffered: o.Quantity,
		CreatedAt: o.CreatedAt, GoodUntil: timeOrNull(o.GoodUntil),
	}))
}

func (t *tradeTx) AddOfferLinkAgain(ctx context.Context, key core.OfferLinkKey, id core.OfferID) (bool, error) {
	added, err := t.Q.AddOfferLinkAgain(ctx, db.AddOfferLinkAgainParams{TokenHash: key[:], OfferID: id, Most: core.MaxOfferLinks})
	return len(added) > 0, translate(err)
}

func (t *tradeTx) LinkedOffer(ctx context.Context, key core.OfferLinkKey) (core.OfferID, error) {
	id, err := t.Q.LinkedOffer(ctx, key[:])
	return id, translate(linkNotFound(err))
}
