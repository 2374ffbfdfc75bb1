package trust

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tradepost/core"
)

// Trader is an established trader with the names that others know them by.
type Trader struct {
	User        core.UserID
	Username    string
	DisplayName string
	InGame      []string // that they traded under
}

// TraderName is the skeleton of a name that belongs to an established trader.
type TraderName struct {
	Skeleton string
	User     core.UserID
	Since    time.Time // when they first used it here; zero when that was not looked up yet
}

// namesOf returns the skeletons of the names of traders. A username is its account's alone; other names may
// have several owners.
func namesOf(f core.TextForms, traders []Trader) []TraderName {
	usernames := map[string]bool{}
	var names []TraderName
	for _, t := range traders {
		if s := f.NameSkeleton(t.Username); s != "" {
			usernames[s] = true
			names = append(names, TraderName{Skeleton: s, User: t.User})
		}
	}
	for _, t := range traders {
		for _, name := range append([]string{t.DisplayName}, t.InGame...) {
			if s := f.NameSkeleton(name); s != "" && !usernames[s] {
				names = append(names, TraderName{Skeleton: s, User: t.User})
			}
		}
	}
	slices.SortFunc(names, func(a, b TraderName) int {
		return cmp.Or(strings.Compare(a.Skeleton, b.Skeleton), cmp.Compare(a.User, b.User))
	})
	return slices.Compact(names)
}

// TypedName is a name that a user or visitor typed in an order or an offer.
type TypedName struct{ Before, Now string }
