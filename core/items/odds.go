package items

import (
	"maps"
	"math"
	"slices"
	"time"

	"tradepost/core"
)

// Outcome is the result of a request that was posted oddsAge ago or earlier.
type Outcome struct {
	Key    string // the folded name of its item
	Buyer  core.UserID
	Price  core.Copper // the most that it paid for one
	Filled bool        // nine tenths of it were bought
	Took   time.Duration
	Trust  float64 // of its buyer, one at most
}

// within returns 1 where the request was filled within some days, else 0.
func (o Outcome) within(days int) float64 {
	if o.Filled && o.Took <= time.Duration(days)*core.Day {
		return 1
	}
	return 0
}

// OddsDays are the times within which requests are filled or not, in days.
var OddsDays = [2]int{2, 7}

const (
	oddsFor       = 90 * core.Day // for how long requests count
	oddsAge       = 7 * core.Day  // how old they are at least: of those it is known whether they were filled
	minOddsBuyers = 5             // the requests of so many buyers have to weigh in
	betterBy      = 10            // by so many percent more a higher price is worth a word
)

// OddsOf names the requests that odds come from.
type OddsOf string

// The requests of the item; where too few were near the price, the requests of its kind, else of the whole
// market.
const (
	OddsOfItem   OddsOf = "item"
	OddsOfKind   OddsOf = "kind"
	OddsOfMarket OddsOf = "market"
)

// AllOddsOf lists them, the narrowest first.
var AllOddsOf = []OddsOf{OddsOfItem, OddsOfKind, OddsOfMarket}

// OddsStep is the odds of a request from a price on, up to the next step.
type OddsStep struct {
	Price   core.Copper
	Of      OddsOf             // empty where too few requests were near the price
	Buyers  int                // with requests that weigh in
	Percent [len(OddsDays)]int // how many of a hundred are filled within each of OddsDays
}

// Odds is how likely a request for an item is filled, by price. Neither a higher price nor a longer
// time ever has lower odds.
type Odds struct {
	Item Item
	// that two different pairs of traders agreed on; below there are no odds. Zero when there are none
	Lowest core.Copper
	Steps  []OddsStep
	Near   []Filled // at the prices that are suggested, where enough is known
}

// Filled is how many requests at about a price were posted, and how many of them were filled. Odds are an
// estimate; this is what happened.
type Filled struct {
	Price         core.Copper
	Asked, Filled int
}

const (
	filledWithin    = 4 // percent of a price, to both sides, is about the same price
	minFilledBuyers = 3 // different ones
)

// filledAt counts the requests of established traders at about some prices. A price that fewer than three
// buyers asked at is left out, and so are the requests of others: anybody can have accounts that fill each
// other's.
func filledAt(outcomes []Outcome, prices ...core.Copper) (near []Filled) {
	for _, price := range slices.Compact(prices) {
		at, buyers := Filled{Price: price}, map[core.UserID]bool{}
		for _, o := range outcomes {
			about := 100*max(o.Price-price, price-o.Price) <= filledWithin*price
			if o.Trust < 1 || !about {
				continue
			}
			buyers[o.Buyer] = true
			at.Asked++
			if o.Filled {
				at.Filled++
			}
		}
		if len(buyers) >= minFilledBuyers {
			near = append(near, at)
		}
	}
	return near
}

// TooLow reports whether the price is below the lowest price that was paid.
func (o Odds) TooLow(price core.Copper) bool { return 0 < price && price < o.Lowest }

// At returns the odds at a price; nil where too little is known.
func (o Odds) At(price core.Copper) *OddsStep {
	for i := len(o.Steps) - 1; i >= 0; i-- {
		if o.Steps[i].Price <= price {
			if o.Steps[i].Of == "" {
				return nil
			}
			return &o.Steps[i]
		}
	}
	return nil
}

// Better returns the step with the lowest price at which clearly more requests are filled; nil when there
// is none.
func (o Odds) Better(than OddsStep) *OddsStep {
	for i := range o.Steps {
		step := &o.Steps[i]
		for d := range step.Percent {
			if step.Of != "" && step.Price > than.Price && step.Percent[d] >= than.Percent[d]+betterBy {
				return step
			}
		}
	}
	return nil
}

// from returns the odds from the lowest price that was paid on.
func (o Odds) from(lowest core.Copper) Odds {
	o.Lowest = lowest
	steps := []OddsStep{}
	for i, step := range o.Steps {
		if i+1 < len(o.Steps) && o.Steps[i+1].Price <= lowest {
			continue
		}
		step.Price = max(step.Price, lowest)
		steps = append(steps, step)
	}
	o.Steps = steps
	return o
}

// lowestPaid returns the lowest price that two different pairs of traders agreed on; zero when there is none.
func lowestPaid(fills []Fill, young bool) core.Copper {
	lowest := map[[2]core.UserID]core.Copper{}
	for _, f := range fills {
		if f.weight(young) < fullWeight { // either side is not trusted
			continue
		}
		if paid, known := lowest[f.pair()]; !known || f.Price < paid {
			lowest[f.pair()] = f.Price
		}
	}
	if len(lowest) < 2 {
		return 0
	}
	prices := make([]core.Copper, 0, len(lowest))
	for _, p := range lowest {
		prices = append(prices, p)
	}
	slices.Sort(prices)
	return prices[1]
}

// oddsGroup is the outcomes of one item, and its kind.
type oddsGroup struct {
	kind     string
	outcomes []Outcome
}

// usual returns the usual price of a group: the median of the requests that were filled, of few the median
// of all. A buyer counts once.
func (g oddsGroup) usual() core.Copper {
	filled, all := []weighedPrice{}, []weighedPrice{}
	buyers := 0.0
	for i, share := range g.shares() {
		p := weighedPrice{g.outcomes[i].Price, max(1, int(share*buyerWeight))}
		all = append(all, p)
		if g.outcomes[i].Filled {
			filled = append(filled, p)
			buyers += share
		}
	}
	if buyers < 3 {
		filled = all
	}
	slices.SortFunc(filled, func(a, b weighedPrice) int { return int(a.price - b.price) })
	return medianOf(filled)
}

// buyerWeight is the weight of a buyer, which any number of requests up to ten can share.
const buyerWeight = 2520

// shares returns the weight of each outcome: the outcomes of one buyer share the buyer's trust.
func (g oddsGroup) shares() []float64 {
	of := map[core.UserID]float64{}
	for _, o := range g.outcomes {
		of[o.Buyer]++
	}
	shares := make([]float64, len(g.outcomes))
	for i, o := range g.outcomes {
		shares[i] = o.Trust / of[o.Buyer]
	}
	return shares
}

// Odds are estimated on steps of the price relative to the usual price, on a log scale. Prices beyond the
// ends count as the ends.
const (
	oddsStep  = 0.04
	oddsSteps = 171
	oddsZero  = oddsSteps / 2 // the step of the usual price
)

func oddsStepOf(price, usual core.Copper) int {
	at := oddsZero + int(math.Floor(math.Log(float64(price)/float64(usual))/oddsStep))
	return min(max(at, 0), oddsSteps-1)
}

// oddsCurve is a chance at each step.
type oddsCurve [oddsSteps]float64

// oddsTally counts requests and filled ones at each step.
type oddsTally struct {
	requests [oddsSteps]float64
	filled   [len(OddsDays)][oddsSteps]float64
}

func (t *oddsTally) add(g oddsGroup, usual core.Copper) {
	for i, share := range g.shares() {
		at := oddsStepOf(g.outcomes[i].Price, usual)
		t.requests[at] += share
		for d, days := range OddsDays {
			t.filled[d][at] += share * g.outcomes[i].within(days)
		}
	}
}

// near calls back with each step within some steps of another, and its weight: 1 there, and falling to both
// sides.
func near(at, steps int, do func(at int, weight float64)) {
	for i := max(0, at-steps); i <= min(oddsSteps-1, at+steps); i++ {
		distance := float64(i-at) / float64(steps+1)
		do(i, 1-distance*distance)
	}
}

// buyersNear returns the number of buyers with requests that weigh in at a step.
func (t *oddsTally) buyersNear(at int) int {
	sum := 0.0
	near(at, itemReach, func(i int, _ float64) { sum += t.requests[i] })
	return int(sum + 1e-6)
}

const (
	marketReach   = 3  // steps to both sides that weigh in for the market, more where few requests are near
	itemReach     = 10 // for an item or kind; its odds are shrunk towards the market's
	marketEnough  = 40 // requests that are enough for the market
	usualVariance = 0.5
)

// marketOdds is the chance of a request by its price relative to its item's usual price, over all items.
type marketOdds struct {
	tally   oddsTally
	logOdds [len(OddsDays)]oddsCurve // of a middling item
	// by how much kinds differ, and items of one kind: the variance of their log odds
	kinds, items [len(OddsDays)]float64
}

// newMarketOdds estimates the odds of a market from the outcomes of its items. The curve over all items is
// flatter than the odds of any single item, so it estimates two things in turn: each item's shift from the
// curve, and the curve given the shifts.
func newMarketOdds(groups []oddsGroup) *marketOdds {
	m := &marketOdds{}
	items := make([]*oddsTally, len(groups))
	ofKind := map[string]*oddsTally{}
	for i, g := range groups {
		items[i] = &oddsTally{}
		usual := g.usual()
		items[i].add(g, usual)
		m.tally.add(g, usual)
		if g.kind != "" {
			if ofKind[g.kind] == nil {
				ofKind[g.kind] = &oddsTally{}
			}
			ofKind[g.kind].add(g, usual)
		}
	}
	kinds := slices.Collect(maps.Values(ofKind))
	for d := range OddsDays {
		curve := m.tally.curve(d)
		for range oddsTurns {
			all := variance(items, d, curve)
			m.kinds[d] = variance(kinds, d, curve)
			m.items[d] = max(all-m.kinds[d], leastVariance)
			shifts := make([]float64, len(items))
			for i, t := range items {
				shifts[i], _ = t.shift(d, curve, all, oddsZero, oddsSteps)
			}
			curve = beside(items, shifts, d, curve)
		}
		m.logOdds[d] = curve
	}
	return m
}

const (
	leastVariance = 0.02
	oddsTurns     = 4
)

func logistic(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }

// variance estimates by how much groups differ from a curve beyond chance, by the method of moments.
func variance(groups []*oddsTally, d int, logOdds oddsCurve) float64 {
	beyond, scale, telling := 0.0, 0.0, 0
	for _, t := range groups {
		score, information := 0.0, 0.0
		for at, n := range t.requests {
			if n > 0 {
				chance := logistic(logOdds[at])
				score += t.filled[d][at] - n*chance
				information += n * chance * (1 - chance)
			}
		}
		if information > 0.2 {
			telling++
		}
		beyond += score*score - information
		scale += information * information
	}
	if telling < 5 || scale == 0 {
		return usualVariance
	}
	return min(max(beyond/scale, leastVariance), 2)
}

// beside estimates a curve from the requests of items that differ from it by shifts: by how much the
// requests near a step do still.
func beside(items []*oddsTally, shifts []float64, d int, logOdds oddsCurve) oddsCurve {
	type cell struct{ requests, filled, shift float64 }
	var cells [oddsSteps][]cell
	var requests [oddsSteps]float64
	for i, t := range items {
		for at, n := range t.requests {
			if n > 0 {
				cells[at] = append(cells[at], cell{n, t.filled[d][at], shifts[i]})
				requests[at] += n
			}
		}
	}
	var curve, weights oddsCurve
	for at := range curve {
		reach := enough(&requests, at)
		shift := 0.0
		for range 4 {
			score, information := -shift, 1.0
			near(at, reach, func(i int, weight float64) {
				for _, c := range cells[i] {
					chance := logistic(logOdds[i] + shift + c.shift)
					score += weight * (c.filled - c.requests*chance)
					information += weight * c.requests * chance * (1 - chance)
				}
			})
			shift += min(max(score/information, -1), 1)
			weights[at] = information
		}
		curve[at] = logOdds[at] + shift
	}
	return rising(curve, weights)
}

// enough returns how many steps away it takes to have enough requests of the market near a step.
func enough(requests *[oddsSteps]float64, at int) int {
	sum := 0.0
	for _, n := range requests {
		sum += n
	}
	for reach := marketReach; ; reach++ {
		n := 0.0
		near(at, reach, func(i int, weight float64) { n += weight * requests[i] })
		if n >= min(marketEnough, sum/2) || reach > oddsSteps {
			return reach
		}
	}
}

// curve estimates the log odds at each step from requests near it, as many steps away as it takes to have
// enough of them.
func (t *oddsTally) curve(d int) oddsCurve {
	filled, requests := 0.0, 0.0
	for at, n := range t.requests {
		requests += n
		filled += t.filled[d][at]
	}
	rate := (filled + 0.5) / (requests + 1)
	var curve, weights oddsCurve
	for at := range curve {
		yes, all := 2*rate, 2.0 // the weight of two requests at the market's overall rate
		near(at, enough(&t.requests, at), func(i int, weight float64) {
			yes += weight * t.filled[d][i]
			all += weight * t.requests[i]
		})
		curve[at], weights[at] = math.Log(yes/(all-yes)), all
	}
	return rising(curve, weights)
}

// shift estimates by how much the log odds of a group differ from a parent's near a step, shrunk by how
// much groups usually differ, and how certain that is: the inverse of its variance.
func (t *oddsTally) shift(
	d int, parent oddsCurve, variance float64, at, reach int,
) (shift, information float64) {
	for range 8 { // Newton's method, in steps of one at most
		score := -shift / variance
		information = 1 / variance
		near(at, reach, func(i int, weight float64) {
			if n := t.requests[i]; n > 0 {
				chance := logistic(parent[i] + shift)
				score += weight * (t.filled[d][i] - n*chance)
				information += weight * n * chance * (1 - chance)
			}
		})
		step := min(max(score/information, -1), 1)
		if shift += step; math.Abs(step) < 1e-4 {
			break
		}
	}
	return shift, information
}

// shrunk estimates a group's log odds at each step, shrunk towards a parent's, and their variance.
func (t *oddsTally) shrunk(d int, parent oddsCurve, usually float64) (curve, variances oddsCurve) {
	var weights oddsCurve
	for at := range curve {
		shift, information := t.shift(d, parent, usually, at, itemReach)
		curve[at], weights[at], variances[at] = parent[at]+shift, information, 1/information
	}
	return rising(curve, weights), variances
}

// rising returns the curve nearest to another that never falls: where it would, the steps beside each other
// get their mean.
func rising(curve, weights oddsCurve) oddsCurve {
	type block struct {
		mean, weight float64
		steps        int
	}
	var blocks []block
	for at := range curve {
		blocks = append(blocks, block{curve[at], weights[at], 1})
		for n := len(blocks); n > 1 && blocks[n-2].mean > blocks[n-1].mean; n-- {
			a, b := blocks[n-2], blocks[n-1]
			weight := a.weight + b.weight
			blocks = append(blocks[:n-2],
				block{(a.mean*a.weight + b.mean*b.weight) / weight, weight, a.steps + b.steps})
		}
	}
	at := 0
	for _, b := range blocks {
		for range b.steps {
			curve[at] = b.mean
			at++
		}
	}
	return curve
}

// of returns the odds of an item by price, from its outcomes and the outcomes of all items of its kind,
// itself among them. The usual price comes from the item's own requests where there are enough, else from
// the argument.
func (m *marketOdds) of(item oddsGroup, kind []oddsGroup, usual core.Copper) []OddsStep {
	if len(item.outcomes) >= 3 || usual == 0 {
		usual = item.usual()
	}
	if usual == 0 {
		all := oddsGroup{}
		for _, g := range kind {
			all.outcomes = append(all.outcomes, g.outcomes...)
		}
		if usual = all.usual(); usual == 0 {
			return nil
		}
	}
	var ofItem, ofKind oddsTally
	ofItem.add(item, usual)
	for _, g := range kind {
		if known := g.usual(); known > 0 {
			ofKind.add(g, known)
		}
	}
	var curves [len(OddsDays)]oddsCurve
	for d := range OddsDays {
		var uncertain oddsCurve
		curve := m.logOdds[d]
		if len(kind) > 0 {
			curve, uncertain = ofKind.shrunk(d, curve, m.kinds[d])
		}
		curve, own := ofItem.shrunk(d, curve, m.items[d])
		var certain oddsCurve
		for at := range curve { // the mean chance, where the log odds are about so: nearer to a half
			curve[at] = logistic(curve[at] / math.Sqrt(1+math.Pi/8*(uncertain[at]+own[at])))
			certain[at] = 1
		}
		curves[d] = rising(curve, certain)
	}
	steps := make([]OddsStep, 0, oddsSteps)
	for at := range oddsSteps {
		step := OddsStep{Price: roundest(stepPrice(usual, at), stepPrice(usual, at+1))}
		for _, from := range []struct {
			of    OddsOf
			tally *oddsTally
		}{{OddsOfItem, &ofItem}, {OddsOfKind, &ofKind}, {OddsOfMarket, &m.tally}} {
			if n := from.tally.buyersNear(at); n >= minOddsBuyers {
				step.Of, step.Buyers = from.of, n
				break
			}
		}
		if step.Of != "" {
			for d := range OddsDays {
				step.Percent[d] = min(max(int(math.Round(100*curves[d][at])), 1), 99)
			}
			step.Percent[1] = max(step.Percent[0], step.Percent[1])
		}
		last := len(steps) - 1
		switch {
		case last >= 0 && steps[last].Price == step.Price: // less than a copper apart
			steps[last] = step
		case last >= 0 && steps[last].Of == step.Of && steps[last].Buyers == step.Buyers &&
			steps[last].Percent == step.Percent:
		case last < 0 && step.Of == "":
		default:
			steps = append(steps, step)
		}
	}
	return steps
}

// stepPrice returns the lowest price of a step.
func stepPrice(usual core.Copper, at int) core.Copper {
	return core.Copper(math.Ceil(float64(usual) * math.Exp(float64(at-oddsZero)*oddsStep)))
}

// roundest returns the price from one to below another that has the most zeros at its end.
func roundest(from, below core.Copper) core.Copper {
	for unit := core.Copper(1_000_000_000_000); unit > 1; unit /= 10 {
		for _, of := range []core.Copper{unit, unit / 2} {
			if price := (from + of - 1) / of * of; price < below {
				return price
			}
		}
	}
	return max(from, 1)
}
