package core

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// DeliveryID numbers a direct message.
type DeliveryID int64

// Delivery is one direct message: the notices it tells, and where it is once it was sent.
type Delivery struct {
	ID        DeliveryID
	To        Mailbox
	Kind      NoticeKind
	Notices   []Notice // oldest first; more than one only for OfferReceived
	Offers    []LiveOffer
	ChannelID string // where it was sent; empty before
	MessageID string // empty before it was sent: then it is a new message, else an edit
	// Uncertain means that an earlier attempt may have sent it without our learning of it, too long ago for the nonce
	// to tell: look for it before sending again.
	Uncertain bool
	StartedAt time.Time // when it was first tried; zero before
	SentAt    time.Time

	plannedAt time.Time // when this attempt began
}

// Nonce names the message to Discord, so that a repeat makes no second one.
func (d Delivery) Nonce() string { return fmt.Sprintf("tradepost-%d", d.ID) }

// LiveOffer is an offer that still stands, with its order.
type LiveOffer struct {
	Offer Offer
	Order Order
}

// Receipt says where a delivered message is.
type Receipt struct{ ChannelID, MessageID string }

// Courier carries deliveries to their readers. It returns *Undeliverable, *Later when the message was surely not sent, or
// another error when it does not know what became of it.
type Courier interface {
	Deliver(ctx context.Context, d Delivery) (Receipt, error)
}

// Undeliverable says that a message cannot reach its reader, and that trying again would not help.
type Undeliverable struct {
	Reason string // a sentence safe to show the reader
	Closed bool   // no message would reach them, until they do something about it
}

func (e *Undeliverable) Error() string { return "undeliverable: " + e.Reason }

// Later says that a notice must wait.
type Later struct {
	After   time.Duration
	Because error // of an attempt whose outcome is not known; nil when nothing went wrong
}

func (e *Later) Error() string {
	if e.Because != nil {
		return fmt.Sprintf("try again after %s: %v", e.After, e.Because)
	}
	return fmt.Sprintf("try again after %s", e.After)
}

func (e *Later) Unwrap() error { return e.Because }

// How deliveries are paced.
const (
	// GatherFor is how long after the last ping another offer is added to the message instead of making a new one.
	GatherFor = 2 * time.Minute
	// GatherMost is how many offers one message tells of.
	GatherMost = 10
	// NoticeLife is how long a notice is tried before it is given up.
	NoticeLife = 3 * 24 * time.Hour
	// deliveryLease is how long one attempt may take before another may start.
	deliveryLease = 45 * time.Second
	// settleTime is how long is tried to note what became of a message.
	settleTime = 30 * time.Second
	// nonceLife is how long Discord surely remembers a nonce. It says "some minutes".
	nonceLife = time.Minute
	// longestWait is between two attempts of unknown outcome.
	longestWait = time.Minute
)

// DeliverNotice brings a notice to its reader through the courier. It may be called any number of times, by any number of
// replicas: of those at once for one reader, one does the work. It returns nil when the notice has ended and *Later when
// it has to wait; any other error is ours.
//
// A reader has one message of undecided outcome at most. Until it is known to have arrived or not, it is what is sent,
// whichever notice asks: so a text that may be out there already is never sent as another message, and what came in
// meanwhile is gathered behind it.
func (m *Market) DeliverNotice(ctx context.Context, courier Courier, id NoticeID) error {
	for {
		var plan deliveryPlan
		err := m.store.Atomically(ctx, func(tx Tx) (err error) {
			plan, err = m.planDelivery(ctx, tx, id)
			return err
		})
		if err != nil {
			return err
		}
		m.tell(plan.ended)
		if plan.delivery != nil {
			if err := m.carry(ctx, courier, *plan.delivery); err != nil {
				return err
			}
		}
		if !plan.again {
			return nil
		}
	}
}

// deliveryPlan is what shall be done about a notice.
type deliveryPlan struct {
	delivery *Delivery // to be sent; nil for nothing
	ended    []Notice  // that have ended without being sent
	again    bool      // the notice itself comes after it
}

// planDelivery decides what is sent for a notice, and reserves the reader's mailbox for it.
func (m *Market) planDelivery(ctx context.Context, tx Tx, id NoticeID) (deliveryPlan, error) {
	var plan deliveryPlan
	now := m.now()
	box, notice, err := tx.LockMailbox(ctx, id)
	if KindOf(err) == NotFound {
		return plan, nil // its reader has gone
	}
	if err != nil {
		return plan, fmt.Errorf("notice %d: %w", id, err)
	}
	if notice.State != NoticePending {
		return plan, nil
	}
	if state, reason := box.refuses(notice, now); state != NoticePending {
		plan.ended, err = endNotices(ctx, tx, []Notice{notice}, state, reason, now)
		return plan, err
	}
	if wait := box.wait(notice, now); wait > 0 {
		return plan, &Later{After: wait}
	}
	delivery, err := tx.DeliveryFor(ctx, notice, now.Add(-GatherFor), GatherMost)
	if err != nil {
		return plan, fmt.Errorf("delivery of notice %d: %w", id, err)
	}
	plan.again = !slices.ContainsFunc(delivery.Notices, func(n Notice) bool { return n.ID == id })
	if gone := delivery.withoutGone(); len(gone) > 0 {
		plan.ended, err = endNotices(ctx, tx, gone, NoticeExpired, "The offer was gone before it could be told", now)
		if err != nil || len(delivery.pending()) == 0 {
			return plan, err
		}
	}
	delivery.To = box
	delivery.Uncertain = delivery.MessageID == "" && !delivery.StartedAt.IsZero() && now.Sub(delivery.StartedAt) > nonceLife
	delivery.plannedAt = now
	box.BusyUntil = now.Add(deliveryLease)
	if delivery.ID, err = tx.StartDelivery(ctx, delivery, now); err != nil {
		return plan, fmt.Errorf("start delivery of notice %d: %w", id, err)
	}
	plan.delivery = &delivery
	return plan, tx.SaveMailbox(ctx, box)
}

// withoutGone takes those notices out of the delivery that tell of an offer which no longer stands, and returns them.
func (d *Delivery) withoutGone() (gone []Notice) {
	d.Notices = slices.DeleteFunc(d.Notices, func(n Notice) bool {
		stands := func(o LiveOffer) bool { return o.Offer.ID == n.OfferID }
		if n.Kind != OfferReceived || n.State != NoticePending || slices.ContainsFunc(d.Offers, stands) {
			return false
		}
		gone = append(gone, n)
		return true
	})
	return gone
}

func (d Delivery) pending() (pending []Notice) {
	for _, n := range d.Notices {
		if n.State == NoticePending {
			pending = append(pending, n)
		}
	}
	return pending
}

func endNotices(ctx context.Context, tx Tx, notices []Notice, state NoticeState, reason string, now time.Time) ([]Notice, error) {
	ids := make([]NoticeID, len(notices))
	ended := slices.Clone(notices)
	for i := range ended {
		ids[i] = ended[i].ID
		ended[i].State, ended[i].Reason, ended[i].SettledAt = state, reason, now
	}
	if err := tx.SettleNotices(ctx, ids, state, reason, now); err != nil {
		return nil, fmt.Errorf("settle notices %v: %w", ids, err)
	}
	return ended, nil
}

// tell lets whoever counts know how notices have ended.
func (m *Market) tell(ended []Notice) {
	if m.noticeEnded == nil {
		return
	}
	for _, n := range ended {
		m.noticeEnded(n)
	}
}

// carry sends a message and notes what became of it.
func (m *Market) carry(ctx context.Context, courier Courier, d Delivery) error {
	receipt, sendErr := courier.Deliver(ctx, d)
	if sendErr == nil && receipt.MessageID == "" {
		sendErr = errors.New("the courier has no receipt")
	}
	var (
		undeliverable *Undeliverable
		later         *Later
	)
	if sendErr != nil && !errors.As(sendErr, &undeliverable) && !errors.As(sendErr, &later) {
		sendErr = &Later{After: waitAfter(d, m.now()), Because: sendErr}
	}
	ended, err := m.settle(ctx, d, receipt, sendErr)
	if err != nil {
		return fmt.Errorf("settle delivery %d: %w", d.ID, errors.Join(err, sendErr))
	}
	m.tell(ended)
	if undeliverable != nil {
		return nil
	}
	return sendErr
}

// waitAfter is how long to wait after an attempt of unknown outcome. It grows with the time since the first.
func waitAfter(d Delivery, now time.Time) time.Duration {
	age := time.Duration(0)
	if !d.StartedAt.IsZero() {
		age = now.Sub(d.StartedAt)
	}
	return min(max(age/2, time.Second), longestWait)
}

// settle notes what became of a message. What Discord said must not be forgotten because the caller has given up waiting,
// or because the store is away for a moment: it would be said again.
func (m *Market) settle(ctx context.Context, d Delivery, receipt Receipt, sendErr error) (ended []Notice, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	for {
		err = m.store.Atomically(ctx, func(tx Tx) (err error) {
			ended, err = m.settleDelivery(ctx, tx, d, receipt, sendErr)
			return err
		})
		if KindOf(err) != Unavailable {
			return ended, err
		}
		select {
		case <-time.After(settlePause):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// settlePause is between two attempts to reach the store.
const settlePause = 200 * time.Millisecond

func (m *Market) settleDelivery(ctx context.Context, tx Tx, d Delivery, receipt Receipt, sendErr error) (ended []Notice, err error) {
	now := m.now()
	box, _, err := tx.LockMailbox(ctx, d.Notices[len(d.Notices)-1].ID)
	if KindOf(err) == NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	box.BusyUntil, box.NotBefore = time.Time{}, time.Time{}
	var (
		undeliverable *Undeliverable
		later         *Later
	)
	switch {
	case sendErr == nil:
		box.ChannelID, box.Closed, box.ClosedAt = receipt.ChannelID, "", time.Time{}
		d.ChannelID, d.MessageID = receipt.ChannelID, receipt.MessageID
		if err := tx.FinishDelivery(ctx, d, now); err != nil {
			return nil, err
		}
		ended, err = endNotices(ctx, tx, d.pending(), NoticeDelivered, "", now)
	case errors.As(sendErr, &undeliverable):
		ended, err = endNotices(ctx, tx, d.pending(), NoticeRefused, undeliverable.Reason, now)
		if err == nil && undeliverable.Closed && box.Closed == "" {
			box.Closed, box.ClosedAt = undeliverable.Reason, now
			err = tx.AddNotices(ctx, []Notice{{
				User: box.User, Kind: DirectMsgFailed, Message: undeliverable.Reason, State: NoticePending, CreatedAt: now,
			}})
		}
	case errors.As(sendErr, &later) && later.Because != nil:
		box.NotBefore = d.plannedAt.Add(later.After)
	}
	if err != nil {
		return nil, err
	}
	return ended, tx.SaveMailbox(ctx, box)
}

// Delivery returns a direct message that was sent to the actor, with the offers it told of that still stand. It refuses
// with NotFound when it is not theirs.
func (m *Market) Delivery(ctx context.Context, actor Actor, id DeliveryID) (Delivery, error) {
	if err := actor.mustBeUser(); err != nil {
		return Delivery{}, err
	}
	delivery, err := m.store.Delivery(ctx, actor.UserID, id)
	if err != nil {
		return Delivery{}, fmt.Errorf("delivery %d: %w", id, err)
	}
	return delivery, nil
}
