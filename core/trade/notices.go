package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// AuditEntry returns the log entry of an act of a moderator on an order.
func AuditEntry(
	by core.Actor, action core.AuditAction, o Order, reason string, now time.Time,
) core.AuditEntry {
	return core.AuditEntry{At: now, Moderator: by.UserID, Action: action, OrderID: o.ID, ItemName: o.ItemName,
		Reason: reason}
}

// NoticeAbout returns a notice about an order.
func NoticeAbout(o Order, to core.UserID, kind notify.Kind, now time.Time) notify.Notice {
	return notify.Notice{
		User: to, Kind: kind, OrderID: o.ID, ItemName: o.ItemName, Price: o.MaxPrice,
		State: notify.NoticePending, CreatedAt: now,
	}
}

// OfferReceived returns the notice of a new offer for the buyer.
func OfferReceived(o Order, offer Offer, now time.Time) notify.Notice {
	n := NoticeAbout(o, o.Owner, notify.NoticeOfferReceived, now)
	n.OfferID, n.Quantity, n.Price, n.CausedBy = offer.ID, offer.Quantity, offer.Price, offer.Seller
	n.Name, n.Contact, n.Message = offer.SellerName, offer.SellerContact, offer.Message
	return n
}

// ToSeller returns the notice for the seller of an offer that ended. It returns nothing for a visitor's
// offer.
func ToSeller(
	o Order, offer Offer, kind notify.Kind, quantity int, why string, now time.Time,
) []notify.Notice {
	if !offer.Verified() {
		return nil
	}
	n := NoticeAbout(o, offer.Seller, kind, now)
	n.OfferID, n.Quantity, n.Price, n.CausedBy = offer.ID, quantity, offer.Price, o.Owner
	n.Name, n.Contact, n.Message = o.InGameName, o.BuyerContact, why
	return []notify.Notice{n}
}

// OrderFilled returns the buyer's notice that the order is filled, and nothing when it is not. by is the
// accept that filled it, where a thread may tell of it; zero for none.
func OrderFilled(o Order, by core.SaleID, now time.Time) []notify.Notice {
	if o.CloseReason != Filled {
		return nil
	}
	n := NoticeAbout(o, o.Owner, notify.NoticeOrderFilled, now)
	n.Quantity, n.Sale = o.Sold, by
	return []notify.Notice{n}
}

// Why an offer lapsed. Notices store the English sentence; LapseReason finds its code again.
var (
	lapsedClosed  = core.NewText("lapsed_closed")
	lapsedFilled  = core.NewText("lapsed_filled")
	LapsedDeleted = core.NewText("lapsed_deleted")
	lapsedExpired = core.NewText("lapsed_expired")
	LapsedRemoved = core.NewText("lapsed_removed")
	lapsedAnswer  = core.NewText("lapsed_unanswered")
	lapsedUntil   = core.NewText("lapsed_good_until")
	LapsedBlocked = core.NewText("lapsed_blocked")
	AskRefused    = core.NewText("ask_refused")
	askUnanswered = core.NewText("ask_unanswered")
)

// AskReason returns the sentence that the notice of an ended ask stores.
func AskReason(stored string) core.Text {
	for _, reason := range []core.Text{AskRefused, askUnanswered} {
		if reason.String() == stored {
			return reason
		}
	}
	return core.Text{Plain: stored}
}

// AskAccepted returns the notice for the buyer that the seller has said yes to their ask.
func AskAccepted(a Acceptance, now time.Time) notify.Notice {
	n := OfferReceived(a.Order, a.Offer, now)
	n.Kind, n.Sale, n.Quantity = notify.NoticeAskAccepted, a.Sale.ID, a.Sale.Quantity
	return n
}

// CrossingNotices returns the notices of a sale that was made without asking: for its seller and its buyer.
func CrossingNotices(a Acceptance, now time.Time) []notify.Notice {
	sold := ToSeller(a.Order, a.Offer, notify.NoticeListingSold, a.Sale.Quantity, "", now)
	bought := OfferReceived(a.Order, a.Offer, now)
	bought.Kind, bought.Quantity = notify.NoticeStandingAccepted, a.Sale.Quantity
	sold[0].Sale, bought.Sale = a.Sale.ID, a.Sale.ID
	if a.Order.Listing != 0 { // of a plan, whose sales come in one message
		bought.HoldUntil = now
	}
	return append(sold, bought)
}

// crossingUndone returns the notice for the other side that a sale was undone that was made without asking.
func crossingUndone(o Order, s Sale, by core.UserID, now time.Time) notify.Notice {
	n := NoticeAbout(o, s.Seller, notify.NoticeCrossingUndone, now)
	n.Name, n.Contact = o.InGameName, o.BuyerContact
	if by == s.Seller {
		n.User, n.Name, n.Contact = o.Owner, s.SellerName, s.SellerContact
	}
	n.Sale, n.CausedBy, n.Quantity, n.Price = s.ID, by, s.Quantity, s.UnitPrice
	return n
}

// LapseReason returns the sentence that the notice of a lapsed offer stores.
func LapseReason(stored string) core.Text {
	for _, reason := range []core.Text{lapsedClosed, lapsedFilled, LapsedDeleted, lapsedExpired,
		LapsedRemoved, lapsedAnswer, lapsedUntil, LapsedBlocked} {
		if reason.String() == stored {
			return reason
		}
	}
	return core.Text{Plain: stored}
}
