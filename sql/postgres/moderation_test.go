package postgres_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"tradepost/core"
)

func TestARemovedRequestIsGoneAndItsBuyerAndSellersAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.moderator()
	order := w.post(w.ann)
	w.offer(w.bob, order, 3)
	w.offer(core.Actor{Address: "::1"}, order, 3)
	_, err := w.ReportOrder(t.Context(), w.cat, order.ID, "There is no such item")
	must(t, err)
	must(t, w.RemoveOrder(t.Context(), mod, order.ID, "There is no such item"))

	_, err = w.Order(t.Context(), w.ann, order.ID)
	wantKind(t, err, core.NotFound)
	told, err := w.Notices(t.Context(), w.ann, 0, 10)
	must(t, err)
	if n := told.Notices[0]; n.Kind != core.OrderRemoved || n.Message != "There is no such item" || n.ItemName != order.ItemName || n.OrderID != 0 {
		t.Errorf("the buyer is told %+v", n)
	}
	told, err = w.Notices(t.Context(), w.bob, 0, 10)
	must(t, err)
	if n := told.Notices[0]; n.Kind != core.OfferHasLapsed || n.Message != "The request was removed" {
		t.Errorf("a seller is told %+v", n)
	}
	reports, err := w.Reports(t.Context(), mod, 0, 10)
	must(t, err)
	if len(reports) != 0 {
		t.Errorf("what was acted on still waits: %+v", reports)
	}
	entries, err := w.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 1 || entries[0].Action != core.RemovedOrder || entries[0].OrderID != order.ID || entries[0].Subject != w.ann.UserID ||
		entries[0].SubjectName != "ann" || entries[0].ModeratorName != "mod" || entries[0].Reason != "There is no such item" {
		t.Errorf("noted %+v", entries)
	}
	w.keepsItsPromises()
}

func TestARemovedOfferIsGoneAndItsSellerIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.moderator()
	order := w.post(w.ann)
	offer, visitors := w.offer(w.bob, order, 3), w.offer(core.Actor{Address: "::1"}, order, 3)
	_, err := w.ReportOffer(t.Context(), w.ann, offer.ID, "He never came")
	must(t, err)
	must(t, w.RemoveOffer(t.Context(), mod, offer.ID, "A cheat"))
	must(t, w.RemoveOffer(t.Context(), mod, visitors.ID, "Another"))

	told, err := w.Notices(t.Context(), w.bob, 0, 10)
	must(t, err)
	if n := told.Notices[0]; n.Kind != core.OfferTakenOff || n.Message != "A cheat" || n.Contact != "" {
		t.Errorf("the seller is told %+v", n)
	}
	sent, err := w.SentOffers(t.Context(), w.bob, 0, 10)
	must(t, err)
	if sent[0].State != core.OfferRemoved {
		t.Errorf("the seller's record says %+v", sent[0])
	}
	if n := w.value("select count(*) from reports where state = 'open'"); n != 0 {
		t.Errorf("%d reports still wait", n)
	}
	w.keepsItsPromises()
}

func TestABlockHidesRequestsAndUnblockingShowsThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.moderator()
	hidden, others := w.post(w.ann), w.post(w.bob)
	standing := w.offer(w.ann, others, 2)
	received := w.offer(w.cat, hidden, 2)
	closed := w.post(w.ann)
	_, err := w.CloseOrder(t.Context(), w.ann, closed.ID)
	must(t, err)
	listed := func() []core.OrderID {
		t.Helper()
		var ids []core.OrderID
		for _, q := range []core.OrderQuery{{}, {OrderFilter: core.OrderFilter{Text: "iron"}}, {Sort: core.EndingSoon}} {
			page, err := w.BrowseOrders(t.Context(), q)
			must(t, err)
			counts, err := w.CountOrders(t.Context(), core.OrderFilter{})
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
	must(t, w.BlockUser(t.Context(), mod, w.ann.UserID, "Sells what she has not got"))
	if got := listed(); !slices.Equal(got, []core.OrderID{others.ID}) {
		t.Errorf("while blocked %v are listed", got)
	}
	for name, reader := range map[string]core.Actor{"a visitor": {}, "a seller": w.cat} {
		if _, err := w.Order(t.Context(), reader, hidden.ID); core.KindOf(err) != core.NotFound {
			t.Errorf("%s reads it: %v", name, err)
		}
		if _, err := w.SendOffer(t.Context(), reader, hidden.ID, core.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 1}); core.KindOf(err) != core.NotFound {
			t.Errorf("%s offers on it: %v", name, err)
		}
	}
	for name, reader := range map[string]core.Actor{"its buyer": w.ann, "a moderator": mod} {
		if _, err := w.Order(t.Context(), reader, hidden.ID); err != nil {
			t.Errorf("%s does not read it: %v", name, err)
		}
	}
	own, err := w.OwnOrders(t.Context(), w.ann, core.OrderQuery{})
	must(t, err)
	if len(own.Orders) != 1 || !own.Orders[0].Hidden || own.Total != 1 {
		t.Errorf("their own list has %+v", own)
	}
	if _, err := w.Order(t.Context(), w.cat, closed.ID); err != nil {
		t.Errorf("what was over already: %v", err)
	}
	// What she knows of herself is from before the block.
	if _, err := w.AcceptOffer(t.Context(), w.ann, received.ID, 1); core.KindOf(err) != core.NotFound {
		t.Errorf("accepting while blocked: %v", err)
	}
	if n := w.value("select count(*) from offers where id = $1", standing.ID); n != 0 {
		t.Error("her offer still stands")
	}
	w.keepsItsPromises()

	must(t, w.UnblockUser(t.Context(), mod, w.ann.UserID))
	if got := listed(); len(got) != 2 {
		t.Errorf("unblocked %v are listed", got)
	}
	if _, err := w.AcceptOffer(t.Context(), w.ann, received.ID, 1); err != nil {
		t.Errorf("accepting after the block: %v", err)
	}
	w.post(w.ann)
	entries, err := w.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 2 || entries[0].Action != core.UnblockedUser || entries[1].Action != core.BlockedUser {
		t.Errorf("noted %+v", entries)
	}
	w.keepsItsPromises()
}

func TestBlockingWhileTheUserTradesLeavesNothingOfTheirs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.moderator()
	offers, posts := atomic.Int64{}, atomic.Int64{}
	for round := range 40 {
		seller := w.user(fmt.Sprint("seller", round))
		order := w.post(w.ann)
		errs := atOnce(9, func(i int) error {
			switch {
			case i == 0:
				return w.BlockUser(t.Context(), mod, seller.UserID, "Enough")
			case i < 5:
				_, err := w.SendOffer(t.Context(), seller, order.ID, core.OfferDraft{SellerName: "s", Message: "m", Quantity: 1 + i})
				if err == nil {
					offers.Add(1)
				}
				return err
			default:
				_, err := w.PostOrder(t.Context(), seller, core.OrderDraft{ItemName: "Tin", Quantity: 1, MaxPrice: 1, BuyerContact: "s"})
				if err == nil {
					posts.Add(1)
				}
				return err
			}
		})
		must(t, errs[0])
		for _, err := range errs {
			if kind := core.KindOf(err); err != nil && kind != core.Forbidden {
				t.Errorf("refused with %v", err)
			}
		}
		if n := w.value("select count(*) from offers where seller_id = $1", seller.UserID); n != 0 {
			t.Errorf("round %d: %d offers stand", round, n)
		}
		if n := w.value("select count(*) from orders where user_id = $1 and not hidden", seller.UserID); n != 0 {
			t.Errorf("round %d: %d requests are shown", round, n)
		}
	}
	t.Logf("%d offers and %d posts came before the block", offers.Load(), posts.Load())
	w.keepsItsPromises()
}

func TestRemovingWhileItIsAcceptedDoesOneOrTheOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.moderator()
	for round := range 40 {
		order := w.post(w.ann)
		offer := w.offer(w.bob, order, 5)
		errs := atOnce(6, func(i int) error {
			switch {
			case i == 0 && round%2 == 0:
				return w.RemoveOrder(t.Context(), mod, order.ID, "Enough")
			case i == 0:
				return w.RemoveOffer(t.Context(), mod, offer.ID, "Enough")
			default:
				_, err := w.AcceptOffer(t.Context(), w.ann, offer.ID, 1)
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
		if sold := w.value("select coalesce(sum(quantity_sold), 0) from order_updates where order_id = $1", order.ID); round%2 == 1 && sold != accepted {
			t.Errorf("round %d: %d accepts, %d sold", round, accepted, sold)
		}
		if errs[0] == nil && w.value("select count(*) from offers where id = $1", offer.ID) != 0 {
			t.Errorf("round %d: the offer outlives its removal", round)
		}
	}
	w.keepsItsPromises()
}

func TestABuyerTakesNoMoreOffersOfASellerTheyBlocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second, bobs := w.post(w.ann), w.post(w.ann), w.post(w.cat)
	blocked := w.offer(w.bob, first, 2)
	w.offer(w.bob, second, 2)
	w.offer(w.bob, bobs, 2)
	w.offer(w.cat, first, 2)
	must(t, w.BlockSeller(t.Context(), w.ann, blocked.ID))
	if n := w.value("select count(*) from offers where seller_id = $1", w.bob.UserID); n != 1 {
		t.Errorf("%d offers of the seller stand, want the one to another buyer", n)
	}
	sent := func(by core.Actor, on core.Order) error {
		_, err := w.SendOffer(t.Context(), by, on.ID, core.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 1})
		return err
	}
	if err := sent(w.bob, second); core.KindOf(err) != core.Forbidden || err.Error() != "This buyer takes no offers from you" {
		t.Errorf("the blocked seller offers: %v", err)
	}
	must(t, sent(w.bob, bobs))
	must(t, sent(w.cat, second))
	sellers, err := w.BlockedSellers(t.Context(), w.ann)
	must(t, err)
	if len(sellers) != 1 || sellers[0].Username != "bob" {
		t.Errorf("blocked %+v", sellers)
	}
	if sellers, err = w.BlockedSellers(t.Context(), w.bob); err != nil || len(sellers) != 0 {
		t.Errorf("the other side has %+v, %v", sellers, err)
	}
	w.keepsItsPromises()
	must(t, w.UnblockSeller(t.Context(), w.ann, w.bob.UserID))
	must(t, sent(w.bob, second))
	w.keepsItsPromises()
}

func TestBlockingASellerWhileTheyOfferLeavesNoOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for round := range 40 {
		seller := w.user(fmt.Sprint("seller", round))
		first, second := w.post(w.ann), w.post(w.ann)
		offer := w.offer(seller, first, 1)
		errs := atOnce(5, func(i int) error {
			if i == 0 {
				return w.BlockSeller(t.Context(), w.ann, offer.ID)
			}
			_, err := w.SendOffer(t.Context(), seller, second.ID, core.OfferDraft{SellerName: "s", Message: "m", Quantity: i})
			return err
		})
		must(t, errs[0])
		if n := w.value("select count(*) from offers where seller_id = $1", seller.UserID); n != 0 {
			t.Errorf("round %d: %d offers stand", round, n)
		}
	}
	w.keepsItsPromises()
}

func TestTheSameIsReportedOncePerReporter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.moderator()
	order := w.post(w.ann)
	offer := w.offer(w.bob, order, 2)
	errs := atOnce(8, func(int) error {
		_, err := w.ReportOrder(t.Context(), w.cat, order.ID, "No such item")
		return err
	})
	if n := count(errs, func(err error) bool { return err == nil }); n != 1 {
		t.Errorf("%d reports of one were taken: %v", n, errs)
	}
	_, err := w.ReportOrder(t.Context(), core.Actor{Address: "::1"}, order.ID, "I think so, too")
	must(t, err)
	_, err = w.ReportOffer(t.Context(), w.ann, offer.ID, "Too good to be true")
	must(t, err)
	reports, err := w.Reports(t.Context(), mod, 0, 10)
	must(t, err)
	if len(reports) != 3 || reports[2].ReporterName != "cat" || reports[2].SubjectName != "ann" || reports[1].Reporter != 0 ||
		reports[0].Offer == nil || reports[0].Offer.SellerContact != "bob" || reports[1].Order.ID != order.ID {
		t.Errorf("reports %+v", reports)
	}
	if older, err := w.Reports(t.Context(), mod, reports[0].ID, 1); err != nil || len(older) != 1 || older[0].ID != reports[1].ID {
		t.Errorf("the next page is %+v, %v", older, err)
	}
	must(t, w.DismissReport(t.Context(), mod, reports[2].ID))
	wantKind(t, w.DismissReport(t.Context(), mod, reports[2].ID), core.Conflict)
	_, err = w.ReportOrder(t.Context(), w.cat, order.ID, "Look again")
	must(t, err)
	must(t, w.BlockUser(t.Context(), mod, w.ann.UserID, "No such item"))
	if left, err := w.Reports(t.Context(), mod, 0, 10); err != nil || len(left) != 1 || left[0].Subject != w.bob.UserID {
		t.Errorf("after blocking the buyer %+v wait, %v", left, err)
	}
	w.keepsItsPromises()
}

func TestWhatModeratorsDidCannotBeChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.RemoveOrder(t.Context(), w.moderator(), w.post(w.ann).ID, "No such item"))
	for _, statement := range []string{"update audit_entries set reason = 'a whim'", "delete from audit_entries"} {
		if err := w.sql(statement); err == nil {
			t.Errorf("%s went through", statement)
		}
	}
	must(t, w.sql("update users set blocked_at = now(), blocked_for = 'a whim' where username = 'bob'"))
	violations, err := w.store.Check(t.Context())
	must(t, err)
	if len(violations) != 1 || violations[0].Promise != "I9 a block has an audit entry" {
		t.Errorf("a block that nobody noted: %v", violations)
	}
}
