package main

import (
	"testing"

	"tradepost/core"
	"tradepost/sql/pgtest"
)

// A small market of 45 days, with the spans of retention in proportion: what is over does not pile up, and what prices are
// computed from is kept.
func TestASmallMarketStaysWithinItsSize(t *testing.T) {
	t.Parallel()
	p := plan{
		days: 45, posts: 20, users: 50, vacuumEvery: 7,
		keep: core.Retention{
			Notices: 10 * 24 * core.AnswerRetention, Deliveries: 10 * 24 * core.AnswerRetention, BoardPosts: 5 * 24 * core.AnswerRetention,
			Closed: 5 * 24 * core.AnswerRetention, Archived: 5 * 24 * core.AnswerRetention, Keys: 2 * 24 * core.AnswerRetention,
		},
	}
	done, err := simulate(t.Context(), pgtest.New(t), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range done.violations {
		t.Error(v)
	}
	rows := map[string]int64{}
	for _, table := range done.tables {
		rows[table.name] = table.rows
	}
	// What a day writes, times the days that it is kept, and one more.
	for name, most := range map[string]int64{
		"notices": 11 * 120, "deliveries": 11 * 120, "claims": 3 * 100, "drafts": 8 * 5, "board_posts": 45 * 20 * 3 * 45 / 100,
		"orders": 45*20*40/100 + 11*20,
	} {
		if rows[name] == 0 || rows[name] > most {
			t.Errorf("%s has %d rows, want 1 to %d", name, rows[name], most)
		}
	}
	if sales := rows["order_updates"]; sales < 44*20*60/100 {
		t.Errorf("%d sales are left of at least %d", sales, 44*20*60/100)
	}
}
