package channels

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
)

const (
	// settleTime is how long storing the result of a message is tried.
	settleTime = 30 * time.Second
	// NonceLifetime is how long Discord surely remembers a nonce. It says "some minutes".
	NonceLifetime = time.Minute
)

const (
	// maxInLine limits the messages to one reader that an attempt sends before it lets messages to other
	// readers pass.
	maxInLine = 10
	// inLineWait is how long it then waits.
	inLineWait = 10 * time.Millisecond
)

// DeliverNotice brings a notice to its reader through the sender. It may be called any number of times, by
// any number of replicas: of those at once for one reader, one does the work. It returns nil when the
// notice has ended and *RetryLater when it has to wait; any other error is ours.
//
// A reader has one message of undecided outcome at most. Until it is known to have arrived or not,
// DeliverNotice sends this message, whichever notice asks: so a text that may have arrived already is never
// sent as another message, and later notices are gathered behind it. The same holds for the notices that are
// due: trades come before alerts, and the oldest first, whichever notice asks.
func (m *Deliverer) DeliverNotice(ctx context.Context, sender DMSender, id core.NoticeID) error {
	for range maxInLine {
		var plan deliveryPlan
		err := m.run.Atomically(ctx, func(tx DeliveryTx) (err error) {
			plan, err = m.planDelivery(ctx, tx, id)
			return err
		})
		if err != nil {
			return err
		}
		m.reportEnded(plan.ended)
		if plan.delivery != nil {
			if err := m.sendDelivery(ctx, sender, *plan.delivery); err != nil {
				return err
			}
		}
		if !plan.again {
			return nil
		}
	}
	return &RetryLater{After: inLineWait}
}

// deliveryPlan holds the next steps for a notice.
type deliveryPlan struct {
	delivery *Delivery       // to be sent; nil for nothing
	ended    []notify.Notice // that have ended without being sent
	again    bool            // the notice itself comes after it
}

// planDelivery chooses the message to send for a notice, and reserves the reader's mailbox for it.
func (m *Deliverer) planDelivery(ctx context.Context, tx DeliveryTx, id core.NoticeID) (deliveryPlan, error) {
	var plan deliveryPlan
	now := m.now()
	box, notice, err := tx.LockMailbox(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return plan, nil // its reader has gone
	}
	if err != nil {
		return plan, fmt.Errorf("notice %d: %w", id, err)
	}
	if notice.State != notify.NoticePending {
		return plan, nil
	}
	inThread, err := m.goesToThread(ctx, tx, notice)
	if err != nil {
		return plan, err
	}
	if !inThread && notice.Kind != notify.NoticeTest && box.Wait(notice, now) == 0 {
		line, err := tx.Line(ctx, box.User, now)
		if err != nil {
			return plan, fmt.Errorf("line before notice %d: %w", id, err)
		}
		if next := notify.First(line); next.ID != 0 && next.ID != id {
			plan, err = m.planNotice(ctx, tx, box, next, now)
			plan.again = true
			return plan, err
		}
	}
	return m.planNotice(ctx, tx, box, notice, now)
}

// planNotice chooses the message to send for the notice that is next in line.
func (m *Deliverer) planNotice(
	ctx context.Context, tx DeliveryTx, box notify.Mailbox, notice notify.Notice, now time.Time,
) (deliveryPlan, error) {
	var plan deliveryPlan
	id := notice.ID
	thread, waits, err := m.threadOf(ctx, tx, notice, now)
	if err != nil {
		return plan, err
	}
	goes := threadState(thread, waits)
	turn := box.Turn(notice, goes, m.steady(), now)
	ends := turn.State != notify.NoticePending
	if turn.Over {
		plan.ended, err = endNotices(ctx, tx, []notify.Notice{notice}, turn.State, turn.Reason, now)
		return plan, err
	}
	if turn.Wait > 0 {
		return plan, &RetryLater{After: turn.Wait}
	}
	most, within := notice.BatchLimits()
	if thread != "" {
		most = 1 // each trade has its own
	}
	delivery, err := tx.DeliveryFor(ctx, notice, now.Add(-within), most)
	if err != nil {
		return plan, fmt.Errorf("delivery of notice %d: %w", id, err)
	}
	if !delivery.has(id) && len(delivery.Notices) > 0 { // an earlier one with an unknown outcome
		if thread, _, err = m.threadOf(ctx, tx, delivery.Notices[0], now); err != nil {
			return plan, err
		}
	}
	delivery.Thread = thread
	if delivery.ID == 0 && !ends && thread == "" {
		digest, err := m.digest(ctx, tx, box, notice, now)
		if err != nil {
			return plan, err
		}
		if digest != nil && !digest.has(id) {
			plan.ended, err = endNotices(ctx, tx, []notify.Notice{notice}, notify.NoticeRefused,
				notify.DigestFull, now)
			return plan, err
		}
		if digest != nil {
			delivery = *digest
		}
	}
	if ends && !(delivery.undecided() && delivery.has(id)) {
		plan.ended, err = endNotices(ctx, tx, []notify.Notice{notice}, turn.State, turn.Reason, now)
		return plan, err
	}
	delivery.To, delivery.plannedAt = box, now
	if delivery.undecided() {
		if delivery.ends = delivery.endings(box.ReachedBy(goes), now); len(delivery.ends) > 0 {
			if wait := m.steady(); wait > 0 {
				return plan, &RetryLater{After: wait} // they may only seem to be too old
			}
			// The message may be there: it is looked for first, and they end as that shows.
			delivery.FindOnly, plan.again = true, true
			return plan, m.startDelivery(ctx, tx, &plan, delivery, now)
		}
	}
	plan.again = !delivery.has(id)
	if gone := delivery.dropGone(now); len(gone) > 0 {
		plan.ended, err = endGone(ctx, tx, gone, now)
		if err != nil || len(delivery.pending()) == 0 {
			return plan, err
		}
		if delivery.ID == 0 && !delivery.has(id) { // what it gathered may not be next in line
			plan.again = true
			return plan, nil
		}
	}
	delivery.Uncertain = delivery.undecided() && (m.steady() > 0 || delivery.nonceMayBeForgotten(now))
	return plan, m.startDelivery(ctx, tx, &plan, delivery, now)
}

// RedrawNotice redraws the message of a notice in its present state, when it was sent and is not except,
// which an answer has redrawn. It returns the errors of DeliverNotice.
func (m *Deliverer) RedrawNotice(
	ctx context.Context, sender DMSender, id core.NoticeID, except string,
) error {
	var plan deliveryPlan
	err := m.run.Atomically(ctx, func(tx DeliveryTx) (err error) {
		plan, err = m.planRedraw(ctx, tx, id, except)
		return err
	})
	if err != nil || plan.delivery == nil {
		return err
	}
	return m.sendDelivery(ctx, sender, *plan.delivery)
}

func (m *Deliverer) planRedraw(
	ctx context.Context, tx DeliveryTx, id core.NoticeID, except string,
) (deliveryPlan, error) {
	var plan deliveryPlan
	now := m.now()
	box, n, err := tx.LockMailbox(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return plan, nil // its reader has gone
	}
	if err != nil {
		return plan, fmt.Errorf("notice %d: %w", id, err)
	}
	if wait := box.BusyFor(now); wait > 0 {
		return plan, &RetryLater{After: wait}
	}
	d, err := tx.SentDelivery(ctx, n)
	if err != nil {
		return plan, fmt.Errorf("message of notice %d: %w", n.ID, err)
	}
	if d.MessageID == "" || d.MessageID == except {
		return plan, nil
	}
	d.To, d.plannedAt, d.EditOnly = box, now, true
	return plan, m.startDelivery(ctx, tx, &plan, d, now)
}

// startDelivery reserves the mailbox for an attempt.
func (m *Deliverer) startDelivery(
	ctx context.Context, tx DeliveryTx, plan *deliveryPlan, d Delivery, now time.Time,
) (err error) {
	if d, err = tx.StartDelivery(ctx, d, now); err != nil {
		return fmt.Errorf("start delivery %d: %w", d.ID, err)
	}
	d = m.mark(d)
	plan.delivery = &d
	box := d.To
	box.BusyUntil = now.Add(notify.DeliveryLease)
	return tx.SaveMailbox(ctx, box)
}

func endNotices(
	ctx context.Context, tx DeliveryTx, notices []notify.Notice, state notify.State, reason string,
	now time.Time,
) ([]notify.Notice, error) {
	ids := make([]core.NoticeID, len(notices))
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

// endGone ends the notices about offers and requests that are no longer open.
func endGone(
	ctx context.Context, tx DeliveryTx, gone []notify.Notice, now time.Time,
) ([]notify.Notice, error) {
	var ended []notify.Notice
	for _, reason := range []string{offerGone, match.AlertOver, handoverAnswered} {
		of := slices.DeleteFunc(slices.Clone(gone),
			func(n notify.Notice) bool { return goneReason(n) != reason })
		if len(of) == 0 {
			continue
		}
		some, err := endNotices(ctx, tx, of, notify.NoticeExpired, reason, now)
		if err != nil {
			return ended, err
		}
		ended = append(ended, some...)
	}
	return ended, nil
}

// reportEnded counts ended notices in the metrics.
func (m *Deliverer) reportEnded(ended []notify.Notice) {
	if m.ended == nil {
		return
	}
	for _, n := range ended {
		m.ended(n)
	}
}

// sendDelivery sends a message and stores the result.
func (m *Deliverer) sendDelivery(ctx context.Context, sender DMSender, d Delivery) error {
	where, sendErr := sender.SendDM(ctx, d)
	var (
		undeliverable *notify.Undeliverable
		later         *RetryLater
	)
	if errors.As(sendErr, &undeliverable) && d.EditOnly {
		// its reader has it as it was
		where, sendErr = notify.SentDM{ChannelID: d.ChannelID, MessageID: d.MessageID}, nil
	}
	if errors.As(sendErr, &undeliverable) && d.undecided() && !d.FindOnly {
		where, sendErr = d.findEarlierAttempt(ctx, sender, undeliverable)
	}
	var gone *ThreadGone
	if errors.As(sendErr, &gone) {
		sendErr = &RetryLater{Thread: gone}
	}
	undeliverable = nil
	if sendErr == nil && where.MessageID == "" && !d.FindOnly {
		sendErr = errors.New("the sender returned no message")
	}
	if errors.As(sendErr, &later) {
		later.After = min(later.After, notify.MaxRetryAfter)
	} else if sendErr != nil && !errors.As(sendErr, &undeliverable) {
		sendErr = &RetryLater{After: waitAfter(d, m.now()), Cause: sendErr}
	}
	ended, err := m.settle(ctx, d, where, sendErr)
	if err != nil {
		return fmt.Errorf("settle delivery %d: %w", d.ID, errors.Join(err, sendErr))
	}
	m.reportEnded(ended)
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
	return min(max(age/2, time.Second), notify.MaxRetryWait)
}

// settle stores the result of a message. It retries after the caller has canceled and while the
// store is unavailable: a result that is lost means that the message is sent again.
func (m *Deliverer) settle(
	ctx context.Context, d Delivery, where notify.SentDM, sendErr error,
) (ended []notify.Notice, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	for {
		err = m.run.Atomically(ctx, func(tx DeliveryTx) (err error) {
			ended, err = m.settleDelivery(ctx, tx, d, where, sendErr)
			return err
		})
		if core.KindOf(err) != core.Unavailable {
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

func (m *Deliverer) settleDelivery(
	ctx context.Context, tx DeliveryTx, d Delivery, where notify.SentDM, sendErr error,
) (ended []notify.Notice, err error) {
	now := m.now()
	box, _, err := tx.LockMailbox(ctx, d.Notices[len(d.Notices)-1].ID)
	if core.KindOf(err) == core.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	box.BusyUntil, box.NotBefore = time.Time{}, time.Time{}
	var (
		undeliverable *notify.Undeliverable
		later         *RetryLater
	)
	switch {
	case d.FindOnly && (sendErr == nil && where.MessageID == "" || errors.As(sendErr, &undeliverable)):
		ended, err = d.endNotFound(ctx, tx, now)
	case sendErr == nil && d.FindOnly: // that it was delivered says nothing of whether others would be now
		ended, err = d.finish(ctx, tx, where, now)
	case sendErr == nil:
		if d.Thread == "" {
			box.ChannelID, box.Closed, box.ClosedAt = where.ChannelID, "", time.Time{}
		}
		ended, err = d.finish(ctx, tx, where, now)
	case errors.As(sendErr, &undeliverable):
		ended, err = endNotices(ctx, tx, d.pending(), notify.NoticeRefused, undeliverable.Reason, now)
		if err == nil && undeliverable.Closed && box.Closed == "" {
			box.Closed, box.ClosedAt = undeliverable.Reason, now
			err = notify.AddNotices(ctx, tx, []notify.Notice{{
				User: box.User, Kind: notify.NoticeDMFailed, Message: undeliverable.Reason,
				State: notify.NoticePending, CreatedAt: now,
			}})
		}
	case errors.As(sendErr, &later) && later.Thread != nil:
		err = tx.EndTradeThread(ctx, d.Notices[0].Sale)
	case errors.As(sendErr, &later) && later.Cause != nil &&
		!d.EditOnly: // nothing waits for a message that is drawn again
		box.NotBefore = d.plannedAt.Add(later.After)
	case errors.As(sendErr, &later) && !d.EditOnly:
		box = box.Limited(later.After, now)
	}
	if err != nil {
		return nil, err
	}
	return ended, tx.SaveMailbox(ctx, box)
}

// finish notes that the message is there.
func (d Delivery) finish(
	ctx context.Context, tx DeliveryTx, where notify.SentDM, now time.Time,
) ([]notify.Notice, error) {
	d.ChannelID, d.MessageID = where.ChannelID, where.MessageID
	if err := tx.FinishDelivery(ctx, d, now); err != nil {
		return nil, err
	}
	return endNotices(ctx, tx, d.pending(), notify.NoticeDelivered, "", now)
}

// goesToThread reports whether a notice is for a thread that has not ended. It waits for no other of its
// reader.
func (m *Deliverer) goesToThread(ctx context.Context, tx DeliveryTx, n notify.Notice) (bool, error) {
	if !m.features.Threads || n.Sale == 0 {
		return false, nil
	}
	thread, err := tx.TradeThread(ctx, n.Sale)
	if err != nil {
		return false, fmt.Errorf("thread of sale %d: %w", n.Sale, err)
	}
	return thread != nil && !thread.Ended, nil
}

// threadState says where a notice goes whose thread is given, or waited for.
func threadState(thread string, waits bool) notify.Thread {
	switch {
	case waits:
		return notify.ThreadAwaited
	case thread != "":
		return notify.ThreadMade
	}
	return notify.NoThread
}

// threadOf returns the thread to which the notices of a message go, empty for a direct message. It waits
// while the thread is being made.
func (m *Deliverer) threadOf(
	ctx context.Context, tx DeliveryTx, n notify.Notice, now time.Time,
) (threadID string, waits bool, err error) {
	settled, sent := slices.Contains(settledByThread, n.Kind), slices.Contains(sentToThread, n.Kind)
	if !m.features.Threads || n.Sale == 0 || !settled && !sent {
		return "", false, nil
	}
	thread, err := tx.TradeThread(ctx, n.Sale)
	switch {
	case err != nil:
		return "", false, fmt.Errorf("thread of sale %d: %w", n.Sale, err)
	case thread == nil || thread.Ended:
		return "", false, nil
	case thread.MessageID != "" && sent:
		return thread.ThreadID, false, nil
	case thread.MessageID != "":
		return "", false, nil
	case now.Sub(thread.CreatedAt) <= ThreadWithin:
		return "", true, nil
	}
	ended, err := tx.GiveUpTradeThread(ctx, n.Sale, now)
	if err != nil {
		return "", false, fmt.Errorf("give up the thread of sale %d: %w", n.Sale, err)
	}
	return "", !ended, nil // it waits when an attempt goes on
}
