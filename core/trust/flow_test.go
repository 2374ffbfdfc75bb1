package trust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
)

var flowNow = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// longAgo makes a pair of full weight.
var longAgo = flowNow.AddDate(-1, 0, 0)

// community is people and pairs that a test puts together. People are numbered from 1.
type community struct {
	people []Person
	pairs  map[[2]core.UserID]time.Time
}

func newCommunity() *community { return &community{pairs: map[[2]core.UserID]time.Time{}} }

// join adds people and returns them.
func (c *community) join(n int) []core.UserID {
	var ids []core.UserID
	for range n {
		c.people = append(c.people, Person{User: core.UserID(len(c.people) + 1)})
		ids = append(ids, c.people[len(c.people)-1].User)
	}
	return ids
}

func (c *community) vouchFor(ids ...core.UserID) {
	for _, id := range ids {
		c.people[id-1].Source = true
	}
}

// meet has two people hand over to each other. It reports whether they are a new pair.
func (c *community) meet(a, b core.UserID, since time.Time) bool {
	pair := [2]core.UserID{min(a, b), max(a, b)}
	if _, known := c.pairs[pair]; known || a == b {
		return false
	}
	c.pairs[pair] = since
	return true
}

// meetAtRandom has people meet so many others each, on average.
func (c *community) meetAtRandom(r *rand.Rand, ids []core.UserID, others float64) {
	for left := int(others * float64(len(ids)) / 2); left > 0; {
		if c.meet(ids[r.IntN(len(ids))], ids[r.IntN(len(ids))], longAgo) {
			left--
		}
	}
}

// meetAll has everybody meet everybody.
func (c *community) meetAll(ids []core.UserID, since time.Time) {
	for i, a := range ids {
		for _, b := range ids[:i] {
			c.meet(a, b, since)
		}
	}
}

func (c *community) flow() map[core.UserID]Share {
	shares := map[core.UserID]Share{}
	for _, s := range Flow(c.people, c.allPairs(), flowNow) {
		shares[s.User] = s
	}
	return shares
}

// allPairs returns the pairs in any order: the result has to be the same.
func (c *community) allPairs() (pairs []Pair) {
	for pair, since := range c.pairs {
		pairs = append(pairs, Pair{A: pair[0], B: pair[1], Since: since, Trades: 1})
	}
	return pairs
}

func sumOf(shares map[core.UserID]Share, ids []core.UserID) (sum float64, trusted int) {
	for _, id := range ids {
		sum += shares[id].Amount
		if shares[id].Trusted() {
			trusted++
		}
	}
	return sum, trusted
}

func TestAnHonestMarketBecomesTrustedFromOneModerator(t *testing.T) {
	t.Parallel()
	for people, others := range map[int]float64{100: 12, 1_000: 12, 100_000: 9} {
		r := rand.New(rand.NewPCG(uint64(people), 1))
		c := newCommunity()
		all := c.join(people)
		c.vouchFor(all[0])
		c.meetAtRandom(r, all, others)
		if _, trusted := sumOf(c.flow(), all); trusted*10 < people*9 {
			t.Errorf("of %d people %d are trusted, want nine tenths", people, trusted)
		}
	}
}

// A market of guilds, whose members mostly trade among themselves, is a market.
func TestGuildsBecomeTrusted(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	c := newCommunity()
	all := c.join(2_000)
	c.vouchFor(all[0])
	for guild := range 40 {
		c.meetAtRandom(r, all[guild*50:(guild+1)*50], 8)
	}
	c.meetAtRandom(r, all, 6)
	if _, trusted := sumOf(c.flow(), all); trusted*10 < len(all)*7 {
		t.Errorf("of %d people %d are trusted, want seven tenths", len(all), trusted)
	}
}

func TestFiftyPuppetsShareNineEdges(t *testing.T) {
	t.Parallel()
	for _, market := range []int{100, 1_000, 5_000} {
		for name, among := range map[string]func(*community, *rand.Rand, []core.UserID){
			"all with all": func(c *community, _ *rand.Rand, p []core.UserID) { c.meetAll(p, longAgo) },
			"at random":    func(c *community, r *rand.Rand, p []core.UserID) { c.meetAtRandom(r, p, 12) },
			"with few":     func(c *community, r *rand.Rand, p []core.UserID) { c.meetAtRandom(r, p, 5) },
			"in small rings": func(c *community, r *rand.Rand, p []core.UserID) {
				for i := 0; i < len(p); i += 5 {
					c.meetAll(p[i:i+5], longAgo)
				}
				c.meetAtRandom(r, p, 2)
			},
		} {
			for _, nearModerator := range []bool{false, true} {
				r := rand.New(rand.NewPCG(uint64(market), 3))
				c := newCommunity()
				honest, puppets := c.join(market), c.join(50)
				c.vouchFor(honest[0])
				c.meetAtRandom(r, honest, 12)
				among(c, r, puppets)
				for i := range 9 {
					to := honest[1+r.IntN(len(honest)-1)]
					if nearModerator && i < 3 {
						to = honest[0]
					}
					for !c.meet(puppets[r.IntN(9)], to, longAgo) {
						to = honest[1+r.IntN(len(honest)-1)]
					}
				}
				shares := c.flow()
				sum, trusted := sumOf(shares, puppets)
				if sum > 9 || trusted > 9 {
					t.Errorf("puppets %s, beside %d people, near a moderator: %v: they have %.1f together and %d "+
						"of them are trusted, want 9 at most", name, market, nearModerator, sum, trusted)
				}
				if _, trusted := sumOf(shares, honest); trusted*10 < market*8 {
					t.Errorf("of %d honest people %d are trusted, want eight tenths", market, trusted)
				}
			}
		}
	}
}

// TestNoClusterEndsWithMoreThanItsCut compares what puppets have with the greatest flow from the rest to them. Where half of
// the walk ends among the puppets, most of what the moderators trade with are puppets: nothing bounds those, and they are
// counted.
func TestNoClusterEndsWithMoreThanItsCut(t *testing.T) {
	t.Parallel()
	const graphs = 8_000
	most, community := 0.0, 0
	for seed := range uint64(graphs) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := newCommunity()
		honest, puppets := c.join(15+r.IntN(40)), c.join(2+r.IntN(14))
		for _, source := range honest[:1+r.IntN(3)] {
			c.vouchFor(source)
		}
		c.meetAtRandom(r, honest, 3+6*r.Float64())
		c.meetAtRandom(r, puppets, min(float64(len(puppets)-1), 1+8*r.Float64()))
		for range 1 + r.IntN(5) {
			c.meet(honest[r.IntN(len(honest))], puppets[r.IntN(len(puppets))], longAgo)
		}
		if c.walked(puppets) >= 0.5 {
			community++
			continue
		}
		sum, _ := sumOf(c.flow(), puppets)
		cut := c.greatestFlow(honest, puppets)
		if sum > cut+0.01 {
			t.Errorf("seed %d: %d puppets beside %d people have %.2f, and the rest can pass on %.2f", seed,
				len(puppets), len(honest), sum, cut)
		}
		most = max(most, sum/cut)
	}
	t.Logf("at most %.0f %% of the cut; in %d of %d graphs half of the walk ends among the puppets", 100*most, community, graphs)
	if community > graphs/100 {
		t.Errorf("%d of %d graphs are left out", community, graphs)
	}
}

// walked returns which part of the walk ends among some people.
func (c *community) walked(ids []core.UserID) float64 {
	g := newGraph(c.people, c.allPairs(), flowNow)
	mass := g.walk()
	there := 0.0
	for v, p := range g.people {
		if slices.Contains(ids, p.User) {
			there += mass[v]
		}
	}
	return there / g.volume
}

// greatestFlow returns what can flow from some people to others, each pair carrying what it weighs (Advogato,
// with people who pass on all that they get).
func (c *community) greatestFlow(from, to []core.UserID) float64 {
	n := len(c.people) + 2
	source, sink := 0, n-1
	left := make([][]float64, n)
	for i := range left {
		left[i] = make([]float64, n)
	}
	for _, id := range from {
		left[source][id] = 1e9
	}
	for _, id := range to {
		left[id][sink] = 1e9
	}
	for pair := range c.pairs {
		left[pair[0]][pair[1]], left[pair[1]][pair[0]] = 1, 1
	}
	for flow := 0.0; ; flow++ { // each path has a pair, and pairs carry one
		before := make([]int, n)
		queue := []int{source}
		before[source] = -1
		for len(queue) > 0 && before[sink] == 0 {
			v := queue[0]
			queue = queue[1:]
			for u := 1; u < n; u++ {
				if before[u] == 0 && left[v][u] > 0 {
					before[u] = v
					if v == source {
						before[u] = -2
					}
					queue = append(queue, u)
				}
			}
		}
		if before[sink] == 0 {
			return flow
		}
		for u := sink; u != source; {
			v := max(before[u], source)
			left[v][u]--
			left[u][v]++
			u = v
		}
	}
}

func TestTrustIsOfTheSettledGraphAlone(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	c := newCommunity()
	all := c.join(500)
	c.vouchFor(all[0], all[7])
	c.meetAtRandom(r, all, 5)
	first := c.flow()
	slices.Reverse(c.people)
	for user, share := range c.flow() {
		if share != first[user] {
			t.Errorf("user %d has %v, and with the same pairs in another order %v", user, first[user], share)
		}
	}
}

func TestNobodyIsTrustedWithoutASource(t *testing.T) {
	t.Parallel()
	c := newCommunity()
	all, apart := c.join(30), c.join(30)
	c.vouchFor(all[0])
	c.meetAll(all, longAgo)
	c.meetAll(apart, longAgo)
	if sum, _ := sumOf(c.flow(), apart); sum != 0 {
		t.Errorf("people whom nobody of the others has met have %v", sum)
	}
}

// What leads out of such puppets is a sum of differences, which rounding once made less than none.
func TestPuppetsBehindNoTradeHaveNoShare(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 41))
		c := newCommunity()
		honest, puppets := c.join(30), c.join(14)
		c.vouchFor(honest[0])
		for _, ids := range [][]core.UserID{honest, puppets} {
			for left := 4 * len(ids); left > 0; {
				if c.meet(ids[r.IntN(len(ids))], ids[r.IntN(len(ids))], flowNow.Add(-time.Duration(r.Int64N(int64(90*core.Day))))) {
					left--
				}
			}
		}
		shares := c.flow()
		for _, puppet := range puppets {
			if got := shares[puppet].Amount; got != 0 {
				t.Fatalf("graph %d: a puppet has the share %v", seed, got)
			}
		}
	}
}

func TestAPairGrowsWithItsAgeAndTheAccounts(t *testing.T) {
	t.Parallel()
	amount := func(pairDays, accountDays int) float64 {
		c := newCommunity()
		all := c.join(31)
		c.vouchFor(all[:30]...)
		c.people[30].AccountOf = flowNow.AddDate(0, 0, -accountDays)
		for _, id := range all[:30] {
			c.meet(id, all[30], flowNow.AddDate(0, 0, -pairDays))
		}
		return c.flow()[31].Amount
	}
	for _, tt := range []struct {
		pairDays, accountDays int
		want                  float64
	}{{0, 400, 2.5}, {45, 400, 6.25}, {90, 400, 10}, {900, 900, 10}, {0, 0, 0.25}, {0, 45, 1.37}} {
		if got := amount(tt.pairDays, tt.accountDays); got != tt.want {
			t.Errorf("thirty partners of %d days, with an account of %d days, make %v, want %v", tt.pairDays,
				tt.accountDays, got, tt.want)
		}
	}
}

func BenchmarkFlow(b *testing.B) {
	for _, people := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(people), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			c := newCommunity()
			all := c.join(people)
			c.vouchFor(all[0])
			c.meetAtRandom(r, all, 20) // ten pairs for each person: a million in the greatest
			var pairs []Pair
			for pair, since := range c.pairs {
				pairs = append(pairs, Pair{A: pair[0], B: pair[1], Since: since, Trades: 1})
			}
			b.ResetTimer()
			for b.Loop() {
				Flow(c.people, pairs, flowNow)
			}
			b.ReportMetric(float64(len(pairs)), "pairs")
		})
	}
}

func circlesOf(shares map[core.UserID]Share, ids []core.UserID) int {
	circles := map[core.UserID]bool{}
	for _, id := range ids {
		circles[shares[id].Circle] = true
	}
	return len(circles)
}

func TestCirclesAreOfPeopleWhoTradeWithEachOther(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2))
	c := newCommunity()
	honest, puppets := c.join(100), c.join(14)
	c.vouchFor(honest[0])
	c.meetAtRandom(r, honest, 12)
	c.meetAll(puppets, longAgo)
	for i := range 9 {
		c.meet(honest[10*i], puppets[i], longAgo)
	}
	shares := c.flow()
	if n := circlesOf(shares, puppets); n > 2 {
		t.Errorf("fourteen puppets are of %d circles", n)
	}
	if n := circlesOf(shares, honest); n < 4 {
		t.Errorf("a hundred people are of %d circles", n)
	}
	few := newCommunity()
	all := few.join(12)
	few.vouchFor(all[0])
	few.meetAll(all, longAgo)
	if n := circlesOf(few.flow(), all); n < 3 {
		t.Errorf("twelve people who all trade with each other are of %d circles, want three for a market", n)
	}
}
