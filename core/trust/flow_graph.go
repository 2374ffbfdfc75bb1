package trust

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"tradepost/core"
)

// graph is the pairs, from each end: those of v are from[v] to from[v+1], with the other end and the weight.
type graph struct {
	people []Person
	from   []int32
	to     []int32
	weight []float64
	degree []float64 // the sum of a person's weights
	volume float64   // the sum of all degrees
}

// newGraph returns the graph of the people who are in pairs, and of the sources. Pairs with somebody who is
// not among the people are left out.
func newGraph(people []Person, pairs []Pair, now time.Time) *graph {
	people = slices.Clone(people)
	slices.SortFunc(people, func(a, b Person) int { return cmp.Compare(a.User, b.User) })
	at := make(map[core.UserID]int32, len(people))
	for i, p := range people {
		at[p.User] = int32(i)
	}
	type edge struct {
		a, b  int32
		since time.Time
	}
	edges := make([]edge, 0, len(pairs))
	for _, p := range pairs {
		a, knownA := at[p.A]
		b, knownB := at[p.B]
		if knownA && knownB && a != b {
			edges = append(edges, edge{min(a, b), max(a, b), p.Since})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), x.since.Compare(y.since))
	})
	edges = slices.CompactFunc(edges, func(x, y edge) bool { return x.a == y.a && x.b == y.b })

	g := &graph{people: people, from: make([]int32, len(people)+1), to: make([]int32, 2*len(edges)),
		weight: make([]float64, 2*len(edges)), degree: make([]float64, len(people))}
	for _, e := range edges {
		g.from[e.a+1]++
		g.from[e.b+1]++
	}
	for v := range people {
		g.from[v+1] += g.from[v]
	}
	next := slices.Clone(g.from)
	for _, e := range edges {
		w := grown(newPairWeight, now.Sub(e.since), pairGrowsFor) *
			min(people[e.a].weight(now), people[e.b].weight(now))
		for _, end := range [2][2]int32{{e.a, e.b}, {e.b, e.a}} {
			g.to[next[end[0]]], g.weight[next[end[0]]] = end[1], w
			next[end[0]]++
			g.degree[end[0]] += w
		}
		g.volume += 2 * w
	}
	return g
}

// walk returns where a walk from the sources is after its rounds: as much in all as all pairs weigh from both
// ends, so that an even share is a person's degree. Half of it stays where it is in each round.
func (g *graph) walk() []float64 {
	mass, next := make([]float64, len(g.people)), make([]float64, len(g.people))
	starts := 0.0
	for v, p := range g.people {
		if p.Source && g.degree[v] > 0 {
			starts++
		}
	}
	for v, p := range g.people {
		if p.Source && g.degree[v] > 0 {
			mass[v] = g.volume / starts
		}
	}
	for range 2 * bits.Len(uint(len(g.people))) {
		for v := range mass {
			next[v] = mass[v] / 2
		}
		for v := range mass {
			if mass[v] == 0 {
				continue
			}
			passed := mass[v] / 2 / g.degree[v]
			for e := g.from[v]; e < g.from[v+1]; e++ {
				next[g.to[e]] += passed * g.weight[e]
			}
		}
		mass, next = next, mass
	}
	return mass
}
