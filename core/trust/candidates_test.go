package trust

import (
	"slices"
	"testing"
	"time"

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
	// Each of these has two or more partners that are strangers to each other, as the honest one has.
	trades := func(of string, partners ...core.UserID) core.UserID {
		t.Helper()
		user := c.join(1)[0]
		for _, partner := range append(partners, c.join(2)...) {
			c.meet(user, partner, longAgo)
		}
		if found := c.of(user); found.Partners != len(partners)+2 {
			t.Fatalf("%s has %d partners", of, found.Partners)
		}
		return user
	}
	ring := c.join(5)
	c.meetAll(ring, longAgo)
	trades("who mostly trades with people that trade among themselves", ring...)
	fresh := c.join(5)
	for _, puppet := range fresh {
		c.people[puppet-1].AccountOf = flowNow.Add(-6 * core.Day)
	}
	trades("who mostly trades with accounts of six days", fresh...)
	young := trades("whose account is six days old")
	c.people[young-1].AccountOf = flowNow.Add(-6 * core.Day)
	if got := c.proposed(); !slices.Equal(got, []core.UserID{honest}) {
		t.Errorf("%v are proposed, want %d alone", got, honest)
	}
}

// of counts the partners of a user.
func (c *community) of(user core.UserID) Candidate {
	met := map[core.UserID]map[core.UserID]time.Time{}
	for _, p := range c.allPairs() {
		for _, ends := range [2][2]core.UserID{{p.A, p.B}, {p.B, p.A}} {
			if met[ends[0]] == nil {
				met[ends[0]] = map[core.UserID]time.Time{}
			}
			met[ends[0]][ends[1]] = p.Since
		}
	}
	return candidate(user, met, nil)
}

func TestTwoOfACircleAreProposed(t *testing.T) {
	t.Parallel()
	c := newCommunity()
	for range 4 { // everybody trades with everybody on the other side of their group, and could be a candidate
		buyers, sellers := c.join(4), c.join(4)
		for _, buyer := range buyers {
			for _, seller := range sellers {
				c.meet(buyer, seller, longAgo)
			}
		}
	}
	circles := map[core.UserID]bool{}
	for _, s := range Flow(c.people, c.allPairs(), flowNow) {
		circles[s.Circle] = true
	}
	if got := c.proposed(); len(got) != 8 || len(circles) != 4 {
		t.Errorf("%v are proposed of %d circles, want 8 of 4", got, len(circles))
	}
}
