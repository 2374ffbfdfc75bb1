package items

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
)

// Monday, 2 November 2026.
var historyMonday = time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)

// dayOf returns settled fills of a day, each of another pair.
func dayOf(day time.Time, prices ...core.Copper) (fills []Fill) {
	for i, price := range prices {
		at := day.Add(time.Duration(len(prices)-i) * time.Minute)
		buyer := core.UserID(100*day.Day() + 2*i)
		fills = append(fills, Fill{At: at, SettledAt: at.Add(core.SettledAfter), Buyer: buyer, Seller: buyer + 1, Price: price, Quantity: 7, Trust: 1})
	}
	return fills
}

func latestFirst(days ...[]Fill) []Fill {
	fills := slices.Concat(days...)
	slices.SortFunc(fills, func(a, b Fill) int { return b.At.Compare(a.At) })
	return fills
}

func on(day int) time.Time { return historyMonday.AddDate(0, 0, day) }

func TestADayWithTooFewFallsIntoItsWeekAndAWeekWithTooFewIntoNothing(t *testing.T) {
	t.Parallel()
	fills := latestFirst(
		dayOf(on(0), 10, 20, 30, 40, 50),            // a day by itself
		dayOf(on(2), 1, 2, 3), dayOf(on(4), 4, 100), // five together
		dayOf(on(7), 5, 5, 5, 5),                       // four in all of the next week
		dayOf(on(14), 7, 7, 7), dayOf(on(20), 9, 9, 9), // six, with its Sunday
		dayOf(on(21), 60, 60, 60, 60, 60), dayOf(on(22), 61, 61, 61)) // the week that lasts
	got := pricePeriods(fills, false, historyMonday, on(24))
	type period struct {
		from, to             int
		trades, volume       int
		lower, median, upper core.Copper
	}
	want := []period{
		{0, 1, 5, 35, 20, 30, 40}, {0, 7, 5, 35, 2, 3, 4},
		{14, 21, 6, 42, 7, 8, 9}, {21, 22, 5, 35, 60, 60, 60},
	}
	if len(got) != len(want) {
		t.Fatalf("there are %+v", got)
	}
	for i, w := range want {
		p := got[i]
		if !p.From.Equal(on(w.from)) || !p.To.Equal(on(w.to)) || p.Week() != (w.to-w.from == 7) || p.Price.Trades != w.trades || p.Price.Volume != w.volume ||
			p.Price.LowerQuartile != w.lower || p.Price.Median != w.median || p.Price.UpperQuartile != w.upper {
			t.Errorf("period %d is %+v, want %+v", i, p, w)
		}
	}
	// A day is shown when all of it may be settled, and its week a day after that ended.
	for days, want := range map[int]int{1: 0, 2: 1, 7: 1, 8: 2} {
		if got := pricePeriods(fills[len(fills)-10:], false, historyMonday, on(days)); len(got) != want {
			t.Errorf("after %d days there are %+v", days, got)
		}
	}
}

// What puppets do: trade among themselves without end, at any price.
func TestPuppetsMakeNoDay(t *testing.T) {
	t.Parallel()
	var fills []Fill
	for i := range 1000 { // by ten untrusted accounts
		at := on(1).Add(-time.Duration(i+1) * time.Minute)
		fills = append(fills, Fill{At: at, SettledAt: at, Buyer: core.UserID(1 + i%10), Seller: core.UserID(11 + i/10%10), Price: 1_000_000, Quantity: 500})
	}
	if got := pricePeriods(fills, false, historyMonday, on(10)); got != nil {
		t.Errorf("untrusted accounts make %+v", got)
	}
	for i := range fills { // by one circle of trusted accounts
		fills[i].Trust, fills[i].BuyerCircle, fills[i].SellerCircle = 1, 1, 1
	}
	honest := dayOf(on(0), 10, 10, 10, 10, 10, 10)
	if got := pricePeriods(fills, false, historyMonday, on(10)); got != nil {
		t.Errorf("a circle alone makes %+v", got)
	}
	got := pricePeriods(latestFirst(fills, honest), false, historyMonday, on(10))
	if len(got) != 1 || got[0].Price.Volume != 42 {
		t.Errorf("with a circle beside it, the volume is %+v", got)
	}
}

// Each trade is in one period at most, all that count are within their period, and a period passes the rule.
func TestPeriodsShareNoTrade(t *testing.T) {
	t.Parallel()
	days, weeks := 0, 0
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 428))
		fills := make([]Fill, random.IntN(120))
		for i := range fills {
			at := on(0).Add(time.Duration(random.Int64N(int64(40 * core.Day))))
			buyer := core.UserID(1 + random.IntN(20))
			fills[i] = Fill{At: at, SettledAt: at, Buyer: buyer, Seller: buyer + 1 + core.UserID(random.IntN(20)), Price: core.Copper(1 + random.IntN(500)),
				Quantity: 1 + random.IntN(13), Trust: float64(random.IntN(3)) / 2}
		}
		fills = latestFirst(fills)
		asOf, young := on(30+random.IntN(10)), seed%5 == 0
		byDay := map[time.Time]bool{}
		trades, volume := 0, 0
		for _, p := range pricePeriods(fills, young, historyMonday, asOf) {
			if end := p.To.Add(core.SettledAfter); end.After(asOf) || p.From.Before(historyMonday) {
				t.Fatalf("history %d as of %v has %+v", seed, asOf, p)
			}
			if !p.Week() {
				byDay[p.From] = true
				days++
			} else {
				weeks++
			}
			trades, volume = trades+p.Price.Trades, volume+p.Price.Volume
		}
		for _, p := range pricePeriods(fills, young, historyMonday, asOf) {
			var of []Fill
			for _, f := range fills {
				if day := midnight(f.At); !f.At.Before(p.From) && f.At.Before(p.To) && (!p.Week() || !byDay[day]) {
					of = append(of, f)
				}
			}
			want, known := bruteForce(of, young, p.From.Add(-time.Nanosecond), p.To)
			if !known || p.Price != want {
				t.Fatalf("history %d: %+v, want %+v (%t)", seed, p, want, known)
			}
			trades, volume = trades-want.Trades, volume-want.Volume
		}
		if trades != 0 || volume != 0 {
			t.Fatalf("history %d: %d trades and a volume of %d are in several periods", seed, trades, volume)
		}
	}
	if days < 100 || weeks < 100 {
		t.Errorf("only %d days and %d weeks were compared", days, weeks)
	}
}

func TestTheHistoryBeginsWithAMonday(t *testing.T) {
	t.Parallel()
	for day := range 30 {
		asOf := on(day)
		from := historyFrom(asOf)
		if back := asOf.Sub(from); from.Weekday() != time.Monday || back < 90*core.Day || back > 96*core.Day {
			t.Errorf("on %v it begins with %v", asOf, from)
		}
	}
}
