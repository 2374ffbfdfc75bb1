// Package plan decides which listings to buy a list of items from, so that its price and the number of
// sellers to meet are low together.
package plan

import (
	"cmp"
	"slices"

	"tradepost/core"
)

// Line is one item of a list.
type Line struct {
	Need  int
	Limit core.Copper // for one: dearer listings are left out; zero for none
}

// Source is a listing of the item of one line.
type Source struct {
	Line   int // its place in the list
	Seller core.UserID
	Left   int
	Price  core.Copper // for one
}

// Plan says how many to take of each source, and how many of each line are left for a request.
type Plan struct {
	Take []int // by source
	Rest []int // by line
}

// Weight is what one more person to meet costs: a share of what the list is worth.
type Weight int

// The weights, in percent of Worth.
const (
	Cheapest Weight = 0
	Balanced Weight = 2
	Fewest   Weight = 10
)

// Of returns the weight in copper, for a list of some worth.
func (w Weight) Of(worth float64) float64 { return worth * float64(w) / 100 }

// Worth is what the list costs at its limits. Without a limit a piece costs twice its dearest listing.
func Worth(lines []Line, sources []Source) (worth float64) {
	for i, line := range lines {
		worth += float64(line.Need) * float64(limit(lines, sources, i))
	}
	return worth
}

// limit returns what one piece of a line that is left for a request counts: its limit, since a request may
// have to pay all of it.
func limit(lines []Line, sources []Source, i int) core.Copper {
	most := lines[i].Limit
	if most == 0 {
		for _, s := range sources {
			if s.Line == i {
				most = max(most, 2*s.Price)
			}
		}
	}
	return most
}

// Decide returns a plan with a low cost. It is greedy: it starts with no seller and again with all, adds,
// leaves out and swaps sellers as long as the cost falls, and returns the cheaper result. Where a request
// costs the same, it takes the listing, which is there already.
func Decide(lines []Line, sources []Source, weight float64) Plan {
	d := newDecision(lines, sources, weight)
	few, many := d.improve(false), d.improve(true)
	if d.cost(few) < d.cost(many)-1e-6 {
		many = few
	}
	return d.plan(many)
}

// decision has the facts of Decide by place, so that a change of one seller looks at their lines only.
type decision struct {
	lines   []Line
	sources []Source
	weight  float64
	limits  []core.Copper
	sellers []core.UserID
	of      []int   // the place of a source's seller
	onLine  [][]int // the sources of each line, the cheapest first
	bySells [][]int // the lines of each seller
	touched []int   // of gain, which is called often
}

func newDecision(lines []Line, sources []Source, weight float64) *decision {
	d := &decision{
		lines: lines, sources: sources, weight: weight, of: make([]int, len(sources)),
		onLine: make([][]int, len(lines)), limits: make([]core.Copper, len(lines)),
	}
	for i := range lines {
		d.limits[i] = limit(lines, sources, i)
	}
	for i, s := range sources {
		if s.Left <= 0 || s.Price > d.limits[s.Line] {
			continue
		}
		at := slices.Index(d.sellers, s.Seller)
		if at < 0 {
			at = len(d.sellers)
			d.sellers, d.bySells = append(d.sellers, s.Seller), append(d.bySells, nil)
		}
		d.of[i] = at
		d.onLine[s.Line] = append(d.onLine[s.Line], i)
		if !slices.Contains(d.bySells[at], s.Line) {
			d.bySells[at] = append(d.bySells[at], s.Line)
		}
	}
	for _, on := range d.onLine {
		slices.SortStableFunc(on, func(a, b int) int {
			return cmp.Or(cmp.Compare(sources[a].Price, sources[b].Price),
				cmp.Compare(sources[b].Left, sources[a].Left))
		})
	}
	return d
}

// line returns what a line costs with the sellers that are met: the cheapest pieces first.
func (d *decision) line(i int, met []bool) (cost float64) {
	need := d.lines[i].Need
	for _, at := range d.onLine[i] {
		if need > 0 && met[d.of[at]] {
			take := min(need, d.sources[at].Left)
			cost += float64(take) * float64(d.sources[at].Price)
			need -= take
		}
	}
	if need > 0 {
		cost += float64(need)*float64(d.limits[i]) + d.weight
	}
	return cost
}

func (d *decision) cost(met []bool) (cost float64) {
	for i := range d.lines {
		cost += d.line(i, met)
	}
	for _, m := range met {
		if m {
			cost += d.weight
		}
	}
	return cost
}

// gain is by how much the cost falls when some sellers are met who were not, or the other way round.
func (d *decision) gain(met []bool, turned ...int) (gain float64) {
	touched := d.touched[:0]
	for i, s := range turned {
		for _, line := range d.bySells[s] {
			if i == 0 || !slices.Contains(touched, line) {
				touched = append(touched, line)
			}
		}
	}
	d.touched = touched
	turn := func() {
		for _, s := range turned {
			met[s] = !met[s]
		}
	}
	for _, line := range touched {
		gain += d.line(line, met)
	}
	turn()
	for _, line := range touched {
		gain -= d.line(line, met)
	}
	for _, s := range turned {
		if met[s] {
			gain -= d.weight
		} else {
			gain += d.weight
		}
	}
	turn()
	return gain
}

// mostSwapped limits the sellers among whom two are swapped: every pair is tried.
const mostSwapped = 60

// improve begins with nobody or with everybody, and makes the best change until none is one.
func (d *decision) improve(everybody bool) []bool {
	met := make([]bool, len(d.sellers))
	for i := range met {
		met[i] = everybody
	}
	gains := make([]float64, len(met)) // of each seller, as met is
	for s := range met {
		gains[s] = d.gain(met, s)
	}
	for range 4 * len(met) {
		best, by := []int(nil), 0.0
		for s, gain := range gains {
			if gain > by+1e-9 {
				best, by = []int{s}, gain
			}
		}
		if best == nil && len(met) <= mostSwapped {
			best = d.swap(met)
		}
		if best == nil {
			break
		}
		for _, s := range best {
			met[s] = !met[s]
		}
		for _, s := range d.beside(best) {
			gains[s] = d.gain(met, s)
		}
	}
	return met
}

// swap returns the first two sellers, one met and one not, whose swap lowers the cost; nil for none.
func (d *decision) swap(met []bool) []int {
	for in := range met {
		for out := range met {
			if met[in] && !met[out] && d.gain(met, in, out) > 1e-9 {
				return []int{in, out}
			}
		}
	}
	return nil
}

// beside returns the sellers whose gain depends on some sellers: those who sell for one of the same lines.
func (d *decision) beside(turned []int) []int {
	known := make([]bool, len(d.sellers))
	var sellers []int
	for _, s := range turned {
		for _, line := range d.bySells[s] {
			for _, at := range d.onLine[line] {
				if of := d.of[at]; !known[of] {
					known[of] = true
					sellers = append(sellers, of)
				}
			}
		}
	}
	return sellers
}

// plan takes what each line needs of the sellers that are met, the cheapest first.
func (d *decision) plan(met []bool) Plan {
	p := Plan{Take: make([]int, len(d.sources)), Rest: make([]int, len(d.lines))}
	for i, line := range d.lines {
		need := line.Need
		for _, at := range d.onLine[i] {
			if met[d.of[at]] {
				p.Take[at] = min(need, d.sources[at].Left)
				need -= p.Take[at]
			}
		}
		p.Rest[i] = need
	}
	return p
}
