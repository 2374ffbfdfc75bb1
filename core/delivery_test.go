package core_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/sql/pgtest"
)

func TestABuyerIsToldOfAnOffer(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	offer := o.offer(o.bob, order)
	o.round(o.ann)
	d := o.mail.one(t)
	if d.To.DiscordID != "1ann" || d.Kind != core.OfferReceived || len(d.Notices) != 1 || d.MessageID != "" || d.Uncertain {
		t.Errorf("carried %+v", d)
	}
	if len(d.Offers) != 1 || d.Offers[0].Offer.ID != offer.ID || d.Offers[0].Order.ID != order.ID {
		t.Errorf("told of %+v", d.Offers)
	}
	o.wantState(o.ann, core.NoticeDelivered)
	o.round(o.ann)
	o.mail.none(t)
	o.keepsItsPromises()
}

func TestTenOffersInAMinuteAreOneMessage(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 1)
	o.round(o.ann)
	first := o.mail.one(t)
	for told := 2; told <= core.GatherMost; told++ {
		o.pass(6 * time.Second)
		o.visit(order, 1)
		o.round(o.ann)
		d := o.mail.one(t)
		if d.ID != first.ID || d.MessageID == "" || len(d.Notices) != told || len(d.Offers) != told {
			t.Fatalf("offer %d came in message %d (%q), which tells %d", told, d.ID, d.MessageID, len(d.Notices))
		}
	}
	o.visit(order, 1)
	o.round(o.ann)
	if d := o.mail.one(t); d.ID == first.ID || d.MessageID != "" || len(d.Notices) != 1 {
		t.Errorf("the eleventh came in message %d with %d others, want a new one", d.ID, len(d.Notices)-1)
	}
	o.keepsItsPromises()
}

func TestOffersThatWaitTogetherAreToldTogether(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 7)
	o.visit(o.post(o.ann), 5) // on another request of hers
	o.round(o.ann)
	carried := o.mail.took()
	if len(carried) != 2 || len(carried[0].Notices) != 10 || len(carried[1].Notices) != 2 {
		t.Errorf("told in %d messages, want one of ten and one of two", len(carried))
	}
	o.keepsItsPromises()
}

func TestALaterOfferIsAMessageOfItsOwn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 1)
	o.round(o.ann)
	first := o.mail.one(t)
	o.pass(core.GatherFor)
	o.visit(order, 1)
	o.round(o.ann)
	if d := o.mail.one(t); d.ID == first.ID {
		t.Error("it was added to a message that nobody looks at any more")
	}
}

func TestWhatBecameOfAnOfferIsTheSellersMessageAlone(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	for range 2 {
		offer := o.offer(o.bob, order)
		_, err := o.AcceptOffer(t.Context(), o.ann, offer.ID, 5)
		must(t, err)
	}
	o.round(o.bob)
	carried := o.mail.took()
	if len(carried) != 2 || carried[0].ID == carried[1].ID || len(carried[0].Notices) != 1 || carried[0].Kind != core.OfferTaken {
		t.Errorf("carried %+v, want a message for each accept", carried)
	}
}

func TestAMessageOfUnknownOutcomeIsSentAgainAsItWas(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	told := o.visit(order, 2)
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
	newest := o.last(o.ann, core.OfferReceived)
	o.mail.always(nil)
	if wait := o.deliver(newest.ID); wait != 0 { // whichever notice asks
		t.Fatalf("to wait for %s", wait)
	}
	carried := o.mail.took()
	if len(carried) != 2 {
		t.Fatalf("%d messages were carried, want the first again and an edit", len(carried))
	}
	again, edit := carried[0], carried[1]
	if again.Nonce() != first.Nonce() || len(again.Notices) != len(told) || again.MessageID != "" || again.Uncertain {
		t.Errorf("sent again as %+v", again)
	}
	if edit.ID != first.ID || edit.MessageID == "" || len(edit.Notices) != 3 {
		t.Errorf("what came in meanwhile was told by %+v", edit)
	}
	o.wantState(o.ann, core.NoticeDelivered, core.NoticeDelivered, core.NoticeDelivered)
	o.keepsItsPromises()
}

func TestTheWaitGrowsWithEachUnknownOutcomeUpToAMinute(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
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

func TestAReadersOutageIsNoOtherReaders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	o.visit(o.post(o.bob), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	o.mail.always(nil)
	if wait := o.round(o.bob); wait != 0 {
		t.Errorf("another reader has to wait for %s", wait)
	}
	o.wantState(o.bob, core.NoticeDelivered)
	o.wantState(o.ann, core.NoticePending)
}

func TestAfterAMinuteAMessageIsLookedForBeforeItIsSentAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	first := o.mail.one(t)
	started := o.clock()
	o.pass(time.Minute)
	o.round(o.ann)
	if d := o.mail.one(t); d.Uncertain {
		t.Error("Discord still knows the nonce after a minute, there is nothing to look for")
	}
	o.pass(time.Minute)
	o.mail.always(nil)
	o.round(o.ann)
	if d := o.mail.one(t); !d.Uncertain || d.Nonce() != first.Nonce() || !d.StartedAt.Equal(started) {
		t.Errorf("carried %+v, want it looked for since %s", d, started)
	}
}

func TestWhatDiscordAsksToWaitForIsNoUnknownOutcome(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(&core.Later{After: 42 * time.Second})
	if wait := o.round(o.ann); wait != 42*time.Second {
		t.Errorf("to wait %s, Discord asked for 42 s", wait)
	}
	o.mail.took()
	o.mail.always(nil)
	if wait := o.round(o.ann); wait != 0 { // as after a restart, with another token
		t.Errorf("the mailbox rests for %s, though it is known that nothing was sent", wait)
	}
	o.wantState(o.ann, core.NoticeDelivered)
}

func TestAReaderWhoCannotBeReached(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 2)
	o.pass(time.Second)
	o.mail.always(&core.Undeliverable{Reason: "Your messages are closed", Closed: true})
	o.round(o.ann)
	o.mail.one(t)
	o.wantState(o.ann, core.NoticeRefused, core.NoticeRefused, core.NoticePending)
	o.round(o.ann)
	if n := o.last(o.ann, core.DirectMsgFailed); n.State != core.NoticeDelivered || n.Message != "Your messages are closed" {
		t.Errorf("the inbox says %+v", n)
	}

	o.visit(order, 2) // more comes in: nothing is tried any more
	o.round(o.ann)
	o.mail.none(t)
	if n := o.last(o.ann, core.OfferReceived); n.State != core.NoticeRefused || n.Reason != "Your messages are closed" {
		t.Errorf("notice = %+v", n)
	}
	_, why, err := o.NoticeSettings(t.Context(), o.ann)
	must(t, err)
	if why != "Your messages are closed" {
		t.Errorf("the page says %q", why)
	}
	for _, n := range o.inbox(o.ann) {
		if n.Kind == core.DirectMsgFailed && n.ID != o.last(o.ann, core.DirectMsgFailed).ID {
			t.Error("told twice that messages do not arrive")
		}
	}
	o.keepsItsPromises()

	for name, act := range map[string]func(){
		"when they act":           func() { o.post(o.ann) },
		"when they ask for one":   func() { must(t, o.SendTestNotice(t.Context(), o.ann)) },
		"when they change wishes": func() { _, err := o.SetNoticeSettings(t.Context(), o.ann, core.NoticeSettings{}); must(t, err) },
	} {
		act()
		if _, why, err := o.NoticeSettings(t.Context(), o.ann); err != nil || why != "" {
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
	if n := o.last(o.ann, core.OfferReceived); n.State != core.NoticeDelivered {
		t.Errorf("notice = %+v", n)
	}
}

func TestATestIsTriedThoughAnotherMessageHasJustFailed(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	o.mail.answer = func(_ context.Context, d core.Delivery) error {
		// They ask for a test while the message is refused: before they are known to be out of reach.
		if d.Kind == core.OfferReceived {
			must(t, o.SendTestNotice(t.Context(), o.ann))
			return &core.Undeliverable{Reason: "Your messages are closed", Closed: true}
		}
		return nil
	}
	o.round(o.ann)
	o.round(o.ann)
	if n := o.last(o.ann, core.TestNotice); n.State != core.NoticeDelivered {
		t.Errorf("the test ended %s: %s", n.State, n.Reason)
	}
	if _, why, _ := o.NoticeSettings(t.Context(), o.ann); why != "" {
		t.Errorf("the test arrived, and the page says %q", why)
	}
}

func TestARefusedMessageIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 1)
	o.mail.always(&core.Undeliverable{Reason: "Discord refused the message"})
	o.round(o.ann)
	o.mail.always(nil)
	o.visit(order, 1)
	o.round(o.ann)
	o.wantState(o.ann, core.NoticeRefused, core.NoticeDelivered) // one bad message closes no mailbox
	o.keepsItsPromises()
}

func TestKindsThatAreTurnedOffStayInTheInbox(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	_, err := o.SetNoticeSettings(t.Context(), o.ann, core.NoticeSettings{Muted: []core.NoticeKind{core.OfferReceived}})
	must(t, err)
	o.visit(o.post(o.ann), 1)
	o.round(o.ann)
	o.mail.none(t)
	if n := o.last(o.ann, core.OfferReceived); n.State != core.NoticeRefused || n.Reason != "You turned these off" {
		t.Errorf("notice = %+v", n)
	}
	_, err = o.CloseOrder(t.Context(), o.ann, o.post(o.ann).ID)
	must(t, err)
	must(t, o.SendTestNotice(t.Context(), o.ann))
	o.round(o.ann)
	if d := o.mail.one(t); d.Kind != core.TestNotice {
		t.Errorf("carried %+v", d)
	}
}

func TestNothingIsSentInQuietHoursButTests(t *testing.T) {
	t.Parallel()
	o := newOffice(t) // at noon
	quiet := core.NoticeSettings{QuietFrom: 11 * 60, QuietTo: 13*60 + 15}
	_, err := o.SetNoticeSettings(t.Context(), o.ann, quiet)
	must(t, err)
	order := o.post(o.ann)
	o.visit(order, 2)
	if wait := o.round(o.ann); wait != 75*time.Minute {
		t.Errorf("to wait for %s, the quiet hours end in 75 minutes", wait)
	}
	o.mail.none(t)
	must(t, o.SendTestNotice(t.Context(), o.ann))
	o.deliver(o.last(o.ann, core.TestNotice).ID)
	if d := o.mail.one(t); d.Kind != core.TestNotice {
		t.Errorf("carried %+v", d)
	}
	o.pass(75 * time.Minute)
	o.round(o.ann)
	if d := o.mail.one(t); len(d.Notices) != 2 {
		t.Errorf("carried %+v, want both offers in one message", d)
	}
	o.keepsItsPromises()
}

func TestAnOfferThatIsGoneIsNotTold(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string]func(*office, core.Order, core.Offer) error{
		"withdrawn": func(o *office, _ core.Order, f core.Offer) error { return o.DeleteOffer(o.t.Context(), o.bob, f.ID) },
		"declined":  func(o *office, _ core.Order, f core.Offer) error { return o.DeleteOffer(o.t.Context(), o.ann, f.ID) },
		"accepted": func(o *office, _ core.Order, f core.Offer) error {
			_, err := o.AcceptOffer(o.t.Context(), o.ann, f.ID, f.Quantity)
			return err
		},
		"replaced": func(o *office, order core.Order, _ core.Offer) error {
			o.offer(o.bob, order)
			return nil
		},
		"its request closed": func(o *office, order core.Order, _ core.Offer) error {
			_, err := o.CloseOrder(o.t.Context(), o.ann, order.ID)
			return err
		},
		"its request deleted": func(o *office, order core.Order, _ core.Offer) error {
			return o.DeleteOrder(o.t.Context(), o.ann, order.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			order := o.post(o.ann)
			offer := o.offer(o.bob, order)
			first := o.last(o.ann, core.OfferReceived)
			must(t, gone(o, order, offer))
			o.deliver(first.ID)
			for _, d := range o.mail.took() {
				for _, told := range d.Offers {
					if told.Offer.ID == offer.ID {
						t.Error("told of it")
					}
				}
			}
			n := o.inbox(o.ann)[0]
			if n.ID != first.ID || n.State != core.NoticeExpired || n.Reason == "" {
				t.Errorf("notice = %+v", n)
			}
			o.round(o.ann)
			o.round(o.bob)
			o.keepsItsPromises()
		})
	}
}

func TestAnUndecidedMessageWhoseOffersAreGoneHoldsNothingUp(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	offer := o.offer(o.bob, order)
	o.mail.always(errNoAnswer)
	wait := o.round(o.ann)
	o.mail.took()
	must(t, o.DeleteOffer(t.Context(), o.bob, offer.ID))
	o.pass(wait)
	o.mail.always(nil)
	o.deliver(o.last(o.ann, core.OfferTakenBack).ID)
	if d := o.mail.one(t); d.Kind != core.OfferTakenBack {
		t.Errorf("carried %+v", d)
	}
	o.wantState(o.ann, core.NoticeExpired, core.NoticeDelivered)
}

func TestANoticeIsGivenUpAfterThreeDays(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	o.mail.always(errNoAnswer)
	o.round(o.ann)
	o.mail.took()
	o.pass(core.NoticeLife)
	o.round(o.ann)
	o.mail.one(t) // the last try
	o.pass(time.Minute)
	o.round(o.ann)
	o.mail.none(t)
	if n := o.last(o.ann, core.OfferReceived); n.State != core.NoticeExpired || n.Reason == "" {
		t.Errorf("notice = %+v", n)
	}
	o.keepsItsPromises()
}

func TestManyAtOnceSendEachMessageOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 25)
	carrying := make(chan struct{}, 1)
	o.mail.answer = func(context.Context, core.Delivery) error {
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
					err := o.DeliverNotice(t.Context(), o.mail, n.ID)
					var later *core.Later
					if err != nil && !errors.As(err, &later) {
						t.Errorf("deliver notice %d: %v", n.ID, err)
					}
				})
			}
		}
		replicas.Wait()
		if !slices.ContainsFunc(o.inbox(o.ann), func(n core.Notice) bool { return n.State == core.NoticePending }) {
			break
		}
	}
	told := map[core.NoticeID]int{}
	for _, d := range o.mail.took() {
		if d.MessageID != "" {
			t.Error("a full message was edited")
		}
		for _, n := range d.Notices {
			told[n.ID]++
		}
	}
	for _, n := range pending {
		if told[n.ID] != 1 {
			t.Errorf("notice %d was told %d times", n.ID, told[n.ID])
		}
	}
	o.keepsItsPromises()
}

func TestTheOutcomeIsNotedThoughTheCallerHasGivenUp(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	ctx, giveUp := context.WithCancel(t.Context())
	o.mail.answer = func(context.Context, core.Delivery) error {
		giveUp()
		return nil
	}
	if err := o.DeliverNotice(ctx, o.mail, o.last(o.ann, core.OfferReceived).ID); err != nil {
		t.Errorf("deliver: %v", err)
	}
	o.wantState(o.ann, core.NoticeDelivered)
}

func TestTheOutcomeIsNotedThoughTheDatabaseWasAway(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	o := officeAt(t, server.New())
	o.visit(o.post(o.ann), 1)
	var back sync.WaitGroup
	defer back.Wait()
	o.mail.answer = func(context.Context, core.Delivery) error {
		server.Down()
		back.Go(func() {
			time.Sleep(2 * time.Second) // longer than one transaction is tried again
			server.Up()
		})
		return nil
	}
	if err := o.DeliverNotice(t.Context(), o.mail, o.last(o.ann, core.OfferReceived).ID); err != nil {
		t.Errorf("deliver: %v", err)
	}
	o.mail.one(t)
	o.wantState(o.ann, core.NoticeDelivered)
}

func TestACourierWithoutAReceiptHasNotDelivered(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	err := o.DeliverNotice(t.Context(), careless{}, o.last(o.ann, core.OfferReceived).ID)
	var later *core.Later
	if !errors.As(err, &later) || later.Because == nil {
		t.Errorf("deliver: %v", err)
	}
	o.wantState(o.ann, core.NoticePending)
	o.keepsItsPromises()
}

type careless struct{}

func (careless) Deliver(context.Context, core.Delivery) (core.Receipt, error) {
	return core.Receipt{}, nil
}

func TestWhoeverCountsHearsOfEachEndOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 2)
	o.round(o.ann)
	o.visit(order, 1)
	o.mail.always(&core.Undeliverable{Reason: "closed", Closed: true})
	o.round(o.ann)
	o.round(o.ann)
	var heard []string
	for _, n := range o.ended {
		heard = append(heard, string(n.Kind)+" "+string(n.State)+" "+n.Reason)
		if n.SettledAt.IsZero() || n.CreatedAt.IsZero() {
			t.Errorf("heard of %+v", n)
		}
	}
	want := "offer_received delivered , offer_received delivered , offer_received refused closed, dm_failed delivered inbox"
	if got := strings.Join(heard, ", "); got != want {
		t.Errorf("heard %q\n want %q", got, want)
	}
}

func TestAMessageBelongsToItsReader(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.visit(o.post(o.ann), 1)
	o.round(o.ann)
	sent := o.mail.one(t)
	d, err := o.Delivery(t.Context(), o.ann, sent.ID)
	must(t, err)
	if d.MessageID == "" || len(d.Offers) != 1 {
		t.Errorf("delivery = %+v", d)
	}
	if _, err := o.Delivery(t.Context(), o.bob, sent.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("another's message: %v", err)
	}
	if _, err := o.Delivery(t.Context(), core.Actor{}, sent.ID); core.KindOf(err) != core.Unauthenticated {
		t.Errorf("a visitor: %v", err)
	}
}
