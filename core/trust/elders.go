package trust

import (
	"time"

	"tradepost/core"
)

// NameUse is a name that an account has used here.
type NameUse struct {
	User core.UserID
	Name string
	// First is the time of the post or offer with the name; of an account's own names, when it was created.
	First time.Time
	// Surely is the first time at which the account had the name for sure. A request may have had another
	// name until its last change.
	Surely time.Time
}

// AllowedName says that a user may use a name although it looks like an established trader's: they used it
// before the trader did, or a moderator allowed it.
type AllowedName struct {
	Skeleton string
	Trader   core.UserID
	User     core.UserID
	Offer    core.OfferID // a visitor's, in place of User
}

// eldersOf returns the names with the time since when their traders use them, and the accounts that used
// one surely before its trader. A trader without a use has it since now.
func eldersOf(
	f core.TextForms, names []TraderName, uses []NameUse, now time.Time,
) (dated []TraderName, elders []AllowedName) {
	bySkeleton := map[string][]NameUse{}
	for _, n := range names {
		bySkeleton[n.Skeleton] = nil
	}
	for _, use := range uses {
		skeleton := f.NameSkeleton(use.Name)
		if found, asked := bySkeleton[skeleton]; asked {
			bySkeleton[skeleton] = append(found, use)
		}
	}
	for _, n := range names {
		n.Since = now
		for _, use := range bySkeleton[n.Skeleton] {
			if use.User == n.User && use.First.Before(n.Since) {
				n.Since = use.First
			}
		}
		dated = append(dated, n)
		found := map[core.UserID]bool{n.User: true}
		for _, use := range bySkeleton[n.Skeleton] {
			if !found[use.User] && use.Surely.Before(n.Since) {
				found[use.User] = true
				elders = append(elders, AllowedName{Skeleton: n.Skeleton, Trader: n.User, User: use.User})
			}
		}
	}
	return dated, elders
}
