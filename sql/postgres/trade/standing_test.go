package trade_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/storetest"
)

// meets has two users trade, and both say that they met.
func (w *world) meets(buyer, seller core.Actor) {
	w.T.Helper()
	offer := w.OfferOn(seller, w.Post(buyer), 1)
	_, err := w.Trade.AcceptOffer(w.T.Context(), buyer, offer.ID, 1)
	must(w.T, err)
	must(w.T, w.SQL("update handovers set state = 'met', settled_at = $1, due_at = null where state = 'agreed'", w.Clock.Now()))
}

// established signs up a trader whose partners count.
func (w *world) established(name string) core.Actor {
	w.T.Helper()
	actor := w.SignUp(name)
	w.trusts(actor)
	return actor
}

// trusts has others here know a trader.
func (w *world) trusts(actor core.Actor) {
	w.T.Helper()
	must(w.T, w.SQL("insert into traders (user_id, established_at) values ($1, $2)", actor.UserID, w.Clock.Now().Add(-time.Hour)))
}

func (w *world) recordOf(user core.Actor) trust.Record {
	w.T.Helper()
	records, err := w.Trust.Records(w.T.Context(), user.UserID)
	must(w.T, err)
	return records[user.UserID]
}

func standingUntil(w *world, fromPartners, fromOthers int) trade.StandingDraft {
	return trade.StandingDraft{Sellers: trade.SellersTrusted, FromPartners: fromPartners, FromOthers: fromOthers, Until: w.Clock.Now().Add(time.Hour)}
}

func TestARecordSumsUpTheHandovers(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	for i := range 3 {
		w.meets(w.established(fmt.Sprint("trader", i)), w.Bob)
	}
	w.meets(w.Cat, w.Bob)
	if r := w.recordOf(w.Bob); !r.New() {
		t.Error("a trader whom others do not know is not new")
	}
	must(t, w.SQL("insert into traders (user_id, established_at) values ($1, $2)", w.Bob.UserID, w.Clock.Now()))
	if r := w.recordOf(w.Bob); r.Partners != 3 || r.Others != 1 || r.Met != 4 || r.Kept != 100 || r.New() {
		t.Errorf("Bob's record is %+v", r)
	}
	page, err := w.Trust.TraderPage(t.Context(), w.Ann, w.Bob.UserID)
	must(t, err)
	if found, err := w.Trust.FindTrader(t.Context(), w.Ann, "1bob"); err != nil || found != page || found.Record.Partners != 3 {
		t.Errorf("found by name: %+v, %v", found, err)
	}
	gone := w.SignUp("trader0")
	_, err = w.Leave(t.Context(), gone)
	must(t, err)
	_, err = w.Trust.TraderPage(t.Context(), w.Ann, gone.UserID)
	wantKind(t, err, core.NotFound)
	must(t, w.DeleteUser(t.Context(), gone.UserID))
	if r := w.recordOf(w.Bob); r.Partners != 3 || r.Met != 4 {
		t.Errorf("after a partner has left Bob's record is %+v", r)
	}
}

func TestATraderIsShownToThoseWithAPartInThem(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	visitor, moderator := core.Actor{}, w.Cat
	moderator.Moderator = true
	dan, eve := w.SignUp("dan"), w.SignUp("eve")
	shown := func(when string, trader core.Actor, to ...core.Actor) {
		t.Helper()
		for _, reader := range []core.Actor{visitor, moderator, w.Ann, dan, eve} {
			page, err := w.Trust.TraderPage(t.Context(), reader, trader.UserID)
			if sees := err == nil; sees != slices.Contains(to, reader) {
				t.Errorf("%s: whether %q sees %q is %v: %v", when, reader.Username, trader.Username, sees, err)
			}
			if since := page.Since; err == nil && (since.Day() != 1 || since.Hour()+since.Minute()+since.Second() != 0) {
				t.Errorf("%s: %q joined at %s, want only the month", when, trader.Username, since)
			}
		}
	}
	shown("who only looks", dan, moderator, dan)
	order := w.Post(w.Ann)
	shown("who has an open request", w.Ann, visitor, moderator, w.Ann, dan, eve)
	w.OfferOn(dan, order, 2)
	shown("who made Ann an offer", dan, moderator, w.Ann, dan)
	_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
	shown("whose request is closed", w.Ann, moderator, w.Ann)
	w.meets(w.Ann, eve)
	shown("who has sold", eve, moderator, w.Ann, dan, eve)
}

func TestTwentyAccountsInARingStayNew(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	var ring []core.Actor
	for i := range 20 {
		ring = append(ring, w.SignUp(fmt.Sprint("ring", i)))
	}
	for _, step := range []int{1, 2, 3} {
		for i, buyer := range ring {
			w.meets(buyer, ring[(i+step)%len(ring)])
		}
	}
	w.Clock.Forward(core.UndoWindow + time.Second)
	for range 3 {
		must(t, w.Trust.FindTraders(t.Context()))
	}
	for i, member := range ring {
		if r := w.recordOf(member); !r.New() || r.Met != 6 || r.Others != 6 {
			t.Errorf("account %d of the ring has %+v", i, r)
		}
	}
}

func TestAnOfferThatFitsIsAcceptedAsItComes(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	w.trusts(w.Bob)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 100 })
	_, err := w.Trade.SetStanding(t.Context(), w.Bob, order.ID, standingUntil(w, 60, 10))
	wantKind(t, err, core.Forbidden)
	_, err = w.Trade.SetStanding(t.Context(), w.Ann, order.ID, standingUntil(w, 60, 10))
	must(t, err)
	send := func(by core.Actor, quantity int) trade.SendOfferResult {
		t.Helper()
		sent, err := w.Trade.SendOffer(t.Context(), by, order.ID, trade.OfferDraft{SellerName: "S", SellerContact: "s", Message: "m", Quantity: quantity})
		must(t, err)
		return sent
	}
	for _, c := range []struct {
		by                 core.Actor
		quantity, accepted int
	}{{w.Bob, 61, 0}, {w.Bob, 40, 40}, {w.Cat, 11, 0}, {w.Cat, 10, 10}, {w.Cat, 1, 0}, {core.Actor{Address: "::1"}, 5, 0}, {w.Bob, 21, 0}, {w.Bob, 20, 20}} {
		if sent := send(c.by, c.quantity); sent.Accepted != c.accepted {
			t.Errorf("user %d offers %d: %d accepted, want %d", c.by.UserID, c.quantity, sent.Accepted, c.accepted)
		}
	}
	_, sales, _, err := w.Trade.Sales(t.Context(), w.Ann, order.ID, 10)
	must(t, err)
	if len(sales) != 3 || sales[2].Notes != "Accepted offer from S (bob)" || sales[2].UpdatedBy != w.Ann.UserID {
		t.Errorf("the sales are %+v", sales)
	}
	if n := w.Value("select count(*) from handovers where state = 'agreed'"); n != 3 {
		t.Errorf("%d handovers", n)
	}
	terms, err := w.Trade.Terms(t.Context(), w.Ann, order.ID)
	must(t, err)
	if s := terms.Standing[0]; s.TakenFromPartners != 60 || s.TakenFromOthers != 10 {
		t.Errorf("taken: %+v", s)
	}
	if terms, err = w.Trade.Terms(t.Context(), w.Bob, order.ID); err != nil || len(terms.Standing) != 0 {
		t.Errorf("others read %+v, %v", terms, err)
	}
	must(t, w.Trade.EndStanding(t.Context(), w.Ann, order.ID))
	wantKind(t, w.Trade.EndStanding(t.Context(), w.Ann, order.ID), core.NotFound)
	_, err = w.Trade.SetStanding(t.Context(), w.Ann, order.ID, standingUntil(w, 30, 30))
	must(t, err)
	w.Clock.Forward(time.Hour)
	if sent := send(w.Cat, 1); sent.Accepted != 0 {
		t.Error("accepted after its time")
	}
	w.CheckInvariants()
}

func TestAnOfferLargerThanIsLeftWaitsForTheBuyer(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 100 })
	_, err := w.Trade.SetStanding(t.Context(), w.Ann, order.ID, standingUntil(w, 60, 60))
	must(t, err)
	_, err = w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 75})
	must(t, err)
	draft := trade.OfferDraft{SellerName: "S", SellerContact: "s", Message: "m", Quantity: 26}
	sent, err := w.Trade.SendOffer(t.Context(), w.Bob, order.ID, draft)
	must(t, err)
	_, waiting, err := w.Trade.Offers(t.Context(), w.Ann, order.ID)
	must(t, err)
	if sent.Accepted != 0 || sent.Order.Remaining() != 25 || len(waiting) != 1 || waiting[0].Quantity != 26 {
		t.Errorf("%d of 26 were accepted where 25 are left, and %+v waits", sent.Accepted, waiting)
	}
}

func TestStandingAcceptancesAtOnceTakeNoMoreThanIsLeft(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	const sellers, each, taken = 64, 3, 50
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 70 })
	_, err := w.Trade.SetStanding(t.Context(), w.Ann, order.ID, standingUntil(w, 70, taken))
	must(t, err)
	var by []core.Actor
	for i := range sellers {
		by = append(by, w.SignUp(fmt.Sprint("seller", i)))
	}
	blocked := by[0]
	mod := w.Moderator()
	must(t, w.Moderation.BlockUser(t.Context(), mod, blocked.UserID, "Floods the board"))
	accepted := make([]int, sellers)
	for i, err := range storetest.AtOnce(sellers, func(i int) error {
		sent, err := w.Trade.SendOffer(t.Context(), by[i], order.ID, trade.OfferDraft{SellerName: "S", SellerContact: "s", Message: "m", Quantity: each})
		accepted[i] = sent.Accepted
		return err
	}) {
		if (err != nil) != (i == 0) {
			t.Errorf("seller %d: %v", i, err)
		}
	}
	sum := 0
	for _, n := range accepted {
		sum += n
	}
	if want := taken / each * each; sum != want || accepted[0] != 0 || w.Value("select sold from orders where id = "+fmt.Sprint(order.ID)) != want {
		t.Errorf("%d were accepted, want %d", sum, want)
	}
	w.CheckInvariants()
}

func TestALeastRecordIsAskedForPolitely(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	w.trusts(w.Bob)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 100 })
	must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{Sellers: trade.SellersTrusted, NewUpTo: 5}))
	send := func(by core.Actor, quantity int) error {
		_, err := w.Trade.SendOffer(t.Context(), by, order.ID, trade.OfferDraft{SellerName: "S", SellerContact: "s", Message: "m", Quantity: quantity})
		return err
	}
	must(t, send(w.Bob, 100))
	must(t, send(w.Cat, 5))
	must(t, send(core.Actor{Address: "::1"}, 5))
	err := send(w.Cat, 6)
	wantKind(t, err, core.Invalid)
	if got := err.Error(); got != "You can offer up to 5, and established sellers more. To become established, meet more established traders." {
		t.Errorf("the answer is %q", got)
	}
	wantKind(t, send(core.Actor{Address: "::1"}, 6), core.Invalid)
	must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{Sellers: trade.SellersTrusted}))
	wantKind(t, send(w.Cat, 1), core.Forbidden)
	must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{Sellers: trade.SellersAnybody, NewUpTo: 7}))
	must(t, send(w.Cat, 7))
	wantKind(t, send(w.Bob, 8), core.Invalid)
	must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{Sellers: trade.SellersMet}))
	wantKind(t, send(w.Bob, 1), core.Forbidden)
	w.meets(w.Bob, w.Ann) // either direction counts
	must(t, send(w.Bob, 1))
	wantKind(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{Sellers: "friends"}), core.Invalid)
	must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{}))
	must(t, send(w.Cat, 60))
	wantKind(t, w.Trade.SetLeastRecord(t.Context(), w.Bob, order.ID, trade.LeastRecord{Sellers: trade.SellersTrusted}), core.Forbidden)
}

// While hardly anybody is trusted, buyers who say nothing ask for people they have met.
func TestTheUsualSellersOfAYoungMarketArePeopleOneHasMet(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 100 })
	for _, young := range []bool{true, false} {
		must(t, w.SQL("insert into trust_market (computed_at, of, trusted, circles, active, young) values (now(), '', 9, 9, 9, $1) on conflict (current) do update set young = excluded.young", young))
		set, err := w.Trade.SetStanding(t.Context(), w.Ann, order.ID, trade.StandingDraft{FromPartners: 50, Until: w.Clock.Now().Add(time.Hour)})
		must(t, err)
		must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{NewUpTo: 5}))
		terms, err := w.Trade.Terms(t.Context(), w.Ann, order.ID)
		must(t, err)
		want, others := trade.UsualSellers(young, 50)
		if set.Sellers != want || terms.Least.Sellers != want || terms.Young != young || (want == trade.SellersMet) != young || (others == 5) == young {
			t.Errorf("where a market is young (%t) a buyer asks for %s and %s, and takes %d from others", young, set.Sellers, terms.Least.Sellers, others)
		}
	}
}

// What buyers asked for as a number of partners is trusted sellers now, and an older program is never less strict.
func TestLeastRecordsOfBeforeAskForTrustedSellers(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	order := w.Post(w.Ann)
	must(t, w.SQL("insert into least_records (order_id, partners, new_up_to) values ($1, 7, 2)", int64(order.ID)))
	must(t, w.SQL("insert into standing_acceptances (order_id, partners, from_partners, from_others, until, set_at) values ($1, 7, 3, 0, now(), now())", int64(order.ID)))
	terms, err := w.Trade.Terms(t.Context(), w.Ann, order.ID)
	must(t, err)
	if terms.Least != (trade.LeastRecord{Sellers: trade.SellersTrusted, NewUpTo: 2}) || terms.Standing[0].Sellers != trade.SellersTrusted {
		t.Errorf("they are %+v", terms)
	}
	must(t, w.Trade.SetLeastRecord(t.Context(), w.Ann, order.ID, trade.LeastRecord{Sellers: trade.SellersMet}))
	if n := w.Value("select partners from least_records"); n != 100 {
		t.Errorf("an older program asks for %d partners of those who have to be met", n)
	}
}
