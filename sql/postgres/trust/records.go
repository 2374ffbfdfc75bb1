package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// SettledHandovers returns the settled handovers between users and their partners, by user, the oldest sale
// first.
func (s *Store) SettledHandovers(ctx context.Context, users []core.UserID) ([]trust.SettledHandover, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.SettledHandover, error) {
		rows, err := q.SettledHandovers(ctx, kernel.Raw(users))
		return kernel.Convert(rows, settledHandover), err
	})
}

func settledHandover(r db.SettledHandoversRow) trust.SettledHandover {
	return trust.SettledHandover{
		Trader: core.UserID(r.Trader), Partner: core.UserID(r.Partner),
		FormerPartner:      core.UserID(r.FormerPartner),
		PartnerEstablished: r.PartnerEstablished, PartnerCircle: core.UserID(r.PartnerCircle),
		Trusted: r.Trusted, Sale: r.SaleID, State: r.State, Against: r.Against,
		AcceptedAt: r.AcceptedAt, SettledAt: kernel.OrZero(r.SettledAt), Quantity: r.QuantitySold,
	}
}

// IsTrader reports whether a user is an established trader.
func (s *Store) IsTrader(ctx context.Context, id core.UserID) (bool, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (bool, error) {
		return q.IsTrader(ctx, int64(id))
	})
}

// TraderShownTo returns who can see a trader's page.
func (s *Store) TraderShownTo(
	ctx context.Context, trader, reader core.UserID, now time.Time,
) (trust.ShownTo, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trust.ShownTo, error) {
		r, err := q.TraderShownTo(ctx,
			db.TraderShownToParams{UserID: int64(trader), ReaderID: int64(reader), Now: now})
		return trust.ShownTo{Everybody: r.Everybody, SignedIn: r.SignedIn, Reader: r.Reader}, err
	})
}
