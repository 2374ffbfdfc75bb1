package core

import (
	"slices"
	"time"
)

// batchLimits returns how many notices of the kind one message contains, and for how long after
// its ping others are added to it.
func (k NoticeKind) batchLimits() (most int, within time.Duration) {
	switch k {
	case NoticeOfferReceived:
		return MaxBatch, BatchWindow
	case NoticeRequestWatched:
		return MaxAlertBatch, 0
	case NoticeHandoverPrompt:
		return MaxBatch, HandoverBatchWindow
	case NoticeOrderExpiring, NoticeOfferLapsed, NoticeReportReceived, NoticeStockStale:
		return MaxExpiryBatch, ExpiryBatchWindow
	case NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOrderFilled, NoticeOrderRemoved, NoticeOfferRemoved,
		NoticeOrderRestored, NoticeOfferRestored, NoticeOfferReopened,
		NoticeUserBlocked, NoticeManyRemovals, NoticeReportChannelEnded, NoticeBoardEnded, NoticeLookAlike, NoticeOfferTimedOut, NoticeHandoverCancelled,
		NoticeHandoverDisputed, NoticeHandoverSettled, NoticeDisputeReceived, NoticeStandingAccepted, NoticeDMFailed, NoticeTest, NoticeDigest:
	}
	return 1, 0
}

// dropGone removes the notices of offers and watched requests that are no longer open, and the prompts of handovers that were answered, from
// the delivery, and returns them.
func (d *Delivery) dropGone(now time.Time) (gone []Notice) {
	d.Notices = slices.DeleteFunc(d.Notices, func(n Notice) bool {
		isOpen := func(o OpenOffer) bool { return o.Offer.ID == n.OfferID }
		isWanted := func(o Order) bool { return o.ID == n.OrderID && o.Open(now) }
		waits := func(h Handover) bool { return h.Sale == n.Sale && h.waitsFor(n.User) }
		switch {
		case n.State != NoticePending,
			n.Kind != NoticeOfferReceived && n.Kind != NoticeRequestWatched && n.Kind != NoticeHandoverPrompt,
			n.Kind == NoticeOfferReceived && slices.ContainsFunc(d.Offers, isOpen),
			n.Kind == NoticeHandoverPrompt && slices.ContainsFunc(d.Handovers, waits),
			n.Kind == NoticeRequestWatched && slices.ContainsFunc(d.Watched, isWanted):
			return false
		}
		gone = append(gone, n)
		return true
	})
	return gone
}
