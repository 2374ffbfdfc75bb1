package markettest

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// newMessages delivers all that waits for a reader, and returns the messages that were sent and not edited.
func (o *fixture) newMessages(reader core.Actor) (sent []channels.Delivery) {
	o.t.Helper()
	o.round(reader)
	for _, d := range o.mail.took() {
		if d.MessageID == "" {
			sent = append(sent, d)
		}
	}
	return sent
}

func TestOfferingAndWithdrawingSixtyTimesSendsFewMessages(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{DMPair: core.Quota{Limit: 4, Per: time.Hour}, DMReader: core.Quota{Limit: 20, Per: time.Hour}}))
	order, sent, digests := o.post(o.ann), 0, 0
	for range 60 {
		offer := o.offer(o.bob, order)
		first := o.newMessages(o.ann)
		must(t, o.Trade.DeleteOffer(t.Context(), o.bob, offer.ID))
		for _, d := range append(first, o.newMessages(o.ann)...) {
			if sent++; d.Kind == notify.NoticeDigest {
				digests++
			}
		}
		o.pass(time.Second / 2)
	}
	if sent != 5 || digests != 1 {
		t.Errorf("%d messages were sent, %d of them digests; want 4 and one digest", sent, digests)
	}
	for _, n := range o.inbox(o.ann) {
		if n.State == notify.NoticePending {
			t.Errorf("notice %d has not ended", n.ID)
		}
	}
	if n := len(o.inbox(o.ann)); n != 120 {
		t.Errorf("%d notices are in the inbox, want all 120", n)
	}
	// Another person's message arrives, and an hour later so does this one's.
	o.offer(o.cat, order)
	if got := o.newMessages(o.ann); len(got) != 1 || got[0].Kind != notify.NoticeOfferReceived {
		t.Errorf("another seller's offer is in %+v", got)
	}
	o.pass(time.Hour)
	o.offer(o.bob, order)
	if got := o.newMessages(o.ann); len(got) != 1 || got[0].Kind != notify.NoticeOfferReceived {
		t.Errorf("an hour later the offer is in %+v", got)
	}
	o.checkInvariants()
}

func TestMessagesPerReaderAreLimitedAcrossSenders(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{DMReader: core.Quota{Limit: 3, Per: time.Hour}}))
	order := o.post(o.ann)
	var kinds []notify.Kind
	for i := range 8 {
		seller := []core.Actor{o.bob, o.cat}[i%2]
		offer := o.offer(seller, order)
		must(t, o.Trade.DeleteOffer(t.Context(), seller, offer.ID))
		for _, d := range o.newMessages(o.ann) {
			kinds = append(kinds, d.Kind)
		}
	}
	if want := []notify.Kind{notify.NoticeOfferWithdrawn, notify.NoticeOfferWithdrawn, notify.NoticeOfferWithdrawn, notify.NoticeDigest}; !slices.Equal(kinds, want) {
		t.Errorf("sent %v, want %v", kinds, want)
	}
	o.offer(o.cat, order)
	o.round(o.ann)
	last := o.mail.took()
	if len(last) != 1 || last[0].Kind != notify.NoticeDigest || last[0].MessageID == "" || len(last[0].Offers) != 1 {
		t.Errorf("an offer is in %+v, want an edit of the digest with the offer", last)
	}
	o.checkInvariants()
}

func TestAcceptedOffersHaveAQuotaOfTheirOwn(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{DMPair: core.Quota{Limit: 2, Per: time.Hour}}))
	for range 4 {
		order := o.post(o.ann)
		must(t, o.Trade.DeleteOffer(t.Context(), o.ann, o.offer(o.bob, order).ID)) // declined
		o.newMessages(o.bob)
	}
	order := o.post(o.ann)
	offer := o.offer(o.bob, order)
	var kinds []notify.Kind
	for range 3 {
		_, err := o.Trade.AcceptOffer(t.Context(), o.ann, offer.ID, 1)
		must(t, err)
		o.round(o.bob)
		for _, d := range o.mail.took() {
			kinds = append(kinds, d.Kind)
		}
	}
	if want := []notify.Kind{notify.NoticeOfferAccepted, notify.NoticeOfferAccepted, notify.NoticeDigest}; !slices.Equal(kinds, want) {
		t.Errorf("accepted offers are in %v, want %v", kinds, want)
	}
}

func TestNoticesBeyondADigestStayInTheInbox(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{DMPair: core.Quota{Limit: 1, Per: time.Hour}}))
	order, sent := o.post(o.ann), 0
	for range notify.MaxDigest + 5 {
		must(t, o.Trade.DeleteOffer(t.Context(), o.bob, o.offer(o.bob, order).ID))
		sent += len(o.newMessages(o.ann))
	}
	if sent != 2 {
		t.Errorf("%d messages were sent, want one and a digest", sent)
	}
	var kept []notify.Notice
	for _, n := range o.inbox(o.ann) {
		if n.State == notify.NoticeRefused {
			kept = append(kept, n)
		}
	}
	if len(kept) != 8 || kept[0].Reason == "" {
		t.Errorf("%d notices are in the inbox only, want 8: %+v", len(kept), kept)
	}
	o.checkInvariants()
}

func TestAMutedKindIsNotInADigest(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{DMReader: core.Quota{Limit: 1, Per: time.Hour}}))
	order := o.post(o.ann)
	must(t, o.Trade.DeleteOffer(t.Context(), o.bob, o.offer(o.bob, order).ID))
	o.newMessages(o.ann)
	_, err := o.Notify.SetSettings(t.Context(), o.ann, notify.Settings{Muted: []notify.Kind{notify.NoticeOfferReceived}})
	must(t, err)
	o.offer(o.bob, order)
	o.offer(o.cat, order)
	must(t, o.Notify.SendTest(t.Context(), o.ann))
	o.round(o.ann)
	for _, d := range o.mail.took() {
		for _, n := range d.Notices {
			if n.Kind == notify.NoticeOfferReceived {
				t.Errorf("a %s contains %s, which is turned off", d.Kind, n.Kind)
			}
		}
	}
}
