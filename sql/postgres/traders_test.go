package postgres_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// trader is a market whose Ann trades with others.
type trader struct{ *world }

func newTrader(t *testing.T) trader {
	t.Helper()
	w := newWorld(t)
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms})
	return trader{w}
}

// trades has one user accept an offer of another, and returns the sale.
func (r trader) trades(buyer, seller core.Actor, inGame string) core.SaleID {
	r.T.Helper()
	order := r.Post(buyer, func(d *trade.OrderDraft) { d.InGameName = inGame })
	done, err := r.Trade.AcceptOffer(r.T.Context(), buyer, r.OfferOn(seller, order, 1).ID, 1)
	must(r.T, err)
	return done.Sale.ID
}

// names are the spellings that look like established traders' names, each with its owner.
func (r trader) names() []trust.TraderName {
	r.T.Helper()
	must(r.T, r.Trust.FindTraders(r.T.Context()))
	names, err := r.Store.TraderNames(r.T.Context())
	must(r.T, err)
	return names
}

// namesOf are those of names that are one user's.
func (r trader) namesOf(user core.Actor) []trust.TraderName {
	r.T.Helper()
	return slices.DeleteFunc(r.names(), func(n trust.TraderName) bool { return n.User != user.UserID })
}

// vouched has a moderator vouch for users.
func (r trader) vouched(users ...core.Actor) {
	r.T.Helper()
	for _, user := range users {
		must(r.T, r.Trust.Vouch(r.T.Context(), r.Moderator(), user.UserID))
	}
}

// establish makes Ann an established trader, known in game as Harbourmaster.
func (r trader) establish() {
	r.T.Helper()
	for _, seller := range []core.Actor{r.Bob, r.Cat, r.SignUp("dan")} {
		r.vouched(seller)
		r.trades(r.Ann, seller, "Harbourmaster")
	}
	r.UndoWindowPasses()
	if got := r.namesOf(r.Ann); len(got) != 2 {
		r.T.Fatalf("established names: %v", got)
	}
	changed, err := r.Trust.LearnTraders(r.T.Context())
	must(r.T, err)
	if !changed {
		r.T.Fatal("the names of the traders have not changed")
	}
}

func (r trader) lookAlikes(of core.Actor) (found []notify.Notice) {
	r.T.Helper()
	page, err := r.Notify.Notices(r.T.Context(), of, 0, 100)
	must(r.T, err)
	return slices.DeleteFunc(page.Notices, func(n notify.Notice) bool { return n.Kind != notify.NoticeLookAlike })
}

func TestThreePartnersEstablishATrader(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	dan := r.SignUp("dan")
	r.trades(r.Ann, dan, "") // before he was established
	r.Clock.Forward(time.Second)
	r.vouched(r.Bob, r.Cat, dan)
	for range 3 {
		r.trades(r.Ann, r.Bob, "")
	}
	r.trades(r.Cat, r.Ann, "")
	undone := r.trades(r.Ann, dan, "")
	_, err := r.Trade.UndoSale(t.Context(), r.Ann, undone)
	must(t, err)
	// A visitor is no partner: anybody can be one.
	order := r.Post(r.Ann)
	_, err = r.Trade.AcceptOffer(t.Context(), r.Ann, r.OfferOn(core.Actor{}, order, 1).ID, 1)
	must(t, err)
	for _, stranger := range []string{"eve", "finn", "gus"} { // nobody knows them
		r.trades(r.Ann, r.SignUp(stranger), "")
	}
	r.UndoWindowPasses()
	if got := r.namesOf(r.Ann); len(got) != 0 {
		t.Errorf("two partners, an undone accept, a visitor and strangers establish %v", got)
	}
	third := r.Clock.Now()
	r.trades(dan, r.Ann, "")
	if got := r.namesOf(r.Ann); len(got) != 0 {
		t.Errorf("an accept that can be undone establishes %v", got)
	}
	r.Clock.Forward(core.UndoWindow / 2)
	r.trades(dan, r.Ann, "") // later than the third
	r.UndoWindowPasses()
	// As a buyer they are known by the account, as a seller also by the name in their offers.
	for range 2 {
		if got := r.namesOf(r.Ann); len(got) != 2 {
			t.Errorf("three partners establish %v, want ann", got)
		}
	}
	var since time.Time
	must(t, r.Store.Pool().QueryRow(t.Context(), "select established_at from traders where user_id = $1", int64(r.Ann.UserID)).Scan(&since))
	if !since.Equal(third) {
		t.Errorf("established since %s, want the accept with the third partner, %s", since, third)
	}
	if n := r.Value("select count(*) from traders"); n != 4 {
		t.Errorf("%d traders, want the three who were vouched for and ann", n)
	}
}

func TestNewTradersEstablishOthersInTheSameSearch(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	dan, eve := r.SignUp("dan"), r.SignUp("eve")
	r.vouched(r.Bob, r.Cat, dan)
	for _, seller := range []core.Actor{r.Bob, r.Cat, dan} {
		r.trades(r.Ann, seller, "")
	}
	r.Clock.Forward(time.Minute)
	for _, seller := range []core.Actor{r.Ann, r.Bob, r.Cat} { // ann has been established for a minute, but was not found yet
		r.trades(eve, seller, "")
	}
	r.UndoWindowPasses()
	r.names()
	if n := r.Value("select count(*) from traders where origin = 'trades' and user_id in ($1, $2)", int64(r.Ann.UserID), int64(eve.UserID)); n != 2 {
		t.Errorf("%d of two are established", n)
	}
}

func TestAModeratorVouchesForAUserOnce(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	mod := r.Moderator()
	wantKind(t, r.Trust.Vouch(t.Context(), r.Ann, r.Bob.UserID), core.Forbidden)
	wantKind(t, r.Trust.Vouch(t.Context(), mod, mod.UserID), core.Forbidden)
	wantKind(t, r.Trust.Vouch(t.Context(), mod, 999), core.NotFound)
	must(t, r.Moderation.BlockUser(t.Context(), mod, r.Cat.UserID, "Scam"))
	wantKind(t, r.Trust.Vouch(t.Context(), mod, r.Cat.UserID), core.Conflict)
	must(t, r.Trust.Vouch(t.Context(), mod, r.Bob.UserID))
	wantKind(t, r.Trust.Vouch(t.Context(), mod, r.Bob.UserID), core.Conflict)
	log, err := r.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	if err != nil || len(log) != 2 || log[0].Action != core.AuditUserVouched || log[0].Subject != r.Bob.UserID {
		t.Errorf("the log is %+v, %v", log, err)
	}
	// A moderator needs nobody's word, and counts from when their account came.
	r.Market = market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Moderators: people.Moderators{Accounts: []string{"1mod"}}})
	if got := r.namesOf(mod); len(got) != 1 {
		t.Errorf("a moderator has the names %v", got)
	}
}

func TestTheNamesOfATraderFollowTheAccount(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	r.establish()
	_, err := r.People.SignIn(t.Context(), people.Profile{DiscordID: "1ann", Username: "annabel", DisplayName: "Annabel"})
	must(t, err)
	var skeletons []string
	for _, n := range r.namesOf(r.Ann) {
		skeletons = append(skeletons, n.Skeleton)
	}
	if len(skeletons) != 2 || slices.Contains(skeletons, "ann") {
		t.Errorf("after renaming they are known by %q", skeletons)
	}
	must(t, r.Moderation.BlockUser(t.Context(), r.Moderator(), r.Ann.UserID, "Scam"))
	if got := r.namesOf(r.Ann); len(got) != 0 {
		t.Errorf("a blocked trader is known by %v", got)
	}
}

func TestATraderIsNotifiedOncePerLookAlikeName(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	r.establish()
	offer := func(by core.Actor, on trade.Order, name, contact string) trade.Offer {
		t.Helper()
		sent, err := r.Trade.SendOffer(t.Context(), by, on.ID, trade.OfferDraft{SellerName: name, SellerContact: contact, Message: "Here", Quantity: 1})
		must(t, err)
		return sent.Offer
	}
	order := r.Post(r.Bob)
	offer(r.Ann, order, "Harbourmaster", "") // their own name, from their account
	r.Post(r.Ann, func(d *trade.OrderDraft) { d.InGameName = "Harbourmaster" })
	if got := r.lookAlikes(r.Ann); len(got) != 0 {
		t.Errorf("a trader is notified of their own name: %+v", got)
	}
	forged := offer(core.Actor{}, order, "Hаrbourmaster", "ann") // the first а is Cyrillic; contact and name are of one offer
	offer(core.Actor{}, order, "Hаrbourmaster", "someone")
	got := r.lookAlikes(r.Ann)
	if len(got) != 1 || got[0].OfferID != forged.ID || got[0].OrderID != order.ID || got[0].Name != "ann" || got[0].ItemName != "Iron Ore" || got[0].CausedBy != 0 || got[0].Message != "" {
		t.Fatalf("the notices are %+v, want one about offer %d", got, forged.ID)
	}
	order = r.Post(r.Cat, func(d *trade.OrderDraft) { d.InGameName = "Harbourrnaster" })
	if got = r.lookAlikes(r.Ann); len(got) != 2 || got[0].OrderID != order.ID || got[0].OfferID != 0 || got[0].CausedBy != r.Cat.UserID || got[0].Name != "Harbourrnaster" {
		t.Fatalf("the notices are %+v, want one about request %d first", got, order.ID)
	}
	word := func(s string) *string { return &s }
	_, err := r.Trade.EditOrder(t.Context(), r.Cat, order.ID, trade.OrderEdit{Version: 1, Description: word("Another text")})
	must(t, err)
	if got = r.lookAlikes(r.Ann); len(got) != 2 {
		t.Errorf("an edit of another field notifies of a name: %+v", got[0])
	}
	_, err = r.Trade.EditOrder(t.Context(), r.Cat, order.ID, trade.OrderEdit{Version: 2, InGameName: word("HARB0URMASTER")})
	must(t, err)
	if got = r.lookAlikes(r.Ann); len(got) != 3 || got[0].Name != "HARB0URMASTER" {
		t.Errorf("after an edit to another such name the notices are %+v", got)
	}
	for i := range 5 {
		offer(core.Actor{}, order, "harbourmaste"+string([]rune("ŕȑřṛɍ")[i]), "someone")
	}
	if got = r.lookAlikes(r.Ann); len(got) != core.LimitLookAlikes.Limit-1 { // the first was of two names
		t.Errorf("%d notices of one day, want %d", len(got), core.LimitLookAlikes.Limit-1)
	}
	must(t, r.DeleteUser(t.Context(), r.Cat.UserID))
	for _, n := range r.lookAlikes(r.Ann) {
		if n.CausedBy == r.Cat.UserID && n.Name != "" {
			t.Errorf("a deleted account is named: %+v", n)
		}
	}
	if n := r.Value("select count(*) from look_alikes where position(name_hash in convert_to('ann', 'UTF8')) > 0"); n != 0 {
		t.Error("a name is stored as it was typed")
	}
}
