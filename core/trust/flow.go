package trust

import (
	"math"
	"time"

	"tradepost/core"
)

// Pair is two different people who have handed over to each other, since a time. However often they do, they
// are one pair.
type Pair struct {
	A, B  core.UserID
	Since time.Time

	// Trades counts their settled trades, OneCopper those at a unit price of one copper, and SameMinute those
	// that both sides confirmed within a minute.
	Trades, OneCopper, SameMinute int
}

// Person is somebody who trust may flow to.
type Person struct {
	User      core.UserID
	AccountOf time.Time // when their Discord account was made; zero for unknown, which counts as old
	Source    bool      // a moderator, or somebody whom one vouched for
}

// Share is what a person has of the community's trust. Nobody sees the number: it decides.
type Share struct {
	User   core.UserID
	Amount float64 // TrustedFrom or more: others here know them
	Circle core.UserID
	Source bool
}

// TrustedFrom is the share from which on a person is trusted: that of three partners of long standing.
const TrustedFrom = 1

// Trusted reports whether others here know the person.
func (s Share) Trusted() bool { return s.Source || s.Amount >= TrustedFrom }

// What a pair weighs: little at first, more with the pair's age and with that of the younger account.
const (
	newPairWeight    = 0.25
	pairGrowsFor     = 90 * core.Day
	newAccountWeight = 0.1
	accountGrowsFor  = 90 * core.Day
	shareSteps       = 100 // that are told apart in one
	partnersOfTrust  = 3   // a share of one needs so many pairs of full weight
	// The clusters that are found are not always quite those that were made: some people at the border are on
	// the other side. So a cluster keeps less than what leads out of it weighs.
	keptOfCut  = 0.6
	knownLevel = 0.5 // half an even share of the walk is enough to pass all of a pair's weight on
)

// grown returns a weight that begins at least and grows to one over a time.
func grown(least float64, age, over time.Duration) float64 {
	return least + (1-least)*min(1, max(0, float64(age)/float64(over)))
}

func (p Person) weight(now time.Time) float64 {
	if p.AccountOf.IsZero() {
		return 1
	}
	return grown(newAccountWeight, now.Sub(p.AccountOf), accountGrowsFor)
}

// Flow returns everybody's share, in the order of their ids. It is a function of its arguments alone.
//
// Trust walks from the sources over the pairs, for twice the logarithm of the people in rounds (SybilRank):
// long enough to come about everywhere in a market whose people trade with each other at large, and too short
// to fill a cluster behind few pairs. Then each pair passes its weight on, as far as the walk knows its other
// end. What many puppets add to that among themselves is cut off again: people are put together by how much
// they trade with each other, at every scale (see clusters), and none of these clusters keeps more than the
// pairs that lead out of it weigh, and those of its own sources. Only where half of the walk ended or more
// is the community itself: it has no rest to be measured by. So honest people pass on what they get without
// end, and a cluster of puppets shares what the honest handed over to it, however many they are.
func Flow(people []Person, pairs []Pair, now time.Time) []Share {
	g := newGraph(people, pairs, now)
	mass := g.walk()
	amounts := make([]float64, len(g.people))
	for v := range g.people {
		for e := g.from[v]; e < g.from[v+1]; e++ {
			u := g.to[e]
			known := min(1, mass[u]/g.degree[u]/knownLevel)
			if !g.people[u].Source { // what comes from v itself makes nobody known to v
				known *= 1 - g.weight[e]/g.degree[u]
			}
			amounts[v] += g.weight[e] * known / partnersOfTrust
		}
	}
	bound := &clusterBound{g, mass, amounts, make([]bool, len(g.people))}
	g.clusters(bound.keep)
	circles := g.circles()
	shares := make([]Share, len(g.people))
	for v, p := range g.people {
		shares[v] = Share{User: p.User, Amount: math.Floor(amounts[v]*shareSteps+1e-6) / shareSteps,
			Source: p.Source, Circle: g.people[circles[v]].User}
	}
	return shares
}
