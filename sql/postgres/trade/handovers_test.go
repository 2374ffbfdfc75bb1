package trade_test

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/storetest"
)

// withHandovers returns a world whose market has handovers on.
func withHandovers(t *testing.T) *world {
	w := newWorld(t)
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	return w
}

// accepts has Ann accept an offer of Bob's, and returns the sale.
func (w *world) accepts(quantity int) trade.Sale {
	w.T.Helper()
	done, err := w.Trade.AcceptOffer(w.T.Context(), w.Ann, w.OfferOn(w.Bob, w.Post(w.Ann), quantity).ID, quantity)
	must(w.T, err)
	return done.Sale
}

func (w *world) handoversOf(user core.Actor) []trade.Trade {
	w.T.Helper()
	found, err := w.Store.Handovers(w.T.Context(), user.UserID, trade.Query{Limit: 100})
	must(w.T, err)
	return found
}

func TestAnAcceptBetweenTwoAccountsHasAHandover(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(4)
	for _, side := range []core.Actor{w.Ann, w.Bob} {
		found := w.handoversOf(side)
		if len(found) != 1 || found[0].Sale != sale.ID || found[0].State != trust.HandoverAgreed || found[0].Quantity != 4 ||
			!found[0].AgreedBy.Equal(w.Clock.Now().Add(trade.AgreedWithin)) || found[0].ItemName != "Iron Ore" {
			t.Errorf("user %d has %+v", side.UserID, found)
		}
	}
	by := w.Clock.Now().Add(5 * time.Hour)
	offer := w.OfferOn(w.Cat, w.Post(w.Ann), 2)
	_, err := w.Trade.AcceptOfferBy(t.Context(), w.Ann, offer.ID, 1, by)
	must(t, err)
	if found := w.handoversOf(w.Cat); len(found) != 1 || !found[0].AgreedBy.Equal(by) {
		t.Errorf("Cat has %+v", found)
	}
	_, err = w.Trade.AcceptOfferBy(t.Context(), w.Ann, offer.ID, 1, w.Clock.Now().Add(-time.Second))
	wantKind(t, err, core.Invalid)
	sent, err := w.Trade.SendOffer(t.Context(), core.Actor{}, w.Post(w.Ann).ID, coretest.OfferDraft(func(d *trade.OfferDraft) { d.Quantity = 1 }))
	must(t, err)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, sent.Offer.ID, 1)
	must(t, err)
	if n := w.Value("select count(*) from handovers"); n != 2 {
		t.Errorf("%d handovers, want 2: a visitor's offer has none", n)
	}
}

func TestWithHandoversOffNothingIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.accepts(4)
	if n := w.Value("select count(*) from handovers"); n != 0 {
		t.Errorf("%d handovers", n)
	}
}

func TestAnAcceptThatIsUndoneHasNoHandover(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	_, err := w.Trade.UndoSale(t.Context(), w.Ann, w.accepts(4).ID)
	must(t, err)
	if n := w.Value("select count(*) from handovers"); n != 0 {
		t.Errorf("%d handovers", n)
	}
}

func TestAPartnerWhoLeavesIsANumberInTheHandoversOfOthers(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	w.accepts(1)
	w.accepts(2)
	done, err := w.Trade.AcceptOffer(t.Context(), w.Ann, w.OfferOn(w.Cat, w.Post(w.Ann), 3).ID, 3)
	must(t, err)
	must(t, w.SQL("update handovers set state = 'met', settled_at = $1, due_at = null", w.Clock.Now()))
	must(t, w.SQL("insert into traders values ($1, $2)", w.Bob.UserID, w.Clock.Now()))
	must(t, w.DeleteUser(t.Context(), w.Bob.UserID))
	settled, err := w.Store.SettledHandovers(t.Context(), []core.UserID{w.Ann.UserID, w.Cat.UserID})
	must(t, err)
	if len(settled) != 4 {
		t.Fatalf("settled: %+v", settled)
	}
	one, two, three := settled[0], settled[1], settled[2]
	if one.Partner != 0 || one.FormerPartner == 0 || one.FormerPartner != two.FormerPartner || !one.PartnerEstablished {
		t.Errorf("with the one who left: %+v, %+v", one, two)
	}
	if three.Sale != done.Sale.ID || three.Partner != w.Cat.UserID || three.FormerPartner != 0 || three.PartnerEstablished || three.Quantity != 3 {
		t.Errorf("with Cat: %+v", three)
	}
	if last := settled[3]; last.Trader != w.Cat.UserID || last.Partner != w.Ann.UserID || last.State != trust.HandoverMet {
		t.Errorf("Cat's: %+v", last)
	}
	w.CheckInvariants()
}

// process runs the periodic job once.
func (w *world) process() {
	w.T.Helper()
	_, err := w.Trade.ProcessHandovers(w.T.Context(), 100)
	must(w.T, err)
}

func (w *world) says(who core.Actor, word trade.Word, sales ...core.SaleID) {
	w.T.Helper()
	_, err := w.Trade.SayHandovers(w.T.Context(), who, sales, word)
	must(w.T, err)
}

// handoverOf returns the handover of a sale as Ann sees it.
func (w *world) handoverOf(sale core.SaleID) trade.Trade {
	w.T.Helper()
	found, err := w.Trade.Handovers(w.T.Context(), w.Ann, trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
	must(w.T, err)
	if len(found) != 1 {
		w.T.Fatalf("no handover of sale %d", sale)
	}
	return found[0]
}

// told lists the kinds of a user's notices about handovers, oldest first; those for the inbox only in brackets.
func (w *world) told(who core.Actor) string {
	w.T.Helper()
	page, err := w.Notify.Notices(w.T.Context(), who, 0, 100)
	must(w.T, err)
	var all []string
	for _, n := range slices.Backward(page.Notices) {
		switch {
		case n.Sale == 0 || n.Kind == notify.NoticeOfferAccepted:
		case n.Reason == notify.InboxOnly:
			all = append(all, "("+string(n.Kind)+")")
		default:
			all = append(all, string(n.Kind))
		}
	}
	return strings.Join(all, " ")
}

func (w *world) request(id core.OrderID) trade.Order {
	w.T.Helper()
	o, err := w.Store.Order(w.T.Context(), id)
	must(w.T, err)
	return o
}

func TestBothSidesAreAskedOnceRemindedOnceAndSilenceSettles(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(4)
	w.process()
	if got := w.told(w.Ann) + w.told(w.Bob); got != "" {
		t.Fatalf("asked before the agreed time: %s", got)
	}
	w.Clock.Forward(trade.AgreedWithin)
	w.process()
	w.process()
	if w.told(w.Ann) != "handover_prompt" || w.told(w.Bob) != "handover_prompt" {
		t.Fatalf("Ann was told %q, Bob %q", w.told(w.Ann), w.told(w.Bob))
	}
	w.says(w.Ann, trade.SaidMet, sale.ID)
	w.Clock.Forward(trade.RemindAfter)
	w.process()
	if w.told(w.Ann) != "handover_prompt" || w.told(w.Bob) != "handover_prompt handover_prompt" {
		t.Fatalf("Ann was told %q, Bob %q", w.told(w.Ann), w.told(w.Bob))
	}
	w.Clock.Forward(trade.AnswerWithin)
	w.process()
	if h := w.handoverOf(sale.ID); h.State != trust.HandoverMet || h.SettledAt.IsZero() {
		t.Errorf("%+v", h)
	}
	silent := w.accepts(1)
	w.Clock.Forward(trade.AgreedWithin)
	for range 12 {
		w.process()
		w.Clock.Forward(24 * time.Hour)
	}
	if h := w.handoverOf(silent.ID); h.State != trust.HandoverUnconfirmed || h.Buyer.Messages != 2 || h.Seller.Messages != 2 {
		t.Errorf("%+v", h)
	}
	w.CheckInvariants()
}

func TestACancelledHandoverGivesTheQuantityBack(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(4)
	if _, err := w.Trade.SayHandovers(t.Context(), w.Cat, []core.SaleID{sale.ID}, trade.SaidMet); core.KindOf(err) != core.Forbidden {
		t.Errorf("one who is no party: %v", err)
	}
	w.says(w.Bob, trade.SaidNotMet, sale.ID)
	if o := w.request(sale.OrderID); o.Sold != 0 || o.Status != trade.Active {
		t.Errorf("the request has %d sold, %s", o.Sold, o.Status)
	}
	if h := w.handoverOf(sale.ID); h.State != trust.HandoverCancelled || w.told(w.Ann) != "handover_cancelled" || w.told(w.Bob) != "" {
		t.Errorf("%+v, Ann was told %q, Bob %q", h, w.told(w.Ann), w.told(w.Bob))
	}
	_, err := w.Trade.SayHandovers(t.Context(), w.Ann, []core.SaleID{sale.ID}, trade.SaidMet)
	wantKind(t, err, core.Conflict)
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, sale.ID)
	wantKind(t, err, core.Conflict)

	filled := w.accepts(10)
	w.Clock.Forward(trade.AgreedWithin)
	w.says(w.Ann, trade.SaidNotMet, filled.ID)
	w.says(w.Bob, trade.SaidNotMet, filled.ID)
	if o := w.request(filled.OrderID); o.Sold != 0 || o.Status != trade.Fulfilled || o.CloseReason != trade.Filled {
		t.Errorf("the filled request has %d sold, %s %s", o.Sold, o.Status, o.CloseReason)
	}
	gone := w.accepts(3)
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, gone.OrderID))
	w.says(w.Bob, trade.SaidNotMet, gone.ID)
	if n := w.Value("select count(*) from sale_reversals where sale_id = $1", gone.ID); n != 1 {
		t.Error("the sale of a deleted request stands")
	}
	w.CheckInvariants()
}

func TestARequestThatIsRestoredKnowsWhatWasCancelled(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(4)
	moderator := w.Moderator()
	must(t, w.Moderation.RemoveOrder(t.Context(), moderator, sale.OrderID, "No such item"))
	w.says(w.Bob, trade.SaidNotMet, sale.ID)
	must(t, w.UndoRemoval(t.Context(), moderator, core.AuditID(w.Value("select max(id) from audit_entries"))))
	if o := w.request(sale.OrderID); o.Sold != 0 {
		t.Errorf("%d sold", o.Sold)
	}
	w.CheckInvariants()
}

func TestAnAcceptCannotBeUndoneOnceASideHasSaidSomething(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(4)
	w.says(w.Bob, trade.SaidMet, sale.ID)
	_, err := w.Trade.UndoSale(t.Context(), w.Ann, sale.ID)
	wantKind(t, err, core.Conflict)
}

func TestAModeratorSettlesADisputeOnceAndNoPartyDoes(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	mod := w.Moderator()
	w.Market = market.New(w.Store, market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Moderators: people.Moderators{Accounts: []string{"1mod", "1ann"}},
	})
	earlier := w.accepts(1)
	sale := w.accepts(4)
	w.Clock.Forward(trade.AgreedWithin)
	w.process()
	w.says(w.Ann, trade.SaidMet, earlier.ID)
	w.says(w.Ann, trade.SaidMet, sale.ID)
	w.says(w.Bob, trade.SaidNotMet, sale.ID)
	if w.told(w.Ann) != "handover_prompt handover_prompt handover_disputed" || w.told(mod) != "dispute_received" {
		t.Errorf("Ann was told %q, the moderator %q", w.told(w.Ann), w.told(mod))
	}
	disputes, err := w.Trade.Disputes(t.Context(), mod, 0, 10)
	must(t, err)
	if len(disputes) != 1 || disputes[0].Trade.Buyer.Word != trade.SaidMet || disputes[0].Trade.Seller.Word != trade.SaidNotMet ||
		len(disputes[0].Before) != 1 || disputes[0].Before[0].Sale != earlier.ID {
		t.Fatalf("%+v", disputes)
	}
	party := w.Ann
	party.Moderator = true
	ruling := trade.DisputeRuling{Against: trust.BuyerSide, Reason: "Both logs say so"}
	_, err = w.Trade.RuleDispute(t.Context(), party, sale.ID, ruling)
	wantKind(t, err, core.Forbidden)
	_, err = w.Trade.RuleDispute(t.Context(), w.Bob, sale.ID, ruling)
	wantKind(t, err, core.Forbidden)
	h, err := w.Trade.RuleDispute(t.Context(), mod, sale.ID, ruling)
	must(t, err)
	if h.State != trust.HandoverCancelled || h.Against != trust.BuyerSide || w.request(sale.OrderID).Sold != 0 {
		t.Errorf("%+v", h)
	}
	_, err = w.Trade.RuleDispute(t.Context(), mod, sale.ID, trade.DisputeRuling{Met: true, Reason: "No"})
	wantKind(t, err, core.Conflict)
	if got := w.told(w.Ann); got != "handover_prompt handover_prompt handover_disputed (handover_settled)" {
		t.Errorf("Ann was told %q", got)
	}
	entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 1 || entries[0].Action != core.AuditDisputeNotMet || entries[0].Subject != w.Ann.UserID || entries[0].Reason != ruling.Reason {
		t.Errorf("%+v", entries)
	}
	w.CheckInvariants()
}

func TestPromptsOfOnePairComeInOneMessageAndAreDrawnAgain(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	one, two := w.accepts(1), w.accepts(2)
	other, err := w.Trade.AcceptOffer(t.Context(), w.Ann, w.OfferOn(w.Cat, w.Post(w.Ann), 3).ID, 3)
	must(t, err)
	sender := storetest.NewDMSender()
	w.Clock.Forward(trade.AgreedWithin)
	w.process()
	w.says(w.Cat, trade.SaidMet, other.Sale.ID) // before her message is sent
	w.StartQueue(sender)
	prompts := map[core.UserID][]channels.Delivery{}
	for len(prompts[w.Ann.UserID])+len(prompts[w.Bob.UserID]) < 3 {
		if d := sender.Next(t); d.Kind == notify.NoticeHandoverPrompt {
			prompts[d.To.User] = append(prompts[d.To.User], d)
		}
	}
	w.Settled()
	if bobs := prompts[w.Bob.UserID]; len(bobs) != 1 || len(bobs[0].Notices) != 2 || len(bobs[0].Trades) != 2 {
		t.Errorf("Bob got %+v", bobs)
	}
	if anns := prompts[w.Ann.UserID]; len(anns) != 2 || len(anns[0].Notices)+len(anns[1].Notices) != 3 {
		t.Errorf("Ann got %+v", anns)
	}
	if n := w.Value("select count(*) from notices where user_id = $1 and kind = 'handover_prompt' and state = 'expired'", w.Cat.UserID); n != 1 {
		t.Errorf("%d of Cat's prompts ended unsent, want 1", n)
	}
	w.says(w.Bob, trade.SaidMet, one.ID, two.ID)
	drawn := map[core.UserID]bool{}
	for len(drawn) < 2 {
		if d := sender.Next(t); d.EditOnly && d.Kind == notify.NoticeHandoverPrompt && d.Trades[0].Seller.Word == trade.SaidMet {
			drawn[d.To.User] = true
		}
	}
	w.CheckInvariants()
}

func TestAnUnansweredOfferLapsesAndBothSidesHearOfIt(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 2)
	_, err := w.Trade.SendOffer(t.Context(), w.Cat, order.ID, coretest.OfferDraft(func(d *trade.OfferDraft) { d.Quantity, d.GoodUntil = 1, w.Clock.Now().Add(15*24*time.Hour) }))
	wantKind(t, err, core.Invalid)
	short, err := w.Trade.SendOffer(t.Context(), w.Cat, order.ID, coretest.OfferDraft(func(d *trade.OfferDraft) { d.Quantity, d.GoodUntil = 1, w.Clock.Now().Add(time.Hour) }))
	must(t, err)
	older := w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	must(t, w.SQL("update offers set lapses_at = null where id = $1", older.ID))
	visitors, err := w.Trade.SendOffer(t.Context(), core.Actor{}, order.ID, coretest.OfferDraft(func(d *trade.OfferDraft) { d.Quantity, d.GoodUntil = 1, w.Clock.Now().Add(time.Hour) }))
	must(t, err)
	w.Clock.Forward(time.Hour)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, short.Offer.ID, 1)
	wantKind(t, err, core.Conflict)
	w.process()
	link, err := w.Trade.FollowOffer(t.Context(), visitors.Link)
	must(t, err)
	if link.Sent.State != trade.OfferLapsed || !link.Sent.GoodUntil.Equal(w.Clock.Now()) {
		t.Errorf("the visitor's link shows %+v", link.Sent)
	}
	sent, err := w.Trade.SentOffers(t.Context(), w.Cat, 0, 1)
	must(t, err)
	if sent[0].State != trade.OfferLapsed || !sent[0].GoodUntil.Equal(w.Clock.Now()) {
		t.Errorf("Cat's own offers show %+v", sent[0])
	}
	if _, err := w.Store.Offer(t.Context(), short.Offer.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("an offer stands after the time it was good for: %v", err)
	}
	w.Clock.Forward(trade.UnansweredFor - time.Hour - time.Microsecond)
	w.process()
	if _, err := w.Store.Offer(t.Context(), offer.ID); err != nil {
		t.Errorf("an offer lapsed early: %v", err)
	}
	w.Clock.Forward(time.Microsecond)
	w.process()
	if _, err := w.Store.Offer(t.Context(), older.ID); err != nil {
		t.Errorf("an offer of an older program lapsed with the others: %v", err)
	}
	for user, kind := range map[core.UserID]notify.Kind{w.Ann.UserID: notify.NoticeOfferTimedOut, w.Bob.UserID: notify.NoticeOfferLapsed} {
		if n := w.Value("select count(*) from notices where user_id = $1 and kind = $2 and offer_id = $3", user, string(kind), offer.ID); n != 1 {
			t.Errorf("user %d got %d notices %s", user, n, kind)
		}
	}
	w.CheckInvariants()
}

func TestAnAcceptOfAnOlderProgramGetsItsHandover(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	older := market.New(w.Store, market.Options{Now: w.Clock.Now})
	sale, err := older.Trade.AcceptOffer(t.Context(), w.Ann, w.OfferOn(w.Bob, w.Post(w.Ann), 2).ID, 2)
	must(t, err)
	w.process()
	w.process()
	if h := w.handoverOf(sale.Sale.ID); !h.AgreedBy.Equal(h.AcceptedAt.Add(trade.AgreedWithin)) {
		t.Errorf("%+v", h)
	}
	if _, err := older.Trade.UndoSale(t.Context(), w.Ann, sale.Sale.ID); err != nil {
		t.Fatal(err)
	}
	w.process()
	if n := w.Value("select count(*) from handovers"); n != 0 {
		t.Errorf("%d handovers of an accept that was undone", n)
	}
}

// TestOneOfManyWordsAtOnceHasAnEffect has 64 clients speak for both sides at once, round after round, and the periodic job beside them.
// TestAModeratorAndBothSidesActOnADisputeAtOnce has a moderator look at or settle a dispute while one side takes its word back and the
// other agrees: each is acknowledged or refused, and the state is what the acknowledged ones make of it.
func TestAModeratorAndBothSidesActOnADisputeAtOnce(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	mod := w.Moderator()
	for round := range 12 {
		sale := w.accepts(1 + round%10)
		w.Clock.Forward(trade.AgreedWithin)
		w.says(w.Ann, trade.SaidMet, sale.ID)
		w.says(w.Bob, trade.SaidNotMet, sale.ID)
		var acting sync.WaitGroup
		var looked, took, agreed, ruled error
		ctx := context.WithoutCancel(t.Context())
		acting.Go(func() { _, looked = w.Trade.LookAtDispute(ctx, mod, sale.ID) })
		acting.Go(func() { _, took = w.Trade.TakeBackWords(ctx, w.Ann, []core.SaleID{sale.ID}) })
		acting.Go(func() { _, agreed = w.Trade.SayHandovers(ctx, w.Bob, []core.SaleID{sale.ID}, trade.SaidMet) })
		acting.Go(func() {
			if round%2 == 0 {
				_, ruled = w.Trade.RuleDispute(ctx, mod, sale.ID, trade.DisputeRuling{Reason: "Both logs say so"})
			} else {
				ruled = core.NewError(core.Conflict, core.Text{Plain: "Not tried"})
			}
		})
		acting.Wait()
		for what, err := range map[string]error{"look": looked, "take back": took, "agree": agreed, "rule": ruled} {
			if err != nil && core.KindOf(err) != core.Conflict {
				t.Fatalf("round %d: %s: %v", round, what, err)
			}
		}
		h := w.handoverOf(sale.ID)
		reversed := w.Value("select count(*) from sale_reversals where sale_id = $1", sale.ID)
		switch {
		case ruled == nil:
			if h.State != trust.HandoverCancelled || h.SettledBy != mod.UserID || reversed != 1 {
				t.Errorf("round %d: settled, and is %+v with %d reversals", round, h, reversed)
			}
		case reversed != 0:
			t.Errorf("round %d: reversed, though nobody said that it did not happen in the end", round)
		case looked == nil && (took == nil || agreed == nil || h.State != trust.HandoverDisputed):
			t.Errorf("round %d: a moderator looks, and yet: %v, %v, %+v", round, took, agreed, h)
		case took == nil && agreed == nil:
			if h.State != trust.HandoverAgreed || h.Buyer.Word != "" || h.Seller.Word != trade.SaidMet {
				t.Errorf("round %d: taken back, then met: %+v", round, h)
			}
		case looked != nil && agreed == nil && h.State != trust.HandoverMet:
			t.Errorf("round %d: agreed, and is %+v", round, h)
		}
		if h.Buyer.Messages > core.LimitTradeMessages.Limit || h.Seller.Messages > core.LimitTradeMessages.Limit {
			t.Errorf("round %d: too many messages: %+v", round, h)
		}
	}
	w.CheckInvariants()
}

func TestARepeatedDisputeNotifiesModeratorsOnce(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	mod := w.Moderator()
	w.Market = market.New(w.Store, market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Moderators: people.Moderators{Accounts: []string{"1mod"}},
	})
	sale := w.accepts(4)
	w.Clock.Forward(trade.AgreedWithin)
	w.says(w.Ann, trade.SaidMet, sale.ID)
	for range 3 {
		w.says(w.Bob, trade.SaidNotMet, sale.ID)
		took, err := w.Trade.TakeBackWords(t.Context(), w.Bob, []core.SaleID{sale.ID})
		must(t, err)
		if took[0].State != trust.HandoverAgreed || took[0].Seller.Word != "" || took[0].Seller.TookBackAt.IsZero() {
			t.Errorf("%+v", took[0])
		}
	}
	w.says(w.Bob, trade.SaidNotMet, sale.ID)
	if got := w.told(mod); got != "dispute_received" {
		t.Errorf("the moderator was told %q", got)
	}
	h := w.handoverOf(sale.ID)
	if h.State != trust.HandoverDisputed || h.Buyer.Messages > core.LimitTradeMessages.Limit {
		t.Errorf("%+v", h)
	}
	_, err := w.Trade.LookAtDispute(t.Context(), mod, sale.ID)
	must(t, err)
	_, err = w.Trade.TakeBackWords(t.Context(), w.Bob, []core.SaleID{sale.ID})
	wantKind(t, err, core.Conflict)
	w.CheckInvariants()
}

func TestOneOfManyWordsAtOnceHasAnEffect(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	rounds := 6
	if more, err := strconv.Atoi(os.Getenv("HANDOVER_ROUNDS")); err == nil {
		rounds = more
	}
	for round := range rounds {
		sale := w.accepts(1 + round%10)
		if round%3 != 0 {
			w.Clock.Forward(trade.AgreedWithin)
		}
		var speaking sync.WaitGroup
		for i := range 64 {
			speaking.Go(func() {
				who, word := w.Ann, trade.SaidMet
				if i%2 == 1 {
					who = w.Bob
				}
				if (i/2+round)%3 == 0 {
					word = trade.SaidNotMet
				}
				_, err := w.Trade.SayHandovers(context.WithoutCancel(t.Context()), who, []core.SaleID{sale.ID}, word)
				if kind := core.KindOf(err); err != nil && kind != core.Conflict {
					t.Errorf("%s by %d: %v", word, who.UserID, err)
				}
				if i%16 == 0 {
					if _, err := w.Trade.ProcessHandovers(context.WithoutCancel(t.Context()), 10); err != nil {
						t.Error(err)
					}
				}
			})
		}
		speaking.Wait()
		h, stands := w.handoverOf(sale.ID), w.request(sale.OrderID).Sold
		reversed := w.Value("select count(*) from sale_reversals where sale_id = $1", sale.ID)
		if h.State == trust.HandoverAgreed || (h.State == trust.HandoverCancelled) != (reversed == 1) || (stands == 0) != (reversed == 1) {
			t.Fatalf("round %d: %s, %d reversals, %d sold", round, h.State, reversed, stands)
		}
	}
	w.CheckInvariants()
}

func TestTheMissingPartIsPostedAgainOutsideTheQuota(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(10)
	w.says(w.Bob, trade.SaidNotMet, sale.ID)
	if missing := w.handoverOf(sale.ID).Missing(w.Ann.UserID); missing != 10 {
		t.Fatalf("%d are missing", missing)
	}
	w.Market = market.New(w.Store, market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Quotas: core.Quotas{NewRequests: core.Quota{Limit: 1, Per: time.Hour}},
	})
	another := func(quantity int) error {
		_, err := w.Trade.PostOrder(t.Context(), w.Ann, coretest.OrderDraft(func(d *trade.OrderDraft) { d.Quantity, d.Description = quantity, storetest.Lot() }))
		return err
	}
	wantKind(t, another(11), core.TooMany)
	must(t, another(10))
	if missing := w.handoverOf(sale.ID).Missing(w.Ann.UserID); missing != 0 {
		t.Errorf("%d are missing still", missing)
	}
	wantKind(t, another(10), core.TooMany)
	w.Clock.Forward(time.Hour)
	must(t, another(3)) // the missing part does not count in the hour
}

func TestStockFallsByAcceptsAndReturnsWhenATradeDoesNotHappen(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	mod := w.Moderator()
	w.Market = market.New(w.Store, market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Moderators: people.Moderators{Accounts: []string{"1mod"}},
	})
	_, err := w.Match.SaveStock(t.Context(), w.Bob, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 30, Price: 1}})
	must(t, err)
	has := func(want int, when string) {
		t.Helper()
		stock, err := w.Match.Stock(t.Context(), w.Bob)
		must(t, err)
		if len(stock) != 1 || stock[0].Quantity != want {
			t.Errorf("%s Bob has %+v, want %d", when, stock, want)
		}
	}
	early := w.accepts(4)
	has(26, "after an accept")
	w.says(w.Ann, trade.SaidNotMet, early.ID)
	has(30, "after the buyer called it off")

	undone := w.accepts(4)
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, undone.ID)
	must(t, err)
	has(30, "after the buyer undid the accept")

	silent, disputed, met := w.accepts(5), w.accepts(3), w.accepts(1)
	w.Clock.Forward(trade.AgreedWithin)
	w.says(w.Ann, trade.SaidMet, met.ID, disputed.ID)
	w.says(w.Bob, trade.SaidMet, met.ID)
	w.says(w.Bob, trade.SaidNotMet, disputed.ID)
	w.says(w.Ann, trade.SaidNotMet, silent.ID)
	has(21, "before it is settled")
	_, err = w.Trade.RuleDispute(t.Context(), mod, disputed.ID, trade.DisputeRuling{Reason: "Both logs say so"})
	must(t, err)
	has(24, "after the ruling")
	w.Clock.Forward(trade.AnswerWithin)
	w.process()
	has(29, "after the silence of the seller")

	gone := w.accepts(2)
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, gone.OrderID))
	w.says(w.Bob, trade.SaidNotMet, gone.ID)
	has(29, "after a trade of a deleted request")

	order := w.Post(w.Ann)
	_, err = w.Trade.SetStanding(t.Context(), w.Ann, order.ID, standingUntil(w, 9, 9))
	must(t, err)
	offer := w.OfferOn(w.Bob, order, 6)
	has(23, "after an accept of a standing acceptance")
	taken, err := w.Trade.Handovers(t.Context(), w.Bob, trade.Query{Orders: []core.OrderID{order.ID}, Limit: 1})
	must(t, err)
	if len(taken) != 1 || taken[0].Offer != offer.ID {
		t.Fatalf("%+v", taken)
	}
	w.says(w.Ann, trade.SaidNotMet, taken[0].Sale)
	has(29, "after that was called off")
	w.CheckInvariants()
}

func TestNoticesOfHandoversThatAreTurnedOffAreInTheInboxOnly(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	_, err := w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{Muted: []notify.Kind{notify.NoticeHandoverPrompt, notify.NoticeStandingAccepted}})
	must(t, err)
	sale := w.accepts(2)
	order := w.Post(w.Ann)
	_, err = w.Trade.SetStanding(t.Context(), w.Ann, order.ID, standingUntil(w, 9, 9))
	must(t, err)
	w.OfferOn(w.Bob, order, 6)
	w.Clock.Forward(trade.AgreedWithin)
	w.process()
	w.StartQueue(storetest.NewDMSender())
	w.Settled()
	page, err := w.Notify.Notices(t.Context(), w.Ann, 0, 100)
	must(t, err)
	muted := map[notify.Kind]int{}
	for _, n := range page.Notices {
		if n.Reason == notify.NoticeMuted {
			muted[n.Kind]++
		}
		if n.Kind == notify.NoticeStandingAccepted && (n.Sale == 0 || n.Quantity != 6 || n.CausedBy != w.Bob.UserID) {
			t.Errorf("%+v", n)
		}
	}
	if muted[notify.NoticeHandoverPrompt] != 2 || muted[notify.NoticeStandingAccepted] != 1 || len(muted) != 2 {
		t.Errorf("turned off: %v", muted)
	}
	if err := w.handoverOf(sale.ID).MaySay(w.Ann.UserID, w.Clock.Now()); err != nil {
		t.Errorf("Ann can't answer on the page: %v", err)
	}
}

// What is said between finding a thread that is due and starting on it is in what is drawn: nothing makes the thread due again for it.
func TestAThreadIsDrawnAsItIsWhenItsAttemptBegins(t *testing.T) {
	t.Parallel()
	p := newTrade(t)
	sale := p.sells(3)
	must(t, p.SQL("update trade_threads set due_at = 'epoch'"))
	due, err := p.Store.DueTradeThreads(t.Context(), p.Clock.Now(), 10)
	must(t, err)
	p.ends(sale, trade.SaidMet)
	if len(due) != 1 {
		t.Fatalf("%d threads are due", len(due))
	}
	th, mine, err := p.Store.StartTradeThread(t.Context(), due[0], p.Clock.Now())
	must(t, err)
	if !mine || th.Trade == nil || th.Trade.Seller.Word != trade.SaidMet {
		t.Errorf("the attempt is ours: %t, and it draws %+v", mine, th.Trade)
	}
	if _, mine, err := p.Store.StartTradeThread(t.Context(), due[0], p.Clock.Now()); mine || err != nil {
		t.Errorf("a second attempt begins: %t, %v", mine, err)
	}
}
