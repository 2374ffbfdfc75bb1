package channels

import (
	"slices"
	"time"

	"tradepost/core/notify"
	"tradepost/core/trade"
)

// dropGone removes the notices of offers and watched requests that are no longer open, and the prompts of
// handovers that were answered, from the delivery, and returns them.
func (d *Delivery) dropGone(now time.Time) (gone []notify.Notice) {
	d.Notices = slices.DeleteFunc(d.Notices, func(n notify.Notice) bool {
		isOpen := func(o trade.OpenOffer) bool { return o.Offer.ID == n.OfferID }
		isWanted := func(o trade.Order) bool { return o.ID == n.OrderID && o.Open(now) }
		waits := func(h trade.Trade) bool { return h.Sale == n.Sale && h.WaitsFor(n.User) }
		switch {
		case n.State != notify.NoticePending,
			n.Kind != notify.NoticeOfferReceived && n.Kind != notify.NoticeRequestWatched &&
				n.Kind != notify.NoticeHandoverPrompt,
			n.Kind == notify.NoticeOfferReceived && slices.ContainsFunc(d.Offers, isOpen),
			n.Kind == notify.NoticeHandoverPrompt && slices.ContainsFunc(d.Trades, waits),
			n.Kind == notify.NoticeRequestWatched && slices.ContainsFunc(d.Watched, isWanted):
			return false
		}
		gone = append(gone, n)
		return true
	})
	return gone
}
