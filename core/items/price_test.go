package items

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
)

var priceNow = time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)

// bruteForce says the same as PriceOf, as the rule is told, over fills in any order.
func bruteForce(fills []Fill, young bool, from, to time.Time) (Price, bool) {
	latest := func(a, b Fill) bool { return a.At.After(b.At) }
	same := func(a, b Fill) bool {
		return a.Buyer == b.Buyer && a.Seller == b.Seller || a.Buyer == b.Seller && a.Seller == b.Buyer
	}
	var counting, pairs, counted []Fill
	for _, f := range fills {
		if f.At.After(from) && !f.At.After(to) && (f.Trust > 0 || young) {
			counting = append(counting, f)
		}
	}
	for i, f := range counting {
		if !slices.ContainsFunc(counting, func(g Fill) bool { return same(f, g) && latest(g, f) }) {
			pairs = append(pairs, counting[i])
		}
	}
	if len(counting) < 5 || len(pairs) < 3 {
		return Price{}, false
	}
	for len(pairs) > 0 {
		next := pairs[0]
		for _, f := range pairs {
			if latest(f, next) {
				next = f
			}
		}
		pairs = slices.DeleteFunc(pairs, func(f Fill) bool { return f == next })
		times := func(who core.UserID) (n int) {
			for _, f := range counted {
				if f.Buyer == who || f.Seller == who {
					n++
				}
			}
			return n
		}
		if times(next.Buyer) < 5 && times(next.Seller) < 5 {
			counted = append(counted, next)
		}
	}
	trust, circles := 0.0, map[core.UserID]bool{} // everybody is a circle of their own here
	for _, f := range counted {
		trust += f.Trust
		circles[f.Buyer], circles[f.Seller] = true, true
	}
	if !young && (trust < 3 || len(circles) < 3) {
		return Price{}, false
	}
	var prices []int // each as often as it weighs
	sum, squares := 0, 0
	for _, f := range counted {
		weight := min(f.Quantity, 10) // twice as much as it is where a half is the least
		if young || f.Trust == 1 {
			weight *= 2
		}
		prices = append(prices, slices.Repeat([]int{int(f.Price)}, weight)...)
		sum, squares = sum+weight, squares+weight*weight
	}
	slices.Sort(prices)
	// The least price that a share in a hundred is not above.
	quantile := func(percent int) core.Copper {
		for _, p := range prices {
			atMost := 0
			for _, q := range prices {
				if q <= p {
					atMost++
				}
			}
			if 100*atMost >= percent*len(prices) {
				return core.Copper(p)
			}
		}
		return 0
	}
	median := quantile(50)
	if n := len(prices); n%2 == 0 {
		median = core.Copper(prices[n/2-1]+prices[n/2]) / 2
	}
	var paid []int // by each pair
	for _, f := range counted {
		paid = append(paid, int(f.Price))
	}
	slices.Sort(paid)
	// Twice the usual weight is at or beyond each end, and two pairs are.
	low, high := core.Copper(0), core.Copper(0)
	for i := range prices {
		if (len(prices)-i)*sum >= 2*squares {
			high = core.Copper(prices[i])
		}
		if j := len(prices) - 1 - i; (j+1)*sum >= 2*squares {
			low = core.Copper(prices[j])
		}
	}
	low, high = max(core.Copper(paid[1]), low), min(core.Copper(paid[len(paid)-2]), high)
	price := Price{Median: median, Low: min(median, max(quantile(10), low)), High: max(median, min(quantile(90), high)),
		LowerQuartile: min(median, max(quantile(25), low)), UpperQuartile: max(median, min(quantile(75), high)), Fills: len(counted), Trades: len(counting), Circles: len(circles)}
	for _, f := range counting {
		price.Volume += f.Quantity
	}
	// The rank of the interval is the greatest with at most 5 of 100 on one side.
	n, rank := sum*sum/squares, 0
	for heads, exactly, upTo := 0, math.Pow(2, -float64(n)), 0.0; ; heads++ {
		if upTo += exactly; upTo > 0.05 {
			break
		}
		exactly, rank = exactly*float64(n-heads)/float64(heads+1), heads+1
	}
	if rank > 0 {
		at := (rank-1)*sum/n + 1
		price.MedianFrom, price.MedianTo = core.Copper(prices[at-1]), core.Copper(prices[len(prices)-at])
	}
	return price, true
}

func TestPricesEqualABruteForceComputation(t *testing.T) {
	t.Parallel()
	known, none := 0, 0
	for seed := range uint64(10_000) {
		random := rand.New(rand.NewPCG(seed, 119))
		traders := 3 + random.IntN(12)
		fills := make([]Fill, random.IntN(50))
		for i := range fills {
			buyer := core.UserID(1 + random.IntN(traders))
			seller := core.UserID(1 + random.IntN(traders-1))
			if seller >= buyer {
				seller++
			}
			fills[i] = Fill{
				At:    priceNow.Add(-time.Duration(random.Int64N(int64(100 * 24 * time.Hour)))),
				Buyer: buyer, Seller: seller, Price: core.Copper(1 + random.IntN(500)), Quantity: 1 + random.IntN(13),
				Trust: float64(min(2, random.IntN(4))) / 2,
			}
		}
		slices.SortFunc(fills, func(a, b Fill) int { return b.At.Compare(a.At) })
		young := seed%5 == 0
		check := func(what any, got *Price, from, to time.Time) {
			want, is := bruteForce(fills, young, from, to)
			if is != (got != nil) || got != nil && *got != want {
				t.Fatalf("history %d, %v: the price is %+v, want %+v (%t)", seed, what, got, want, is)
			}
			if is {
				known++
			} else {
				none++
			}
		}
		for _, w := range priceWindows(fills, young, priceNow) {
			check(w.Days, w.Price, priceNow.AddDate(0, 0, -w.Days), priceNow)
		}
		if seed%20 == 0 {
			for _, d := range priceByDay(fills, young, priceNow) {
				end := d.Day.AddDate(0, 0, 1).Add(-time.Nanosecond)
				check(d.Day, d.Price, end.AddDate(0, 0, -7), end)
				traded := 0
				for _, f := range fills {
					if d.Price != nil && f.At.UTC().Format(time.DateOnly) == d.Day.Format(time.DateOnly) && (f.Trust > 0 || young) {
						traded++
					}
				}
				if d.Fills != traded {
					t.Fatalf("history %d: %d fills on %v, want %d", seed, d.Fills, d.Day, traded)
				}
			}
		}
	}
	if known < 5000 || none < 5000 {
		t.Errorf("%d prices and %d without say little", known, none)
	}
}

// honest are fills among traders 1 to 200 at about 1000, log-normal with σ 0.2.
func honest(random *rand.Rand, n int) []Fill {
	fills := make([]Fill, n)
	for i := range fills {
		buyer, seller := core.UserID(1+random.IntN(200)), core.UserID(1+random.IntN(199))
		if seller >= buyer {
			seller++
		}
		fills[i] = Fill{
			At:    priceNow.Add(-time.Duration(random.Int64N(int64(30 * 24 * time.Hour)))),
			Buyer: buyer, Seller: seller, Price: core.Copper(1000 * math.Exp(0.2*random.NormFloat64())), Trust: 1,
		}
	}
	return fills
}

// ring are 5,700 fills among 20 accounts at four times the price, all later than the honest ones.
func ring(random *rand.Rand, trust float64) []Fill {
	var fills []Fill
	for range 30 {
		for a := range 20 {
			for b := range a {
				fills = append(fills, Fill{
					At:    priceNow.Add(-time.Duration(random.Int64N(int64(time.Hour)))),
					Buyer: core.UserID(1001 + a), Seller: core.UserID(1001 + b), Price: 4000, Trust: trust,
					BuyerCircle: 1001, SellerCircle: 1001, // who trades among themselves is one circle
				})
			}
		}
	}
	return fills
}

func TestARingMovesThePriceLittle(t *testing.T) {
	t.Parallel()
	price := func(parts ...[]Fill) *Price {
		fills := slices.Concat(parts...)
		slices.SortFunc(fills, func(a, b Fill) int { return b.At.Compare(a.At) })
		return priceWindows(fills, false, priceNow)[1].Price
	}
	worst := map[bool]float64{}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 5700))
		if got := price(ring(random, 0)); got != nil {
			t.Fatalf("a ring alone makes the price %+v", got)
		}
		fills := honest(random, 400)
		before := price(fills)
		for _, established := range []bool{false, true} { // established after three real trades each
			after := price(fills, ring(random, map[bool]float64{true: 1}[established]))
			worst[established] = max(worst[established], math.Abs(float64(after.Median)/float64(before.Median)-1))
		}
	}
	t.Logf("5,700 fills of a ring move the median by %.1f %%, by %.1f %% once it is established", 100*worst[false], 100*worst[true])
	if worst[false] > 0.03 || worst[true] > 0.06 {
		t.Errorf("a ring moves the median by %.1f %%, and once it is established by %.1f %%", 100*worst[false], 100*worst[true])
	}
}

// Fourteen puppets behind nine new trades share what these carry: 9 pairs at a quarter, of which a cluster
// keeps six tenths. See trust.Flow.
func TestFourteenPuppetsMoveAPriceOfTenTradesByATenthAtMost(t *testing.T) {
	t.Parallel()
	const shared = 9 * 0.25 * 0.6 / 14
	worst, worstEnd := 0.0, 0.0
	moved := func(before, after core.Copper) float64 { return math.Abs(float64(after)/float64(before) - 1) }
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 14))
		fills := honest(random, 10)
		for i := range fills { // prices that differ by a tenth
			fills[i].Price = core.Copper(1000 * math.Exp(0.1*random.NormFloat64()))
		}
		before, known := PriceOf(fills, false)
		if !known {
			t.Fatal("ten honest trades make no price")
		}
		puppets := ring(random, shared)[:14*13/2] // of each pair one
		for _, factor := range []core.Copper{4, 1} {
			forged := slices.Clone(puppets)
			for i := range forged { // at four times the price, or a fourth of it
				forged[i].Price = 1000 * factor * factor / 4
			}
			after, _ := PriceOf(append(forged, fills...), false)
			worst = max(worst, moved(before.Median, after.Median))
			worstEnd = max(worstEnd, moved(before.Low, after.Low), moved(before.High, after.High))
		}
		if alone, known := PriceOf(puppets, false); known {
			t.Fatalf("puppets alone make the price %+v", alone)
		}
	}
	if worst > 0.1 {
		t.Errorf("they move the median by %.1f %%, want a tenth at most", 100*worst)
	}
	if worstEnd > 0.1 {
		t.Errorf("they move an end of the range by %.1f %%, want a tenth at most", 100*worstEnd)
	}
}

func TestTradesOfNewAccountsMakeNoPriceInAYoungMarket(t *testing.T) {
	t.Parallel()
	var fills []Fill
	for i := range 5 {
		fills = append(fills, Fill{Buyer: core.UserID(10 + i), Seller: core.UserID(20 + i), Price: 100, Quantity: 1, Trust: 1})
	}
	for i := range 14 {
		fills = append(fills, Fill{Buyer: core.UserID(30 + i), Seller: core.UserID(50 + i), Price: 400, Quantity: 10, NewAccount: true})
	}
	if price, known := PriceOf(fills, true); !known || price.Median != 100 || price.High != 100 || price.Fills != 5 {
		t.Errorf("beside trades of new accounts the price is %+v, %t", price, known)
	}
	if price, known := PriceOf(fills[5:], true); known {
		t.Errorf("new accounts alone make the price %+v", price)
	}
	fills[0].NewAccount = true
	if price, known := PriceOf(fills[:5], false); !known || price.Fills != 5 {
		t.Errorf("in a grown market, where trust decides, the price is %+v, %t", price, known)
	}
}

func TestAPriceNeedsSeveralCircles(t *testing.T) {
	t.Parallel()
	fills := func(circles int) (fills []Fill) {
		for i := range 6 {
			fills = append(fills, Fill{At: priceNow, Buyer: core.UserID(2*i + 1), Seller: core.UserID(2*i + 2), Price: 10,
				Trust: 1, BuyerCircle: core.UserID(1 + i%circles), SellerCircle: core.UserID(1 + i%circles)})
		}
		return fills
	}
	if got, known := PriceOf(fills(2), false); known {
		t.Errorf("people of two circles make the price %+v", got)
	}
	if got, known := PriceOf(fills(3), false); !known || got.Circles != 3 {
		t.Errorf("people of three circles make the price %+v", got)
	}
	if _, known := PriceOf(fills(1), true); !known {
		t.Error("in a young market one circle makes no price")
	}
}

func TestOneSlipIsNotTheUpperEndOfAPrice(t *testing.T) {
	var fills []Fill
	for i, price := range []core.Copper{4_000, 4_000_000, 3_900, 4_200, 4_100} {
		fills = append(fills, Fill{At: priceNow, Buyer: core.UserID(2 * i), Seller: core.UserID(2*i + 1), Price: price, Trust: 1})
	}
	if got, known := PriceOf(fills, false); !known || got.High != 4_200 {
		t.Errorf("the price is %+v, want 4200 as its upper end, which two pairs paid", got)
	}
	fills = append(fills, Fill{At: priceNow, Buyer: 20, Seller: 21, Price: 4_000_000, Trust: 1})
	if got, known := PriceOf(fills, false); !known || got.High != 4_000_000 {
		t.Errorf("the price is %+v, want 4000000 as its upper end once two pairs paid that", got)
	}
}

func TestNoPriceBelowFiveFillsFromThreePairs(t *testing.T) {
	fill := func(buyer, seller core.UserID, price core.Copper) Fill {
		return Fill{At: priceNow, Buyer: buyer, Seller: seller, Price: price, Trust: 1}
	}
	four := []Fill{fill(1, 2, 10), fill(3, 4, 20), fill(5, 6, 30), fill(7, 8, 40)}
	if _, known := PriceOf(four, false); known {
		t.Error("four fills make a price")
	}
	if _, known := PriceOf([]Fill{fill(1, 2, 1), fill(2, 1, 1), fill(1, 2, 1), fill(3, 4, 1), fill(4, 3, 1), fill(4, 3, 1)}, false); known {
		t.Error("two pairs make a price")
	}
	got, known := PriceOf([]Fill{fill(1, 2, 10), fill(2, 1, 900), fill(3, 4, 20), fill(4, 3, 900), fill(5, 6, 30)}, false)
	if want := (Price{Median: 20, Low: 20, High: 20, LowerQuartile: 20, UpperQuartile: 20, Fills: 3, Trades: 5, Circles: 6}); !known || got != want {
		t.Errorf("five fills of three pairs make %+v, want %+v", got, want)
	}
	strangers := []Fill{four[0], four[1], four[2], four[3], {At: priceNow, Buyer: 9, Seller: 10, Price: 50}}
	if _, known := PriceOf(strangers, false); known {
		t.Error("a trader who is not established counts")
	}
	if got, known := PriceOf(strangers, true); !known || got.Median != 30 {
		t.Errorf("in a young market the price is %+v", got)
	}
	var merchant []Fill
	for i := range core.Copper(9) { // the latest first
		merchant = append(merchant, fill(1, core.UserID(10+i), 100*(i+1)))
	}
	if got, _ := PriceOf(merchant, false); got != (Price{Median: 300, Low: 200, High: 400, LowerQuartile: 200, UpperQuartile: 400, MedianFrom: 100, MedianTo: 500, Fills: 5, Trades: 9, Circles: 6}) {
		t.Errorf("one trader with nine partners makes %+v, want the median of the latest five, and no more certainty than five give", got)
	}
}

// An item with few trades has no price of any week; a chart shows the trades that its price of 90 days is made of.
func TestDaysWithoutAPriceHaveTheirSingleTrades(t *testing.T) {
	t.Parallel()
	singles := func(fills []Fill) (found []string) {
		for _, d := range priceByDay(fills, true, priceNow) {
			if d.Price != nil {
				t.Errorf("%v has a price", d.Day)
			}
			if len(d.Singles) > 0 {
				found = append(found, fmt.Sprint(d.Day.Format("2 Jan"), d.Singles))
			}
		}
		return found
	}
	var fills []Fill // one each ten days, and a repeat of the first pair
	for i := range 6 {
		at := priceNow.AddDate(0, 0, -10*i)
		fills = append(fills, Fill{At: at, Buyer: core.UserID(2*i + 1), Seller: core.UserID(2*i + 2), Price: core.Copper(100 + i), Quantity: 1})
	}
	fills = append(fills, Fill{At: priceNow.AddDate(0, 0, -70), Buyer: 1, Seller: 2, Price: 900, Quantity: 1})
	var want []string
	for i := 5; i >= 0; i-- {
		want = append(want, fmt.Sprint(priceNow.AddDate(0, 0, -10*i).Format("2 Jan"), []core.Copper{core.Copper(100 + i)}))
	}
	if got := singles(fills); !slices.Equal(got, want) {
		t.Errorf("single trades are %v, want %v", got, want)
	}
	if got := singles(fills[:4]); got != nil {
		t.Errorf("of an item without a price: %v", got)
	}
}

func TestDaysWithAPriceHaveTheirSingleTradesUpToALimit(t *testing.T) {
	t.Parallel()
	for _, trades := range []int{6, 300, 1000} {
		var fills []Fill // the latest first
		for i := range trades {
			at := priceNow.Add(-time.Duration(i) * 24 * time.Hour / 60)
			fills = append(fills, Fill{At: at, Buyer: core.UserID(2*i + 1), Seller: core.UserID(2*i + 2), Price: 100, Quantity: 1})
		}
		days, singles := priceByDay(fills, true, priceNow), 0
		for _, d := range days {
			singles += len(d.Singles)
			if len(d.Singles) > 0 && d.Price == nil {
				t.Errorf("%v has trades and no price", d.Day)
			}
		}
		if want := trades / ((trades + 299) / 300); singles != want {
			t.Errorf("of %d trades the chart has %d, want %d", trades, singles, want)
		}
	}
}
