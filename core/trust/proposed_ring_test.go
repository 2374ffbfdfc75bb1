package trust

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/people"
)

// traded returns the pairs of a community with two trades each, of which some are as a ring makes them.
func (c *community) traded(ring []core.UserID, suspicious func(*Pair)) []Pair {
	pairs := c.allPairs()
	for i := range pairs {
		p := &pairs[i]
		p.Trades = 2
		if slices.Contains(ring, p.A) && slices.Contains(ring, p.B) {
			suspicious(p)
		}
	}
	return pairs
}

func (c *community) proposedRings(pairs []Pair) []ProposedRing {
	return proposeRings(c.people, pairs, flowNow)
}

func idsOf(members []people.User) (ids []core.UserID) {
	for _, u := range members {
		ids = append(ids, u.ID)
	}
	slices.Sort(ids)
	return ids
}

func usual(*Pair) {}

func oneCopper(p *Pair) { p.OneCopper = p.Trades }

// marketWithGroup returns a market of a hundred people beside a group in which everybody trades with
// everybody. Nine trades lead from one to the other.
func marketWithGroup(seed uint64, size int) (c *community, group []core.UserID) {
	r := rand.New(rand.NewPCG(seed, 3))
	c = newCommunity()
	honest := c.join(100)
	group = c.join(size)
	c.vouchFor(honest[0])
	c.meetAtRandom(r, honest, 12)
	c.meetAll(group, flowNow.AddDate(0, 0, -2))
	for i := range 9 {
		c.meet(honest[10*i], group[i%3], longAgo)
	}
	return c, group
}

func (c *community) madeDaysAgo(days int, ids ...core.UserID) {
	for _, id := range ids {
		c.people[id-1].AccountOf = flowNow.AddDate(0, 0, -days)
	}
}

func TestARingIsProposedWithItsReasons(t *testing.T) {
	t.Parallel()
	c, puppets := marketWithGroup(1, 14)
	c.madeDaysAgo(3, puppets[:12]...)
	pairs := c.traded(puppets, func(p *Pair) { p.OneCopper, p.SameMinute = 2, 1 })
	rings := c.proposedRings(pairs)
	if len(rings) != 1 || !slices.Equal(idsOf(rings[0].Members), puppets) {
		t.Fatalf("the rings are %+v, want one of the fourteen puppets", rings)
	}
	want := RingFacts{Accounts: 14, Trades: 200, Inside: 182, OneCopper: 182, SameMinute: 91, Young: 12}
	if rings[0].RingFacts != want || !slices.Equal(rings[0].Reasons(), RingReasons) {
		t.Errorf("it is proposed for %+v, want %+v for every reason", rings[0].RingFacts, want)
	}
	text := "91 % of their 200 trades are with each other; 182 of 182 trades between them were at the lowest price there is; " +
		"both confirmed 91 of 182 trades between them within one minute; 12 of 14 Discord accounts were younger than 30 days"
	if got := rings[0].text(); got != text {
		t.Errorf("the log says %q", got)
	}
	// One reason is enough, and none that applies to fewer than half.
	for reason, suspicious := range map[RingReason]func(*Pair){
		RingOneCopper: oneCopper, RingSameMinute: func(p *Pair) { p.SameMinute, p.OneCopper = 1, 0 },
	} {
		c, puppets := marketWithGroup(2, 14)
		c.madeDaysAgo(3, puppets[:6]...)
		rings := c.proposedRings(c.traded(puppets, suspicious))
		if len(rings) != 1 || !slices.Equal(rings[0].Reasons(), []RingReason{reason}) {
			t.Errorf("for %s the rings are %+v", reason, rings)
		}
	}
}

func TestAnHonestGuildIsNoRing(t *testing.T) {
	t.Parallel()
	c, guild := marketWithGroup(3, 14)
	c.madeDaysAgo(31, guild...)
	if rings := c.proposedRings(c.traded(guild, usual)); len(rings) != 0 {
		t.Errorf("a guild of old accounts is proposed: %+v", rings)
	}
	c.madeDaysAgo(3, guild[:6]...) // fewer than half
	few := func(p *Pair) {
		if slices.Contains(guild[:3], p.A) || slices.Contains(guild[:3], p.B) { // 36 pairs of 91
			p.OneCopper, p.SameMinute = 2, 2
		}
	}
	if rings := c.proposedRings(c.traded(guild, few)); len(rings) != 0 {
		t.Errorf("a guild with six new members is proposed: %+v", rings)
	}
	// People with many trades outside are no ring, whatever they pay.
	c, guild = marketWithGroup(4, 6)
	for pair := range c.pairs {
		c.pairs[pair] = longAgo
	}
	if rings := c.proposedRings(c.traded(guild, oneCopper)); len(rings) != 0 {
		t.Errorf("six people with nine trades of 24 outside are proposed: %+v", rings)
	}
}

func TestAYoungMarketIsNoRing(t *testing.T) {
	t.Parallel()
	for _, size := range []int{3, 6, 12, 30} {
		c := newCommunity()
		all := c.join(size)
		c.madeDaysAgo(3, all...)
		c.vouchFor(all[0])
		c.meetAll(all, flowNow.AddDate(0, 0, -2))
		if rings := c.proposedRings(c.traded(all, oneCopper)); len(rings) != 0 {
			t.Errorf("all %d people of a market are proposed: %+v", size, rings)
		}
	}
}

func TestARingNamesNeitherModeratorsNorPassersBy(t *testing.T) {
	t.Parallel()
	c, puppets := marketWithGroup(5, 20)
	c.vouchFor(puppets[19])
	passer := c.join(1)[0] // whose only trade was with a puppet
	c.meet(passer, puppets[4], longAgo)
	pairs := c.traded(puppets, oneCopper)
	for i := range pairs {
		if pairs[i].A == passer || pairs[i].B == passer {
			pairs[i].Trades = 1
		}
	}
	rings := c.proposedRings(pairs)
	if len(rings) != 1 || !slices.Equal(idsOf(rings[0].Members), puppets[:19]) {
		t.Errorf("the rings are %+v, want one of the puppets that are not vouched for", rings)
	}
}

// A few old trades with others weigh more than what puppets trade on their first days, and most of a market's pairs may be
// puppets' pairs.
func TestSparseAndLargeRingsAreFound(t *testing.T) {
	t.Parallel()
	for _, size := range []int{14, 28} {
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, 3))
			c := newCommunity()
			honest, puppets := c.join(60), c.join(size)
			c.vouchFor(honest[0])
			c.meetAtRandom(r, honest, 12)
			c.meetAtRandom(r, puppets, 8)
			for i := range 9 {
				c.meet(honest[3*i], puppets[i%3], longAgo)
			}
			named := 0
			for _, ring := range c.proposedRings(c.traded(puppets, oneCopper)) {
				for _, u := range ring.Members {
					if !slices.Contains(puppets, u.ID) {
						t.Errorf("seed %d: an honest trader is named", seed)
					}
					named++
				}
			}
			if named*10 < size*8 {
				t.Errorf("seed %d: of %d puppets %d are named", seed, size, named)
			}
		}
	}
}

func TestTheMostSuspiciousRingIsFirstAndNamesAHundredAtMost(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	c := newCommunity()
	honest, large, small := c.join(400), c.join(MaxRingMembers+20), c.join(5)
	c.vouchFor(honest[0])
	c.meetAtRandom(r, honest, 12)
	c.meetAll(large, longAgo)
	c.meetAll(small, longAgo)
	c.madeDaysAgo(3, small...)
	rings := c.proposedRings(c.traded(slices.Concat(large, small), oneCopper))
	if len(rings) != 2 || !slices.Equal(idsOf(rings[0].Members), small) {
		t.Fatalf("the rings are %+v, want the five with two reasons first", rings)
	}
	if n := len(rings[1].Members); n != MaxRingMembers || rings[1].Accounts != n+20 {
		t.Errorf("of a ring of %d accounts %d are named", rings[1].Accounts, n)
	}
}

func TestTheKeyOfARingIsThatOfItsMembers(t *testing.T) {
	t.Parallel()
	ring := func(ids ...core.UserID) string {
		var r ProposedRing
		for _, id := range ids {
			r.Members = append(r.Members, people.User{ID: id})
		}
		return r.Key()
	}
	if ring(3, 1, 2) != ring(1, 2, 3) || ring(1, 2) == ring(1, 2, 3) || ring(12, 3) == ring(1, 23) {
		t.Error("the key does not identify the members")
	}
}
