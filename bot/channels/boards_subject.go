package channels

import (
	"context"
	"time"

	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// boardSubject is the present state of the order or listing that a post of a board shows. Both are nil once
// it was deleted.
type boardSubject struct {
	order   *trade.Order
	listing *channels.BoardListing
}

func (k boardSync) subjectNow(ctx context.Context, p channels.BoardPost) (s boardSubject, err error) {
	if p.Listing != 0 {
		s.listing, err = k.listingNow(ctx, p.Listing)
	} else {
		s.order, err = k.orderNow(ctx, p.OrderID)
	}
	return s, err
}

func (s boardSubject) deleted() bool { return s.order == nil && s.listing == nil }

// note copies name and version into a post, and reports whether the subject is open. A listing that has ended
// may come back.
func (s boardSubject) note(p *channels.BoardPost, now time.Time) (open bool) {
	p.Finished = true
	switch {
	case s.order != nil:
		open, p.Finished = s.order.Open(now), s.order.Status == trade.Fulfilled
		p.ItemName, p.ShownVersion = s.order.ItemName, s.order.Version
	case s.listing != nil:
		open, p.Finished = s.listing.Open, false
		p.ItemName, p.ShownVersion = s.listing.ItemName, s.listing.Version
	}
	return open
}

func (s boardSubject) owner() core.UserID {
	switch {
	case s.order != nil:
		return s.order.Owner
	case s.listing != nil:
		return s.listing.User
	}
	return 0
}

func (s boardSubject) category() game.Category {
	switch {
	case s.order != nil:
		return s.order.Category
	case s.listing != nil:
		return s.listing.Category
	}
	return ""
}

// label returns the name of a forum's post that shows the subject.
func (s boardSubject) label(t kernel.Translator) string {
	if s.listing != nil {
		return listingLabel(t, *s.listing)
	}
	return t.OrderLabel(*s.order)
}
