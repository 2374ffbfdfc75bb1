package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
)

func TestRemovedRequestIsDeletedAndBuyerAndSellersAreNotified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 3)
	w.OfferOn(core.Actor{Address: "::1"}, order, 3)
	_, err := w.Moderation.ReportOrder(t.Context(), w.Cat, order.ID, "There is no such item")
	must(t, err)
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "There is no such item"))

	_, err = w.Trade.Order(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.NotFound)
	page, err := w.Notify.Notices(t.Context(), w.Ann, 0, 10)
	must(t, err)
	if n := page.Notices[0]; n.Kind != notify.NoticeOrderRemoved || n.Message != "There is no such item" || n.ItemName != order.ItemName || n.OrderID != 0 {
		t.Errorf("the buyer is notified of %+v", n)
	}
	page, err = w.Notify.Notices(t.Context(), w.Bob, 0, 10)
	must(t, err)
	if n := page.Notices[0]; n.Kind != notify.NoticeOfferLapsed || n.Message != "The request was removed" {
		t.Errorf("a seller is notified of %+v", n)
	}
	reports, err := w.Moderation.Reports(t.Context(), mod, 0, 10)
	must(t, err)
	if len(reports) != 0 {
		t.Errorf("what was acted on still waits: %+v", reports)
	}
	entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 1 || entries[0].Action != core.AuditOrderRemoved || entries[0].OrderID != order.ID || entries[0].Subject != w.Ann.UserID ||
		entries[0].SubjectName != "ann" || entries[0].ModeratorName != "mod" || entries[0].Reason != "There is no such item" {
		t.Errorf("noted %+v", entries)
	}
	w.CheckInvariants()
}

func TestRemovedOfferIsDeletedAndItsSellerIsNotified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order := w.Post(w.Ann)
	offer, visitors := w.OfferOn(w.Bob, order, 3), w.OfferOn(core.Actor{Address: "::1"}, order, 3)
	_, err := w.Moderation.ReportOffer(t.Context(), w.Ann, offer.ID, "He never came")
	must(t, err)
	must(t, w.Moderation.RemoveOffer(t.Context(), mod, offer.ID, "A cheat"))
	must(t, w.Moderation.RemoveOffer(t.Context(), mod, visitors.ID, "Another"))

	page, err := w.Notify.Notices(t.Context(), w.Bob, 0, 10)
	must(t, err)
	if n := page.Notices[0]; n.Kind != notify.NoticeOfferRemoved || n.Message != "A cheat" || n.Contact != "" {
		t.Errorf("the seller is notified of %+v", n)
	}
	sent, err := w.Trade.SentOffers(t.Context(), w.Bob, 0, 10)
	must(t, err)
	if sent[0].State != trade.OfferRemoved {
		t.Errorf("the seller's record says %+v", sent[0])
	}
	if n := w.Value("select count(*) from reports where state = 'open'"); n != 0 {
		t.Errorf("%d reports still wait", n)
	}
	w.CheckInvariants()
}

func TestABlockHidesRequestsAndUnblockingShowsThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	hidden, others := w.Post(w.Ann), w.Post(w.Bob)
	standing := w.OfferOn(w.Ann, others, 2)
	received := w.OfferOn(w.Cat, hidden, 2)
	closed := w.Post(w.Ann)
	_, err := w.Trade.CloseOrder(t.Context(), w.Ann, closed.ID)
	must(t, err)
	listed := func() []core.OrderID {
		t.Helper()
		var ids []core.OrderID
		for _, q := range []match.OrderQuery{{}, {OrderFilter: match.OrderFilter{Text: "iron"}}, {Sort: match.EndingSoon}} {
			page, err := w.Match.BrowseOrders(t.Context(), q)
			must(t, err)
			counts, err := w.Match.CountOrders(t.Context(), match.OrderFilter{})
			must(t, err)
			if page.Total != len(page.Orders) || counts.All != page.Total || counts.ByCategory["Miner"] != page.Total {
				t.Errorf("%d listed of %d, counted %+v", len(page.Orders), page.Total, counts)
			}
			ids = ids[:0]
			for _, o := range page.Orders {
				ids = append(ids, o.ID)
			}
		}
		return ids
	}
	if got := listed(); len(got) != 2 {
		t.Fatalf("listed %v", got)
	}
	must(t, w.Moderation.BlockUser(t.Context(), mod, w.Ann.UserID, "Sells what she has not got"))
	if got := listed(); !slices.Equal(got, []core.OrderID{others.ID}) {
		t.Errorf("while blocked %v are listed", got)
	}
	for name, reader := range map[string]core.Actor{"a visitor": {}, "a seller": w.Cat} {
		if _, err := w.Trade.Order(t.Context(), reader, hidden.ID); core.KindOf(err) != core.NotFound {
			t.Errorf("%s reads it: %v", name, err)
		}
		if _, err := w.Trade.SendOffer(t.Context(), reader, hidden.ID, trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 1}); core.KindOf(err) != core.NotFound {
			t.Errorf("%s offers on it: %v", name, err)
		}
	}
	for name, reader := range map[string]core.Actor{"its buyer": w.Ann, "a moderator": mod} {
		if _, err := w.Trade.Order(t.Context(), reader, hidden.ID); err != nil {
			t.Errorf("%s does not read it: %v", name, err)
		}
	}
	own, err := w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{})
	must(t, err)
	if len(own.Orders) != 1 || !own.Orders[0].Hidden || own.Total != 1 {
		t.Errorf("their own list has %+v", own)
	}
	if _, err := w.Trade.Order(t.Context(), w.Cat, closed.ID); err != nil {
		t.Errorf("what was over already: %v", err)
	}
	// What she knows of herself is from before the block.
	if _, err := w.Trade.AcceptOffer(t.Context(), w.Ann, received.ID, 1); core.KindOf(err) != core.NotFound {
		t.Errorf("accepting while blocked: %v", err)
	}
	if n := w.Value("select count(*) from offers where id = $1", standing.ID); n != 0 {
		t.Error("her offer is still open")
	}
	w.CheckInvariants()

	must(t, w.Moderation.UnblockUser(t.Context(), mod, w.Ann.UserID))
	if got := listed(); len(got) != 2 {
		t.Errorf("unblocked %v are listed", got)
	}
	if _, err := w.Trade.AcceptOffer(t.Context(), w.Ann, received.ID, 1); err != nil {
		t.Errorf("accepting after the block: %v", err)
	}
	w.Post(w.Ann)
	entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 2 || entries[0].Action != core.AuditUserUnblocked || entries[1].Action != core.AuditUserBlocked {
		t.Errorf("noted %+v", entries)
	}
	w.CheckInvariants()
}

func TestBlockingATradingUserLeavesNoOpenOrdersOrOffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	offers, posts := atomic.Int64{}, atomic.Int64{}
	for round := range 40 {
		seller := w.SignUp(fmt.Sprint("seller", round))
		order := w.Post(w.Ann)
		errs := atOnce(9, func(i int) error {
			switch {
			case i == 0:
				return w.Moderation.BlockUser(t.Context(), mod, seller.UserID, "Enough")
			case i < 5:
				_, err := w.Trade.SendOffer(t.Context(), seller, order.ID, trade.OfferDraft{SellerName: "s", Message: "m", Quantity: 1 + i})
				if err == nil {
					offers.Add(1)
				}
				return err
			default:
				_, err := w.Trade.PostOrder(t.Context(), seller, trade.OrderDraft{ItemName: "Tin", Quantity: 1, MaxPrice: 1, BuyerContact: "s", Description: storetest.Lot()})
				if err == nil {
					posts.Add(1)
				}
				return err
			}
		})
		must(t, errs[0])
		for _, err := range errs {
			if kind := core.KindOf(err); err != nil && kind != core.Forbidden {
				t.Errorf("returned %v", err)
			}
		}
		if n := w.Value("select count(*) from offers where seller_id = $1", seller.UserID); n != 0 {
			t.Errorf("round %d: %d offers are open", round, n)
		}
		if n := w.Value("select count(*) from orders where user_id = $1 and not hidden", seller.UserID); n != 0 {
			t.Errorf("round %d: %d requests are shown", round, n)
		}
	}
	t.Logf("%d offers and %d posts came before the block", offers.Load(), posts.Load())
	w.CheckInvariants()
}

func TestRemovingWhileItIsAcceptedDoesOneOrTheOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	for round := range 40 {
		order := w.Post(w.Ann)
		offer := w.OfferOn(w.Bob, order, 5)
		errs := atOnce(6, func(i int) error {
			switch {
			case i == 0 && round%2 == 0:
				return w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "Enough")
			case i == 0:
				return w.Moderation.RemoveOffer(t.Context(), mod, offer.ID, "Enough")
			default:
				_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 1)
				return err
			}
		})
		accepted := count(errs[1:], func(err error) bool { return err == nil })
		for i, err := range errs {
			// All five may be accepted first: then the offer is gone, and there is nothing left to remove.
			if err != nil && core.KindOf(err) != core.NotFound {
				t.Errorf("round %d, %d: %v", round, i, err)
			}
		}
		if sold := w.Value("select coalesce(sum(quantity_sold), 0) from order_updates where order_id = $1", order.ID); round%2 == 1 && sold != accepted {
			t.Errorf("round %d: %d accepts, %d sold", round, accepted, sold)
		}
		if errs[0] == nil && w.Value("select count(*) from offers where id = $1", offer.ID) != 0 {
			t.Errorf("round %d: the offer outlives its removal", round)
		}
	}
	w.CheckInvariants()
}

func TestABuyerTakesNoMoreOffersOfASellerTheyBlocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second, bobs := w.Post(w.Ann), w.Post(w.Ann), w.Post(w.Cat)
	blocked := w.OfferOn(w.Bob, first, 2)
	w.OfferOn(w.Bob, second, 2)
	w.OfferOn(w.Bob, bobs, 2)
	w.OfferOn(w.Cat, first, 2)
	must(t, w.Trade.BlockSeller(t.Context(), w.Ann, blocked.ID))
	if n := w.Value("select count(*) from offers where seller_id = $1", w.Bob.UserID); n != 1 {
		t.Errorf("%d offers of the seller are open, want the one to another buyer", n)
	}
	sent := func(by core.Actor, on trade.Order) error {
		_, err := w.Trade.SendOffer(t.Context(), by, on.ID, trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 1})
		return err
	}
	if err := sent(w.Bob, second); core.KindOf(err) != core.Forbidden || err.Error() != "This buyer doesn't accept offers from you" {
		t.Errorf("the blocked seller offers: %v", err)
	}
	must(t, sent(w.Bob, bobs))
	must(t, sent(w.Cat, second))
	sellers, err := w.Trust.BlockedSellers(t.Context(), w.Ann)
	must(t, err)
	if len(sellers) != 1 || sellers[0].Username != "bob" {
		t.Errorf("blocked %+v", sellers)
	}
	if sellers, err = w.Trust.BlockedSellers(t.Context(), w.Bob); err != nil || len(sellers) != 0 {
		t.Errorf("the other side has %+v, %v", sellers, err)
	}
	w.CheckInvariants()
	must(t, w.Trust.UnblockSeller(t.Context(), w.Ann, w.Bob.UserID))
	must(t, sent(w.Bob, second))
	w.CheckInvariants()
}

func TestBlockingASellerWhileTheyOfferLeavesNoOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for round := range 40 {
		seller := w.SignUp(fmt.Sprint("seller", round))
		first, second := w.Post(w.Ann), w.Post(w.Ann)
		offer := w.OfferOn(seller, first, 1)
		errs := atOnce(5, func(i int) error {
			if i == 0 {
				return w.Trade.BlockSeller(t.Context(), w.Ann, offer.ID)
			}
			_, err := w.Trade.SendOffer(t.Context(), seller, second.ID, trade.OfferDraft{SellerName: "s", Message: "m", Quantity: i})
			return err
		})
		must(t, errs[0])
		if n := w.Value("select count(*) from offers where seller_id = $1", seller.UserID); n != 0 {
			t.Errorf("round %d: %d offers are open", round, n)
		}
	}
	w.CheckInvariants()
}

func TestTheSameIsReportedOncePerReporter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 2)
	errs := atOnce(8, func(int) error {
		_, err := w.Moderation.ReportOrder(t.Context(), w.Cat, order.ID, "No such item")
		return err
	})
	if n := count(errs, func(err error) bool { return err == nil }); n != 1 {
		t.Errorf("%d reports of one were taken: %v", n, errs)
	}
	_, err := w.Moderation.ReportOrder(t.Context(), core.Actor{Address: "::1"}, order.ID, "I think so, too")
	must(t, err)
	_, err = w.Moderation.ReportOffer(t.Context(), w.Ann, offer.ID, "Too good to be true")
	must(t, err)
	reports, err := w.Moderation.Reports(t.Context(), mod, 0, 10)
	must(t, err)
	if len(reports) != 2 || reports[1].ReporterName != "cat" || reports[1].SubjectName != "ann" || reports[1].Count != 2 ||
		reports[1].Reasons[1].Reporter != 0 || reports[0].Offer == nil || reports[0].Offer.SellerContact != "bob" || reports[1].Order.ID != order.ID {
		t.Errorf("reports %+v", reports)
	}
	if older, err := w.Moderation.Reports(t.Context(), mod, reports[0].ID, 1); err != nil || len(older) != 1 || older[0].ID != reports[1].ID {
		t.Errorf("the next page is %+v, %v", older, err)
	}
	must(t, w.Moderation.DismissReport(t.Context(), mod, reports[1].ID))
	wantKind(t, w.Moderation.DismissReport(t.Context(), mod, reports[1].ID), core.Conflict)
	_, err = w.Moderation.ReportOrder(t.Context(), w.Cat, order.ID, "Look again")
	must(t, err)
	must(t, w.Moderation.BlockUser(t.Context(), mod, w.Ann.UserID, "No such item"))
	if left, err := w.Moderation.Reports(t.Context(), mod, 0, 10); err != nil || len(left) != 1 || left[0].Subject != w.Bob.UserID {
		t.Errorf("after blocking the buyer %+v wait, %v", left, err)
	}
	w.CheckInvariants()
}

// A network is an IPv4 address or an IPv6 /48, and only a keyed hash of it is stored.
func TestANetworkHasOneOpenVisitorReportForEachThing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.Post(w.Ann), w.Post(w.Ann)
	for _, tt := range []struct {
		address string
		about   trade.Order
		want    core.ErrorKind
	}{
		{"192.0.2.1", first, 0},
		{"192.0.2.1", first, core.Conflict},
		{"192.0.2.2", first, 0},
		{"192.0.2.1", second, 0},
		{"2001:db8:1:1::/64", first, 0},
		{"2001:db8:1:ffff::/64", first, core.Conflict},
		{"2001:db8:2:1::/64", first, 0},
	} {
		_, err := w.Moderation.ReportOrder(t.Context(), core.Actor{Address: tt.address}, tt.about.ID, "spam")
		if got := core.KindOf(err); err == nil && tt.want != 0 || err != nil && got != tt.want {
			t.Errorf("%s about %d: %v, want %v", tt.address, tt.about.ID, err, tt.want)
		}
	}
	if n := w.Value("select count(*) from reports where length(network) = 32"); n != 5 {
		t.Errorf("%d reports have a hash of their network", n)
	}
	if n := w.Value(`select count(*) from reports where network in (sha256('192.0.2.1'), sha256('192.0.2.2'), convert_to('192.0.2.1', 'UTF8'))`); n != 0 {
		t.Error("a network is stored without a key")
	}
	w.CheckInvariants()
}

// What is done by hand, with the owner's rights, shows in the chain of hashes.
func TestAChangedLogOfModerationIsFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		statement string
		want      []string // the subjects and details that are found
	}{
		"nothing":               {"select", nil},
		"a reason is edited":    {"update audit_entries set reason = 'a whim' where place = 3", []string{"it, its place or the entry before it was changed"}},
		"a moderator is edited": {"update audit_entries set moderator_id = 99 where place = 5", []string{"was changed"}},
		"a time is edited":      {"update audit_entries set at = '2026-01-01 12:00:00+00' where place = 1", []string{"was changed"}},
		"one is removed":        {"delete from audit_entries where place = 3", []string{"1 entries before it are missing"}},
		"the first are removed": {"delete from audit_entries where place < 3", []string{"2 entries before it are missing"}},
		"two change places": {"update audit_entries set place = -place where place in (2, 3); update audit_entries set place = 5 + place where place < 0",
			[]string{"was changed", "was changed", "was changed"}},
		"one is removed and the others move up": {"delete from audit_entries where place = 3; update audit_entries set place = -place where place > 3; update audit_entries set place = -place - 1 where place < 0",
			[]string{"was changed", "was changed"}},
		"the last is removed, which only a kept value shows": {"delete from audit_entries where place = 5", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			mod := w.Moderator()
			for range 4 {
				must(t, w.Moderation.RemoveOrder(t.Context(), mod, w.Post(w.Ann).ID, "No such item"))
			}
			// As a program of an earlier version does.
			must(t, w.SQL("insert into audit_entries (at, moderator_id, action, subject_id) values (now(), $1, 'user_unblocked', $2)", mod.UserID, w.Bob.UserID))
			owner := storetest.Connect(t, w.DSN)
			for _, statement := range []string{"alter table audit_entries disable trigger audit_entries_append_only", tt.statement} {
				_, err := owner.Exec(t.Context(), statement)
				must(t, err)
			}
			violations, err := invariants.Check(t.Context(), w.Store.Pool())
			must(t, err)
			violations = slices.DeleteFunc(violations, func(v invariants.Violation) bool {
				return v.Invariant != "I9 the log of moderation was not changed by hand"
			})
			if len(violations) != len(tt.want) {
				t.Fatalf("found %v, want %q", violations, tt.want)
			}
			for i, v := range violations {
				if !strings.Contains(v.Detail, tt.want[i]) {
					t.Errorf("found %v, want %q", v, tt.want[i])
				}
			}
		})
	}
}

func TestEntriesWrittenAtOnceAreOneChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	var orders []trade.Order
	for range 12 {
		orders = append(orders, w.Post(w.Ann))
	}
	for i, err := range storetest.AtOnce(len(orders), func(i int) error { return w.Moderation.RemoveOrder(t.Context(), mod, orders[i].ID, "No such item") }) {
		if err != nil {
			t.Errorf("removal %d: %v", i, err)
		}
	}
	if n := w.Value("select max(place) from audit_entries"); n != len(orders) {
		t.Errorf("the last place is %d", n)
	}
	w.CheckInvariants()
}
