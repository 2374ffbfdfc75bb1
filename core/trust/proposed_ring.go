package trust

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// ProposedRing is accounts that trade among themselves in a suspicious way. FindTraders proposes them, and
// moderators decide whether to set them aside.
type ProposedRing struct {
	ID      core.ProposedRingID
	Members []people.User // with ID and Username only; IDs alone while it is stored
	RingFacts
}

// RingFacts are the counts that a proposal is made for. Trades are settled ones.
type RingFacts struct {
	Accounts   int // of the ring; a proposal names MaxRingMembers at most
	Trades     int // with at least one side in the ring
	Inside     int // with both
	OneCopper  int // of those inside: the unit price was one copper, the lowest there is
	SameMinute int // of those inside: both sides said We met within a minute
	Young      int // accounts that Discord made within a month
}

// RingReason is a reason to propose a ring, besides trades among its accounts.
type RingReason string

// The reasons.
const (
	RingOneCopper  RingReason = "one_copper"
	RingSameMinute RingReason = "same_minute"
	RingYoung      RingReason = "young_accounts"
)

// RingReasons lists every reason.
var RingReasons = []RingReason{RingOneCopper, RingSameMinute, RingYoung}

const (
	// MaxProposedRings limits the proposals that moderators see at once. When they decide about one, others
	// follow.
	MaxProposedRings = 20
	storedProposals  = 200 // with those that moderators leave
	leastRingMembers = 3
	leastInside      = 2  // trades of each member with the others: one trade is no ring
	insidePercent    = 80 // of the members' trades
	youngAccountFor  = 30 * core.Day
)

// Reasons returns the reasons that apply to half of the trades inside, or of the accounts.
func (f RingFacts) Reasons() (reasons []RingReason) {
	if f.Inside > 0 && f.OneCopper*2 >= f.Inside {
		reasons = append(reasons, RingOneCopper)
	}
	if f.Inside > 0 && f.SameMinute*2 >= f.Inside {
		reasons = append(reasons, RingSameMinute)
	}
	if f.Accounts > 0 && f.Young*2 >= f.Accounts {
		reasons = append(reasons, RingYoung)
	}
	return reasons
}

// InsidePercent returns the share of the trades that both sides are in the ring of.
func (f RingFacts) InsidePercent() int {
	if f.Trades == 0 {
		return 0
	}
	return f.Inside * 100 / f.Trades
}

// text returns the facts as a reason for the log.
func (f RingFacts) text() string {
	lines := []string{
		fmt.Sprintf("%d %% of their %d trades are with each other", f.InsidePercent(), f.Trades),
	}
	for _, reason := range f.Reasons() {
		switch reason {
		case RingOneCopper:
			lines = append(lines, fmt.Sprintf(
				"%d of %d trades between them were at the lowest price there is", f.OneCopper, f.Inside))
		case RingSameMinute:
			lines = append(lines, fmt.Sprintf("both confirmed %d of %d trades between them within one minute",
				f.SameMinute, f.Inside))
		case RingYoung:
			lines = append(lines, fmt.Sprintf("%d of %d Discord accounts were younger than 30 days",
				f.Young, f.Accounts))
		}
	}
	return strings.Join(lines, "; ")
}

// Key returns the same text for the same members, in any order.
func (r ProposedRing) Key() string {
	ids := make([]core.UserID, len(r.Members))
	for i, u := range r.Members {
		ids[i] = u.ID
	}
	slices.Sort(ids)
	hash := sha256.New()
	for _, id := range ids {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(id)))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// proposeRings returns the accounts that look like rings: at least three that trade with each other four
// times out of five, for at least one of RingReasons. An honest guild of old accounts that trade at usual
// prices is none. It names neither moderators nor those vouched for, and never proposes more than half of all
// people who trade: that is the market itself. The most suspicious is first.
func proposeRings(persons []Person, pairs []Pair, now time.Time) []ProposedRing {
	g := newTradeGraph(persons, pairs, now)
	var found []ProposedRing
	seen := map[string]bool{}
	consider := func(cluster []int32, _ float64) {
		members := g.settle(cluster)
		if len(members) < leastRingMembers || len(members)*2 > g.traders {
			return
		}
		ring := g.ring(members, now)
		if ring.InsidePercent() < insidePercent || len(ring.Reasons()) == 0 || seen[ring.Key()] {
			return
		}
		seen[ring.Key()] = true
		found = append(found, ring)
	}
	// A ring that most pairs are in is no circle: it falls into several of them.
	for _, resolution := range []float64{circleResolution, 1} {
		g.single(resolution).join(consider)
	}
	slices.SortStableFunc(found, func(a, b ProposedRing) int {
		return cmp.Or(cmp.Compare(len(b.Reasons()), len(a.Reasons())), cmp.Compare(b.Accounts, a.Accounts),
			cmp.Compare(a.Members[0].ID, b.Members[0].ID))
	})
	named := map[core.UserID]bool{}
	found = slices.DeleteFunc(found, func(r ProposedRing) bool { // each account once
		if slices.ContainsFunc(r.Members, func(u people.User) bool { return named[u.ID] }) {
			return true
		}
		for _, u := range r.Members {
			named[u.ID] = true
		}
		return false
	})
	return found[:min(len(found), storedProposals)]
}

// tradeGraph is the graph of trust with the trades of each pair.
type tradeGraph struct {
	*graph
	pair    []*Pair // beside to
	trades  []int   // of each person
	with    []int   // a person's trades with the members that settle looks at, else zero
	traders int     // people in pairs
}

func newTradeGraph(persons []Person, pairs []Pair, now time.Time) *tradeGraph {
	g := &tradeGraph{graph: newGraph(persons, pairs, now)}
	between := make(map[[2]core.UserID]*Pair, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		between[[2]core.UserID{min(p.A, p.B), max(p.A, p.B)}] = p
	}
	g.pair, g.trades = make([]*Pair, len(g.to)), make([]int, len(g.people))
	g.with = make([]int, len(g.people))
	for v, p := range g.people {
		for e := g.from[v]; e < g.from[v+1]; e++ {
			other := g.people[g.to[e]].User
			g.pair[e] = between[[2]core.UserID{min(p.User, other), max(p.User, other)}]
			g.trades[v] += g.pair[e].Trades
		}
		if g.from[v] < g.from[v+1] {
			g.traders++
		}
	}
	return g
}

// settleRounds limits how often the members of a cluster are compared with their neighbours.
const settleRounds = 10

// settle returns the people near a cluster who mostly trade among themselves, and do so more than once. The
// clusters are by pairs and their age: this is by trades, so that old trades of a few members with others do
// not take these out of a ring. A person who came across it once is left out.
func (g *tradeGraph) settle(members []int32) []int32 {
	for range settleRounds {
		var near, next []int32
		for _, v := range members {
			if g.people[v].Source {
				continue
			}
			for e := g.from[v]; e < g.from[v+1]; e++ {
				if g.with[g.to[e]] == 0 {
					near = append(near, g.to[e])
				}
				g.with[g.to[e]] += g.pair[e].Trades
			}
		}
		for _, v := range near {
			if !g.people[v].Source && g.with[v] >= leastInside && g.with[v]*2 > g.trades[v] {
				next = append(next, v)
			}
			g.with[v] = 0
		}
		slices.Sort(next)
		next = slices.Compact(next) // a pair without trades is no neighbour
		if slices.Equal(next, members) {
			break
		}
		members = next
	}
	return members
}

// ring returns the facts about members, and names those who trade among themselves the most.
func (g *tradeGraph) ring(members []int32, now time.Time) ProposedRing {
	r := ProposedRing{RingFacts: RingFacts{Accounts: len(members)}}
	inside := make(map[int32]int, len(members))
	for _, v := range members {
		inside[v] = 0
		if made := g.people[v].AccountOf; !made.IsZero() && now.Sub(made) < youngAccountFor {
			r.Young++
		}
	}
	for _, v := range members {
		for e := g.from[v]; e < g.from[v+1]; e++ {
			p := g.pair[e]
			switch _, both := inside[g.to[e]]; {
			case !both:
				r.Trades += p.Trades
			default:
				inside[v] += p.Trades
				if v < g.to[e] {
					r.Trades += p.Trades
					r.Inside += p.Trades
					r.OneCopper += p.OneCopper
					r.SameMinute += p.SameMinute
				}
			}
		}
	}
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b int32) int {
		return cmp.Or(cmp.Compare(inside[b], inside[a]), cmp.Compare(a, b))
	})
	for _, v := range members[:min(len(members), MaxRingMembers)] {
		r.Members = append(r.Members, people.User{ID: g.people[v].User})
	}
	return r
}
