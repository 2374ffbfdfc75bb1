package markettest

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/trade"
)

func TestParseQuota(t *testing.T) {
	for text, want := range map[string]core.Quota{
		"0": {}, "20/h": {Limit: 20, Per: time.Hour}, "5/day": {Limit: 5, Per: 24 * time.Hour},
		"1/min": {Limit: 1, Per: time.Minute}, "1000/h": {Limit: 1000, Per: time.Hour},
	} {
		if got, err := core.ParseQuota(text); err != nil || got != want {
			t.Errorf("ParseQuota(%q) = %+v, %v; want %+v", text, got, err, want)
		}
	}
	if got, err := core.ParseQuota(" 5/day "); err != nil || got.Limit != 5 {
		t.Errorf("with spaces around it: %+v, %v", got, err)
	}
	for _, text := range []string{"", "20", "/h", "0/h", "-1/h", "20/", "20/week", "20/hour/h", "1001/h", "many", "2.5/h", "h/20"} {
		if got, err := core.ParseQuota(text); err == nil || !strings.Contains(err.Error(), "20/h") {
			t.Errorf("ParseQuota(%q) = %+v, %v; want an error that shows how to write it", text, got, err)
		}
	}
}

// overQuota returns the message and the wait of a quota error.
func overQuota(t *testing.T, err error) (message string, wait time.Duration) {
	t.Helper()
	var refused *core.Error
	if !errors.As(err, &refused) || refused.Kind != core.TooMany || refused.Code != core.CodeQuota || refused.RetryAfter <= 0 {
		t.Fatalf("got %+v, want an error with the code %q and a time to wait", err, core.CodeQuota)
	}
	return refused.Message, refused.RetryAfter
}

func limitTo(q core.Quotas) func(*market.Options) {
	return func(o *market.Options) { o.Quotas = q }
}

func TestNewRequestsWithinAnHour(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{NewRequests: core.Quota{Limit: 7, Per: time.Hour}}))
	o.pass(48 * time.Hour) // not the first day any more
	for range 6 {
		o.post(o.ann)
		o.pass(8 * time.Minute)
	}
	must(t, o.Trade.DeleteOrder(t.Context(), o.ann, o.post(o.ann).ID)) // it counts nevertheless
	_, err := o.Trade.PostOrder(t.Context(), o.ann, o.draft(o.ann))
	if message, wait := overQuota(t, err); message != "You can post again in 12 minutes." || wait != 12*time.Minute {
		t.Errorf("%q, after %s", message, wait)
	}
	o.post(o.bob) // another account
	o.pass(12*time.Minute - time.Second)
	_, err = o.Trade.PostOrder(t.Context(), o.ann, o.draft(o.ann))
	if message, _ := overQuota(t, err); message != "You can post again in 1 minute." {
		t.Error(message)
	}
	o.pass(time.Second)
	o.post(o.ann)
	_, err = o.Trade.PostOrder(t.Context(), o.ann, o.draft(o.ann))
	overQuota(t, err)
}

func TestNewRequestsOnTheFirstDay(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{NewRequests: core.Quota{Limit: 20, Per: time.Hour}}))
	o.pass(time.Hour)
	for range core.LimitFirstDay.Limit {
		o.post(o.ann)
	}
	o.pass(2 * time.Hour)
	_, err := o.Trade.PostOrder(t.Context(), o.ann, o.draft(o.ann))
	if message, wait := overQuota(t, err); message != "You can post again in 21 hours." || wait != 21*time.Hour {
		t.Errorf("%q, after %s", message, wait)
	}
	o.pass(21 * time.Hour)
	o.post(o.ann)
}

func TestOpenRequests(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{OpenRequests: 3}))
	first := o.post(o.ann)
	o.pass(trade.OrderLifetime) // expired ones are not open
	for range 2 {
		o.post(o.ann)
	}
	last := o.post(o.ann)
	_, err := o.Trade.PostOrder(t.Context(), o.ann, o.draft(o.ann))
	if message, _ := overQuota(t, err); message != "You have 3 open requests. Close one to post another." {
		t.Error(message)
	}
	_, err = o.Trade.RenewOrder(t.Context(), o.ann, first.ID)
	overQuota(t, err)
	if _, err = o.Trade.RenewOrder(t.Context(), o.ann, last.ID); err != nil {
		t.Errorf("an open request is not renewed: %v", err)
	}
	_, err = o.Trade.CloseOrder(t.Context(), o.ann, last.ID)
	must(t, err)
	o.post(o.ann)
}

func TestOffersWithinAnHourAndOnOneRequest(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{
		Offers: core.Quota{Limit: 4, Per: time.Hour}, OffersPerRequest: core.Quota{Limit: 2, Per: 24 * time.Hour},
	}))
	first, second, third := o.post(o.ann), o.post(o.ann), o.post(o.ann)
	for range 2 {
		must(t, o.Trade.DeleteOffer(t.Context(), o.bob, o.offer(o.bob, first).ID)) // withdrawn offers count
	}
	_, err := o.Trade.SendOffer(t.Context(), o.bob, first.ID, offerDraft)
	if message, wait := overQuota(t, err); message != "You can offer on this request again in 24 hours." || wait != 24*time.Hour {
		t.Errorf("%q, after %s", message, wait)
	}
	o.offer(o.bob, second)
	o.offer(o.bob, second) // in place of the other
	_, err = o.Trade.SendOffer(t.Context(), o.bob, third.ID, offerDraft)
	if message, wait := overQuota(t, err); message != "You can send offers again in 60 minutes." || wait != time.Hour {
		t.Errorf("%q, after %s", message, wait)
	}
	o.offer(o.cat, first)
	o.visit(first, 10) // visitors have limits of their own
	o.pass(time.Hour)
	o.offer(o.bob, third)
}

func TestReportsInADay(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{Reports: core.Quota{Limit: 2, Per: 24 * time.Hour}}))
	for range 2 {
		_, err := o.Moderation.ReportOrder(t.Context(), o.bob, o.post(o.ann).ID, "spam")
		must(t, err)
	}
	_, err := o.Moderation.ReportOrder(t.Context(), o.bob, o.post(o.ann).ID, "spam")
	if message, _ := overQuota(t, err); message != "You can report again in 24 hours." {
		t.Error(message)
	}
	o.pass(24 * time.Hour)
	_, err = o.Moderation.ReportOrder(t.Context(), o.bob, o.post(o.ann).ID, "spam")
	must(t, err)
}

func TestRepeatedKeyIsNotLimitedOrCounted(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{
		OpenRequests: 2, NewRequests: core.Quota{Limit: 2, Per: time.Hour}, Offers: core.Quota{Limit: 1, Per: time.Hour},
		Reports: core.Quota{Limit: 1, Per: time.Hour},
	}))
	ann, bob, draft := o.ann, o.bob, o.draft(o.ann)
	ann.Key, bob.Key = "post", "offer"
	var order trade.Order
	for i := range 5 {
		again, err := o.Trade.PostOrder(t.Context(), ann, draft)
		if must(t, err); i > 0 && again.ID != order.ID {
			t.Fatalf("a repeat posted request %d as well as %d", again.ID, order.ID)
		}
		order = again
	}
	for range 5 {
		_, err := o.Trade.SendOffer(t.Context(), bob, order.ID, offerDraft)
		must(t, err)
	}
	bob.Key = "report"
	for range 5 {
		_, err := o.Moderation.ReportOrder(t.Context(), bob, order.ID, "spam")
		must(t, err)
	}
	other := o.post(o.ann) // the second
	_, err := o.Trade.PostOrder(t.Context(), o.ann, o.draft(o.ann))
	overQuota(t, err)
	if again, err := o.Trade.PostOrder(t.Context(), ann, draft); err != nil || again.ID != order.ID {
		t.Errorf("past the quota a repeat is answered %v, %v", again.ID, err)
	}
	_, err = o.Trade.SendOffer(t.Context(), o.bob, other.ID, offerDraft)
	overQuota(t, err)
}

func TestConcurrentWritesStayWithinTheQuota(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{
		NewRequests: core.Quota{Limit: 3, Per: time.Hour}, Offers: core.Quota{Limit: 3, Per: time.Hour}, Reports: core.Quota{Limit: 3, Per: time.Hour},
	}))
	orders := make([]trade.Order, 12)
	for i := range orders {
		if i%3 == 0 {
			o.pass(2 * 24 * time.Hour)
		}
		orders[i] = o.post(o.ann)
	}
	for name, do := range map[string]func(i int) error{
		"posting": func(int) error { _, err := o.Trade.PostOrder(t.Context(), o.cat, o.draft(o.cat)); return err },
		"offering": func(i int) error {
			_, err := o.Trade.SendOffer(t.Context(), o.bob, orders[i].ID, offerDraft)
			return err
		},
		"reporting": func(i int) error {
			_, err := o.Moderation.ReportOrder(t.Context(), o.bob, orders[i].ID, "spam")
			return err
		},
	} {
		done := 0
		for _, err := range atOnce(len(orders), do) {
			if err == nil {
				done++
			} else {
				overQuota(t, err)
			}
		}
		if done != 3 {
			t.Errorf("%s: %d of %d at once went through, want 3", name, done, len(orders))
		}
	}
}

func TestEqualOpenRequestReturnsConflict(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	draft := o.draft(o.ann)
	first, err := o.Trade.PostOrder(t.Context(), o.ann, draft)
	must(t, err)
	equal := func(err error) {
		t.Helper()
		var refused *core.Error
		if !errors.As(err, &refused) || refused.Kind != core.Conflict || refused.Code != trade.CodeDuplicate || refused.Order != first.ID ||
			!strings.Contains(refused.Message, first.ItemName) {
			t.Fatalf("an equal request is answered %+v", err)
		}
	}
	_, err = o.Trade.PostOrder(t.Context(), o.ann, draft)
	equal(err)
	spaced := draft
	spaced.ItemName = "  Iron   Ore "
	_, err = o.Trade.PostOrder(t.Context(), o.ann, spaced)
	equal(err)
	level := 30
	for name, change := range map[string]func(*trade.OrderDraft){
		"itemName": func(d *trade.OrderDraft) { d.ItemName = "Tin Ore" }, "quantity": func(d *trade.OrderDraft) { d.Quantity++ },
		"price": func(d *trade.OrderDraft) { d.MaxPrice++ }, "description": func(d *trade.OrderDraft) { d.Description += "!" },
		"contact": func(d *trade.OrderDraft) { d.BuyerContact = "annie" }, "ign": func(d *trade.OrderDraft) { d.InGameName = "Ann" },
		"level": func(d *trade.OrderDraft) { d.LevelRequirement = &level }, "category": func(d *trade.OrderDraft) { d.Category = "Chef" },
		"importance": func(d *trade.OrderDraft) { d.Importance = game.Urgent }, "signedInOnly": func(d *trade.OrderDraft) { d.SignedInOnly = true },
		"noPrograms": func(d *trade.OrderDraft) { d.NoPrograms = true },
	} {
		other := draft
		change(&other)
		posted, err := o.Trade.PostOrder(t.Context(), o.ann, other)
		if err != nil {
			t.Errorf("one with another %s returned %v", name, err)
			continue
		}
		if name == "quantity" {
			_, err := o.Trade.EditOrder(t.Context(), o.ann, posted.ID, trade.OrderEdit{Version: posted.Version, Quantity: &draft.Quantity})
			equal(err)
		}
	}
	_, err = o.Trade.PostOrder(t.Context(), o.bob, draft) // another buyer
	must(t, err)
	_, err = o.Trade.CloseOrder(t.Context(), o.ann, first.ID)
	must(t, err)
	second, err := o.Trade.PostOrder(t.Context(), o.ann, draft)
	must(t, err)
	o.pass(trade.OrderLifetime) // now the second has expired
	first, err = o.Trade.PostOrder(t.Context(), o.ann, draft)
	must(t, err)
	_, err = o.Trade.RenewOrder(t.Context(), o.ann, second.ID)
	equal(err)
}

func TestOneOfConcurrentEqualRequestsIsPosted(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	for range 5 {
		draft, posted := o.draft(o.ann), 0
		for _, err := range atOnce(8, func(int) error { _, err := o.Trade.PostOrder(t.Context(), o.ann, draft); return err }) {
			if err == nil {
				posted++
			} else if core.KindOf(err) != core.Conflict {
				t.Fatal(err)
			}
		}
		if posted != 1 {
			t.Fatalf("%d equal requests were posted at once", posted)
		}
	}
}

// atOnce does something n times at the same moment.
func atOnce(n int, do func(i int) error) []error {
	errs, start := make([]error, n), make(chan struct{})
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	wait.Wait()
	return errs
}
