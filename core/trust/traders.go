package trust

import (
	"slices"
	"sync"
	"time"

	"tradepost/core"
)

// maxSkeletons is how many skeletons of typed names are remembered; then all are forgotten.
const maxSkeletons = 10_000

// Traders are the names of the established traders, as this process read them last. It is safe for
// concurrent use.
type Traders struct {
	forms core.TextForms

	mu        sync.RWMutex
	names     []TraderName
	allowed   []AllowedName
	owners    map[string][]TraderName // by the skeleton of a name
	users     map[AllowedName]bool
	skeletons map[string]string // of names that were asked for
}

// NameUser is the user of a name: an account, or a visitor's offer.
type NameUser struct {
	User    core.UserID  // zero for a visitor
	Offer   core.OfferID // of a visitor; zero when it has no number yet
	Offered time.Time    // when a visitor's offer was surely there; zero when that is not known
}

// NewTraders returns no names yet.
func NewTraders(forms core.TextForms) *Traders { return &Traders{forms: forms} }

// learn replaces the names, and reports whether they are others than before.
func (t *Traders) learn(names []TraderName, allowed []AllowedName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.Equal(names, t.names) && slices.Equal(allowed, t.allowed) {
		return false
	}
	t.names, t.owners = names, map[string][]TraderName{}
	for _, n := range names {
		t.owners[n.Skeleton] = append(t.owners[n.Skeleton], n)
	}
	t.allowed, t.users = allowed, map[AllowedName]bool{}
	for _, a := range allowed {
		t.users[a] = true
	}
	return true
}

// Like returns the established traders with a name that looks like this one, which another user of the name
// uses. A trader may use their own names, and names that look like them. So may users who had the name
// before its trader, and those that a moderator allowed.
func (t *Traders) Like(name string, by NameUser) []core.UserID {
	var traders []core.UserID
	for _, n := range t.like(name, by) {
		traders = append(traders, n.Trader)
	}
	return traders
}

// Marked returns what a moderator has to allow so that these names are not marked.
func (t *Traders) Marked(by NameUser, names ...string) []AllowedName {
	var marked []AllowedName
	for _, name := range names {
		for _, n := range t.like(name, by) {
			if !slices.Contains(marked, n) {
				marked = append(marked, n)
			}
		}
	}
	return marked
}

func (t *Traders) like(name string, by NameUser) []AllowedName {
	if name == "" {
		return nil
	}
	t.mu.RLock()
	known := len(t.owners) > 0
	skeleton, cached := t.skeletons[name]
	t.mu.RUnlock()
	if !known {
		return nil
	}
	if !cached {
		skeleton = t.forms.NameSkeleton(name)
		t.mu.Lock()
		if t.skeletons == nil || len(t.skeletons) >= maxSkeletons {
			t.skeletons = map[string]string{}
		}
		t.skeletons[name] = skeleton
		t.mu.Unlock()
	}
	if skeleton == "" {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	owners := t.owners[skeleton]
	var marked []AllowedName
	for _, owner := range owners {
		if by.User != 0 && owner.User == by.User {
			return nil
		}
		use := AllowedName{Skeleton: skeleton, Trader: owner.User, User: by.User}
		if by.User == 0 {
			use.Offer = by.Offer
		}
		elder := by.User == 0 && !by.Offered.IsZero() && by.Offered.Before(owner.Since)
		if !elder && !t.users[use] {
			marked = append(marked, use)
		}
	}
	return marked
}

// LookAlike marks a contact and a name that look like an established trader's, unless their user may use
// them.
func (t *Traders) LookAlike(contact, name string, by NameUser) core.LookAlike {
	return core.LookAlike{Contact: len(t.like(contact, by)) > 0, Name: len(t.like(name, by)) > 0}
}
