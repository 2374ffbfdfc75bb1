package items

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tradepost/core"
)

// oddsMarket is a market in which requests are filled at a rate that depends on item, kind and price.
type oddsMarket struct {
	random   *rand.Rand
	exponent float64
	price    []float64 // the usual one of each item
	rate     []float64 // a day, at the usual price
	chosen   []float64 // which items are requested, summed up
}

func newOddsMarket(seed uint64, items int, exponent, differ float64) *oddsMarket {
	m := &oddsMarket{random: rand.New(rand.NewPCG(seed, 8)), exponent: exponent}
	kinds := make([]float64, items/10+1)
	for i := range kinds {
		kinds[i] = 0.5 * differ * m.random.NormFloat64()
	}
	sum := 0.0
	for i := range items {
		m.price = append(m.price, 1000*math.Exp(2*m.random.NormFloat64()))
		m.rate = append(m.rate, 0.25*math.Exp(kinds[i/10]+0.6*differ*m.random.NormFloat64()))
		sum += 1 / float64(i+3)
		m.chosen = append(m.chosen, sum)
	}
	return m
}

// request draws a request: its item, its price relative to what is usual, and its outcome.
func (m *oddsMarket) request() (item int, relative float64, o Outcome) {
	at := m.random.Float64() * m.chosen[len(m.chosen)-1]
	for m.chosen[item] < at {
		item++
	}
	relative = math.Exp(0.35 * m.random.NormFloat64())
	if m.random.IntN(8) == 0 {
		relative = math.Exp(m.random.NormFloat64())
	}
	o = Outcome{Key: fmt.Sprint(item), Buyer: core.UserID(1 + m.random.IntN(400)), Price: core.Copper(max(1, m.price[item]*relative)), Trust: 1}
	took := m.random.ExpFloat64() / (m.rate[item] * math.Pow(relative, m.exponent))
	if took < 60 {
		o.Filled, o.Took = true, time.Duration(took*float64(core.Day))
	}
	return item, relative, o
}

// odds returns the odds of every item from so many requests, and the market's one rate.
func (m *oddsMarket) odds(requests int) (odds []Odds, rate [len(OddsDays)]float64) {
	groups, fills := make([]oddsGroup, len(m.price)), make([][]Fill, len(m.price))
	for n := range requests {
		item, _, o := m.request()
		groups[item].kind = fmt.Sprint(item / 10)
		groups[item].outcomes = append(groups[item].outcomes, o)
		for d, days := range OddsDays {
			rate[d] += o.within(days) / float64(requests)
		}
		if o.Filled {
			fills[item] = append(fills[item], Fill{Buyer: o.Buyer, Seller: core.UserID(1000 + n), Price: o.Price, Trust: 1})
		}
	}
	var known []oddsGroup
	for _, g := range groups {
		if len(g.outcomes) > 0 {
			known = append(known, g)
		}
	}
	market := newMarketOdds(known)
	for i, g := range groups {
		var kind []oddsGroup
		for _, other := range known {
			if other.kind == fmt.Sprint(i/10) {
				kind = append(kind, other)
			}
		}
		odds = append(odds, Odds{Steps: market.of(g, kind, 0)}.from(lowestPaid(fills[i], false)))
	}
	return odds, rate
}

// Odds are judged on requests that they don't know, in markets where the price matters from not at all to much: by Brier's score beside
// the one rate of the market, and by how many of those with a figure were filled, in bands of the price relative to what is usual.
func TestOddsAreBetterThanOneRateAndCalibrated(t *testing.T) {
	t.Parallel()
	bands := []float64{0, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, math.Inf(1)}
	for _, exponent := range []float64{0, 0.5, 1, 2, 3} {
		t.Run(fmt.Sprint(exponent), func(t *testing.T) {
			t.Parallel()
			type band struct{ n, said, filled float64 }
			var ours, one [len(OddsDays)]float64
			var told [len(OddsDays)][]band
			for d := range told {
				told[d] = make([]band, len(bands))
			}
			answered, silent := 0, 0
			for seed := range uint64(3) {
				market := newOddsMarket(100*seed+uint64(10*exponent), 150, exponent, 1)
				odds, rate := market.odds(4000)
				for range 10_000 {
					item, relative, o := market.request()
					here := odds[item].At(o.Price)
					if here == nil {
						silent++
						continue
					}
					answered++
					at := 0
					for relative >= bands[at+1] {
						at++
					}
					for d, days := range OddsDays {
						said, filled := float64(here.Percent[d])/100, o.within(days)
						ours[d] += (said - filled) * (said - filled)
						one[d] += (rate[d] - filled) * (rate[d] - filled)
						told[d][at].n++
						told[d][at].said += said
						told[d][at].filled += filled
					}
				}
			}
			t.Logf("%d answers, %d without", answered, silent)
			if answered < 4*silent {
				t.Errorf("%d requests have odds, %d have none", answered, silent)
			}
			for d, days := range OddsDays {
				t.Logf("%d days: Brier %.4f, the one rate %.4f", days, ours[d]/float64(answered), one[d]/float64(answered))
				if ours[d] >= one[d] {
					t.Errorf("within %d days the odds are no better than one rate: %.4f, %.4f", days, ours[d], one[d])
				}
				for at, b := range told[d] {
					if b.n < 1000 {
						continue
					}
					off, most := 100*(b.said-b.filled)/b.n, 10.0
					if bands[at] >= 0.7 && bands[at+1] <= 1.5 {
						most = 5
					}
					t.Logf("%d days, %.2f to %.2f: %5.0f requests, %4.1f %% said, %4.1f %% filled", days, bands[at], bands[at+1], b.n, 100*b.said/b.n, 100*b.filled/b.n)
					if math.Abs(off) > most {
						t.Errorf("within %d days from %.2f to %.2f of the usual price they are off by %.1f points", days, bands[at], bands[at+1], off)
					}
				}
			}
		})
	}
}

func TestOddsNeverFallWithThePrice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var groups []oddsGroup
		for i := range rapid.IntRange(1, 4).Draw(t, "items") {
			g := oddsGroup{kind: []string{"", "Ore"}[i%2]}
			for range rapid.IntRange(0, 40).Draw(t, "requests") {
				g.outcomes = append(g.outcomes, Outcome{
					Buyer: core.UserID(rapid.IntRange(1, 15).Draw(t, "buyer")), Price: core.Copper(rapid.IntRange(1, 5000).Draw(t, "price")),
					Filled: rapid.Bool().Draw(t, "filled"), Took: time.Duration(rapid.IntRange(0, 20).Draw(t, "days")) * core.Day,
					Trust: float64(rapid.IntRange(1, 4).Draw(t, "trust")) / 4,
				})
			}
			groups = append(groups, g)
		}
		lowest := core.Copper(rapid.IntRange(0, 3000).Draw(t, "lowest"))
		odds := Odds{Steps: newMarketOdds(groups).of(groups[0], groups[len(groups)-1:], 0)}.from(lowest)
		var last OddsStep
		for price := core.Copper(1); price <= 6000; price += 7 {
			here := odds.At(price)
			if here == nil {
				continue
			}
			if price < lowest || here.Buyers < minOddsBuyers || here.Percent[0] > here.Percent[1] {
				t.Fatalf("at %d with %d the lowest the odds are %+v", price, lowest, here)
			}
			if here.Percent[0] < last.Percent[0] || here.Percent[1] < last.Percent[1] {
				t.Fatalf("at %d the odds fall from %+v to %+v", price, last, here)
			}
			last = *here
		}
	})
}

func TestFilledCountsRequestsAtAboutThePrice(t *testing.T) {
	outcome := func(buyer core.UserID, price core.Copper, filled bool, trust float64) Outcome {
		return Outcome{Buyer: buyer, Price: price, Filled: filled, Trust: trust}
	}
	outcomes := []Outcome{
		outcome(1, 96, true, 1), outcome(2, 100, false, 1), outcome(3, 104, true, 1), outcome(3, 100, true, 1),
		outcome(4, 95, true, 1), outcome(5, 105, true, 1), // further than four percent
		outcome(6, 100, true, 0.9), outcome(7, 100, true, 0.9), // not established
		outcome(1, 200, true, 1), outcome(2, 200, true, 1), outcome(1, 201, true, 1), // of two buyers
	}
	got := filledAt(outcomes, 100, 100, 200, 300)
	if want := []Filled{{Price: 100, Asked: 4, Filled: 3}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
