package upkeep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/storetest"
)

// leaver has traded on both sides, under a name that is found nowhere else.
func (w *world) leaver() core.Actor {
	w.T.Helper()
	eve := w.SignUp("evergreen")
	bought := w.Post(eve, func(d *trade.OrderDraft) { d.InGameName = "evergreen" })
	taken := w.OfferOn(w.Bob, bought, 2)
	_, err := w.Trade.AcceptOffer(w.T.Context(), eve, taken.ID, 1)
	must(w.T, err)
	_, err = w.Trade.LogSale(w.T.Context(), eve, bought.ID, trade.SaleDraft{Quantity: 1, Notes: "evergreen"})
	must(w.T, err)
	w.OfferOn(w.Cat, w.Post(eve), 1)
	sent, err := w.Trade.SendOffer(w.T.Context(), eve, w.Post(w.Ann).ID, trade.OfferDraft{
		SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5,
	})
	must(w.T, err)
	_, err = w.Trade.AcceptOffer(w.T.Context(), w.Ann, sent.Offer.ID, 2)
	must(w.T, err)
	must(w.T, w.People.SetSkills(w.T.Context(), eve, []people.Skill{{Category: "Miner", Level: 5}}))
	_, err = w.Match.AddSearch(w.T.Context(), eve, match.SearchDraft{Name: "evergreen"})
	must(w.T, err)
	deleted := w.Post(eve)
	lost := w.OfferOn(w.Bob, deleted, 1)
	_, err = w.Trade.AcceptOffer(w.T.Context(), eve, lost.ID, 1)
	must(w.T, err)
	must(w.T, w.Trade.DeleteOrder(w.T.Context(), eve, deleted.ID))
	return eve
}

func TestDeletedAccountIsNamedNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	if !strings.Contains(strings.ToLower(storetest.Rows(t, w.DSN)), "evergreen") {
		t.Fatal("they were named nowhere before")
	}
	w.CheckInvariants()
	must(t, w.DeleteUser(t.Context(), eve.UserID))
	w.CheckInvariants()
	w.Clock.Forward(people.RememberFor + time.Hour)
	w.retains()
	for line := range strings.Lines(strings.ToLower(storetest.Rows(t, w.DSN))) {
		if strings.Contains(line, "evergreen") {
			t.Errorf("still named: %s", line)
		}
	}
	for _, table := range []string{"former_accounts", "blocked_former_sellers", "kept_contacts"} {
		if n := w.Value("select count(*) from " + table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	w.CheckInvariants()
	_, err := w.People.User(t.Context(), eve.UserID)
	wantKind(t, err, core.NotFound)
	wantKind(t, w.DeleteUser(t.Context(), eve.UserID), core.NotFound)
	_, err = w.Leave(t.Context(), core.Actor{})
	wantKind(t, err, core.Unauthenticated)
}

func TestOthersKeepTheirHistoryWhenAnAccountIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	must(t, w.DeleteUser(t.Context(), eve.UserID))

	anns, err := w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{})
	must(t, err)
	if len(anns.Orders) != 1 || anns.Orders[0].Sold != 2 || anns.Orders[0].Offers != 0 {
		t.Fatalf("Ann's orders = %+v", anns.Orders)
	}
	_, sales, _, err := w.Trade.Sales(t.Context(), w.Ann, anns.Orders[0].ID, 3)
	must(t, err)
	if len(sales) != 1 || sales[0].Quantity != 2 || sales[0].Seller != 0 || sales[0].Notes != "Accepted offer from a seller who has left" {
		t.Errorf("Ann's sales = %+v", sales)
	}
	sent, err := w.Trade.SentOffers(t.Context(), w.Cat, 0, 9)
	must(t, err)
	if len(sent) != 1 || sent[0].State != trade.OfferLapsed || sent[0].OrderID != 0 {
		t.Errorf("Cat's offers = %+v", sent)
	}
	page, err := w.Notify.Notices(t.Context(), w.Cat, 0, 9)
	must(t, err)
	if len(page.Notices) != 1 || page.Notices[0].Kind != notify.NoticeOfferLapsed || page.Notices[0].Contact != "" {
		t.Errorf("Cat's notices are %+v", page.Notices)
	}
}

func TestReturningUserGetsANewAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	must(t, w.DeleteUser(t.Context(), eve.UserID))
	again := w.SignUp("evergreen")
	if again.UserID == eve.UserID {
		t.Error("the number was given again")
	}
	data, err := w.ExportAccount(t.Context(), again)
	must(t, err)
	if len(data.Orders)+len(data.Offers)+len(data.Notices)+len(data.Skills)+len(data.Searches) != 0 {
		t.Errorf("they find %+v", data)
	}
}

func TestOnesDataAreAllOfOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range core.PageSize + 5 {
		w.OfferOn(w.Bob, w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = fmt.Sprint("Ore ", i) }), 1)
	}
	closed := w.Post(w.Ann)
	_, err := w.Trade.LogSale(t.Context(), w.Ann, closed.ID, trade.SaleDraft{Quantity: 3, Notes: "found some"})
	must(t, err)
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, closed.ID)
	must(t, err)
	expired := w.Post(w.Ann)
	must(t, w.SQL("update orders set expires_at = $2 where id = $1", expired.ID, expired.CreatedAt.Add(time.Microsecond)))
	w.Clock.Forward(1000)
	w.Post(w.Cat)

	anns, err := w.ExportAccount(t.Context(), w.Ann)
	must(t, err)
	if len(anns.Orders) != core.PageSize+7 || len(anns.Notices) != core.PageSize+5 || len(anns.Offers) != 0 || anns.User.ID != w.Ann.UserID {
		t.Errorf("Ann has %d orders, %d notices, %d offers", len(anns.Orders), len(anns.Notices), len(anns.Offers))
	}
	for _, o := range anns.Orders {
		if o.Owner != w.Ann.UserID || o.ID == closed.ID && (len(o.Sales) != 1 || o.Sales[0].Notes != "found some") {
			t.Errorf("among Ann's: %+v", o)
		}
	}
	bobs, err := w.ExportAccount(t.Context(), w.Bob)
	must(t, err)
	if len(bobs.Offers) != core.PageSize+5 || len(bobs.Orders) != 0 {
		t.Errorf("Bob has %d offers, %d orders", len(bobs.Offers), len(bobs.Orders))
	}
	_, err = w.ExportAccount(t.Context(), core.Actor{})
	wantKind(t, err, core.Unauthenticated)
}

func TestBlockedUserCannotDeleteTheAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Post(w.Bob)
	must(t, w.SQL("update users set blocked_at = now(), blocked_for = 'flooding' where id = $1", w.Bob.UserID))
	_, err := w.Leave(t.Context(), w.Bob)
	wantKind(t, err, core.Forbidden)
	if n := w.Value("select count(*) from orders"); n != 1 {
		t.Errorf("%d requests are left", n)
	}
}

func TestRenamedUserIsFoundByOldLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.SignUp("evergreen")
	taken := w.OfferOn(w.Bob, w.Post(eve), 2)
	_, err := w.Trade.AcceptOffer(t.Context(), eve, taken.ID, 1)
	must(t, err)
	sent, err := w.Trade.SendOffer(t.Context(), eve, w.Post(w.Ann).ID, trade.OfferDraft{
		SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5,
	})
	must(t, err)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, sent.Offer.ID, 2)
	must(t, err)
	_, err = w.People.SignIn(t.Context(), people.Profile{DiscordID: "1evergreen", Username: "pine", DisplayName: "Pine"})
	must(t, err)
	must(t, w.DeleteUser(t.Context(), eve.UserID))
	w.Clock.Forward(people.RememberFor + time.Hour)
	w.retains()
	for line := range strings.Lines(strings.ToLower(storetest.Rows(t, w.DSN))) {
		if strings.Contains(line, "evergreen") || strings.Contains(line, "pine") {
			t.Errorf("still named: %s", line)
		}
	}
	w.CheckInvariants()
}

// retains runs retention at the time of the clock.
func (w *world) retains() map[string]int { return w.retainsFor(core.Retention{}) }

func (w *world) retainsFor(keep core.Retention) map[string]int {
	w.T.Helper()
	done, err := w.Store.Retain(w.T.Context(), keep, w.Clock.Now(), func(context.Context, time.Duration) error { return nil })
	must(w.T, err)
	return done
}

func TestLeavingHidesAtOnceAndDeletesLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.SignUp("evergreen")
	wanted, other := w.Post(eve), w.Post(w.Ann)
	onHers := w.OfferOn(w.Bob, wanted, 1)
	declined, err := w.Trade.SendOffer(t.Context(), eve, other.ID, trade.OfferDraft{SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5})
	must(t, err)

	left, err := w.Leave(t.Context(), eve)
	must(t, err)
	if want := w.Clock.Now().Add(people.LeavingFor); !left.DeletionAt().Equal(want) {
		t.Errorf("the data are deleted at %v, want %v", left.DeletionAt(), want)
	}
	w.CheckInvariants()
	_, err = w.Trade.Order(t.Context(), w.Bob, wanted.ID)
	wantKind(t, err, core.NotFound)
	if page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{}); err != nil || page.Total != 1 {
		t.Errorf("the board has %d requests, %v", page.Total, err)
	}
	if n := w.Value("select count(*) from offers where id = any($1)", []int64{int64(onHers.ID), int64(declined.Offer.ID)}); n != 0 {
		t.Errorf("%d offers are left", n)
	}
	notices, err := w.Notify.Notices(t.Context(), w.Ann, 0, 9)
	must(t, err)
	if len(notices.Notices) != 2 || notices.Notices[0].Kind != notify.NoticeOfferWithdrawn {
		t.Errorf("the buyer's inbox has %+v", notices.Notices)
	}
	if b, err := json.Marshal(notices); err != nil || strings.Contains(string(b), "evergreen") {
		t.Errorf("the buyer's inbox names who left: %+v", notices.Notices)
	}

	eve = coretest.AlwaysFresh(left.Actor())
	refused := func(what string, err error) {
		t.Helper()
		var said *core.Error
		if !errors.As(err, &said) || said.Kind != core.Forbidden || said.Code != core.CodeLeaving {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = w.Trade.PostOrder(t.Context(), eve, coretest.OrderDraft())
	refused("posting", err)
	_, err = w.Moderation.ReportOrder(t.Context(), eve, other.ID, "spam")
	refused("reporting", err)
	_, err = w.ExportAccount(t.Context(), eve)
	must(t, err)                // they may take it with them
	eve.LeavingAt = time.Time{} // a session that was read before
	_, err = w.Trade.PostOrder(t.Context(), eve, coretest.OrderDraft())
	refused("posting at the same time", err)
	_, err = w.Trade.SendOffer(t.Context(), eve, other.ID, trade.OfferDraft{SellerName: "e", SellerContact: "e", Message: "e", Quantity: 5})
	refused("offering at the same time", err)

	w.Clock.Forward(people.LeavingFor - time.Minute)
	if done := w.retains(); done["left_accounts"] != 0 {
		t.Fatal("the account is deleted too early")
	}
	must(t, w.CancelLeaving(t.Context(), left.Actor()))
	w.CheckInvariants()
	if shown, err := w.Trade.Order(t.Context(), w.Bob, wanted.ID); err != nil || shown.Hidden {
		t.Errorf("after the cancellation: %+v, %v", shown, err)
	}
	w.Clock.Forward(time.Hour)
	w.retains()
	_, err = w.Leave(t.Context(), eve)
	must(t, err)
	w.Clock.Forward(people.LeavingFor + time.Minute)
	if done := w.retains(); done["left_accounts"] != 1 {
		t.Errorf("retention deleted %v", done)
	}
	_, err = w.People.User(t.Context(), eve.UserID)
	wantKind(t, err, core.NotFound)
	w.CheckInvariants()
}

func TestLeavingAndComingBackUndoesNoBlockReportOrQuota(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.SignUp("evergreen")
	offer := w.OfferOn(eve, w.Post(w.Ann), 1)
	_, err := w.Moderation.ReportOffer(t.Context(), w.Ann, offer.ID, "a cheat")
	must(t, err)
	must(t, w.Trade.BlockSeller(t.Context(), w.Ann, offer.ID))
	posted := w.Post(eve)
	since := w.Value("select extract(epoch from created_at)::bigint from users where id = $1", eve.UserID)
	w.Clock.Forward(time.Hour)

	comesBack := func() core.Actor {
		t.Helper()
		must(t, w.DeleteUser(t.Context(), eve.UserID))
		if n := w.Value("select count(*) from former_accounts where position('evergreen' in former_accounts::text) > 0"); n != 0 {
			t.Error("the account is remembered by its name")
		}
		return w.SignUp("evergreen")
	}
	first := eve
	eve = comesBack()
	if eve.UserID == first.UserID {
		t.Error("a user who was not blocked has their number again")
	}
	_, err = w.Trade.SendOffer(t.Context(), eve, w.Post(w.Ann).ID, trade.OfferDraft{SellerName: "e", SellerContact: "e", Message: "e", Quantity: 1})
	wantKind(t, err, core.Forbidden)
	if n := w.Value("select count(*) from reports where subject_id = $1 and state = 'open'", eve.UserID); n != 1 {
		t.Errorf("%d open reports are about them", n)
	}
	if n := w.Value("select extract(epoch from created_at)::bigint from users where id = $1", eve.UserID); n != since {
		t.Error("their first day begins again")
	}
	if n := w.Value("select count(*) from deleted_orders where user_id = $1 and created_at = $2", eve.UserID, posted.CreatedAt); n != 1 {
		t.Error("their posts are forgotten")
	}

	// A moderator's block; the log speaks of the former number.
	must(t, w.SQL("update users set blocked_at = $2, blocked_for = 'flooding' where id = $1", eve.UserID, w.Clock.Now()))
	must(t, w.SQL("insert into audit_entries (at, moderator_id, action, subject_id, reason) values ($2, 1, 'user_blocked', $1, 'flooding')", eve.UserID, w.Clock.Now()))
	blocked := eve
	eve = comesBack()
	if user, err := w.People.User(t.Context(), eve.UserID); err != nil || user.BlockedFor != "flooding" || eve.UserID != blocked.UserID {
		t.Errorf("who was blocked is %+v, %v", user, err)
	}
	_, err = w.Trade.PostOrder(t.Context(), eve, coretest.OrderDraft())
	wantKind(t, err, core.Forbidden)
	w.CheckInvariants()

	must(t, w.DeleteUser(t.Context(), eve.UserID))
	w.Clock.Forward(people.RememberFor + time.Hour)
	eve = w.SignUp("evergreen") // before retention has run
	if user, err := w.People.User(t.Context(), eve.UserID); err != nil || user.Blocked() {
		t.Errorf("after %v they are %+v, %v", people.RememberFor, user, err)
	}
	w.retains()
	if n := w.Value("select count(*) from reports where subject_account is not null"); n != 0 {
		t.Error("the report still has the account's hash")
	}
}

func TestLeavingWashesNothingOutOfARecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	mod := w.Moderator()
	eve := w.SignUp("evergreen")
	cheats := func(buyer core.Actor) {
		t.Helper()
		done, err := w.Trade.AcceptOffer(t.Context(), buyer, w.OfferOn(eve, w.Post(buyer), 1).ID, 1)
		must(t, err)
		for _, word := range []struct {
			by  core.Actor
			say trade.Word
		}{{eve, trade.SaidMet}, {buyer, trade.SaidNotMet}} {
			_, err = w.Trade.SayHandovers(t.Context(), word.by, []core.SaleID{done.Sale.ID}, word.say)
			must(t, err)
		}
		_, err = w.Trade.RuleDispute(t.Context(), mod, done.Sale.ID, trade.DisputeRuling{Against: trust.SellerSide, Reason: "Took the coins"})
		must(t, err)
	}
	kept := func() int {
		t.Helper()
		records, err := w.Trust.Records(t.Context(), eve.UserID)
		must(t, err)
		return records[eve.UserID].Kept
	}
	comesBack := func(after time.Duration) {
		t.Helper()
		must(t, w.DeleteUser(t.Context(), eve.UserID))
		if n := w.Value("select count(*) from settled_against where user_id is not null"); n != 0 {
			t.Error("a deleted user is named")
		}
		w.Clock.Forward(after)
		w.retains()
		eve = w.SignUp("evergreen")
	}
	cheats(w.Ann)
	cheats(w.Ann)
	cheats(w.Bob)
	comesBack(people.RememberFor + core.Day) // blocks and quotas are forgotten, the record is not
	if n := w.Value("select count(*) from settled_against where user_id = $1", eve.UserID); n != 2 || kept() != 0 {
		t.Errorf("%d partners count against them, and %d %% are kept; want 2 and 0", n, kept())
	}
	must(t, w.SQL("insert into audit_entries (at, moderator_id, action, subject_id, reason) values ($2, 1, 'user_blocked', $1, 'flooding')", eve.UserID, w.Clock.Now()))
	must(t, w.SQL("update users set blocked_at = $2, blocked_for = 'flooding' where id = $1", eve.UserID, w.Clock.Now()))
	comesBack(core.Day) // with their former number
	if kept() != 0 {
		t.Errorf("after coming back again %d %% are kept", kept())
	}
	comesBack(trust.NoShowFor)
	if n := w.Value("select count(*) from settled_against"); n != 0 || kept() != trust.NoShare {
		t.Errorf("after %v there are %d rows, and %d %% are kept", trust.NoShowFor, n, kept())
	}
	w.CheckInvariants()
}

func TestTheOtherSideOfAnAcceptKeepsTheContactForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.SignUp("evergreen")
	bought := w.Post(eve, func(d *trade.OrderDraft) { d.BuyerContact, d.InGameName = "ever.in.guild", "Evergreen" })
	_, err := w.Trade.AcceptOffer(t.Context(), eve, w.OfferOn(w.Bob, bought, 2).ID, 1)
	must(t, err)
	sold, err := w.Trade.SendOffer(t.Context(), eve, w.Post(w.Ann).ID, trade.OfferDraft{SellerName: "Ever", SellerContact: "evergreen", Message: "m", Quantity: 5})
	must(t, err)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, sold.Offer.ID, 2)
	must(t, err)
	other := func(who core.Actor) trade.Party {
		t.Helper()
		receipts, err := w.Trade.Receipts(t.Context(), who, trade.Query{Limit: 9})
		must(t, err)
		if len(receipts) != 1 {
			t.Fatalf("the receipts are %+v", receipts)
		}
		return receipts[0].Other(who.UserID)
	}
	must(t, w.DeleteUser(t.Context(), eve.UserID))
	if p := other(w.Bob); p.Typed.Contact != "ever.in.guild" || p.Typed.InGameName != "Evergreen" || p.User != 0 {
		t.Errorf("the seller's receipt has %+v", p)
	}
	if p := other(w.Ann); p.Typed.Contact != "evergreen" || p.Typed.Name != "Ever" || p.User != 0 {
		t.Errorf("the buyer's receipt has %+v", p)
	}
	w.Clock.Forward(people.RememberFor + time.Hour)
	w.retains()
	for _, who := range []core.Actor{w.Ann, w.Bob} {
		if p := other(who); p.Typed != (trade.Typed{}) {
			t.Errorf("after %v the receipt has %+v", people.RememberFor, p)
		}
	}
}
