package trust

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
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

// FindTraders finds who has become an established trader, and stores by which names the established traders
// are known now. It is a periodic job.
func (m *Service) FindTraders(ctx context.Context) error {
	now := m.now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		if err := m.establish(ctx, tx, now); err != nil {
			return err
		}
		all, err := tx.Traders(ctx)
		if err != nil {
			return fmt.Errorf("read established traders: %w", err)
		}
		return tx.SaveTraderNames(ctx, namesOf(m.forms, all))
	})
	if err != nil {
		return fmt.Errorf("find established traders: %w", err)
	}
	return nil
}

// LearnTraders reads the names of the established traders, by which this Market marks names that look like
// them. It reports whether they have changed.
func (m *Service) LearnTraders(ctx context.Context) (changed bool, err error) {
	names, err := m.store.TraderNames(ctx)
	if err != nil {
		return false, fmt.Errorf("read the names of established traders: %w", err)
	}
	return m.traders.learn(names), nil
}

// Limits of the notices to one trader about names that look like theirs.
const (
	LookAlikesADay     = 5
	lookAlikesCountFor = 24 * time.Hour
)

// TypedName is a name that a user or visitor typed in an order or an offer.
type TypedName struct{ Before, Now string }

// NotifyTraders notifies established traders of names that look like theirs: once about each name, and of
// LookAlikesADay names at most.
func (m *Service) NotifyTraders(ctx context.Context, tx Tx, about notify.Notice, names ...TypedName) error {
	var notices []notify.Notice
	var told []core.UserID
	for _, name := range names {
		if name.Now == name.Before {
			continue
		}
		for _, trader := range m.traders.Like(name.Now, about.CausedBy) {
			first, err := tx.AddLookAlike(ctx, trader, strings.TrimPrefix(name.Now, "@"), about.CreatedAt,
				about.CreatedAt.Add(-lookAlikesCountFor), LookAlikesADay)
			if err != nil {
				return fmt.Errorf("name like that of trader %d: %w", trader, err)
			}
			if !first || slices.Contains(told, trader) { // notified about the post's other name
				continue
			}
			n := about
			n.User, n.Name = trader, name.Now
			notices, told = append(notices, n), append(told, trader)
		}
	}
	return notify.AddNotices(ctx, tx, notices)
}
