package trust

import (
	"slices"
	"sync"

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
	owners    map[string][]core.UserID // by the skeleton of a name
	skeletons map[string]string        // of names that were asked for
}

// NewTraders returns no names yet.
func NewTraders(forms core.TextForms) *Traders { return &Traders{forms: forms} }

// learn replaces the names, and reports whether they are others than before.
func (t *Traders) learn(names []TraderName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.Equal(names, t.names) {
		return false
	}
	t.names, t.owners = names, map[string][]core.UserID{}
	for _, n := range names {
		t.owners[n.Skeleton] = append(t.owners[n.Skeleton], n.User)
	}
	return true
}

// Like returns the established traders with a name that looks like this one, which another account or (zero)
// a visitor uses. A trader may use their own names, and names that look like them.
func (t *Traders) Like(name string, usedBy core.UserID) []core.UserID {
	if name == "" {
		return nil
	}
	t.mu.RLock()
	known := len(t.owners) > 0
	skeleton, cached := t.skeletons[name]
	owners := t.owners[skeleton]
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
		owners = t.owners[skeleton]
		t.mu.Unlock()
	}
	if skeleton == "" || usedBy != 0 && slices.Contains(owners, usedBy) {
		return nil
	}
	return owners
}

// LookAlike marks a contact and a name that look like an established trader's, unless that trader is their
// user.
func (t *Traders) LookAlike(contact, name string, usedBy core.UserID) core.LookAlike {
	return core.LookAlike{Contact: len(t.Like(contact, usedBy)) > 0, Name: len(t.Like(name, usedBy)) > 0}
}
