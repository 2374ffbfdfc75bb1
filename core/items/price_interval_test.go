package items

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tradepost/core"
)

// tradesBetween are fills of different pairs, the latest first.
func tradesBetween(prices, quantities []int) []Fill {
	fills := make([]Fill, len(prices))
	for i := range fills {
		fills[i] = Fill{
			At: priceNow.Add(-time.Duration(i) * time.Minute), Buyer: core.UserID(2*i + 1), Seller: core.UserID(2*i + 2),
			Price: core.Copper(prices[i]), Quantity: quantities[i], Trust: 1,
		}
	}
	return fills
}

func TestAMedianLiesInItsInterval(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 60).Draw(t, "trades")
		prices := rapid.SliceOfN(rapid.IntRange(1, 1000), n, n).Draw(t, "prices")
		for i := range prices {
			prices[i] *= 2 // the middle of two is whole, so twice the prices have twice the median
		}
		quantities := rapid.SliceOfN(rapid.IntRange(1, 40), n, n).Draw(t, "quantities")
		got, known := PriceOf(tradesBetween(prices, quantities), false)
		if !known {
			t.Fatal("no price")
		}
		if got.MedianTo > 0 && (got.MedianFrom > got.Median || got.Median > got.MedianTo) || got.Low > got.LowerQuartile || got.LowerQuartile > got.Median || got.Median > got.UpperQuartile || got.UpperQuartile > got.High {
			t.Fatalf("out of order: %+v", got)
		}
		// Quantities beyond the limit say no more.
		limited := slices.Clone(quantities)
		for i := range limited {
			limited[i] = min(limited[i], maxFillQuantity)
		}
		same, _ := PriceOf(tradesBetween(prices, limited), false)
		if same.Volume = got.Volume; same != got {
			t.Fatalf("with limited quantities %+v, without %+v", same, got)
		}
		// All in another coin.
		dearer := make([]int, n)
		for i := range prices {
			dearer[i] = 2 * prices[i]
		}
		more, _ := PriceOf(tradesBetween(dearer, quantities), false)
		if more.MedianFrom != 2*got.MedianFrom || more.MedianTo != 2*got.MedianTo || more.Low != 2*got.Low || more.High != 2*got.High {
			t.Fatalf("at twice the prices %+v, before %+v", more, got)
		}
	})
}

func TestTheIntervalHasTheMedianNineTimesOfTen(t *testing.T) {
	t.Parallel()
	const histories = 4000
	for _, n := range []int{5, 6, 9, 17, 40, 200, 2000} {
		for _, most := range []int{1, 10} { // all of one weight, and of different ones
			covered, known := 0, 0
			for seed := range uint64(histories) {
				if n > 100 && seed >= 400 {
					break
				}
				random := rand.New(rand.NewPCG(seed, uint64(n)))
				prices := make([]weighedPrice, n)
				for i := range prices {
					prices[i] = weighedPrice{core.Copper(100_000 * math.Exp(0.3*random.NormFloat64())), 1 + random.IntN(most)}
				}
				slices.SortFunc(prices, func(a, b weighedPrice) int { return int(a.price - b.price) })
				from, to := medianInterval(prices)
				if to == 0 {
					continue
				}
				known++
				if from <= 100_000 && 100_000 <= to {
					covered++
				}
			}
			if known == 0 {
				continue
			}
			share := float64(covered) / float64(known)
			t.Logf("%d prices, weights to %d: %.1f %% of %d", n, most, 100*share, known)
			if share < 0.865 {
				t.Errorf("of %d prices with weights to %d the interval has the median %.1f times of 100", n, most, 100*share)
			}
		}
	}
}

func TestTheSuggestionIsOfTheShortestCertainTime(t *testing.T) {
	t.Parallel()
	window := func(days int, p *Price) PriceWindow { return PriceWindow{Days: days, Price: p} }
	certain := &Price{Median: 100, MedianFrom: 90, MedianTo: 115}
	wide := &Price{Median: 100, MedianFrom: 50, MedianTo: 150}
	few := &Price{Median: 100}
	for _, tt := range []struct {
		week, month, quarter *Price
		want                 int
	}{
		{certain, certain, certain, 7}, {wide, certain, certain, 30}, {few, wide, certain, 90}, {wide, wide, wide, 90}, {nil, certain, wide, 30},
		{nil, nil, few, 90}, {nil, nil, nil, 0},
	} {
		prices := Prices{Windows: [3]PriceWindow{window(7, tt.week), window(30, tt.month), window(90, tt.quarter)}}
		got := 0
		if usual := prices.Usual(); usual != nil {
			got = usual.Days
		}
		if got != tt.want {
			t.Errorf("of %v, %v and %v the suggestion is that of %d days, want %d", tt.week, tt.month, tt.quarter, got, tt.want)
		}
	}
}
