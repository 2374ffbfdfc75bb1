package match_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/sql/internal/storetest"
)

func TestAReportByATraderHoldsAlertsToAListingAndARemovalEndsThem(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, reader, trader := w.SignUp("rowan"), w.SignUp("maple"), w.SignUp("trader")
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), trader.UserID))
	w.watches(reader, ofSide(match.SaleSide, func(d *match.SearchDraft) { d.Items = []core.ItemID{1, 2, 3} }))
	reports := func(item string, by core.Actor) core.ReportID {
		t.Helper()
		listed := lists(t, w, seller, match.StockDraft{ItemName: item, Quantity: 9, Price: 40})
		for _, s := range listed {
			if s.ItemName == item {
				id, err := w.Moderation.ReportListing(t.Context(), by, s.ID, "An advert")
				must(t, err)
				return id
			}
		}
		t.Fatal(item)
		return 0
	}
	reports("Oak Log", w.SignUp("newcomer"))
	if got := w.alerts(reader); len(got) != 1 {
		t.Errorf("reported by somebody else, it alerts %d times", len(got))
	}
	dismissed := reports("Iron Ore", trader)
	if got := w.alerts(reader); len(got) != 1 {
		t.Errorf("a listing that a trader has reported alerts: %+v", got)
	}
	must(t, w.Moderation.DismissReport(t.Context(), w.Moderator(), dismissed))
	w.Clock.Forward(time.Minute)
	if got := w.alerts(reader); len(got) != 2 {
		t.Errorf("once the report is dismissed there are %d alerts", len(got))
	}
	removed := reports("Moon Pearl", trader)
	must(t, w.Moderation.DecideReport(t.Context(), w.Moderator(), removed, moderation.DecideRemove, "An advert"))
	w.Clock.Forward(match.ReportHold)
	if got := w.alerts(reader); len(got) != 2 {
		t.Errorf("a listing that was removed alerts: %+v", got[0])
	}
	w.CheckInvariants()
}

func TestOfManyAtOnceOneReportsAndOneRemoves(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer, mod := w.SignUp("rowan"), w.SignUp("maple"), w.Moderator()
	listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40})[0]
	once := func(what string, want int, refused core.ErrorKind, errs []error) {
		t.Helper()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
			} else if core.KindOf(err) != refused {
				t.Errorf("%s: %v", what, err)
			}
		}
		if done != want {
			t.Errorf("%s: %d did, want %d", what, done, want)
		}
	}
	once("reports", 1, core.Conflict, storetest.AtOnce(6, func(int) error {
		_, err := w.Moderation.ReportListing(t.Context(), buyer, listed.ID, "spam")
		return err
	}))
	// Beside asks, whose locks it shares, and changes of its seller, which may come before or after.
	errs := storetest.AtOnce(12, func(i int) error {
		switch i % 3 {
		case 0:
			return w.Moderation.RemoveListing(t.Context(), mod, listed.ID, "spam")
		case 1:
			_, err := w.Match.Ask(t.Context(), []core.Actor{buyer, w.Ann, w.Bob, w.Cat}[i/3], listed.ID, match.AskDraft{Quantity: 2})
			return err
		}
		_, err := w.Match.ConfirmStock(t.Context(), seller)
		return err
	})
	for i, err := range errs {
		if err != nil && core.KindOf(err) != core.NotFound {
			t.Errorf("write %d: %v", i, err)
		}
	}
	once("removals beside asks", 1, core.NotFound, []error{errs[0], errs[3], errs[6], errs[9]})
	entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 1 || entries[0].ListingID != listed.ID || entries[0].OrderID != 0 || !entries[0].Undoable {
		t.Fatalf("noted %+v", entries)
	}
	once("undos", 1, core.Conflict, storetest.AtOnce(6, func(int) error { return w.UndoRemoval(t.Context(), mod, entries[0].ID) }))
	var removed, restored int
	for _, k := range noticesOf(t, w, seller) {
		switch k {
		case notify.NoticeListingRemoved:
			removed++
		case notify.NoticeListingRestored:
			restored++
		}
	}
	if removed != 1 || restored != 1 {
		t.Errorf("the seller has %d notices of the removal, %d of the undo", removed, restored)
	}
	if n := w.Value("select count(*) from removals"); n != 0 {
		t.Errorf("%d removals are kept after their undo", n)
	}
	w.CheckInvariants()
}

// An older program beside this one takes the report for one about a request that is gone, and dismisses it.
func TestAReportOfAListingIsOneOfAnOrderBelowZero(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	listed := lists(t, w, w.SignUp("rowan"), match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40})[0]
	_, err := w.Moderation.ReportListing(t.Context(), w.SignUp("maple"), listed.ID, "spam")
	must(t, err)
	if n := w.Value("select count(*) from reports where order_id = -$1::bigint and listing_id = $1 and offer_id is null", listed.ID); n != 1 {
		t.Errorf("%d reports of the listing", n)
	}
	must(t, w.SQL("update reports set state = 'dismissed', settled_at = now(), settled_by = $1 where order_id = -$2::bigint and offer_id is null", w.Moderator().UserID, listed.ID))
	reports, err := w.Moderation.Reports(t.Context(), w.Moderator(), 0, 10)
	must(t, err)
	if len(reports) != 0 {
		t.Errorf("still there: %+v", reports)
	}
	if err := w.SQL("insert into reports (order_id, listing_id, item_name, reason, created_at) values (7, 7, 'a', 'b', now())"); err == nil {
		t.Error("a report names two things")
	}
}
