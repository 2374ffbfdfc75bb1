package trust

import (
	"testing"
	"time"

	"tradepost/core"
)

func TestAUsersReachGrowsWithTrust(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		reach      Reach
		limit, own int
	}{
		"a new account":             {Reach{Since: now}, 10, 0},
		"after a week":              {Reach{Since: now.Add(-knownAfter)}, 50, 0},
		"a little trust":            {Reach{Since: now, Trust: 0.04}, 10, 8},
		"more trust":                {Reach{Since: now, Trust: 0.25}, 50, 50},
		"an established trader":     {Reach{Since: now, Trust: 1}, 200, 200},
		"more trust than is needed": {Reach{Since: now, Trust: 3}, 200, 200},
	} {
		q := core.Quota{Limit: 10, Per: core.Day}
		if limit, own := c.reach.Limit(q, now), c.reach.Own(q); limit != c.limit || own != c.own {
			t.Errorf("%s: may reach %d people, %d by their own trust, want %d and %d", name, limit, own, c.limit, c.own)
		}
	}
}

func TestReachCoversReadersUpToItsLimit(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	two := core.Quota{Limit: 2, Per: core.Day}
	for name, c := range map[string]struct {
		reach Reach
		quota core.Quota
		want  bool
	}{
		"the last place":                     {Reach{Since: now, Reached: []core.UserID{1}}, two, true},
		"beyond the limit":                   {Reach{Since: now, Reached: []core.UserID{1, 2}}, two, false},
		"a reader who had a message today":   {Reach{Since: now, Reached: []core.UserID{1, 7}}, two, true},
		"where reach has no limit":           {Reach{Since: now, Reached: []core.UserID{1, 2}}, core.Quota{}, true},
		"stopped by a moderator":             {Reach{Since: now, Stopped: true}, two, false},
		"stopped, and to one of before":      {Reach{Since: now, Reached: []core.UserID{7}, Stopped: true}, two, false},
		"stopped, and where it has no limit": {Reach{Since: now, Stopped: true}, core.Quota{}, false},
	} {
		if got := c.reach.Covers(7, c.quota, now); got != c.want {
			t.Errorf("%s: covered %t, want %t", name, got, c.want)
		}
	}
}
