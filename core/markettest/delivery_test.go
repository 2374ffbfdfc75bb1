package markettest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/pgtest"
	"tradepost/sql/waits"
)

func TestBuyerIsNotifiedOfAnOffer(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	offer := o.offer(o.bob, order)
	o.round(o.ann)
	d := o.mail.one(t)
	if d.To.DiscordID != "1ann" || d.Kind != notify.NoticeOfferReceived || len(d.Notices) != 1 || d.MessageID != "" || d.Uncertain {
		t.Errorf("sent %+v", d)
	}
	if len(d.Offers) != 1 || d.Offers[0].Offer.ID != offer.ID || d.Offers[0].Order.ID != order.ID {
		t.Errorf("the message lists %+v", d.Offers)
	}
	o.wantState(o.ann, notify.NoticeDelivered)
	o.round(o.ann)
	o.mail.none(t)
	o.checkInvariants()
}

func TestTenOffersInAMinuteAreOneMessage(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 1)
	o.round(o.ann)
	first := o.mail.one(t)
	for count := 2; count <= notify.MaxBatch; count++ {
		o.pass(6 * time.Second)
		o.visit(order, 1)
		o.round(o.ann)
		d := o.mail.one(t)
		if d.ID != first.ID || d.MessageID == "" || len(d.Notices) != count || len(d.Offers) != count {
			t.Fatalf("offer %d came in message %d (%q) with %d notices", count, d.ID, d.MessageID, len(d.Notices))
		}
	}
	o.visit(order, 1)
	o.round(o.ann)
	if d := o.mail.one(t); d.ID == first.ID || d.MessageID != "" || len(d.Notices) != 1 {
		t.Errorf("the eleventh came in message %d with %d others, want a new one", d.ID, len(d.Notices)-1)
	}
	o.checkInvariants()
}

func TestPendingOffersAreSentInOneMessage(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 7)
	o.visit(o.post(o.ann), 5) // on another request of hers
	o.round(o.ann)
	sent := o.mail.took()
	if len(sent) != 2 || len(sent[0].Notices) != 10 || len(sent[1].Notices) != 2 {
		t.Errorf("sent %d messages, want one of ten and one of two", len(sent))
	}
	o.checkInvariants()
}

func TestALaterOfferIsAMessageOfItsOwn(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 1)
	o.round(o.ann)
	first := o.mail.one(t)
	o.pass(notify.BatchWindow)
	o.visit(order, 1)
	o.round(o.ann)
	if d := o.mail.one(t); d.ID == first.ID {
		t.Error("it was added to a message too old to be read again")
	}
}

func TestEachAcceptIsAMessageOfItsOwn(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	for range 2 {
		offer := o.offer(o.bob, order)
		_, err := o.Trade.AcceptOffer(t.Context(), o.ann, offer.ID, 5)
		must(t, err)
	}
	o.round(o.bob)
	sent := o.mail.took()
	if len(sent) != 2 || sent[0].ID == sent[1].ID || len(sent[0].Notices) != 1 || sent[0].Kind != notify.NoticeOfferAccepted {
		t.Errorf("sent %+v, want a message for each accept", sent)
	}
}

func TestMessageOfUnknownOutcomeIsResentUnchanged(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	offers := o.visit(order, 2)
	o.mail.always(errNoAnswer)
	wait := o.round(o.ann)
	first := o.mail.one(t)
	if wait < time.Second {
		t.Errorf("to be tried again after %s", wait)
	}

	o.visit(order, 1) // comes in meanwhile
	o.round(o.ann)
	o.mail.none(t) // and the whole mailbox rests

	o.pass(wait)
	newest := o.last(o.ann, notify.NoticeOfferReceived)
	o.mail.always(nil)
	if wait := o.deliver(newest.ID); wait != 0 { // whichever notice asks
		t.Fatalf("to wait for %s", wait)
	}
	sent := o.mail.took()
	if len(sent) != 2 {
		t.Fatalf("%d messages were sent, want the first again and an edit", len(sent))
	}
	again, edit := sent[0], sent[1]
	if again.Nonce() != first.Nonce() || len(again.Notices) != len(offers) || again.MessageID != "" || again.Uncertain {
		t.Errorf("sent again as %+v", again)
	}
	if edit.ID != first.ID || edit.MessageID == "" || len(edit.Notices) != 3 {
		t.Errorf("the offers since then are in %+v", edit)
	}
	o.wantState(o.ann, notify.NoticeDelivered, notify.NoticeDelivered, notify.NoticeDelivered)
	o.checkInvariants()
}

func TestTheWaitGrowsWithEachUnknownOutcomeUpToAMinute(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(errNoAnswer)
	last := time.Duration(0)
	for range 20 {
		wait := o.round(o.ann)
		if wait < last || wait > time.Minute {
			t.Fatalf("to wait %s after %s", wait, last)
		}
		last = wait
		o.pass(wait)
	}
	if last != time.Minute {
		t.Errorf("at last to wait %s", last)
	}
}

func TestOutageOfOneReaderAffectsNoOther(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.visit(o.post(o.bob), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	o.mail.always(nil)
	if wait := o.round(o.bob); wait != 0 {
		t.Errorf("another reader has to wait for %s", wait)
	}
	o.wantState(o.bob, notify.NoticeDelivered)
	o.wantState(o.ann, notify.NoticePending)
}

func TestAfterAMinuteAMessageIsLookedUpBeforeResending(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	first := o.mail.one(t)
	started := o.clock()
	o.pass(time.Minute)
	o.round(o.ann)
	if d := o.mail.one(t); d.Uncertain {
		t.Error("Discord still knows the nonce after a minute; no lookup is needed")
	}
	o.pass(time.Minute)
	o.mail.always(nil)
	o.round(o.ann)
	if d := o.mail.one(t); !d.Uncertain || d.Nonce() != first.Nonce() || !d.StartedAt.Equal(started) {
		t.Errorf("sent %+v, want it looked for since %s", d, started)
	}
}

func TestAfterTheClockStepsBackAMessageIsLookedUpBeforeResending(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	o.mail.one(t)
	o.pass(-time.Hour) // it was ahead by an hour
	_, err := waits.BringBack(t.Context(), o.store.Pool(), o.clock, waits.All)
	must(t, err)
	o.mail.always(nil)
	o.round(o.ann)
	if d := o.mail.one(t); !d.Uncertain {
		t.Error("a message of unknown age is not looked for")
	}
}

func TestRateLimitedMessageHasAKnownOutcome(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(&channels.RetryLater{After: 42 * time.Second})
	if wait := o.round(o.ann); wait != 42*time.Second {
		t.Errorf("to wait %s, Discord asked for 42 s", wait)
	}
	o.mail.took()
	o.mail.always(nil)
	if wait := o.round(o.ann); wait != 0 { // as after a restart, with another token
		t.Errorf("the mailbox rests for %s, though it is known that nothing was sent", wait)
	}
	o.wantState(o.ann, notify.NoticeDelivered)
}

func TestUnreachableReader(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 2)
	o.pass(time.Second)
	o.mail.always(&notify.Undeliverable{Reason: "Your messages are closed", Closed: true})
	o.round(o.ann)
	o.mail.one(t)
	o.wantState(o.ann, notify.NoticeRefused, notify.NoticeRefused, notify.NoticeDelivered) // the last is for the inbox, and ended as it was written
	if n := o.last(o.ann, notify.NoticeDMFailed); n.State != notify.NoticeDelivered || n.Message != "Your messages are closed" {
		t.Errorf("the inbox says %+v", n)
	}

	o.visit(order, 2) // more comes in: nothing is tried any more
	o.round(o.ann)
	o.mail.none(t)
	if n := o.last(o.ann, notify.NoticeOfferReceived); n.State != notify.NoticeRefused || n.Reason != "Your messages are closed" {
		t.Errorf("notice = %+v", n)
	}
	_, why, err := o.Notify.Settings(t.Context(), o.ann)
	must(t, err)
	if why != "Your messages are closed" {
		t.Errorf("the page says %q", why)
	}
	for _, n := range o.inbox(o.ann) {
		if n.Kind == notify.NoticeDMFailed && n.ID != o.last(o.ann, notify.NoticeDMFailed).ID {
			t.Error("a second notice says that messages do not arrive")
		}
	}
	o.checkInvariants()

	for name, act := range map[string]func(){
		"when they act":         func() { o.post(o.ann) },
		"when they ask for one": func() { must(t, o.Notify.SendTest(t.Context(), o.ann)) },
		"when they change wishes": func() {
			_, err := o.Notify.SetSettings(t.Context(), o.ann, notify.Settings{})
			must(t, err)
		},
	} {
		act()
		if _, why, err := o.Notify.Settings(t.Context(), o.ann); err != nil || why != "" {
			t.Errorf("%s, it is to be tried again, but the page says %q (%v)", name, why, err)
		}
		o.visit(order, 1)
		o.round(o.ann)
		if len(o.mail.took()) == 0 {
			t.Errorf("%s, nothing is tried", name)
		}
		o.round(o.ann)
		o.mail.took()
	}
	o.mail.always(nil)
	o.post(o.ann)
	o.visit(order, 1)
	o.round(o.ann)
	if n := o.last(o.ann, notify.NoticeOfferReceived); n.State != notify.NoticeDelivered {
		t.Errorf("notice = %+v", n)
	}
}

func TestTestMessageIsSentRightAfterAFailure(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.mail.answer = func(_ context.Context, d channels.Delivery) error {
		// They request a test while the message fails: before they are known to be unreachable.
		if d.Kind == notify.NoticeOfferReceived {
			must(t, o.Notify.SendTest(t.Context(), o.ann))
			return &notify.Undeliverable{Reason: "Your messages are closed", Closed: true}
		}
		return nil
	}
	o.round(o.ann)
	o.round(o.ann)
	if n := o.last(o.ann, notify.NoticeTest); n.State != notify.NoticeDelivered {
		t.Errorf("the test ended %s: %s", n.State, n.Reason)
	}
	if _, why, _ := o.Notify.Settings(t.Context(), o.ann); why != "" {
		t.Errorf("the test arrived, and the page says %q", why)
	}
}

func TestRejectedMessageIsNotRetried(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 1)
	o.mail.always(&notify.Undeliverable{Reason: "Discord refused the message"})
	o.round(o.ann)
	o.mail.always(nil)
	o.visit(order, 1)
	o.round(o.ann)
	o.wantState(o.ann, notify.NoticeRefused, notify.NoticeDelivered) // one bad message closes no mailbox
	o.checkInvariants()
}

func TestKindsThatAreTurnedOffStayInTheInbox(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	_, err := o.Notify.SetSettings(t.Context(), o.ann, notify.Settings{Muted: []notify.Kind{notify.NoticeOfferReceived}})
	must(t, err)
	o.visit(o.post(o.ann), 1)
	o.round(o.ann)
	o.mail.none(t)
	if n := o.last(o.ann, notify.NoticeOfferReceived); n.State != notify.NoticeRefused || n.Reason != "You turned these off" {
		t.Errorf("notice = %+v", n)
	}
	_, err = o.Trade.CloseOrder(t.Context(), o.ann, o.post(o.ann).ID)
	must(t, err)
	must(t, o.Notify.SendTest(t.Context(), o.ann))
	o.round(o.ann)
	if d := o.mail.one(t); d.Kind != notify.NoticeTest {
		t.Errorf("sent %+v", d)
	}
}

func TestNothingIsSentInQuietHoursButTests(t *testing.T) {
	t.Parallel()
	o := newFixture(t) // at noon
	quiet := notify.Settings{QuietFrom: 11 * 60, QuietTo: 13*60 + 15}
	_, err := o.Notify.SetSettings(t.Context(), o.ann, quiet)
	must(t, err)
	order := o.post(o.ann)
	o.visit(order, 2)
	if wait := o.round(o.ann); wait != 75*time.Minute {
		t.Errorf("to wait for %s, the quiet hours end in 75 minutes", wait)
	}
	o.mail.none(t)
	must(t, o.Notify.SendTest(t.Context(), o.ann))
	o.deliver(o.last(o.ann, notify.NoticeTest).ID)
	if d := o.mail.one(t); d.Kind != notify.NoticeTest {
		t.Errorf("sent %+v", d)
	}
	o.pass(75 * time.Minute)
	o.round(o.ann)
	if d := o.mail.one(t); len(d.Notices) != 2 {
		t.Errorf("sent %+v, want both offers in one message", d)
	}
	o.checkInvariants()
}

func TestDeletedOfferIsNotSent(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string]func(*fixture, trade.Order, trade.Offer) error{
		"withdrawn": func(o *fixture, _ trade.Order, f trade.Offer) error {
			return o.Trade.DeleteOffer(o.t.Context(), o.bob, f.ID)
		},
		"declined": func(o *fixture, _ trade.Order, f trade.Offer) error {
			return o.Trade.DeleteOffer(o.t.Context(), o.ann, f.ID)
		},
		"accepted": func(o *fixture, _ trade.Order, f trade.Offer) error {
			_, err := o.Trade.AcceptOffer(o.t.Context(), o.ann, f.ID, f.Quantity)
			return err
		},
		"replaced": func(o *fixture, order trade.Order, _ trade.Offer) error {
			o.offer(o.bob, order)
			return nil
		},
		"its request closed": func(o *fixture, order trade.Order, _ trade.Offer) error {
			_, err := o.Trade.CloseOrder(o.t.Context(), o.ann, order.ID)
			return err
		},
		"its request deleted": func(o *fixture, order trade.Order, _ trade.Offer) error {
			return o.Trade.DeleteOrder(o.t.Context(), o.ann, order.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newFixture(t)
			order := o.post(o.ann)
			offer := o.offer(o.bob, order)
			first := o.last(o.ann, notify.NoticeOfferReceived)
			must(t, gone(o, order, offer))
			o.deliver(first.ID)
			for _, d := range o.mail.took() {
				for _, listed := range d.Offers {
					if listed.Offer.ID == offer.ID {
						t.Error("the message lists it")
					}
				}
			}
			n := o.inbox(o.ann)[0]
			if n.ID != first.ID || n.State != notify.NoticeExpired || n.Reason == "" {
				t.Errorf("notice = %+v", n)
			}
			o.round(o.ann)
			o.round(o.bob)
			o.checkInvariants()
		})
	}
}

func TestUndecidedMessageOfDeletedOffersDelaysNoOther(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	offer := o.offer(o.bob, order)
	o.mail.always(errNoAnswer)
	wait := o.round(o.ann)
	o.mail.took()
	must(t, o.Trade.DeleteOffer(t.Context(), o.bob, offer.ID))
	o.pass(wait)
	o.mail.always(nil)
	o.deliver(o.last(o.ann, notify.NoticeOfferWithdrawn).ID)
	if d := o.mail.one(t); d.Kind != notify.NoticeOfferWithdrawn {
		t.Errorf("sent %+v", d)
	}
	o.wantState(o.ann, notify.NoticeExpired, notify.NoticeDelivered)
}

func TestANoticeIsGivenUpAfterThreeDays(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	o.mail.took()
	o.pass(notify.NoticeLifetime)
	o.round(o.ann)
	o.mail.one(t) // the last try
	o.pass(time.Minute)
	o.round(o.ann)
	o.mail.none(t)
	if n := o.last(o.ann, notify.NoticeOfferReceived); n.State != notify.NoticeExpired || n.Reason == "" {
		t.Errorf("notice = %+v", n)
	}
	o.checkInvariants()
}

func TestConcurrentWorkersSendEachMessageOnce(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 25)
	carrying := make(chan struct{}, 1)
	o.mail.answer = func(context.Context, channels.Delivery) error {
		select {
		case carrying <- struct{}{}:
			defer func() { <-carrying }()
		default:
			t.Error("two messages to one reader are on their way at once")
		}
		return nil
	}
	pending := o.inbox(o.ann)
	for range 200 {
		var replicas sync.WaitGroup
		for _, n := range pending {
			for range 2 {
				replicas.Go(func() {
					err := o.Channels.DeliverNotice(t.Context(), o.mail, n.ID)
					var later *channels.RetryLater
					if err != nil && !errors.As(err, &later) {
						t.Errorf("deliver notice %d: %v", n.ID, err)
					}
				})
			}
		}
		replicas.Wait()
		if !slices.ContainsFunc(o.inbox(o.ann), func(n notify.Notice) bool { return n.State == notify.NoticePending }) {
			break
		}
	}
	sent := map[core.NoticeID]int{}
	for _, d := range o.mail.took() {
		if d.MessageID != "" {
			t.Error("a full message was edited")
		}
		for _, n := range d.Notices {
			sent[n.ID]++
		}
	}
	for _, n := range pending {
		if sent[n.ID] != 1 {
			t.Errorf("notice %d was sent %d times", n.ID, sent[n.ID])
		}
	}
	o.checkInvariants()
}

func TestOutcomeIsStoredAfterTheCallerCanceled(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	ctx, giveUp := context.WithCancel(t.Context())
	o.mail.answer = func(context.Context, channels.Delivery) error {
		giveUp()
		return nil
	}
	if err := o.Channels.DeliverNotice(ctx, o.mail, o.last(o.ann, notify.NoticeOfferReceived).ID); err != nil {
		t.Errorf("deliver: %v", err)
	}
	o.wantState(o.ann, notify.NoticeDelivered)
}

func TestOutcomeIsStoredAfterADatabaseOutage(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	o := fixtureAt(t, server.New())
	o.visit(o.post(o.ann), 1)
	var back sync.WaitGroup
	defer back.Wait()
	o.mail.answer = func(context.Context, channels.Delivery) error {
		server.Down()
		back.Go(func() {
			time.Sleep(2 * time.Second) // longer than one transaction is tried again
			server.Up()
		})
		return nil
	}
	if err := o.Channels.DeliverNotice(t.Context(), o.mail, o.last(o.ann, notify.NoticeOfferReceived).ID); err != nil {
		t.Errorf("deliver: %v", err)
	}
	o.mail.one(t)
	o.wantState(o.ann, notify.NoticeDelivered)
}

func TestADeliveryWithoutAMessageIDHasNotArrived(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	err := o.Channels.DeliverNotice(t.Context(), careless{}, o.last(o.ann, notify.NoticeOfferReceived).ID)
	var later *channels.RetryLater
	if !errors.As(err, &later) || later.Cause == nil {
		t.Errorf("deliver: %v", err)
	}
	o.wantState(o.ann, notify.NoticePending)
	o.checkInvariants()
}

type careless struct{}

func (careless) SendDM(context.Context, channels.Delivery) (notify.SentDM, error) {
	return notify.SentDM{}, nil
}

func TestEachEndedNoticeIsCountedOnce(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 2)
	o.round(o.ann)
	o.visit(order, 1)
	o.mail.always(&notify.Undeliverable{Reason: "closed", Closed: true})
	o.round(o.ann)
	o.round(o.ann)
	var heard []string
	for _, n := range o.ended {
		heard = append(heard, string(n.Kind)+" "+string(n.State)+" "+n.Reason)
		if n.SettledAt.IsZero() || n.CreatedAt.IsZero() {
			t.Errorf("heard of %+v", n)
		}
	}
	// That the message failed is said in the inbox alone, and is never sent.
	want := "offer_received delivered , offer_received delivered , offer_received refused closed"
	if got := strings.Join(heard, ", "); got != want {
		t.Errorf("heard %q\n want %q", got, want)
	}
}

func TestAMessageBelongsToItsReader(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	o.round(o.ann)
	sent := o.mail.one(t)
	d, err := o.Channels.Delivery(t.Context(), o.ann, sent.ID)
	must(t, err)
	if d.MessageID == "" || len(d.Offers) != 1 {
		t.Errorf("delivery = %+v", d)
	}
	if _, err := o.Channels.Delivery(t.Context(), o.bob, sent.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("another's message: %v", err)
	}
	if _, err := o.Channels.Delivery(t.Context(), core.Actor{}, sent.ID); core.KindOf(err) != core.Unauthenticated {
		t.Errorf("a visitor: %v", err)
	}
}

// whatEndsIt are the ways in which a notice ends without being sent.
var whatEndsIt = map[string]func(*fixture, trade.Offer) error{
	"its time is over": func(o *fixture, _ trade.Offer) error {
		o.pass(notify.NoticeLifetime + time.Minute)
		return nil
	},
	"its offer is gone": func(o *fixture, f trade.Offer) error { return o.Trade.DeleteOffer(o.t.Context(), o.bob, f.ID) },
	"its kind is muted": func(o *fixture, _ trade.Offer) error {
		_, err := o.Notify.SetSettings(o.t.Context(), o.ann, notify.Settings{Muted: []notify.Kind{notify.NoticeOfferReceived}})
		return err
	},
	"no message reaches the reader any more": func(o *fixture, _ trade.Offer) error {
		o.mail.always(&notify.Undeliverable{Reason: "Your messages are closed", Closed: true})
		return nil
	},
}

func TestAMessageThatArrivedIsNeverRecordedAsEndedOtherwise(t *testing.T) {
	t.Parallel()
	for name, end := range whatEndsIt {
		for _, there := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, found: %v", name, there), func(t *testing.T) {
				t.Parallel()
				o := newFixture(t)
				offer := o.offer(o.bob, o.post(o.ann))
				notice := o.last(o.ann, notify.NoticeOfferReceived)
				o.mail.always(errNoAnswer) // of every attempt; the message is there or not
				for range 5 {
					o.pass(o.deliver(notice.ID))
				}
				o.mail.there = there
				must(t, end(o, offer))
				o.pass(time.Minute)
				o.deliver(notice.ID)
				if len(o.mail.looked) != 1 {
					t.Errorf("looked %d times", len(o.mail.looked))
				}
				got := o.inbox(o.ann)[0]
				if delivered := got.State == notify.NoticeDelivered; got.State == notify.NoticePending || delivered != there {
					t.Errorf("the notice is %s (%s), found %v", got.State, got.Reason, there)
				}
				o.checkInvariants()
			})
		}
	}
}

func TestNoticeWaitsWhileItsMessageCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.visit(o.post(o.ann), 1)
	notice := o.last(o.ann, notify.NoticeOfferReceived)
	o.mail.always(errNoAnswer)
	o.pass(o.deliver(notice.ID))
	o.pass(notify.NoticeLifetime)
	silent := silentSender{}
	err := o.Channels.DeliverNotice(t.Context(), silent, notice.ID)
	var later *channels.RetryLater
	if !errors.As(err, &later) || later.After <= 0 {
		t.Fatalf("got %v, want to be asked again", err)
	}
	o.wantState(o.ann, notify.NoticePending)
	o.pass(later.After)
	o.mail.there = true
	o.deliver(notice.ID)
	o.wantState(o.ann, notify.NoticeDelivered)

	o.visit(o.post(o.ann), 1) // one that may never be looked for ends all the same
	notice = o.last(o.ann, notify.NoticeOfferReceived)
	o.pass(notify.BatchWindow + time.Minute)
	_ = o.Channels.DeliverNotice(t.Context(), silent, notice.ID)
	o.pass(3 * notify.NoticeLifetime)
	if err := o.Channels.DeliverNotice(t.Context(), silent, notice.ID); err != nil {
		t.Fatal(err)
	}
	if n := o.last(o.ann, notify.NoticeOfferReceived); n.State != notify.NoticeExpired {
		t.Errorf("the notice is %s", n.State)
	}
}

// silentSender never gets a result.
type silentSender struct{}

func (silentSender) SendDM(context.Context, channels.Delivery) (notify.SentDM, error) {
	return notify.SentDM{}, errNoAnswer
}

// Discord takes 25 characters, and the bot adds five to the nonce of a message that was deleted and is sent again.
func TestANonceIsShortEnoughForDiscord(t *testing.T) {
	t.Parallel()
	longest := channels.Delivery{ID: 1<<53 - 1, NoncePrefix: "0a1b2c"}.Nonce()
	if len(longest)+5 > 25 {
		t.Errorf("the nonce %q has %d characters", longest, len(longest))
	}
	if post := (channels.BoardPost{ID: 1<<53 - 1, NoncePrefix: "0a1b2c"}).Nonce(); len(post) > 25 {
		t.Errorf("the nonce %q has %d characters", post, len(post))
	}
	// Messages sent before there were prefixes keep their nonce.
	if old := (channels.Delivery{ID: 7}).Nonce(); old != "tradepost-7" {
		t.Errorf("nonce %q", old)
	}
	if old := (channels.BoardPost{ID: 7}).Nonce(); old != "board-7" {
		t.Errorf("nonce %q", old)
	}
}
