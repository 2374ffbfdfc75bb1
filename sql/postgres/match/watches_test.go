package match_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

func (w *world) watches(actor core.Actor, change ...func(*match.SearchDraft)) match.SavedSearch {
	w.T.Helper()
	draft := match.SearchDraft{Bell: match.BellOn, Text: "iron"}
	for _, c := range change {
		c(&draft)
	}
	watch, err := w.Match.AddSearch(w.T.Context(), actor, draft)
	must(w.T, err)
	return watch
}

// alerts does what is due, and returns the alerts of a user, the newest first.
func (w *world) alerts(actor core.Actor) []notify.Notice {
	w.T.Helper()
	for {
		done, err := w.Match.AlertWatchers(w.T.Context(), 100)
		must(w.T, err)
		if done == 0 {
			break
		}
	}
	page, err := w.Notify.Notices(w.T.Context(), actor, 0, 60)
	must(w.T, err)
	return slices.DeleteFunc(page.Notices, func(n notify.Notice) bool { return n.Kind != notify.NoticeRequestWatched })
}

func TestAWatchAlertsToRequestsThatFitOnce(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.Imports("name,kind\nIron Ore,Ore\nOak Log,Log\n")
	watch := w.watches(w.Bob, func(d *match.SearchDraft) { d.Text, d.Items, d.MinPrice, d.MinQuantity = "", []core.ItemID{1}, 100, 50 })
	if watch.Name != "Iron Ore" || watch.Way != match.WayDirect {
		t.Errorf("the watch is %+v", watch)
	}
	post := func(change func(*trade.OrderDraft)) trade.Order {
		order, err := w.Trade.PostOrder(t.Context(), w.Ann, coretest.OrderDraft(change))
		must(t, err)
		return order
	}
	fits := post(func(d *trade.OrderDraft) {})
	post(func(d *trade.OrderDraft) { d.ItemName = "Oak Log" })
	cheap := post(func(d *trade.OrderDraft) { d.MaxPrice = 99 })
	post(func(d *trade.OrderDraft) { d.Quantity = 49 })
	_, err := w.Trade.PostOrder(t.Context(), w.Bob, coretest.OrderDraft())
	must(t, err)
	got := w.alerts(w.Bob)
	if len(got) != 1 || got[0].OrderID != fits.ID || got[0].Quantity != 500 || got[0].Search != watch.ID || got[0].Name != "Iron Ore" || got[0].State != notify.NoticePending {
		t.Fatalf("alerts: %+v", got)
	}

	// An edit alerts only those whom it newly concerns.
	cay := w.SignUp("cay")
	w.watches(cay, func(d *match.SearchDraft) { d.Text, d.Kind = "", "Ore" })
	edit := func(o trade.Order, change func(*trade.OrderEdit)) {
		now, err := w.Trade.Order(t.Context(), w.Ann, o.ID)
		must(t, err)
		e := trade.OrderEdit{Version: now.Version}
		change(&e)
		_, err = w.Trade.EditOrder(t.Context(), w.Ann, o.ID, e)
		must(t, err)
	}
	more, other := core.Copper(120), core.Copper(130)
	w.Clock.Forward(match.RepeatedWithin + time.Minute)
	edit(cheap, func(e *trade.OrderEdit) { e.MaxPrice = &more })
	edit(fits, func(e *trade.OrderEdit) { e.MaxPrice = &other })
	if got := w.alerts(w.Bob); len(got) != 2 || got[0].OrderID != cheap.ID {
		t.Errorf("after the edits: %+v", got)
	}
	if got := w.alerts(cay); len(got) != 0 {
		t.Errorf("who watched after it was posted hears of an edit that changes nothing for them: %+v", got)
	}

	// Neither posting again nor a second request beside an open one alerts twice within a day.
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, fits.ID))
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, cheap.ID))
	post(func(d *trade.OrderDraft) {})
	if got := w.alerts(w.Bob); len(got) != 2 {
		t.Errorf("after posting again: %+v", got)
	}
	w.Clock.Forward(match.RepeatedWithin + time.Minute)
	post(func(d *trade.OrderDraft) { d.Quantity = 60 })
	post(func(d *trade.OrderDraft) { d.Quantity = 70 })
	if got := w.alerts(w.Bob); len(got) != 3 {
		t.Errorf("the next day: %+v", got)
	}
	w.CheckInvariants()
}

func TestBlockedMutedAndStoppedBuyersCauseNoAlerts(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	watch := w.watches(w.Bob)
	first := w.Post(w.Ann)
	alert := w.alerts(w.Bob)
	if len(alert) != 1 {
		t.Fatalf("alerts: %+v", alert)
	}
	people, err := w.Match.Audience(t.Context(), w.Ann, coretest.OrderDraft(func(d *trade.OrderDraft) { d.Quantity = 3 }))
	if must(t, err); people != 1 {
		t.Errorf("%d people will hear", people)
	}
	quiet := func(name string, before, after func()) {
		t.Helper()
		known := len(w.alerts(w.Bob))
		before()
		people, err := w.Match.Audience(t.Context(), w.Ann, coretest.OrderDraft(func(d *trade.OrderDraft) { d.Quantity = 3 }))
		if must(t, err); people != 0 {
			t.Errorf("%s: %d people will hear", name, people)
		}
		w.Post(w.Ann, another)
		if got := w.alerts(w.Bob); len(got) != known {
			t.Errorf("%s: alerted to %+v", name, got[0])
		}
		after()
	}
	quiet("the buyer is muted", func() { must(t, w.Match.MuteBuyer(t.Context(), w.Bob, alert[0].ID)) }, func() {
		if got := w.alerts(w.Bob); got[0].State != notify.NoticeExpired || got[0].Reason == "" {
			t.Errorf("what was owed is %+v", got[0])
		}
		muted, err := w.Match.MutedBuyers(t.Context(), w.Bob)
		if must(t, err); len(muted) != 1 || muted[0].Buyer != w.Ann.UserID {
			t.Errorf("muted are %+v", muted)
		}
		must(t, w.Match.UnmuteBuyer(t.Context(), w.Bob, w.Ann.UserID))
	})
	quiet("the watch is paused", func() {
		_, err := w.Match.PauseBell(t.Context(), w.Bob, watch.ID, true)
		must(t, err)
	}, func() {
		_, err := w.Match.PauseBell(t.Context(), w.Bob, watch.ID, false)
		must(t, err)
	})
	quiet("the buyer has blocked the seller", func() {
		offer := w.OfferOn(w.Bob, first, 5)
		must(t, w.Trade.BlockSeller(t.Context(), w.Ann, offer.ID))
	}, func() { must(t, w.Trust.UnblockSeller(t.Context(), w.Ann, w.Bob.UserID)) })
	quiet("a moderator has blocked the seller", func() {
		must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), w.Bob.UserID, "Floods"))
	}, func() { must(t, w.Moderation.UnblockUser(t.Context(), w.Moderator(), w.Bob.UserID)) })
	known := len(w.alerts(w.Bob))
	w.Post(w.Ann, another)
	if got := w.alerts(w.Bob); len(got) != known+1 {
		t.Errorf("once all is undone: %+v", got)
	}
	quiet("the watch is gone", func() { must(t, w.Match.DeleteSearch(t.Context(), w.Bob, match.BellOn, watch.ID)) }, func() {})
	wantKind(t, w.Match.DeleteSearch(t.Context(), w.Bob, match.BellOn, watch.ID), core.NotFound)
}

// Both replicas deal with all that is due at once: nobody hears twice, nobody is left out.
func TestReplicasAlertOnce(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	cay := w.SignUp("cay")
	w.watches(w.Bob)
	w.watches(cay)
	for i := range 20 {
		_, err := w.Trade.PostOrder(t.Context(), w.Ann, coretest.OrderDraft(func(d *trade.OrderDraft) { d.ItemName = fmt.Sprint("Iron ", i) }))
		must(t, err)
	}
	other := market.New(w.Another(postgres.Options{}), market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	var both sync.WaitGroup
	for _, market := range []*market.Market{w.Market, other} {
		both.Go(func() {
			if _, err := market.Match.AlertWatchers(context.WithoutCancel(t.Context()), 100); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	for name, actor := range map[string]core.Actor{"Bob": w.Bob, "Cay": cay} {
		if got := w.alerts(actor); len(got) != 20 {
			t.Errorf("%s has %d alerts", name, len(got))
		}
	}
}

// A request whose alerts fail is tried again after pauses that grow. It delays no other, operators see it, and it is dealt with at last.
func TestARequestThatFailsIsTriedAgainAndDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.watches(w.Bob)
	bad := w.Post(w.Ann)
	must(t, w.SQL(`create function fails() returns trigger language plpgsql as $$ begin raise exception 'it fails'; end $$`))
	must(t, w.SQL(fmt.Sprintf("create trigger fails before insert on notices for each row when (new.order_id = %d) execute function fails()", bad.ID)))
	good := w.Post(w.Ann, another)
	failing := func(want int) {
		t.Helper()
		due, err := queue.ReadAlertsDue(t.Context(), w.Store.Pool(), w.Clock.Now())
		if must(t, err); due.Failing != want {
			t.Errorf("%d requests fail, want %d", due.Failing, want)
		}
	}
	if done, err := w.Match.AlertWatchers(t.Context(), 100); done != 1 || err == nil {
		t.Errorf("%d were dealt with, and the other failed with %v", done, err)
	}
	failing(1)
	if got := w.alerts(w.Bob); len(got) != 1 || got[0].OrderID != good.ID { // and AlertWatchers is not delayed by the other
		t.Errorf("alerts: %+v", got)
	}
	var tried []time.Duration
	began := w.Clock.Now()
	for range 65 {
		w.Clock.Forward(time.Second)
		if _, err := w.Match.AlertWatchersAgain(t.Context(), 100); err != nil {
			tried = append(tried, w.Clock.Now().Sub(began))
		}
	}
	if want := []time.Duration{5 * time.Second, 15 * time.Second, 35 * time.Second}; !slices.Equal(tried, want) {
		t.Errorf("tried again after %v, want %v", tried, want)
	}
	must(t, w.SQL("drop trigger fails on notices"))
	w.Clock.Forward(10 * time.Minute)
	if done, err := w.Match.AlertWatchersAgain(t.Context(), 100); done != 1 || err != nil {
		t.Errorf("once the cause is gone %d were dealt with, %v", done, err)
	}
	if got := w.alerts(w.Bob); len(got) != 2 || got[0].OrderID != bad.ID {
		t.Errorf("alerts at last: %+v", got)
	}
	failing(0)
}

func TestWatchesAreLimitedTriedAndChecked(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.Imports("name,kind\nIron Ore,Ore\nOak Log,Log\n")
	w.Post(w.Ann)
	w.Post(w.Ann)
	for name, c := range map[string]struct {
		draft match.SearchDraft
		want  int
	}{
		"a word": {match.SearchDraft{Bell: match.BellOn, Text: "iron"}, 2}, "another word": {match.SearchDraft{Bell: match.BellOn, Text: "oak"}, 0},
		"a profession as a word": {match.SearchDraft{Bell: match.BellOn, Text: "miner"}, 2}, "an item": {match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{1}}, 2},
		"a kind": {match.SearchDraft{Bell: match.BellOn, Kind: "Log"}, 0}, "a price": {match.SearchDraft{Bell: match.BellOn, Text: "iron", MinPrice: 1000}, 0},
		"a quantity": {match.SearchDraft{Bell: match.BellOn, Text: "iron", MinQuantity: 501}, 0}, "without skills": {match.SearchDraft{Bell: match.BellOn, ForMe: true}, 0},
		"a whole text":        {match.SearchDraft{Bell: match.BellOn, Text: "iron", Texts: trade.TextFilter{Item: "IRON ore"}}, 2},
		"a part of the whole": {match.SearchDraft{Bell: match.BellOn, Text: "iron", Texts: trade.TextFilter{Item: "Iron"}}, 0},
	} {
		tried, err := w.Match.TrySearch(t.Context(), w.Bob, c.draft)
		if must(t, err); tried.Fired != c.want {
			t.Errorf("%s would have fired %d times, want %d", name, tried.Fired, c.want)
		}
	}
	w.Clock.Forward(match.TriedDays*24*time.Hour + time.Minute)
	if tried, err := w.Match.TrySearch(t.Context(), w.Bob, match.SearchDraft{Bell: match.BellOn, Text: "iron"}); err != nil || tried.Fired != 0 {
		t.Errorf("after %d days it would have fired %d times, %v", match.TriedDays, tried.Fired, err)
	}
	for _, bad := range []match.SearchDraft{
		{}, {MinPrice: 5}, {Text: "a", Way: "pigeon"}, {Text: "a", Pause: 25 * time.Hour}, {Items: []core.ItemID{99}}, {Text: "a", MinQuantity: -1},
	} {
		_, err := w.Match.AddSearch(t.Context(), w.Bob, bad)
		wantKind(t, err, core.Invalid)
	}
	for i := range core.MaxWatches {
		w.watches(w.Bob, func(d *match.SearchDraft) { d.Text = fmt.Sprintf("ore%d", i) })
	}
	_, err := w.Match.AddSearch(t.Context(), w.Bob, match.SearchDraft{Bell: match.BellOn, Text: "one more"})
	wantKind(t, err, core.Conflict)
	data, err := w.ExportAccount(t.Context(), w.Bob)
	if must(t, err); len(data.Searches) != core.MaxWatches {
		t.Errorf("the export has %d watches", len(data.Searches))
	}
}

func TestASavedSearchKeepsItsWholeTexts(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	for _, bell := range []match.Bell{match.BellOff, match.BellOn} {
		draft := match.SearchDraft{Bell: bell, Name: "Ores", Text: "iron"}
		for _, item := range []string{" Iron  ORE", "", "Oak Log"} {
			draft.Texts.Item = item
			saved, err := w.Match.AddSearch(t.Context(), w.Bob, draft)
			if draft.Name += "."; saved.Texts.Item != coretest.Forms.Line(item) {
				t.Errorf("bell %t: %q is saved as %q, %v", bell, item, saved.Texts.Item, err)
			}
			edited := saved.SearchDraft
			edited.Texts.Item += " Bar"
			_, err = w.Match.EditSearch(t.Context(), w.Bob, saved.ID, edited)
			must(t, err)
			all, err := w.Match.Searches(t.Context(), w.Bob, bell)
			must(t, err)
			at := slices.IndexFunc(all, func(s match.SavedSearch) bool { return s.ID == saved.ID })
			if got := all[at].Texts; got != edited.Texts.Clean(coretest.Forms) {
				t.Errorf("bell %t: %+v is stored as %+v", bell, edited.Texts, got)
			}
		}
	}
}

// An index has each part of a watch that is compared, and no entry of it has room for more than 2,704 bytes.
func TestTheWidestWatchIsSaved(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	wide := func(characters int) string { // that nothing makes shorter
		return strings.Join(slices.Collect(func(yield func(string) bool) {
			for range characters {
				if !yield(string(rune(0x1F300 + random.IntN(0x200)))) {
					return
				}
			}
		}), "")
	}
	g := game.Standard()
	g.Professions = nil
	for range game.MaxProfessions {
		g.Professions = append(g.Professions, game.Profession{Name: game.Category(wide(16)), Icon: game.Icons[0]})
	}
	g.Default = g.Professions[0].Name
	w := withItems(t, market.Options{Game: g})
	kind := wide(core.MaxItemName)
	w.Imports("name,kind\nMoon," + kind + "\n")
	words := make([]string, 10)
	for i := range words {
		words[i] = wide(core.MaxItemName/len(words) - 1)
	}
	watch := w.watches(w.Bob, func(d *match.SearchDraft) {
		d.Kind, d.Text, d.Categories, d.Importance = kind, strings.Join(words, " "), g.Categories(), game.Importances
		for _, f := range trade.Fields {
			if f.OnBoard {
				*f.Filter(&d.Texts) = wide(f.Limit)
			}
		}
	})
	if len(watch.Categories) != game.MaxProfessions || len(watch.Terms()) != len(words) {
		t.Errorf("the watch is %+v", watch)
	}
}

func TestASnoozeHoldsWhatWaits(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	watch := w.watches(w.Bob, func(d *match.SearchDraft) { d.Pause = time.Hour })
	w.Post(w.Ann)
	second := w.Post(w.Ann, another)
	got := w.alerts(w.Bob)
	if len(got) != 2 || got[0].OrderID != second.ID || !got[0].HoldUntil.Equal(w.Clock.Now().Add(time.Hour)) || !got[1].HoldUntil.IsZero() {
		t.Fatalf("the second within the pause: %+v", got)
	}
	snoozed, err := w.Match.SnoozeBell(t.Context(), w.Bob, watch.ID, match.SnoozeTomorrow)
	must(t, err)
	if got := w.alerts(w.Bob); !got[0].HoldUntil.Equal(snoozed.SnoozedUntil) {
		t.Errorf("a snooze until %s holds it until %s", snoozed.SnoozedUntil, got[0].HoldUntil)
	}
	_, err = w.Match.SnoozeBell(t.Context(), w.Bob, watch.ID, "for ever")
	wantKind(t, err, core.Invalid)
	_, err = w.Match.SnoozeBell(t.Context(), w.Ann, watch.ID, match.SnoozeHour)
	wantKind(t, err, core.NotFound)
}

func TestMoreAlertsThanTheQuotaAreHeldAndComeTogether(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Quotas: core.Quotas{Alerts: core.Quota{Limit: 2, Per: 24 * time.Hour}}})
	w.watches(w.Bob)
	begin := w.Clock.Now()
	var held []time.Time // of each alert, from when on the request was posted; zero for at once
	for range 4 {
		w.Post(w.Ann, another)
		got := w.alerts(w.Bob)
		held = append(held, got[0].HoldUntil)
		w.Clock.Forward(time.Hour)
	}
	tomorrow := begin.Add(24 * time.Hour)
	if !held[0].IsZero() || !held[1].IsZero() || !held[2].Equal(tomorrow) || !held[3].Equal(tomorrow) {
		t.Errorf("two messages a day are sent, and others held until %s", held)
	}
}
