package match_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// follower is a program that follows the market.
type follower struct {
	w      *world
	cursor string
	limit  int
	heard  []core.PublicChange
}

// follows returns a follower from now on.
func (w *world) follows() *follower {
	w.T.Helper()
	page, err := w.Match.PublicChanges(w.T.Context(), "", 500)
	must(w.T, err)
	if len(page.Changes) > 0 || page.More {
		w.T.Errorf("without a cursor there are %v", page)
	}
	return &follower{w: w, cursor: page.Next.String(), limit: 500}
}

// reads reads what there is.
func (f *follower) reads() {
	f.w.T.Helper()
	for more := true; more; {
		page, err := f.w.Match.PublicChanges(f.w.T.Context(), f.cursor, f.limit)
		must(f.w.T, err)
		f.heard, f.cursor, more = append(f.heard, page.Changes...), page.Next.String(), page.More
	}
}

// hears reads until it has heard so many changes, and forgets them. Transactions of other tests on the server may hold
// them back for a moment.
func (f *follower) hears(n int) []core.PublicChange {
	f.w.T.Helper()
	if !storetest.Within(20*time.Second, func() bool { f.reads(); return len(f.heard) >= n }) {
		f.w.T.Fatalf("heard %v, want %d changes", f.heard, n)
	}
	heard := f.heard
	f.heard = nil
	return heard
}

// hearsOf reads until it has heard of a change, and forgets all.
func (f *follower) hearsOf(c core.PublicChange) []core.PublicChange {
	f.w.T.Helper()
	if !storetest.Within(20*time.Second, func() bool { f.reads(); return slices.Contains(f.heard, c) }) {
		f.w.T.Fatalf("heard %v, want %v", f.heard, c)
	}
	heard := f.heard
	f.heard = nil
	return heard
}

func of(o trade.Order) core.PublicChange {
	return core.PublicChange{Kind: core.PublicOrder, ID: int64(o.ID)}
}

func TestAFollowerHearsWhatEverybodySees(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	mod, ctx := w.Moderator(), t.Context()
	f := w.follows()
	before := w.Post(w.Ann)
	f.hearsOf(of(before))
	wants := func(what string, want ...core.PublicChange) {
		t.Helper()
		marker := w.Post(w.Cat, another)
		heard := slices.DeleteFunc(f.hearsOf(of(marker)), func(c core.PublicChange) bool {
			return c == of(marker) || c.Kind == core.PublicCatalogue // the marker's name is new
		})
		if !slices.Equal(heard, want) {
			t.Errorf("%s: heard %v, want %v", what, heard, want)
		}
	}
	wants("nothing")
	order := w.Post(w.Ann)
	wants("a post", of(order))
	offer := w.OfferOn(w.Bob, order, 5)
	declined := w.OfferOn(w.Cat, order, 1)
	must(t, w.Trade.DeleteOffer(ctx, w.Ann, declined.ID))
	wants("offers")
	_, err := w.Trade.AcceptOffer(ctx, w.Ann, offer.ID, 2)
	must(t, err)
	wants("an accept", of(order))
	price := core.Copper(600)
	current, err := w.Trade.Order(ctx, w.Ann, order.ID)
	must(t, err)
	_, err = w.Trade.EditOrder(ctx, w.Ann, order.ID, trade.OrderEdit{Version: current.Version, MaxPrice: &price})
	must(t, err)
	wants("an edit", of(order))
	_, err = w.Trade.CloseOrder(ctx, w.Ann, order.ID)
	must(t, err)
	wants("a close", of(order))
	must(t, w.Moderation.BlockUser(ctx, mod, w.Ann.UserID, "Spam"))
	wants("a block", of(before))
	must(t, w.Moderation.UnblockUser(ctx, mod, w.Ann.UserID))
	f.hearsOf(of(before))
	must(t, w.Moderation.RemoveOrder(ctx, mod, before.ID, "A secret reason"))
	wants("a removal", of(before))
	must(t, w.Trade.SetSignedInOnly(ctx, mod, true, "A flood of offers"))
	wants("rules", core.PublicChange{Kind: core.PublicRules})
	w.Imports("name\nFrost Ore\n")
	f.hearsOf(core.PublicChange{Kind: core.PublicCatalogue})
	if n := w.Value("select count(*) from pg_class where relname like 'public_changes%' and relkind = 'r' and relpersistence <> 'p'"); n != 0 {
		t.Error("a crash of the server empties the changes")
	}
}

func TestAPublicChangeThatCommitsLateIsNotSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.follows()
	f.limit = 1
	const note = "insert into public_changes (kind, thing, at) values ('order', $1, $2)"
	early, err := connect(t, w.DSN).Begin(t.Context())
	must(t, err)
	_, err = early.Exec(t.Context(), note, 4101, w.Clock.Now()) // it has the lower numbers
	must(t, err)
	later := w.Post(w.Ann)
	second := w.follows() // its cursor is from while the transaction runs
	f.reads()
	if len(f.heard) > 0 {
		t.Errorf("heard %v before an earlier transaction was over: its reader would skip that one", f.heard)
	}
	_, err = early.Exec(t.Context(), note, 4102, w.Clock.Now())
	must(t, err)
	must(t, early.Commit(t.Context()))
	want := []core.PublicChange{{Kind: core.PublicOrder, ID: 4101}, {Kind: core.PublicOrder, ID: 4102}, of(later)}
	for _, f := range []*follower{f, second} {
		if heard := f.hears(3); !slices.Equal(heard, want) {
			t.Errorf("heard %v, want %v", heard, want)
		}
		last := w.Post(w.Ann)
		if heard := f.hears(1); !slices.Equal(heard, []core.PublicChange{of(last)}) {
			t.Errorf("then heard %v, want %v", heard, of(last))
		}
		want = append(want, of(last))
	}
	undone, err := connect(t, w.DSN).Begin(t.Context())
	must(t, err)
	_, err = undone.Exec(t.Context(), note, 4103, w.Clock.Now())
	must(t, err)
	must(t, undone.Rollback(t.Context()))
	after := w.Post(w.Ann)
	if heard := second.hears(1); !slices.Equal(heard, []core.PublicChange{of(after)}) {
		t.Errorf("after a rollback heard %v", heard)
	}
}

func TestWhoHasMissedPublicChangesReadsEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Store = w.Another(postgres.Options{Now: w.Clock.Now})
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now})
	quiet, slow := w.follows(), w.follows()
	refuses := func(what, cursor string) {
		t.Helper()
		_, err := w.Match.PublicChanges(t.Context(), cursor, 10)
		var refused *core.Error
		if !errors.As(err, &refused) || refused.Code != core.CodeReadEverything {
			t.Errorf("%s is answered %v", what, err)
		}
	}
	w.Clock.Forward(25 * time.Hour)
	must(t, w.Store.Cleanup(t.Context()))
	quiet.reads() // nothing has happened, so nothing is missed
	w.Post(w.Ann)
	quiet.hears(1)
	w.Clock.Forward(core.PublicChangesFor)
	must(t, w.Store.Cleanup(t.Context()))
	slow.hears(1) // it is not older than a day
	slow = &follower{w: w, cursor: slow.cursor, limit: 10}
	late := w.follows()
	w.Post(w.Ann)
	slow.hears(1)
	w.Clock.Forward(time.Minute)
	// A transaction of another test on the server may hold the removal back.
	w.Clock.Forward(core.PublicChangesFor)
	if !storetest.Within(20*time.Second, func() bool {
		must(t, w.Store.Cleanup(t.Context()))
		return w.Value("select count(*) from public_changes") == 0
	}) {
		t.Fatal("changes stay for more than a day")
	}
	slow.reads() // it has read the last one
	refuses("a cursor from before the removed ones", late.cursor)
	for _, word := range []string{"x", "bm9uc2Vuc2U", "OjE6MQ==", late.cursor + "A", core.PublicPlace{Epoch: "another", Tx: 1 << 40, ID: 1}.String()} {
		refuses("the cursor "+word, word)
	}
	page, err := w.Match.PublicChanges(t.Context(), "", 10)
	must(t, err)
	ahead := page.Next
	ahead.Tx += 1 << 40
	refuses("a cursor from ahead", ahead.String())
	must(t, w.SQL("update lives set id = gen_random_uuid()")) // as after a crash
	refuses("a cursor of an earlier crash epoch", slow.cursor)
}
