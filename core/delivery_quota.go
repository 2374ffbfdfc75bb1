package core

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// NoticeDigest is the kind of a direct message that sums up the notices beyond the message quotas.
// No notice is of this kind.
const NoticeDigest NoticeKind = "digest"

// MaxDigest is how many notices one digest covers. Further ones are kept in the inbox only.
const MaxDigest = 100

// digestFull is why a notice ends that has no room in a digest.
const digestFull = "Too many messages at once: it is in your inbox only"

// PairKinds returns the kinds of message that share one quota of DMPair with messages of kind k; none for what no other
// person causes. Accepted offers have a quota to themselves on each side, so that nothing else uses it up.
func (k NoticeKind) PairKinds() []NoticeKind {
	switch k {
	case NoticeOfferAccepted:
		return []NoticeKind{NoticeOfferAccepted}
	case NoticeStandingAccepted:
		return []NoticeKind{NoticeStandingAccepted}
	case NoticeOfferReceived, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed, NoticeOfferReopened:
		return []NoticeKind{NoticeOfferReceived, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed, NoticeOfferReopened}
	case NoticeOrderFilled, NoticeOrderExpiring, NoticeOrderRemoved, NoticeOfferRemoved, NoticeOrderRestored,
		NoticeOfferRestored, NoticeUserBlocked, NoticeManyRemovals, NoticeReportReceived, NoticeReportChannelEnded, NoticeBoardEnded,
		NoticeLookAlike, NoticeStockStale, NoticeRequestWatched, NoticeOfferTimedOut, NoticeHandoverPrompt, NoticeHandoverCancelled, NoticeHandoverDisputed, NoticeHandoverSettled,
		NoticeDisputeReceived, NoticeDMFailed, NoticeTest, NoticeDigest:
	}
	return nil
}

// MessageTimes are when a reader was sent messages, newest first: as many as Quotas limits.
type MessageTimes struct {
	Pair []time.Time // by the person who caused the notice, of its PairKinds
	All  []time.Time // by anybody
}

// digest returns the delivery for a notice beyond the message quotas: the digest that the reader
// has of the same time, or a new one. It returns nil when the notice is within the quotas.
func (m *Market) digest(ctx context.Context, tx Tx, box Mailbox, n Notice, now time.Time) (*Delivery, error) {
	if m.quotas.DMPair.Limit == 0 && m.quotas.DMReader.Limit == 0 {
		return nil, nil
	}
	sent, err := tx.MessageTimes(ctx, n, n.Kind.PairKinds(), m.quotas)
	if err != nil {
		return nil, fmt.Errorf("messages to the reader of notice %d: %w", n.ID, err)
	}
	pair, all := m.quotas.DMPair.wait(sent.Pair, now) > 0, m.quotas.DMReader.wait(sent.All, now) > 0
	since := now
	if pair {
		since = now.Add(-m.quotas.DMPair.Per)
	}
	if all && now.Add(-m.quotas.DMReader.Per).Before(since) {
		since = now.Add(-m.quotas.DMReader.Per)
	}
	if !pair && !all {
		return nil, nil
	}
	d, err := tx.DigestFor(ctx, n, since, MaxDigest, all)
	if err != nil {
		return nil, fmt.Errorf("digest for notice %d: %w", n.ID, err)
	}
	d.Notices = slices.DeleteFunc(d.Notices, func(other Notice) bool {
		state, _ := box.endsUnsent(other, now)
		return other.State == NoticePending && state != NoticePending // its own job ends it
	})
	return &d, nil
}
