package trust

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// Candidate is a user that moderators could vouch for while the market is young: people who have nothing to
// do with one another have handed over with them.
type Candidate struct {
	User     people.User // with ID, Username and DiscordID only; ID alone while it is stored
	Partners int         // people they handed over with
	Apart    int         // so many of these have not handed over among themselves
	Since    time.Time   // of the first trade that settled
}

// VouchList describes how far a young market has come, and lists the users moderators could vouch for.
type VouchList struct {
	Market
	Candidates []Candidate // best first; none in a market that is young no more
}

const (
	// MaxCandidates is how many are proposed at once. When one of them is vouched for, others are.
	MaxCandidates      = 10
	candidatesOfCircle = 2
	leastApart         = 2
	partnersCompared   = 200 // of one person, with each other: the earliest
)

// candidates returns the users moderators could vouch for: those who are not trusted and handed over with
// most people that have nothing to do with one another. It leaves out accounts of less than a week, and users
// who mostly trade with such accounts or with people who trade among themselves. It proposes few of a circle.
func candidates(persons []Person, shares []Share, pairs []Pair, now time.Time) []Candidate {
	fresh := make(map[core.UserID]bool, len(persons))
	for _, p := range persons {
		fresh[p.User] = !p.AccountOf.IsZero() && now.Sub(p.AccountOf) < people.NewAccountFor
	}
	met := map[core.UserID]map[core.UserID]time.Time{}
	meet := func(a, b core.UserID, since time.Time) {
		if met[a] == nil {
			met[a] = map[core.UserID]time.Time{}
		}
		if first, known := met[a][b]; !known || since.Before(first) {
			met[a][b] = since
		}
	}
	for _, p := range pairs {
		_, knownA := fresh[p.A]
		_, knownB := fresh[p.B]
		if knownA && knownB {
			meet(p.A, p.B, p.Since)
			meet(p.B, p.A, p.Since)
		}
	}
	var all []Candidate
	circle := make(map[core.UserID]core.UserID, len(shares))
	for _, s := range shares {
		circle[s.User] = s.Circle
		if s.Trusted() || fresh[s.User] {
			continue
		}
		if c := candidate(s.User, met, fresh); c.Apart >= leastApart {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Apart, a.Apart), cmp.Compare(b.Partners, a.Partners),
			a.Since.Compare(b.Since), cmp.Compare(a.User.ID, b.User.ID))
	})
	proposed := map[core.UserID]int{}
	all = slices.DeleteFunc(all, func(c Candidate) bool {
		proposed[circle[c.User.ID]]++
		return proposed[circle[c.User.ID]] > candidatesOfCircle
	})
	return all[:min(len(all), MaxCandidates)]
}

// candidate counts a user's partners. Apart is zero for a user who must not be proposed.
func candidate(
	user core.UserID, met map[core.UserID]map[core.UserID]time.Time, fresh map[core.UserID]bool,
) Candidate {
	c := Candidate{User: people.User{ID: user}, Partners: len(met[user])}
	partners := make([]core.UserID, 0, len(met[user]))
	for partner, since := range met[user] {
		partners = append(partners, partner)
		if c.Since.IsZero() || since.Before(c.Since) {
			c.Since = since
		}
	}
	slices.SortFunc(partners, func(a, b core.UserID) int {
		return cmp.Or(met[user][a].Compare(met[user][b]), cmp.Compare(a, b))
	})
	partners = partners[:min(len(partners), partnersCompared)]
	var apart []core.UserID
	together, young := 0, 0
	for _, partner := range partners {
		knows := func(other core.UserID) bool {
			_, they := met[partner][other]
			return they
		}
		if slices.ContainsFunc(partners, knows) {
			together++
		}
		if fresh[partner] {
			young++
		} else if !slices.ContainsFunc(apart, knows) {
			apart = append(apart, partner)
		}
	}
	if together*2 <= len(partners) && young*2 <= len(partners) {
		c.Apart = len(apart)
	}
	return c
}

// VouchList returns how far the market has come, and the users moderators could vouch for. It returns
// Unauthenticated and Forbidden.
func (m *Service) VouchList(ctx context.Context, actor core.Actor) (VouchList, error) {
	if err := actor.MustModerate(); err != nil {
		return VouchList{}, err
	}
	market, err := m.store.TrustComputed(ctx)
	if err != nil {
		return VouchList{}, fmt.Errorf("what trust says of the market: %w", err)
	}
	list := VouchList{Market: market}
	if market.Young {
		if list.Candidates, err = m.store.Candidates(ctx); err != nil {
			return VouchList{}, fmt.Errorf("candidates: %w", err)
		}
		list.Candidates = slices.DeleteFunc(list.Candidates,
			func(c Candidate) bool { return c.User.ID == actor.UserID })
	}
	return list, nil
}
