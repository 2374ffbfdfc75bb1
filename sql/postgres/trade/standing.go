package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Terms returns the requirements for sellers on an order, and its standing acceptances, the latest first.
func (s *Store) Terms(ctx context.Context, id core.OrderID) (trade.Terms, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (terms trade.Terms, err error) {
		least, err := q.LeastRecordOf(ctx, int64(id))
		if err != nil {
			return terms, err
		}
		if len(least) > 0 {
			terms.Least = trade.LeastRecord{Sellers: least[0].Sellers, NewUpTo: least[0].NewUpTo}
		}
		rows, err := q.StandingOf(ctx, int64(id))
		terms.Standing = kernel.Convert(rows, standing)
		return terms, err
	})
}

func standing(r db.StandingAcceptance) trade.StandingAcceptance {
	return trade.StandingAcceptance{
		StandingDraft: trade.StandingDraft{
			Sellers: r.Sellers, FromPartners: r.FromPartners, FromOthers: r.FromOthers, Until: r.Until,
		},
		ID: r.ID, Order: core.OrderID(r.OrderID), TakenFromPartners: r.TakenFromPartners,
		TakenFromOthers: r.TakenFromOthers,
		SetAt:           r.SetAt, EndedAt: kernel.OrZero(r.EndedAt),
	}
}

// olderPartners returns how many partners an older program asks for instead, which counts them.
func olderPartners(s trade.Sellers) int {
	if s == trade.SellersTrusted {
		return 3
	}
	return 100
}

// AddStanding stores a standing acceptance and returns its id.
func (t *Tx) AddStanding(ctx context.Context, s trade.StandingAcceptance) (int64, error) {
	id, err := t.Q.AddStanding(ctx, db.AddStandingParams{
		OrderID: int64(s.Order), Sellers: s.Sellers, Partners: olderPartners(s.Sellers),
		FromPartners: s.FromPartners, FromOthers: s.FromOthers, Until: s.Until, SetAt: s.SetAt,
	})
	return id, kernel.Translate(err)
}

// EndStanding ends the standing acceptance of a locked order.
func (t *Tx) EndStanding(ctx context.Context, id core.OrderID, now time.Time) (bool, error) {
	ended, err := t.Q.EndStanding(ctx, now, int64(id))
	return ended > 0, kernel.Translate(err)
}

// SaveStanding stores the quantities that a standing acceptance has taken.
func (t *Tx) SaveStanding(ctx context.Context, s trade.StandingAcceptance) error {
	return t.Q.SaveStanding(ctx, db.SaveStandingParams{
		ID: s.ID, TakenFromPartners: s.TakenFromPartners, TakenFromOthers: s.TakenFromOthers,
	})
}

// SaveLeastRecord stores the requirements for sellers on a locked order.
func (t *Tx) SaveLeastRecord(ctx context.Context, id core.OrderID, l trade.LeastRecord) error {
	if l == (trade.LeastRecord{}) {
		return t.Q.RemoveLeastRecord(ctx, int64(id))
	}
	return t.Q.SaveLeastRecord(ctx, db.SaveLeastRecordParams{
		OrderID: int64(id), Sellers: l.Sellers, Partners: olderPartners(l.Sellers), NewUpTo: l.NewUpTo,
	})
}
