package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/plan"
)

// draw returns a list and listings of up to eight sellers, some of whom have many of its items.
func draw(r *rand.Rand) (lines []plan.Line, sources []plan.Source) {
	for range 1 + r.IntN(8) {
		line := plan.Line{Need: 1 + r.IntN(30), Limit: core.Copper(80 + r.IntN(60))}
		if r.IntN(6) == 0 {
			line.Limit = 0
		}
		lines = append(lines, line)
	}
	sellers := 1 + r.IntN(8)
	for seller := range sellers {
		has := 1 + r.IntN(10)
		for line := range lines {
			if r.IntN(10) < has {
				sources = append(sources, plan.Source{Line: line, Seller: core.UserID(seller + 1),
					Left: r.IntN(40), Price: core.Copper(60 + r.IntN(80))})
			}
		}
	}
	r.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	return lines, sources
}

// least finds the lowest cost by trying every set of sellers. A set takes the cheapest pieces first.
func least(lines []plan.Line, sources []plan.Source, weight float64) float64 {
	lowest := math.Inf(1)
	for set := range 1 << 8 {
		p := plan.Plan{Take: make([]int, len(sources)), Rest: make([]int, len(lines))}
		for i, line := range lines {
			p.Rest[i] = line.Need
			for p.Rest[i] > 0 {
				best := -1
				for at, s := range sources {
					open := s.Line == i && set>>(s.Seller-1)&1 == 1 && p.Take[at] < s.Left
					if open && (line.Limit == 0 || s.Price <= line.Limit) &&
						(best < 0 || s.Price < sources[best].Price) {
						best = at
					}
				}
				if best < 0 {
					break
				}
				p.Take[best]++
				p.Rest[i]--
			}
		}
		lowest = min(lowest, costOf(lines, sources, p, weight))
	}
	return lowest
}

func TestPlansAreWithinATwentiethOfTheBestOfEightSellers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 6)) //nolint:gosec // the same lists in every run
	worst, same, lists := 1.0, 0, 1500
	if testing.Short() {
		lists = 200
	}
	for n := range lists {
		lines, sources := draw(r)
		weight := []plan.Weight{plan.Cheapest, plan.Balanced, plan.Fewest}[n%3].Of(plan.Worth(lines, sources))
		got := plan.Decide(lines, sources, weight)
		keepsLimits(t, lines, sources, got)
		cost, best := costOf(lines, sources, got, weight), least(lines, sources, weight)
		if best > 0 {
			worst = max(worst, cost/best)
		}
		if cost > best*1.05 || cost < best*(1-1e-9) {
			t.Fatalf("list %d costs %.0f, at best %.0f: %+v of %+v", n, cost, best, lines, sources)
		}
		if cost <= best*(1+1e-9) {
			same++
		}
	}
	t.Logf("%d of %d plans are the best, the worst costs %.4f of it", same, lists, worst)
}

// keepsLimits fails unless a plan has what each line needs, from its own listings, within their limits.
func keepsLimits(t *testing.T, lines []plan.Line, sources []plan.Source, p plan.Plan) {
	t.Helper()
	have := slices.Clone(p.Rest)
	for i, take := range p.Take {
		s := sources[i]
		if most := lines[s.Line].Limit; take < 0 || take > s.Left || take > 0 && most > 0 && s.Price > most {
			t.Fatalf("%d are taken of %+v, at most %d each", take, s, most)
		}
		have[s.Line] += take
	}
	for i, line := range lines {
		if p.Rest[i] < 0 || have[i] != line.Need {
			t.Fatalf("line %d has %d of %d, %d of them by request", i, have[i], line.Need, p.Rest[i])
		}
	}
}

func TestAPlanWeighsPriceAgainstPeople(t *testing.T) {
	t.Parallel()
	lines := []plan.Line{{Need: 10, Limit: 100}, {Need: 10, Limit: 100}}
	sources := []plan.Source{
		{Line: 0, Seller: 1, Left: 10, Price: 90}, {Line: 1, Seller: 2, Left: 10, Price: 90},
		{Line: 0, Seller: 3, Left: 10, Price: 94}, {Line: 1, Seller: 3, Left: 10, Price: 94},
		{Line: 0, Seller: 4, Left: 10, Price: 101},
	}
	for name, tt := range map[string]struct {
		weight float64
		take   []int
		rest   []int
	}{
		"the cheapest of each":                {0, []int{10, 10, 0, 0, 0}, []int{0, 0}},
		"one person, where they cost less":    {100, []int{0, 0, 10, 10, 0}, []int{0, 0}},
		"nobody is left for a request dearer": {1000, []int{0, 0, 10, 10, 0}, []int{0, 0}},
	} {
		got := plan.Decide(lines, sources, tt.weight)
		if !slices.Equal(got.Take, tt.take) || !slices.Equal(got.Rest, tt.rest) {
			t.Errorf("%s: took %v and left %v", name, got.Take, got.Rest)
		}
	}
	if got := plan.Decide(lines, sources[4:], 0); !slices.Equal(got.Rest, []int{10, 10}) {
		t.Errorf("a listing above the limit was taken: %+v", got)
	}
}

func BenchmarkDecide(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // as above
	var lines []plan.Line
	var sources []plan.Source
	for line := range 50 {
		lines = append(lines, plan.Line{Need: 20, Limit: 100})
		for range 20 {
			sources = append(sources, plan.Source{Line: line, Seller: core.UserID(1 + r.IntN(200)),
				Left: 1 + r.IntN(30), Price: core.Copper(50 + r.IntN(60))})
		}
	}
	weight := plan.Balanced.Of(plan.Worth(lines, sources))
	for b.Loop() {
		plan.Decide(lines, sources, weight)
	}
}

// costOf returns the weighed cost of a plan: the price of the pieces that it buys, the limit for each piece that it leaves for a
// request, and the weight for each seller and for each line with a request, which one more seller has to bring.
func costOf(lines []plan.Line, sources []plan.Source, p plan.Plan, weight float64) (cost float64) {
	met := map[core.UserID]bool{}
	for i, take := range p.Take {
		if take > 0 {
			cost += float64(take) * float64(sources[i].Price)
			met[sources[i].Seller] = true
		}
	}
	for i, rest := range p.Rest {
		if rest > 0 {
			left := make([]plan.Line, len(lines))
			left[i] = plan.Line{Need: rest, Limit: lines[i].Limit}
			cost += plan.Worth(left, sources) + weight
		}
	}
	return cost + weight*float64(len(met))
}
