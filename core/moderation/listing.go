package moderation

import (
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
)

// ReportedListing is the present state of a listing that reports are about. Its stock is there also while it
// is not for sale.
type ReportedListing struct {
	match.Listing
	Version int // tells apart two states of it as it is shown; zero where it is not for sale
}

// ReportListing decides whether the actor, who may be a visitor, may report the listing. It fails with
// NotFound when it is not for sale to them, Forbidden when it is their own or they are blocked, and Invalid.
func ReportListing(
	l match.LockedListing, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Report, error) {
	switch {
	case by.Blocked: // newReport says so
	case by.MustBe(l.User) == nil:
		return Report{}, core.NewError(core.Forbidden, core.NewText("report_own_listing"))
	case !l.Listed(now) || l.Away || l.Apart:
		return Report{}, match.ListingGone()
	}
	return newReport(Report{ListingID: l.ID, Subject: l.User, ItemName: l.ItemName}, by, reason, forms, now)
}

// RemoveListing returns the result of a moderator taking the listing off sale. It fails with Unauthenticated,
// Forbidden, Invalid, and NotFound when it is not for sale.
func RemoveListing(
	l match.LockedListing, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Removal, error) {
	reason, err := mayRemove(by, reason, forms, l.User)
	if err != nil {
		return Removal{}, err
	}
	if !l.Listed(now) {
		return Removal{}, match.ListingGone()
	}
	n := noticeOfListing(l.Stock, notify.NoticeListingRemoved, now)
	n.Message = reason
	return Removal{
		Entry: core.AuditEntry{At: now, Moderator: by.UserID, Action: core.AuditListingRemoved,
			ListingID: l.ID, Subject: l.User, ItemName: l.ItemName, Reason: reason},
		Notices: []notify.Notice{n},
	}, nil
}

// NotForSale returns stock that stays with its seller and is shown no more. Open asks for it stay, as when
// the seller takes it off sale.
func NotForSale(s match.Stock) match.Stock {
	s.Public, s.Until, s.SellsDaily = false, time.Time{}, 0
	return s
}

// RestoreListing decides whether stock is for sale again as it was when a moderator took it off sale, and
// returns it with the notice to its seller. It fails with Conflict when the seller has removed or sold all of
// it, shows it again already, or wanted to show it no longer than until now.
func RestoreListing(s, removed match.Stock, now time.Time) (match.Stock, notify.Notice, error) {
	shown := s
	shown.Public, shown.Until, shown.SellsDaily = true, removed.Until, removed.SellsDaily
	if s.Public || s.User != removed.User || !shown.Listed(now) {
		return s, notify.Notice{}, core.NewError(core.Conflict, core.NewText("undo_listing_gone"))
	}
	return shown, noticeOfListing(shown, notify.NoticeListingRestored, now), nil
}

func noticeOfListing(s match.Stock, kind notify.Kind, now time.Time) notify.Notice {
	return notify.Notice{User: s.User, Kind: kind, ItemName: s.ItemName, Quantity: s.Quantity, Price: s.Price,
		State: notify.NoticePending, CreatedAt: now}
}
