package channels

import (
	"context"
	"errors"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
)

// A notice that ends without being sent, because its time is over or its offer is gone, may have been sent
// by an earlier attempt that lost its answer. Then the message is looked up first, and the result decides
// how the notice ends.

// ending is how a notice ends without being delivered.
type ending struct {
	state  notify.State
	reason string
}

// undecided reports whether an earlier attempt may have sent the message.
func (d Delivery) undecided() bool { return d.MessageID == "" && !d.StartedAt.IsZero() }

// nonceMayBeForgotten reports whether Discord may have forgotten the nonce of an earlier attempt. It may
// where the clock was ahead when that began.
func (d Delivery) nonceMayBeForgotten(now time.Time) bool {
	age := now.Sub(d.StartedAt)
	return age < 0 || age > NonceLifetime
}

// has reports whether the message contains a notice.
func (d Delivery) has(id core.NoticeID) bool {
	return slices.ContainsFunc(d.Notices, func(n notify.Notice) bool { return n.ID == id })
}

const (
	offerGone        = "The offer was gone before its notice could be sent"
	handoverAnswered = "It was answered before its notice could be sent"
)

// Needless reports whether a notice ended unsent because its reader needed no message any more: they had
// answered, or there was nothing left to answer.
func Needless(n notify.Notice) bool {
	answered := n.Offer != nil && (!n.Offer.Open || n.Offer.Accepted > 0)
	return n.State == notify.NoticeExpired &&
		(answered || slices.Contains([]string{offerGone, match.AlertOver, handoverAnswered}, n.Reason))
}

// goneReason is why a notice ends that dropGone returned.
func goneReason(n notify.Notice) string {
	if n.Kind == notify.NoticeHandoverPrompt {
		return handoverAnswered
	}
	if n.Kind == notify.NoticeRequestWatched {
		return match.AlertOver
	}
	return offerGone
}

// endings returns how pending notices of the message end that are not to be sent any more.
func (d Delivery) endings(box notify.Mailbox, now time.Time) map[core.NoticeID]ending {
	ends := map[core.NoticeID]ending{}
	rest := d
	rest.Notices = slices.Clone(d.Notices)
	for _, n := range rest.dropGone(now) {
		ends[n.ID] = ending{notify.NoticeExpired, goneReason(n)}
	}
	for _, n := range d.pending() {
		if state, reason := box.EndsUnsent(n, now); state != notify.NoticePending {
			ends[n.ID] = ending{state, reason}
		}
	}
	return ends
}

// findEarlierAttempt reports whether an earlier attempt has delivered a message that cannot be
// delivered now. It returns that error when there is none.
func (d Delivery) findEarlierAttempt(
	ctx context.Context, sender DMSender, failed *notify.Undeliverable,
) (notify.SentDM, error) {
	d.FindOnly = true
	where, err := sender.SendDM(ctx, d)
	var gone *notify.Undeliverable
	if err == nil && where.MessageID == "" || errors.As(err, &gone) {
		return notify.SentDM{}, failed
	}
	return where, err
}

// endNotFound ends the notices that are not to be sent, of a message that is not there.
func (d Delivery) endNotFound(
	ctx context.Context, tx DeliveryTx, now time.Time,
) (ended []notify.Notice, err error) {
	for _, n := range d.pending() {
		end, ok := d.ends[n.ID]
		if !ok {
			continue
		}
		one, err := endNotices(ctx, tx, []notify.Notice{n}, end.state, end.reason, now)
		if err != nil {
			return nil, err
		}
		ended = append(ended, one...)
	}
	return ended, nil
}
