package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/postgres"
)

// foggyStore is a store whose commits succeed although their responses are lost.
type foggyStore struct {
	market.Store
	lost   atomic.Int32 // how many more writes lose their answer; they happen
	missed atomic.Int32 // how many more writes lose their answer; they do not happen
	blind  atomic.Bool  // whether a write has happened cannot be found out
	undraw atomic.Bool  // offers cannot be read
	looked atomic.Int32 // how often it was looked whether a write has happened
}

var errFog = core.NewCommitUnknown()

func takeOne(n *atomic.Int32) bool {
	for {
		left := n.Load()
		if left <= 0 {
			return false
		}
		if n.CompareAndSwap(left, left-1) {
			return true
		}
	}
}

// look is the claim of a transaction that only looks whether a write has happened.
const look = `["",null]`

// foggyTx notes which keys are claimed.
type foggyTx struct {
	market.Tx
	asked string
}

func (tx *foggyTx) Claim(ctx context.Context, c core.Claim) (*core.Claim, error) {
	tx.asked = string(c.Asked)
	return tx.Tx.Claim(ctx, c)
}

func (s *foggyStore) Atomically(ctx context.Context, do func(market.Tx) error) error {
	var asked string
	err := s.Store.Atomically(ctx, func(tx market.Tx) error {
		foggy := &foggyTx{Tx: tx}
		err := do(foggy)
		if asked = foggy.asked; err == nil && asked != "" && asked != look && takeOne(&s.missed) {
			return errFog // and the transaction is rolled back
		}
		return err
	})
	if asked == look {
		s.looked.Add(1)
		if s.blind.Load() {
			return errFog
		}
	}
	if err == nil && asked != "" && asked != look && takeOne(&s.lost) {
		return errFog
	}
	return err
}

func (s *foggyStore) Offers(ctx context.Context, id core.OrderID) ([]trade.Offer, error) {
	if s.undraw.Load() {
		return nil, &core.Error{
			Kind: core.Unavailable, Message: "The market cannot be reached just now. Please try again.",
		}
	}
	return s.Store.Offers(ctx, id)
}

// inFog opens a world whose bot asks a market on a foggy store. No notices are delivered.
func inFog(t *testing.T, change ...func(*bot.Options)) (*world, *foggyStore) {
	t.Helper()
	w := openWithoutBot(t)
	s := &foggyStore{Store: w.store}
	w.startIn(s, change...)
	w.WaitForBot(t)
	return w, s
}

func (w *world) startIn(s *foggyStore, change ...func(*bot.Options)) {
	w.bot = start(w.t, w.Discord, w.marketOn(s), append([]func(*bot.Options){func(o *bot.Options) { o.Store = w.store }}, change...)...)
}

// atOnceUnknown makes the bot report an unknown commit status without waiting.
func atOnceUnknown(o *bot.Options) { o.RetryTime = time.Nanosecond }

// offerView opens the only offer on an order, with its buttons.
func (w *world) offerView(who string, order trade.Order) *discordtest.View {
	w.t.Helper()
	list := w.Player(w.t, who).Slash("offer list", discordtest.Str("request", fmt.Sprint(order.ID)))
	picker := list.List("Answer an offer…")
	return picker.Choose(picker.Labels()[0]).View
}

// part opens the form that takes part of an offer.
func part(v *discordtest.View) *discordtest.ModalView {
	return v.Button("Accept part…").Press().Modal
}

func five() map[string]string { return map[string]string{"Quantity": "5"} }

func (w *world) wantSold(what string, order trade.Order, want int) {
	w.t.Helper()
	if o := w.order("maple", order.ID); o.Sold != want {
		w.t.Errorf("%s: %d sold, want %d", what, o.Sold, want)
	}
}

func TestAFormSentTwentyTimesAtOnceByTwoReplicasActsOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	another, err := postgres.Open(t.Context(), w.dsn, postgres.Options{MaxConns: 4, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(another.Close)
	start(t, w.Discord, market.New(another, market.Options{Now: w.Now}), func(o *bot.Options) { o.Store = another })
	w.Gateway().Wait(t, "both replicas", func(c discordtest.Count) bool { return c.Ready == 2 })
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	forms := make([]*discordtest.ModalView, 20)
	for i := range forms {
		forms[i] = part(view)
	}
	pending := make([]*discordtest.Pending, len(forms))
	for i, form := range forms {
		pending[i] = form.StartSubmit(five())
	}
	for _, p := range pending {
		if r := p.Reply(); strings.Contains(r.Text(), "cannot be reached") {
			t.Errorf("answered %q", r.Text())
		}
	}
	w.wantSold("twenty forms of one message", order, 5)
	wants(t, "the message", view.Now(), "Accepted 5 × Iron Ore")

	// The message now shows another state: the same quantity again is another write.
	again := w.offerView("maple", order)
	part(again).Submit(five())
	w.wantSold("the next form", order, 10)
}

func TestAFormOfAMessageThatWasNotRedrawnIsOneWrite(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	first, second, third := part(view), part(view), part(view)
	first.Submit(five())
	wants(t, "the same content", second.Submit(five()).View, "Accepted 5 × Iron Ore")
	wants(t, "other content", third.Submit(map[string]string{"Quantity": "7"}).View, "This is saved already", "395")
	w.wantSold("three forms", order, 5)
}

func TestButtonsWithoutAVersionStillActOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 400)
	maple := w.Player(t, "maple")
	view := w.offerView("maple", order)
	old := fmt.Sprintf("1|accept|%d|5|l%d.0", offer.ID, order.ID)
	wants(t, "an old button", maple.ForgePress(view, old).View, "Accepted 5 × Iron Ore")
	wants(t, "the same again", maple.ForgePress(view, old).View, "Accepted 5 × Iron Ore")
	w.wantSold("an old button pressed twice", order, 5)
	other := maple.Slash("offer list", discordtest.Str("request", "1")).View
	maple.ForgePress(other, old)
	w.wantSold("the button of another message", order, 10)
}

func TestTheSameMenuEntryOnARedrawnMessageActsAgain(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	card := w.Player(t, "maple").Slash("request show", discordtest.Str("request", "1"))
	for version := 2; version <= 3; version++ {
		card = card.Button("Renew").Press()
		if o := w.order("maple", order.ID); o.Version != version {
			t.Fatalf("version %d, want %d; the message says %q", o.Version, version, card.Text())
		}
	}
}

func TestAWriteOfUnknownOutcomeIsSettledBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	w, m := inFog(t)
	order := w.post("maple")
	m.lost.Store(2)
	logged := w.Player(t, "maple").Slash("sales log", discordtest.Str("request", "1"), discordtest.Int("quantity", 5))
	wants(t, "the answer", logged.View, "Logged 5 × Iron Ore. 495 left")
	w.wantSold("a command", order, 5)
}

func TestAnswersToSeveralOffersAreSettledBeforeTheyAreShown(t *testing.T) {
	t.Parallel()
	w, m := inFog(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 40)
	w.offer("juniper_fox", order, 20)
	list := w.Player(t, "maple").Slash("offer list").List("Answer offers…")
	chosen := list.Choose(list.Labels()...)
	m.lost.Store(3)
	done := chosen.Button("Accept all").Press()
	wants(t, "the outcomes", done.View, `Accepted 20 × Iron Ore from juniper\_fox`, "Accepted 40 × Iron Ore from rowan.ashdown")
	w.wantSold("both answers", order, 60)
}

func TestTheAnswerFollowsOnceTheOutcomeIsKnown(t *testing.T) {
	t.Parallel()
	w, m := inFog(t, atOnceUnknown)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	m.lost.Store(1)
	m.blind.Store(true)
	form := part(view)
	pending := form.StartSubmit(five())
	if kind := pending.WaitAnswered(); kind != discordtest.AnswerDeferredUpdate {
		t.Fatalf("first answer %d", kind)
	}
	reply := w.awaitFollowUp(view, "don't know yet")
	if slices.Contains(view.Now().Buttons(), "Accept all 395") {
		t.Error("the message was redrawn before the outcome was known")
	}
	m.blind.Store(false)
	settled := view.WaitFor("the truth", holding("Accepted 5 × Iron Ore"))
	wants(t, "the message", settled, "395")
	reply.WaitFor("the end of it", holding("settled now"))
	w.wantSold("the form", order, 5)
}

// awaitFollowUp waits for a message beside another one, in the same channel.
func (w *world) awaitFollowUp(beside *discordtest.View, text string) *discordtest.View {
	w.t.Helper()
	return w.Player(w.t, "maple").WaitMessage("a message that says "+text, func(v *discordtest.View) bool {
		return v.ID != beside.ID && strings.Contains(v.Text(), text)
	})
}

func TestAPressAfterAnUnknownOutcomeGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	w, m := inFog(t, atOnceUnknown)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	m.lost.Store(1)
	m.blind.Store(true)
	pending := part(view).StartSubmit(five())
	pending.WaitAnswered()
	w.awaitFollowUp(view, "don't know yet")
	if err := w.bot.stop(); err != nil { // it does not wait for a commit status that cannot be found out
		t.Fatal(err)
	}
	w.awaitFollowUp(view, "couldn't find out")
	m.blind.Store(false)
	w.startIn(m)
	w.Gateway().Wait(t, "the restart", func(c discordtest.Count) bool { return c.Ready == 1 })
	wants(t, "the same form again", part(view).Submit(five()).View, "Accepted 5 × Iron Ore", "395")
	w.wantSold("both presses", order, 5)
}

func TestAWriteThatDidNotHappenIsReportedAsNotSaved(t *testing.T) {
	t.Parallel()
	w, m := inFog(t, atOnceUnknown)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	m.missed.Store(1)
	form := part(view)
	form.StartSubmit(five()).WaitAnswered()
	w.awaitFollowUp(view, "That was not saved. Please try again.")
	w.wantSold("the first press", order, 0)
	if m.looked.Load() == 0 {
		t.Error("the commit status was not checked")
	}
	wants(t, "the next press", part(view).Submit(five()).View, "Accepted 5 × Iron Ore")
	w.wantSold("both presses", order, 5)
}

func TestAnAcceptIsConfirmedWhenItsMessageCannotBeDrawn(t *testing.T) {
	t.Parallel()
	w, m := inFog(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	form, again := part(view), part(view)
	m.undraw.Store(true)
	wants(t, "the answer", form.Submit(five()).View, "Accepted 5 × Iron Ore")
	m.undraw.Store(false)
	wants(t, "the same form again", again.Submit(five()).View, "Accepted 5 × Iron Ore", "395")
	w.wantSold("both forms", order, 5)
}

func TestADeclineThatHappenedBeforeIsNotCalledGone(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 400)
	view := w.offerView("maple", order)
	decline := view.Button("Decline")
	decline.Press()
	again := w.Player(t, "maple").ForgePress(view, decline.CustomID)
	wants(t, "the same button again", again.View, "This is saved already", "No offers")
	wants(t, "its undo", again.Button("Undo").Press().View, "the offer is open again")
}
