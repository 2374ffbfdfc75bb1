package notify

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

const (
	// RedrawEvery is how often a message is drawn again at most where only a count changes. It is a guess:
	// Discord limits edits of old messages and publishes no number.
	RedrawEvery = 3 * time.Minute
	// redrawnFor is for how long messages about offers are drawn again.
	redrawnFor = 30 * 24 * time.Hour
	// maxRedrawn is how many messages of one order are drawn again at most, the newest first.
	maxRedrawn = 50
)

// RedrawnOffers are the messages about offers on an order that have to be drawn again, because offers were
// answered elsewhere.
type RedrawnOffers struct {
	Order core.OrderID
	// their messages are drawn again at once, other messages of the order later; empty when all have changed
	Changed []core.OfferID
	ActedOn string        // the message that the actor acts on: its answer draws it again; empty for none
	Since   time.Time     // messages that were sent before stay as they are
	After   time.Duration // how long messages wait in which only a count changes
	Most    int           // messages
}

// RedrawOffers has the buyer's messages about offers on an order redrawn: messages about the changed offers
// at once (all messages when no offer is named), and the others later.
func (m *Service) RedrawOffers(
	ctx context.Context, tx Tx, actor core.Actor, order core.OrderID, now time.Time, changed ...core.OfferID,
) error {
	err := tx.RedrawOffers(ctx, RedrawnOffers{
		Order: order, Changed: changed, ActedOn: actor.ActsOn, Since: now.Add(-redrawnFor),
		After: m.redrawEvery, Most: maxRedrawn,
	})
	if err != nil {
		return fmt.Errorf("redraw messages about offers on order %d: %w", order, err)
	}
	return nil
}

// NoOffer is an offer that no message is about: then only counts have changed.
const NoOffer core.OfferID = 0
