package match_test

import (
	"sync"
	"testing"

	"tradepost/core/game"
	"tradepost/core/match"
)

// A smoke form of reading while people post (make bench measures how fast that is): nothing is counted again, and what has changed is
// read once for everybody.
func TestReadingWhilePeoplePostCountsNothingAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Post(w.Ann)
	must(t, w.SQL(`insert into orders (user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, importance,
		created_at, updated_at, expires_at) select user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, 'urgent',
		created_at, updated_at, expires_at from orders, generate_series(1, 1200)`))
	r := w.reader()
	first, err := r.market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	must(t, err)
	const readers, posts = 8, 12
	total := 1201
	read := func() {
		for _, q := range []match.OrderQuery{
			{}, {After: first.Next}, {Sort: match.HighestPay}, {OrderFilter: match.OrderFilter{Importance: []game.Importance{game.Urgent}}}, {OrderFilter: match.OrderFilter{Categories: []game.Category{"Miner"}}},
		} {
			if _, err := r.market.Match.BrowseOrders(t.Context(), q); err != nil {
				t.Error(err)
			}
		}
		if counts, err := r.market.Match.CountOrders(t.Context(), match.OrderFilter{}); err != nil || counts.All != total {
			t.Errorf("%d are counted, want %d: %v", counts.All, total, err)
		}
	}
	read()
	counted, filtered, followed := r.counted.everything.Load(), r.counted.filtered.Load(), r.counted.followed.Load()
	for range posts {
		w.Post(w.Bob)
		total++
		r.news.Next()
		var reading sync.WaitGroup
		for range readers {
			reading.Go(read)
		}
		reading.Wait()
	}
	if n := r.counted.everything.Load() - counted; n != 0 {
		t.Errorf("everything was counted %d times", n)
	}
	if n := r.counted.filtered.Load() - filtered; n != 0 {
		t.Errorf("the filter was counted %d times", n)
	}
	if n := r.counted.followed.Load() - followed; n > 2*posts { // the feed tells of a change once or, when it looks in between, twice
		t.Errorf("what has changed was read %d times after %d posts", n, posts)
	}
}
