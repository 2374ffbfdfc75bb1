package trust

import (
	"slices"
	"testing"

	"tradepost/core"
)

// proposed are the numbers of those to vouch for, best first.
func (c *community) proposed() (ids []core.UserID) {
	shares := Flow(c.people, c.allPairs(), flowNow)
	for _, found := range candidates(c.people, shares, c.allPairs(), flowNow) {
		ids = append(ids, found.User.ID)
	}
	return ids
}

func TestWhoTradedWithMostStrangersIsProposedFirst(t *testing.T) {
	t.Parallel()
	c := newCommunity()
	hubs := c.join(3)
	for i, hub := range hubs {
		for _, stranger := range c.join(3 + i) {
			c.meet(hub, stranger, longAgo)
		}
	}
	if got := c.proposed(); !slices.Equal(got, []core.UserID{3, 2, 1}) {
		t.Fatalf("%v are proposed, want 3, 2, 1: who traded with most people", got)
	}
	shares := Flow(c.people, c.allPairs(), flowNow)
	if best := candidates(c.people, shares, c.allPairs(), flowNow)[0]; best.Partners != 5 || best.Apart != 5 || !best.Since.Equal(longAgo) {
		t.Errorf("the first is %+v", best)
	}
	c.vouchFor(3)
	if got := c.proposed(); slices.Contains(got, 3) {
		t.Errorf("%v are proposed, and for 3 somebody vouched", got)
	}
}

func TestPuppetsAreNotProposed(t *testing.T) {
	t.Parallel()
	c := newCommunity()
	honest := c.join(1)[0]
	for _, stranger := range c.join(2) {
		c.meet(honest, stranger, longAgo)
	}
	c.meetAll(c.join(14), longAgo) // all of them trade with each other
	fresh := c.join(1)[0]
	for _, puppet := range c.join(9) {
		c.people[puppet-1].AccountOf = flowNow.Add(-6 * core.Day)
		c.meet(fresh, puppet, longAgo)
	}
	young := c.join(1)[0]
	c.people[young-1].AccountOf = flowNow.Add(-6 * core.Day)
	for _, stranger := range c.join(9) {
		c.meet(young, stranger, longAgo)
	}
	if got := c.proposed(); !slices.Equal(got, []core.UserID{honest}) {
		t.Errorf("%v are proposed, want %d alone: the others trade among themselves, or with accounts of six days, or are one", got, honest)
	}
}

func TestTwoOfACircleAreProposed(t *testing.T) {
	t.Parallel()
	c := newCommunity()
	// A wheel of six people who trade with their neighbours only is one circle or two.
	wheel := c.join(6)
	for i := range wheel {
		c.meet(wheel[i], wheel[(i+1)%6], longAgo)
	}
	of := map[core.UserID]int{}
	shares := Flow(c.people, c.allPairs(), flowNow)
	for _, found := range candidates(c.people, shares, c.allPairs(), flowNow) {
		i := slices.IndexFunc(shares, func(s Share) bool { return s.User == found.User.ID })
		of[shares[i].Circle]++
	}
	if len(of) == 0 {
		t.Fatal("none is proposed")
	}
	for circle, n := range of {
		if n > candidatesOfCircle {
			t.Errorf("%d are proposed of circle %d", n, circle)
		}
	}
}
