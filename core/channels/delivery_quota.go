package channels

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core/notify"
)

// digest returns the delivery for a notice beyond the message quotas: the digest that the reader
// has of the same time, or a new one. It returns nil when the notice is within the quotas.
func (m *Deliverer) digest(
	ctx context.Context, tx DeliveryTx, box notify.Mailbox, n notify.Notice, now time.Time,
) (*Delivery, error) {
	if m.quotas.DMPair.Limit == 0 && m.quotas.DMReader.Limit == 0 {
		return nil, nil
	}
	if _, quiet := box.Settings.Quiet(now); quiet {
		return nil, nil // it is a test: a digest would take along what waits for the end of the quiet hours
	}
	sent, err := tx.MessageTimes(ctx, n, n.Kind.PairKinds(), m.quotas)
	if err != nil {
		return nil, fmt.Errorf("messages to the reader of notice %d: %w", n.ID, err)
	}
	beyond := sent.Beyond(m.quotas, now)
	if !beyond.Pair && !beyond.All {
		return nil, nil
	}
	d, err := tx.DigestFor(ctx, n, beyond.Since, notify.MaxDigest, beyond.All)
	if err != nil {
		return nil, fmt.Errorf("digest for notice %d: %w", n.ID, err)
	}
	d.Notices = slices.DeleteFunc(d.Notices, func(other notify.Notice) bool {
		state, _ := box.EndsUnsent(other, now)
		return other.State == notify.NoticePending && state != notify.NoticePending // its own job ends it
	})
	return &d, nil
}
