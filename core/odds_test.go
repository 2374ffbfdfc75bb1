package core

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const oddsDay = 24 * time.Hour

// history is requests of the last 90 days of which a share is filled ever, after times with a mean, and some of the others are closed.
func history(random *rand.Rand, n int, ever, mean float64) []Outcome {
	outcomes := make([]Outcome, n)
	for i := range outcomes {
		o := Outcome{Price: 100, Age: time.Duration(random.Float64() * float64(20*oddsDay))}
		took := time.Duration(random.ExpFloat64() * mean * float64(oddsDay))
		switch fills := random.Float64() < ever; {
		case fills && took <= o.Age:
			o.Filled, o.Took, o.Over = true, took, true
		case !fills && random.Float64() < 0.3:
			o.Over = true // closed early
		}
		outcomes[i] = o
	}
	return outcomes
}

func TestOddsAreRightOverAThousandHistories(t *testing.T) {
	t.Parallel()
	for d, days := range OddsDays {
		var off, covered float64
		for seed := range uint64(1000) {
			random := rand.New(rand.NewPCG(seed, 50))
			ever, mean := 0.5+0.4*random.Float64(), 1+3*random.Float64()
			truth := ever * (1 - math.Exp(-float64(days)/mean))
			steps := OddsAtLeast(history(random, 50, ever, mean))
			if len(steps) != 1 {
				t.Fatalf("history %d has %d steps", seed, len(steps))
			}
			odds := steps[0].Within[d]
			off += odds.Share - truth
			if math.Round(100*odds.Low) <= 100*truth && 100*truth <= math.Round(100*odds.High) { // as they are printed
				covered++
			}
		}
		t.Logf("within %d days: off by %.2f points, the interval covers the truth in %.1f %%", days, off/10, covered/10)
		if math.Abs(off/10) >= 1 || covered < 920 || covered > 980 {
			t.Errorf("within %d days: off by %.2f points, the interval covers the truth in %.1f %%", days, off/10, covered/10)
		}
	}
}

func TestOddsByPrice(t *testing.T) {
	t.Parallel()
	filled := func(price Copper, after time.Duration) Outcome {
		return Outcome{Price: price, Age: 30 * oddsDay, Filled: true, Took: after, Over: true}
	}
	var outcomes []Outcome
	for i := range 9 {
		outcomes = append(outcomes, filled(140, oddsDay))
		if i < 5 {
			outcomes = append(outcomes, filled(100, 5*oddsDay))
		} else {
			outcomes = append(outcomes, Outcome{Price: 100, Age: 30 * oddsDay, Over: true})
		}
	}
	outcomes = append(outcomes, Outcome{Price: 200, Age: oddsDay / 2}) // one that is open says nothing alone
	odds := ItemOdds{Steps: OddsAtLeast(outcomes)}
	here := odds.At(90)
	if here == nil || here.Price != 100 || here.Requests != 19 || here.Ended != 18 {
		t.Fatalf("at 90 the odds are %+v", here)
	}
	better := odds.Better(*here)
	if better == nil || better.Price != 140 || better.Requests != 10 || better.Filled(better.Within[1]) != 9 || better.Within[0].High != 1 {
		t.Errorf("better is %+v", better)
	}
	if got := odds.At(150); got != nil {
		t.Errorf("nothing has ended at 150 or more, and the odds are %+v", got)
	}
	if got := OddsAtLeast(outcomes[:7]); got != nil {
		t.Errorf("with seven that ended the odds are %+v", got)
	}
	// One that is open for a day says that it was not filled within a day, and nothing of the second.
	one := []Outcome{{Age: oddsDay}, filled(1, 2*oddsDay), {Age: 9 * oddsDay, Over: true}}
	if got := OddsOf(one, 2); math.Abs(got.Share-0.5) > 1e-9 {
		t.Errorf("of two that were open for two days one was filled: %.3f", got.Share)
	}
}
