package core

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Outcome is what happened in a request.
type Outcome struct {
	Price  Copper        // the most that it paid for one
	Age    time.Duration // since it was posted
	Over   bool          // it was filled, closed or has expired
	Filled bool          // nine tenths of it were bought
	Took   time.Duration // until then
}

// Ended reports whether it is known how the request came out.
func (o Outcome) Ended() bool { return o.Over || o.Filled }

// OddsDays are the times within which requests are filled or not, in days.
var OddsDays = [2]int{2, 7}

// minOddsEnded is how many requests must have ended for odds, and maxOddsSteps for how many prices there are any.
const (
	minOddsEnded = 8
	maxOddsSteps = 50
)

// Odds is which share of requests is filled within some days, with the interval in which it lies 95 times out of 100.
type Odds struct {
	Days             int
	Share, Low, High float64 // 0 to 1
}

// OddsStep is the odds of requests that pay a price or more.
type OddsStep struct {
	Price    Copper
	Requests int
	Ended    int
	Within   [len(OddsDays)]Odds
}

// Filled returns how many of the requests that have ended the share comes to.
func (s OddsStep) Filled(within Odds) int { return int(math.Round(within.Share * float64(s.Ended))) }

// OddsAtLeast returns the odds at each price that was asked for and has enough requests that ended, the lowest price first.
func OddsAtLeast(outcomes []Outcome) []OddsStep {
	outcomes = slices.Clone(outcomes)
	slices.SortFunc(outcomes, func(a, b Outcome) int { return cmp.Compare(a.Price, b.Price) })
	every := len(outcomes)/maxOddsSteps + 1
	var steps []OddsStep
	for i, o := range outcomes {
		if i > 0 && outcomes[i-1].Price == o.Price || len(steps) > 0 && i%every != 0 && every > 1 {
			continue
		}
		paid := outcomes[i:]
		ended := 0
		for _, p := range paid {
			if p.Ended() {
				ended++
			}
		}
		if ended < minOddsEnded {
			break
		}
		step := OddsStep{Price: o.Price, Requests: len(paid), Ended: ended}
		for d, days := range OddsDays {
			step.Within[d] = OddsOf(paid, days)
		}
		steps = append(steps, step)
	}
	return steps
}

// OddsOf estimates which share of requests is filled within some days, by Kaplan and Meier. A request that is open says something for as
// long as it has been open. One that was closed or expired unfilled will not be filled: it says so for as long as it would be open now,
// since leaving it out would make the others look better.
func OddsOf(outcomes []Outcome, days int) Odds {
	until := time.Duration(days) * 24 * time.Hour
	type moment struct {
		at     time.Duration
		filled bool
	}
	var moments []moment
	known := 0.0 // requests of which it is known whether they were filled by then
	for _, o := range outcomes {
		filled := o.Filled && o.Took <= until
		if filled {
			moments = append(moments, moment{o.Took, true})
		} else {
			moments = append(moments, moment{o.Age, false})
		}
		if filled || o.Age >= until {
			known++
		}
	}
	slices.SortFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	open, variance := 1.0, 0.0 // the share that is not filled yet, and Greenwood's sum
	for i := 0; i < len(moments) && moments[i].at <= until; {
		atRisk, filled := float64(len(moments)-i), 0.0
		at := moments[i].at
		for ; i < len(moments) && moments[i].at == at; i++ {
			if moments[i].filled {
				filled++
			}
		}
		open *= 1 - filled/atRisk
		if filled < atRisk {
			variance += filled / (atRisk * (atRisk - filled))
		}
	}
	share := 1 - open
	// As many requests without doubt as would be as uncertain.
	size := known
	if v := open * open * variance; v > 0 {
		size = share * open / v
	}
	odds := Odds{Days: days, Share: share}
	odds.Low, odds.High = wilson(share, size)
	return odds
}

// wilson returns Wilson's 95 % interval of a share of n.
func wilson(share, n float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.959964
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}

// ItemOdds is how likely requests for an item were filled in the last 90 days.
type ItemOdds struct {
	Item   Item
	OfKind bool // too few requests for the item have ended: these are of its kind
	Steps  []OddsStep
}

// At returns the step of requests that pay a price or more; nil when too few have ended.
func (o ItemOdds) At(price Copper) *OddsStep {
	for i := range o.Steps {
		if o.Steps[i].Price >= price {
			return &o.Steps[i]
		}
	}
	return nil
}

// betterBy is by how much the share must grow for a higher price to be worth a word.
const betterBy = 0.1

// Better returns the step with the lowest price at which clearly more requests were filled; nil when there is none.
func (o ItemOdds) Better(than OddsStep) *OddsStep {
	for i := range o.Steps {
		step := &o.Steps[i]
		for d := range step.Within {
			if step.Price > than.Price && step.Within[d].Share >= than.Within[d].Share+betterBy {
				return step
			}
		}
	}
	return nil
}
