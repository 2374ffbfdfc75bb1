package cross_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// draw returns pairs of one row that came later, with every fact that decides.
func draw(r *rand.Rand) (cross.Side, []cross.Pair) {
	later := cross.Side(r.IntN(2) == 1)
	few := func(most int) int { return r.IntN(most + 1) }
	pairs := make([]cross.Pair, few(14))
	needs, fromChosen, fromOthers, undid := few(30), few(30), few(20), 0
	left, today := few(30), few(30)-3
	if r.IntN(20) == 0 {
		undid = cross.MaxUndone
	}
	for i := range pairs {
		p := cross.Pair{
			Request: 1, Buyer: 1, Needs: needs, Most: 50, FromChosen: fromChosen, FromOthers: fromOthers, BuyerUndid: undid,
			Listing: core.StockID(i + 1), Seller: core.UserID(few(8) + 1), Left: few(15), Today: few(15), Price: core.Copper(47 + few(5)),
			Posted: noon, Listed: noon.Add(time.Duration(few(3)) * time.Hour),
			Chosen: r.IntN(2) == 0, UpTo: core.MaxQuantity,
			Apart: r.IntN(8) == 0, Undone: r.IntN(8) == 0, Offered: r.IntN(8) == 0, SellerUndid: few(3),
		}
		if later == cross.Listing {
			p.Request, p.Buyer, p.Needs, p.Most = core.OrderID(i+1), core.UserID(few(8)+1), few(15), core.Copper(47+few(5))
			p.FromChosen, p.FromOthers = few(15), few(10)
			p.Listing, p.Seller, p.Left, p.Today, p.Price = 1, 1, left, today, 50
			p.Posted, p.Listed = p.Listed, p.Posted
			p.BuyerUndid, p.SellerUndid = p.SellerUndid, undid
		}
		if !p.Chosen && r.IntN(3) == 0 {
			p.UpTo = few(5)
		}
		pairs[i] = p
	}
	return later, pairs
}

// world has the quantities left of each row while trades are made, as a bookkeeper writes them down.
type world struct {
	needs, fromChosen, fromOthers map[core.OrderID]int
	left, today                   map[core.StockID]int
	traded                        map[[2]int64]bool
}

func begin(pairs []cross.Pair) world {
	w := world{map[core.OrderID]int{}, map[core.OrderID]int{}, map[core.OrderID]int{}, map[core.StockID]int{},
		map[core.StockID]int{}, map[[2]int64]bool{}}
	for _, p := range pairs {
		w.needs[p.Request], w.fromChosen[p.Request], w.fromOthers[p.Request] = p.Needs, p.FromChosen, p.FromOthers
		w.left[p.Listing], w.today[p.Listing] = p.Left, p.Today
	}
	return w
}

// allowed reports whether a pair may trade so many, by every limit one after another.
func (w world) allowed(p cross.Pair, quantity int) bool {
	barred := p.Apart || p.Undone || p.Offered || p.Buyer == p.Seller || p.BuyerUndid >= 3 || p.SellerUndid >= 3
	terms := quantity <= w.fromOthers[p.Request] || p.Chosen && quantity <= w.fromChosen[p.Request]
	return quantity > 0 && !barred && p.Price <= p.Most && !w.traded[[2]int64{int64(p.Request), int64(p.Listing)}] &&
		quantity <= w.needs[p.Request] && quantity <= w.left[p.Listing] && quantity <= w.today[p.Listing] &&
		quantity <= p.UpTo && terms
}

// most finds by trying what a pair may trade.
func (w world) most(p cross.Pair) int {
	for quantity := 40; quantity > 0; quantity-- {
		if w.allowed(p, quantity) {
			return quantity
		}
	}
	return 0
}

// next finds the pair that trades next by comparing each with all others: none is better for the row that came
// later, none of the same price fills it while this does not, and none of these is older.
func (w world) next(later cross.Side, pairs []cross.Pair) int {
	beats := func(a, b cross.Pair) bool {
		whole := func(p cross.Pair) bool {
			if later == cross.Listing {
				return w.most(p) == min(w.left[p.Listing], w.today[p.Listing])
			}
			return w.most(p) == w.needs[p.Request]
		}
		price, age, number := a.Price < b.Price, a.Listed.Before(b.Listed), a.Listing < b.Listing
		same, coeval := a.Price == b.Price, a.Listed.Equal(b.Listed)
		if later == cross.Listing {
			price, age, number = a.Most > b.Most, a.Posted.Before(b.Posted), a.Request < b.Request
			same, coeval = a.Most == b.Most, a.Posted.Equal(b.Posted)
		}
		switch {
		case !same:
			return price
		case whole(a) != whole(b):
			return whole(a)
		case !coeval:
			return age
		}
		return number
	}
	for i, p := range pairs {
		if w.most(p) == 0 {
			continue
		}
		best := true
		for j, other := range pairs {
			best = best && (i == j || w.most(other) == 0 || beats(p, other))
		}
		if best {
			return i
		}
	}
	return -1
}

func (w world) take(p cross.Pair, quantity int) {
	w.needs[p.Request] -= quantity
	w.left[p.Listing] -= quantity
	w.today[p.Listing] -= quantity
	if p.Chosen && quantity <= w.fromChosen[p.Request] {
		w.fromChosen[p.Request] -= quantity
	} else {
		w.fromOthers[p.Request] -= quantity
	}
	w.traded[[2]int64{int64(p.Request), int64(p.Listing)}] = true
}

// TestDecideIsTheSlowRule compares the decision with a search of every pair and quantity.
func TestDecideIsTheSlowRule(t *testing.T) {
	t.Parallel()
	trades, partly, several := 0, 0, 0
	for seed := range uint64(20_000) {
		later, pairs := draw(rand.New(rand.NewPCG(seed, 7)))
		before := fmt.Sprint(pairs)
		got, w := cross.Decide(later, pairs), begin(pairs)
		if fmt.Sprint(pairs) != before {
			t.Fatalf("seed %d: the pairs were changed", seed)
		}
		for n, trade := range got {
			i := w.next(later, pairs)
			if i < 0 {
				t.Fatalf("seed %d: trade %d of %d has no pair left", seed, n, len(got))
			}
			p := pairs[i]
			unit := p.Price
			if later == cross.Listing {
				unit = p.Most
			}
			if trade.Request != p.Request || trade.Listing != p.Listing || trade.Quantity != w.most(p) || trade.Unit != unit {
				t.Fatalf("seed %d: trade %d is %+v, want %d of request %d and listing %d at %d", seed, n, trade,
					w.most(p), p.Request, p.Listing, unit)
			}
			if !w.allowed(p, trade.Quantity) || trade.Unit < p.Price || trade.Unit > p.Most {
				t.Fatalf("seed %d: trade %+v breaks a limit", seed, trade)
			}
			if trade.AsChosen != (p.Chosen && trade.Quantity <= w.fromChosen[p.Request]) {
				t.Fatalf("seed %d: trade %+v counts for the other sellers", seed, trade)
			}
			w.take(p, trade.Quantity)
			if trade.Quantity < p.Needs {
				partly++
			}
		}
		if len(got) < cross.MaxTrades && w.next(later, pairs) >= 0 || len(got) > cross.MaxTrades {
			t.Fatalf("seed %d: %d trades, and more could be made", seed, len(got))
		}
		trades += len(got)
		if len(got) > 1 {
			several++
		}
	}
	if trades < 10_000 || partly < 1_000 || several < 1_000 {
		t.Errorf("the draws make %d trades, %d of them partly, %d decisions of several: too few to tell", trades, partly, several)
	}
}

// TestHistoriesKeepBothLimits plays days of rows that come, change and are undone, and counts afterwards.
func TestHistoriesKeepBothLimits(t *testing.T) {
	t.Parallel()
	type sold struct {
		request core.OrderID
		listing core.StockID
		amount  int
		at      time.Time
		undone  bool
	}
	const daily, stock, wanted = 12, 40, 25
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		now := noon
		var all []sold
		sum := func(match func(sold) bool) (n int) {
			for _, s := range all {
				if !s.undone && match(s) {
					n += s.amount
				}
			}
			return n
		}
		for range 60 {
			now = now.Add(time.Duration(r.IntN(9)) * time.Hour)
			if len(all) > 0 && r.IntN(6) == 0 {
				all[r.IntN(len(all))].undone = true
				continue
			}
			later, one := cross.Side(r.IntN(2) == 1), r.IntN(4)+1
			var pairs []cross.Pair
			for other := 1; other <= 4; other++ {
				request, listing := core.OrderID(one), core.StockID(other)
				if later == cross.Listing {
					request, listing = core.OrderID(other), core.StockID(one)
				}
				undone := false
				for _, s := range all {
					undone = undone || s.undone && s.request == request && s.listing == listing
				}
				pairs = append(pairs, cross.Pair{
					Request: request, Buyer: core.UserID(request), Most: 60, Needs: wanted - sum(func(s sold) bool { return s.request == request }),
					Listing: listing, Seller: core.UserID(10 + listing), Price: 50, Left: stock - sum(func(s sold) bool { return s.listing == listing }),
					Today: daily - sum(func(s sold) bool {
						return s.listing == listing && s.at.After(now.Add(-24*time.Hour))
					}),
					FromOthers: wanted, UpTo: core.MaxQuantity, Undone: undone,
				})
			}
			for _, trade := range cross.Decide(later, pairs) {
				for _, s := range all {
					if s.undone && s.request == trade.Request && s.listing == trade.Listing {
						t.Fatalf("seed %d: request %d and listing %d cross again", seed, trade.Request, trade.Listing)
					}
				}
				all = append(all, sold{trade.Request, trade.Listing, trade.Quantity, now, false})
			}
		}
		for _, first := range all {
			day := sum(func(s sold) bool {
				return s.listing == first.listing && !s.at.Before(first.at) && s.at.Before(first.at.Add(24*time.Hour))
			})
			if day > daily || sum(func(s sold) bool { return s.listing == first.listing }) > stock ||
				sum(func(s sold) bool { return s.request == first.request }) > wanted {
				t.Fatalf("seed %d: %d sold in 24 hours, of at most %d", seed, day, daily)
			}
		}
	}
}
