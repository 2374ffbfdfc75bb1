package markettest

import (
	"errors"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
)

// line leaves three notices in bob's mailbox: an alert, then an accepted offer, then a declined one.
func (o *fixture) line() (alert, accepted, declined notify.Notice) {
	o.t.Helper()
	other, order := o.post(o.ann), o.post(o.cat)
	_, err := o.Match.AddSearch(o.t.Context(), o.bob, match.SearchDraft{Bell: match.BellOn, Text: "iron", MinQuantity: 200})
	must(o.t, err)
	wanted := o.draft(o.cat)
	wanted.Quantity = 200
	_, err = o.Trade.PostOrder(o.t.Context(), o.cat, wanted)
	must(o.t, err)
	for done := 1; done > 0; {
		done, err = o.Match.AlertWatchers(o.t.Context(), 10)
		must(o.t, err)
	}
	_, err = o.Trade.AcceptOffer(o.t.Context(), o.cat, o.offer(o.bob, order).ID, 5)
	must(o.t, err)
	must(o.t, o.Trade.DeleteOffer(o.t.Context(), o.ann, o.offer(o.bob, other).ID))
	return o.last(o.bob, notify.NoticeRequestWatched), o.last(o.bob, notify.NoticeOfferAccepted), o.last(o.bob, notify.NoticeOfferDeclined)
}

func TestTheOldestOfAMailboxGoesFirstAndTradesBeforeAlerts(t *testing.T) {
	t.Parallel()
	o := newFixture(t, func(opts *market.Options) { opts.Features = core.AllFeatures() })
	alert, accepted, declined := o.line()
	want := []core.NoticeID{accepted.ID, declined.ID, alert.ID}
	// The job of the alert runs first, and the newest trade's before the oldest's.
	for _, n := range []notify.Notice{alert, declined, accepted} {
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
	o := newFixture(t, func(opts *market.Options) { opts.Features = core.AllFeatures() })
	watch, err := o.Match.AddSearch(t.Context(), o.bob, match.SearchDraft{Bell: match.BellOn, Text: "iron"})
	must(t, err)
	_, err = o.Match.SnoozeBell(t.Context(), o.bob, watch.ID, match.SnoozeHour)
	must(t, err)
	order := o.post(o.cat)
	_, err = o.Match.AlertWatchers(t.Context(), 10)
	must(t, err)
	_, err = o.Trade.AcceptOffer(t.Context(), o.cat, o.offer(o.bob, order).ID, 5)
	must(t, err)
	if wait := o.deliver(o.last(o.bob, notify.NoticeOfferAccepted).ID); wait != 0 {
		t.Errorf("the accepted offer waits %s", wait)
	}
	if d := o.mail.one(t); d.Kind != notify.NoticeOfferAccepted {
		t.Errorf("sent %s", d.Kind)
	}
}

func TestALongLineLetsOtherReadersPass(t *testing.T) {
	t.Parallel()
	o := newFixture(t, func(opts *market.Options) {
		opts.Quotas.DMReader, opts.Quotas.DMPair = core.Quota{}, core.Quota{}
	})
	order := o.post(o.ann)
	for range 15 {
		_, err := o.Trade.AcceptOffer(t.Context(), o.ann, o.offer(o.bob, order).ID, 5)
		must(t, err)
	}
	newest := o.last(o.bob, notify.NoticeOfferAccepted)
	err := o.Channels.DeliverNotice(t.Context(), o.mail, newest.ID)
	var later *channels.RetryLater
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
