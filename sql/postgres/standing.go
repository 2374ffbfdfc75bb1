package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Terms returns what is asked of sellers on an order, and which offers are accepted as they come, the latest first.
func (s *tradeStore) Terms(ctx context.Context, id core.OrderID) (core.Terms, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (terms core.Terms, err error) {
		least, err := q.LeastRecordOf(ctx, int64(id))
		if err != nil {
			return terms, err
		}
		if len(least) > 0 {
			terms.Least = core.LeastRecord{Partners: least[0].Partners, NewUpTo: least[0].NewUpTo}
		}
		rows, err := q.StandingOf(ctx, int64(id))
		terms.Standing = convert(rows, standing)
		return terms, err
	})
}

// IsTrader reports whether a user is an established trader.
func (s *trustStore) IsTrader(ctx context.Context, id core.UserID) (bool, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (bool, error) { return q.IsTrader(ctx, int64(id)) })
}

// UserNamed returns the user whose account has a username, in any case. It returns a NotFound error if there is none.
func (s *peopleStore) UserNamed(ctx context.Context, username string) (core.UserID, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.UserID, error) { return q.UserNamed(ctx, username) })
}

func standing(r db.StandingAcceptance) core.StandingAcceptance {
	return core.StandingAcceptance{
		StandingDraft: core.StandingDraft{Partners: r.Partners, FromPartners: r.FromPartners, FromOthers: r.FromOthers, Until: r.Until},
		ID:            r.ID, Order: core.OrderID(r.OrderID), TakenFromPartners: r.TakenFromPartners, TakenFromOthers: r.TakenFromOthers,
		SetAt: r.SetAt, EndedAt: orZero(r.EndedAt),
	}
}

func (t *trustTx) SettledHandovers(ctx context.Context, user core.UserID) ([]core.SettledHandover, error) {
	rows, err := t.Q.SettledHandovers(ctx, []int64{int64(user)})
	return convert(rows, settledHandover), translate(err)
}

func (t *tradeTx) AddStanding(ctx context.Context, s core.StandingAcceptance) (int64, error) {
	id, err := t.Q.AddStanding(ctx, db.AddStandingParams{
		OrderID: int64(s.Order), Partners: s.Partners, FromPartners: s.FromPartners, FromOthers: s.FromOthers, Until: s.Until, SetAt: s.SetAt,
	})
	return id, translate(err)
}

func (t *tradeTx) EndStanding(ctx context.Context, id core.OrderID, now time.Time) (bool, error) {
	ended, err := t.Q.EndStanding(ctx, now, int64(id))
	return ended > 0, translate(err)
}

func (t *tradeTx) SaveStanding(ctx context.Context, s core.StandingAcceptance) error {
	return t.Q.SaveStanding(ctx, db.SaveStandingParams{ID: s.ID, TakenFromPartners: s.TakenFromPartners, TakenFromOthers: s.TakenFromOthers})
}

func (t *tradeTx) SaveLeastRecord(ctx context.Context, id core.OrderID, l core.LeastRecord) error {
	if l == (core.LeastRecord{}) {
		return t.Q.RemoveLeastRecord(ctx, int64(id))
	}
	return t.Q.SaveLeastRecord(ctx, db.SaveLeastRecordParams{OrderID: int64(id), Partners: l.Partners, NewUpTo: l.NewUpTo})
}
