package postgres_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/sql/pgtest"
)

// removals is a market with three moderator accounts of which two are users and a third one moderates by a role.
type removals struct {
	*world
	mod, other, byRole core.Actor
}

func newRemovals(t *testing.T) *removals {
	t.Helper()
	w := newWorld(t)
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Moderators: people.Moderators{
		Accounts: []string{"1mod", "1other", "1unknown"}, Roles: []string{"77"},
	}})
	r := &removals{world: w, mod: w.SignUp("mod"), other: w.SignUp("other"), byRole: w.SignUp("role")}
	r.byRole.Moderator = true
	return r
}

// remove has the actor remove as many things, orders and offers by turns.
func (r *removals) remove(by core.Actor, many int) {
	r.T.Helper()
	for i := range many {
		must(r.T, r.removal(by, i)())
	}
}

// removal prepares something to remove.
func (r *removals) removal(by core.Actor, i int) func() error {
	r.T.Helper()
	order := r.Post(r.Ann)
	if i%2 == 0 {
		return func() error { return r.Moderation.RemoveOrder(r.T.Context(), by, order.ID, "Spam") }
	}
	offer := r.OfferOn(r.Bob, order, 1)
	return func() error { return r.Moderation.RemoveOffer(r.T.Context(), by, offer.ID, "Spam") }
}

// notified returns the notices of many removals to a user, newest first.
func (r *removals) notified(user core.Actor) (found []notify.Notice) {
	r.T.Helper()
	page, err := r.Notify.Notices(r.T.Context(), user, 0, 100)
	must(r.T, err)
	for _, n := range page.Notices {
		if n.Kind == notify.NoticeManyRemovals {
			found = append(found, n)
		}
	}
	return found
}

// want checks how many such notices there are of each moderator account, and that no other user has one.
func (r *removals) want(mod, other int) {
	r.T.Helper()
	if got := len(r.notified(r.mod)); got != mod {
		r.T.Errorf("mod has %d notices of many removals, want %d", got, mod)
	}
	if got := len(r.notified(r.other)); got != other {
		r.T.Errorf("other has %d notices of many removals, want %d", got, other)
	}
	if got := r.Value("select count(*) from notices where kind = 'many_removals'"); got != mod+other {
		r.T.Errorf("%d notices of many removals in all, want %d", got, mod+other)
	}
}

func TestManyRemovalsNotifyTheOtherModeratorsOncePerBurst(t *testing.T) {
	t.Parallel()
	r := newRemovals(t)
	r.remove(r.mod, moderation.ManyRemovals)
	r.want(0, 0)
	r.remove(r.mod, 1)
	r.want(0, 1)
	notices := r.notified(r.other)
	if len(notices) != 1 {
		t.FailNow()
	}
	n := notices[0]
	if n.Quantity != moderation.ManyRemovals+1 || n.Contact != "mod" || n.CausedBy != r.mod.UserID || n.State != notify.NoticePending || !n.CreatedAt.Equal(r.Clock.Now()) {
		t.Errorf("the notice is %+v", n)
	}
	if jobs := r.Value("select count(*) from river_job where kind = 'deliver_notice' and (args->>'notice')::bigint = $1", n.ID); jobs != 1 {
		t.Errorf("%d jobs deliver it, want 1", jobs)
	}
	r.remove(r.mod, 1)
	r.want(0, 1)

	// A second burst within ten minutes adds none, one after that adds one.
	r.Clock.Forward(moderation.ManyRemovalsPause - 1)
	r.remove(r.mod, moderation.ManyRemovals+1)
	r.want(0, 1)
	r.Clock.Forward(2 * moderation.ManyRemovalsWithin)
	r.remove(r.mod, moderation.ManyRemovals)
	r.want(0, 1)
	r.remove(r.mod, 1)
	r.want(0, 2)

	// The pause is of one remover: another's burst is another matter. Who moderates by a role notifies both accounts.
	r.remove(r.byRole, moderation.ManyRemovals+1)
	r.want(1, 3)
	r.CheckInvariants()
}

func TestRemovalsOfMoreThanAMinuteNotifyNoModerator(t *testing.T) {
	t.Parallel()
	r := newRemovals(t)
	r.remove(r.mod, moderation.ManyRemovals)
	r.Clock.Forward(moderation.ManyRemovalsWithin)
	r.remove(r.mod, moderation.ManyRemovals)
	r.remove(r.other, moderation.ManyRemovals)
	r.want(0, 0)
	must(t, r.Moderation.BlockUser(t.Context(), r.mod, r.Cat.UserID, "Spam"))
	r.want(0, 0)
	r.remove(r.mod, 1)
	r.want(0, 1)
}

func TestManyRemovalsNotifyWhoModeratesByARole(t *testing.T) {
	t.Parallel()
	r := newRemovals(t)
	act := func(roles ...string) core.Actor {
		t.Helper()
		user, err := r.People.SignIn(t.Context(), people.Profile{DiscordID: "1role", Username: "role", DisplayName: "ROLE", Roles: roles})
		must(t, err)
		return coretest.AlwaysFresh(user.Actor())
	}
	burst := func(want int) {
		t.Helper()
		r.Clock.Forward(2 * moderation.ManyRemovalsPause)
		r.remove(r.mod, moderation.ManyRemovals+1)
		if got := len(r.notified(r.byRole)); got != want {
			t.Fatalf("who has had the role has %d notices, want %d", got, want)
		}
	}
	burst(0)
	if !act("1", "77").Moderator {
		t.Fatal("the role makes no moderator")
	}
	burst(1)
	if act().Moderator { // nil roles: on the page and in direct messages nothing is known of them
		t.Error("the remembered role gives rights")
	}
	burst(2)
	r.Clock.Forward(people.ModeratorRoleRetention)
	burst(2)
	act("77")
	burst(3)
	r.Clock.Forward(people.ModeratorRoleRetention / 2)
	act("77") // seen again
	r.Clock.Forward(people.ModeratorRoleRetention * 3 / 4)
	burst(4)
	act("1")
	burst(4)
	act("77")
	r.Market = market.New(r.Store, market.Options{Now: r.Clock.Now, Moderators: people.Moderators{Roles: []string{"78"}}})
	burst(4) // the settings name another role
	r.Market = market.New(r.Store, market.Options{Now: r.Clock.Now, Moderators: people.Moderators{Roles: []string{"77"}}})
	burst(5)
}

func TestARemovalThatFailsNotifiesNoModerator(t *testing.T) {
	t.Parallel()
	r := newRemovals(t)
	r.remove(r.mod, moderation.ManyRemovals)
	wantKind(t, r.Moderation.RemoveOrder(t.Context(), r.mod, r.Post(r.Ann).ID, ""), core.Invalid)
	r.want(0, 0)
}

func TestConcurrentRemovalsNotifyOnce(t *testing.T) {
	t.Parallel()
	for _, before := range []int{moderation.ManyRemovals - 1, moderation.ManyRemovals} {
		r := newRemovals(t)
		r.remove(r.mod, before)
		const many = 2
		doing := make([]func() error, many)
		for i := range doing {
			doing[i] = r.removal(r.mod, i)
		}
		// Both have removed, and neither has counted, when the lock of the moderator's row is
		// released.
		holder := connect(t, r.DSN)
		_, err := holder.Exec(t.Context(), "begin")
		must(t, err)
		_, err = holder.Exec(t.Context(), "select from users where id = $1 for no key update", r.mod.UserID)
		must(t, err)
		done := make(chan []error, 1)
		go func() { done <- atOnce(many, func(i int) error { return doing[i]() }) }()
		r.Eventually("select count(*) = 2 from " + pgtest.Sessions() + " where datname = current_database() and wait_event_type = 'Lock'")
		_, err = holder.Exec(t.Context(), "commit")
		must(t, err)
		for _, err := range <-done {
			must(t, err)
		}
		r.want(0, 1)
		r.CheckInvariants()
	}
}

func TestDeletedModeratorIsNotNamedInNoticesOfManyRemovals(t *testing.T) {
	t.Parallel()
	r := newRemovals(t)
	r.remove(r.mod, moderation.ManyRemovals+1)
	r.want(0, 1)
	must(t, r.DeleteUser(t.Context(), r.mod.UserID))
	notices := r.notified(r.other)
	if len(notices) != 1 {
		t.FailNow()
	}
	if n := notices[0]; n.Contact != "" || n.Name != "" || n.Quantity != moderation.ManyRemovals+1 {
		t.Errorf("after they have left: %+v", n)
	}
}
