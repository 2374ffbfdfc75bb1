package upkeep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/waits"
)

// limitUseLife is twice the longest window of a limit, and more.
const limitUseLife = 30 * time.Minute

// countUses counts by a hash of the limit and the client, with the key of this database's hashes of
// addresses, which is in no backup. It counts in the order of the hashes, which is the same in every process:
// two never wait for each other. It is not among the generated queries: sqlc does not know unnest of several
// arrays.
const countUses = `
with given as (
    select substring(sha256(report_keys.key || convert_to(g.client, 'UTF8')) for 16) as client,
        g.began, g.earlier, g.uses, g.place
    from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::int[])
        with ordinality as g(client, began, earlier, uses, place), report_keys
), counted as (
    insert into limit_uses as u (client, began, uses) select client, began, uses from given order by client
    on conflict (client, began) do update set uses = u.uses + excluded.uses returning client, uses
)
select greatest(counted.uses, 0), greatest(coalesce(last.uses, 0), 0) from given
join counted on counted.client = given.client
left join limit_uses last on last.client = given.client and last.began = given.earlier order by place`

// CountUses counts uses of limits, each of another limit or client, and returns how often each was used by
// all replicas within the window that ends now. Uses of the window before count by the part of it that is
// still within.
func (s *Store) CountUses(ctx context.Context, uses []core.LimitUse) ([]float64, error) {
	var (
		now            = s.Now()
		clients        = make([]string, len(uses))
		began, earlier = make([]time.Time, len(uses)), make([]time.Time, len(uses))
		by             = make([]int32, len(uses))
		counts         = make([]float64, 0, len(uses))
	)
	for i, u := range uses {
		clients[i], by[i] = u.Limit+" "+u.Client, int32(u.By)
		began[i] = now.Truncate(u.Window)
		earlier[i] = began[i].Add(-u.Window)
	}
	rows, err := s.Pool().Query(ctx, countUses, clients, began, earlier, by)
	if err != nil {
		return nil, fmt.Errorf("count uses of limits: %w", err)
	}
	var current, last int
	_, err = pgx.ForEachRow(rows, []any{&current, &last}, func() error {
		i := len(counts)
		elapsed := float64(now.Sub(began[i])) / float64(uses[i].Window)
		counts = append(counts, float64(current)+float64(last)*(1-elapsed))
		return nil
	})
	if err == nil && len(counts) != len(uses) {
		err = fmt.Errorf("%d of %d were counted", len(counts), len(uses))
	}
	if err != nil {
		return nil, fmt.Errorf("count uses of limits: %w", err)
	}
	return counts, nil
}

// Pace is how often something may be done that all replicas share: Burst times at once, and then once in
// every interval.
type Pace struct {
	Name  string
	Every time.Duration
	Burst int
}

const takeTurn = `
insert into call_turns as t (name, free_at) values ($1, $2::timestamptz + $3::interval)
on conflict (name) do update
    set free_at = (case when t.free_at > $5 then $2 else greatest(t.free_at, $2) end
        at time zone 'UTC' + $3) at time zone 'UTC'
    where t.free_at <= $4 or t.free_at > $5 returning free_at`

// TakeTurn takes the next turn of a pace, and returns how long the caller has to wait for it. ok is false
// when that would be too long: then no turn is taken. A turn further ahead than any may be was taken by a
// clock that was ahead; it counts as free now.
func (s *Store) TakeTurn(
	ctx context.Context, of Pace, longest time.Duration,
) (wait time.Duration, ok bool, err error) {
	now := s.Now()
	var free time.Time
	latest := now.Add(longest + time.Duration(of.Burst-1)*of.Every)
	err = s.Pool().QueryRow(
		ctx, takeTurn, of.Name, now, of.Every, latest, now.Add(waits.MaxTurnWait),
	).Scan(&free)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("take a turn: %w", err)
	}
	return max(free.Sub(now)-time.Duration(of.Burst)*of.Every, 0), true, nil
}
