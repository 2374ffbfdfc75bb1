package markettest

import (
	"errors"
	"slices"
	"testing"

	"tradepost/core"
)

// line leaves three notices in bob's mailbox: an alert, then an accepted offer, then a declined one.
func (o *fixture) line() (alert, accepted, declined core.Notice) {
	o.t.Helper()
	other, order := o.post(o.ann), o.post(o.cat)
	_, err := o.AddWatch(o.t.Context(), o.bob, core.WatchDraft{Text: "iron", MinQuantity: 200})
	must(o.t, err)
	wanted := o.draft(o.cat)
	wanted.Quantity = 200
	_, err = o.PostOrder(o.t.Context(), o.cat, wanted)
	must(o.t, err)
	for done := 1; done > 0; {
		done, err = o.AlertWatchers(o.t.Context(), 10)
		must(o.t, err)
	}
	_, err = o.AcceptOffer(o.t.Context(), o.cat, o.offer(o.bob, order).ID, 5)
	must(o.t, err)
	must(o.t, o.DeleteOffer(o.t.Context(), o.ann, o.offer(o.bob, other).ID))
	return o.last(o.bob, core.NoticeRequestWatched), o.last(o.bob, core.NoticeOfferAccepted), o.last(o.bob, core.NoticeOfferDeclined)
}

func TestTheOldestOfAMailboxGoesFirstAndTradesBeforeAlerts(t *testing.T) {
	t.Parallel()
	o := newFixture(t, func(opts *core.Options) { opts.Features = core.AllFeatures() })
	alert, accepted, declined := o.line()
	want := []core.NoticeID{accepted.ID, declined.ID, alert.ID}
	// The job of the alert runs first, and the newest trade's before the oldest's.
	for _, n := range []core.Notice{alert, declined, accepted} {
		o.deliver(n.ID)
	}
	var got []core.NoticeID
	for _, d := range o.mail.took() {
		for _, n := range d.Notices {
			got = append(got, n.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("sent %v, want accepted, declined, alert: %v", got, want)
	}
	o.checkInvariants()
}

func TestANoticeThatMustWaitDelaysNoOtherOfItsReader(t *testing.T) {
	t.Parallel()
	o := newFixture(t, func(opts *core.Options) { opts.Features = core.AllFeatures() })
	watch, err := o.AddWatch(t.Context(), o.bob, core.WatchDraft{Text: "iron"})
	must(t, err)
	_, err = o.SnoozeWatch(t.Context(), o.bob, watch.ID, core.SnoozeHour)
	must(t, err)
	order := o.post(o.cat)
	_, err = o.AlertWatchers(t.Context(), 10)
	must(t, err)
	_, err = o.AcceptOffer(t.Context(), o.cat, o.offer(o.bob, order).ID, 5)
	must(t, err)
	if wait := o.deliver(o.last(o.bob, core.NoticeOfferAccepted).ID); wait != 0 {
		t.Errorf("the accepted offer waits %s", wait)
	}
	if d := o.mail.one(t); d.Kind != core.NoticeOfferAccepted {
		t.Errorf("sent %s", d.Kind)
	}
}

func TestALongLineLetsOtherReadersPass(t *testing.T) {
	t.Parallel()
	o := newFixture(t, func(opts *core.Options) {
		opts.Quotas.DMReader, opts.Quotas.DMPair = core.Quota{}, core.Quota{}
	})
	order := o.post(o.ann)
	for range 15 {
		_, err := o.AcceptOffer(t.Context(), o.ann, o.offer(o.bob, order).ID, 5)
		must(t, err)
	}
	newest := o.last(o.bob, core.NoticeOfferAccepted)
	err := o.DeliverNotice(t.Context(), o.mail, newest.ID)
	var later *core.RetryLater
	if !errors.As(err, &later) || later.Cause != nil || len(o.mail.took()) != 10 {
		t.Errorf("one attempt sent more than ten messages, or did not yield: %v", err)
	}
	if wait := o.deliver(newest.ID); wait != 0 {
		t.Errorf("the next attempt has to wait %s", wait)
	}
	if sent := o.mail.took(); len(sent) != 5 || sent[4].Notices[0].ID != newest.ID {
		t.Errorf("the next attempt sent %d messages, want the five that are left, the newest last", len(sent))
	}
}
