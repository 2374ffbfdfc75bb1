package postgres_test

import (
	"fmt"
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

// proposed stores users as a proposed ring.
func (r trader) proposed(users ...core.Actor) core.ProposedRingID {
	r.T.Helper()
	var ids []core.UserID
	for _, user := range users {
		ids = append(ids, user.UserID)
	}
	id, err := coretest.Propose(r.T.Context(), r.Store.Atomically, r.Store, ids...)
	must(r.T, err)
	return id
}

// establish makes Ann an established trader, known in game as Harbourmaster.
func (r trader) establish() {
	r.T.Helper()
	r.vouched(r.Ann)
	r.trades(r.Ann, r.Bob, "Harbourmaster")
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

// people signs up so many.
func (r trader) people(name string, n int) (signedUp []core.Actor) {
	r.T.Helper()
	for i := range n {
		signedUp = append(signedUp, r.SignUp(fmt.Sprint(name, i)))
	}
	return signedUp
}

// established counts those of users who are established traders.
func (r trader) established(users ...core.Actor) (n int) {
	r.T.Helper()
	r.names()
	for _, user := range users {
		is, err := r.Store.IsTrader(r.T.Context(), user.UserID)
		must(r.T, err)
		if is {
			n++
		}
	}
	return n
}

func (r trader) lookAlikes(of core.Actor) (found []notify.Notice) {
	r.T.Helper()
	page, err := r.Notify.Notices(r.T.Context(), of, 0, 100)
	must(r.T, err)
	return slices.DeleteFunc(page.Notices, func(n notify.Notice) bool { return n.Kind != notify.NoticeLookAlike })
}

func TestPartnersWhomOthersKnowEstablishATrader(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	known := r.people("known", 13)
	r.vouched(known...)
	for _, partner := range known[:11] {
		r.trades(partner, r.Ann, "")
	}
	r.trades(r.Ann, known[0], "") // again: one pair
	undone := r.trades(known[11], r.Ann, "")
	_, err := r.Trade.UndoSale(t.Context(), known[11], undone)
	must(t, err)
	// A visitor is no partner: anybody can be one.
	order := r.Post(r.Ann)
	_, err = r.Trade.AcceptOffer(t.Context(), r.Ann, r.OfferOn(core.Actor{}, order, 1).ID, 1)
	must(t, err)
	for _, stranger := range r.people("stranger", 3) { // nobody knows them
		r.trades(stranger, r.Ann, "")
	}
	r.Clock.Forward(core.SettledAfter)
	if r.established(r.Ann) != 0 {
		t.Error("eleven new partners, an undone accept, a visitor and strangers establish a trader")
	}
	r.trades(known[12], r.Ann, "")
	r.UndoWindowPasses()
	if r.established(r.Ann) != 0 {
		t.Error("an accept that is not settled establishes a trader")
	}
	r.Clock.Forward(core.SettledAfter)
	if r.established(r.Ann) != 1 {
		t.Error("the twelfth new partner whom others know does not establish a trader")
	}
	// With a partner set aside they are too few again.
	_, err = r.Trust.SetAside(t.Context(), r.Moderator(), r.proposed(known[:2]...))
	must(t, err)
	r.Clock.Forward(time.Minute)
	if r.established(r.Ann) != 0 {
		t.Error("partners who are set aside establish a trader")
	}
}

// Nine honest trades of one copper established three puppets, and these eleven more.
func TestFourteenPuppetsBehindNineTradesEstablishNobody(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	honest, puppets := r.people("honest", 16), r.people("puppet", 14)
	r.vouched(honest[:4]...)
	for i, seller := range honest { // each with six others
		for _, step := range []int{1, 3, 4} {
			r.trades(honest[(i+step)%len(honest)], seller, "")
		}
		r.Clock.Forward(time.Hour)
	}
	for i, seller := range honest[:9] {
		r.trades(seller, puppets[i%3], "")
	}
	for i, puppet := range puppets {
		for _, other := range puppets[:i] {
			r.trades(other, puppet, "")
		}
		r.Clock.Forward(time.Hour)
	}
	for range 4 {
		r.Clock.Forward(30 * 24 * time.Hour)
		if n := r.established(puppets...); n > 5 {
			t.Errorf("%d puppets are established, more than six tenths of nine trades carry", n)
		}
	}
	r.Clock.Forward(-90 * 24 * time.Hour)
	if n := r.established(puppets...); n != 0 {
		t.Errorf("a month after their trades %d puppets are established", n)
	}
}

func TestAMarketIsYoungUntilTenOfThreeCirclesAreTrusted(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	all := r.people("known", 10)
	young := func() bool {
		t.Helper()
		r.Clock.Forward(time.Minute)
		r.names()
		young, err := r.Store.Young(t.Context())
		must(t, err)
		return young
	}
	if young, err := r.Store.Young(t.Context()); err != nil || !young {
		t.Errorf("before it was computed a market is not young: %v", err)
	}
	for i := range 99 { // a hundred people are active
		must(t, r.SQL(`with u as (insert into users (discord_id, username, display_name, created_at, updated_at)
values ('active' || $1::text, 'active' || $1::text, 'A', $2, $2) returning id)
insert into order_updates (quantity_sold, unit_price, buyer_id, seller_id, created_at) select 1, 1, u.id, $3, $2 from u`, fmt.Sprint(i), r.Clock.Now(), r.Ann.UserID))
		must(t, r.SQL("update order_updates set buyer_id = (select max(id) from users) where buyer_id is null"))
	}
	r.vouched(all[:9]...)
	if !young() {
		t.Error("with nine trusted people a market is not young")
	}
	r.vouched(all[9])
	if young() {
		t.Error("with ten trusted people, who have nothing to do with each other, a market is young")
	}
	if n := r.Value("select active from trust_market"); n != 100 {
		t.Errorf("%d people are active, want 100", n)
	}
	computed := r.Clock.Now()
	r.Clock.Forward(time.Minute)
	r.names()
	var at time.Time
	must(t, r.Store.Pool().QueryRow(t.Context(), "select computed_at from trust_market").Scan(&at))
	if !at.Equal(computed) {
		t.Errorf("it was computed again at %v, with nothing changed since %v", at, computed)
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

func TestAYoungMarketProposesWhoToVouchFor(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	mod := r.Moderator()
	wantKind(t, second(r.Trust.VouchList(t.Context(), r.Ann)), core.Forbidden)
	for _, seller := range r.people("seller", 3) {
		r.trades(r.Ann, seller, "")
	}
	list := func() trust.VouchList {
		t.Helper()
		must(t, r.Trust.FindTraders(t.Context()))
		list, err := r.Trust.VouchList(t.Context(), mod)
		must(t, err)
		return list
	}
	if early := list(); !early.Young || len(early.Candidates) != 0 {
		t.Errorf("before the trades are settled the list is %+v", early)
	}
	r.Clock.Forward(core.SettledAfter)
	found := list().Candidates
	if len(found) != 1 || found[0].User.ID != r.Ann.UserID || found[0].User.Username != "ann" || found[0].Partners != 3 || found[0].Apart != 3 ||
		found[0].Since.IsZero() {
		t.Fatalf("proposed are %+v", found)
	}
	r.vouched(r.Ann)
	after, err := r.Trust.VouchList(t.Context(), mod) // before trust is computed again
	must(t, err)
	if len(after.Candidates) != 0 {
		t.Errorf("somebody vouched for Ann, and proposed are %+v", after.Candidates)
	}
}

func second[T any](_ T, err error) error { return err }
