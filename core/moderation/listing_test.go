package moderation_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
)

func listing(change ...func(*match.LockedListing)) match.LockedListing {
	l := match.LockedListing{Listing: match.Listing{Stock: match.Stock{
		ID: 4, User: 2, TouchedAt: coretest.Noon.Add(-time.Hour),
		StockDraft: match.StockDraft{ItemName: "Iron Ore", Quantity: 5, Price: 250, Public: true},
	}}}
	for _, c := range change {
		c(&l)
	}
	return l
}

func TestReportingAListing(t *testing.T) {
	buyer := core.Actor{UserID: 5, Username: "maple"}
	for name, tt := range map[string]struct {
		by      core.Actor
		listing match.LockedListing
		reason  string
		refused core.ErrorKind
	}{
		"another user":               {by: buyer, listing: listing(), reason: "No such ore"},
		"a visitor":                  {by: coretest.Visitor, listing: listing(), reason: "No such ore"},
		"without a reason":           {by: buyer, listing: listing(), reason: " ", refused: core.Invalid},
		"its seller":                 {by: core.Actor{UserID: 2}, listing: listing(), reason: "Mine", refused: core.Forbidden},
		"a user who is blocked":      {by: core.Actor{UserID: 5, Blocked: true}, listing: listing(func(l *match.LockedListing) { l.Away = true }), reason: "x", refused: core.Forbidden},
		"a seller who is blocked":    {by: buyer, listing: listing(func(l *match.LockedListing) { l.Away = true }), reason: "x", refused: core.NotFound},
		"a seller who blocked them":  {by: buyer, listing: listing(func(l *match.LockedListing) { l.Apart = true }), reason: "x", refused: core.NotFound},
		"stock that is not for sale": {by: buyer, listing: listing(func(l *match.LockedListing) { l.Public = false }), reason: "x", refused: core.NotFound},
		"a listing that has ended":   {by: buyer, listing: listing(func(l *match.LockedListing) { l.Until = coretest.Noon }), reason: "x", refused: core.NotFound},
		"a listing that is sold out": {by: buyer, listing: listing(func(l *match.LockedListing) { l.Quantity = 0 }), reason: "x", refused: core.NotFound},
		"a listing all of which is asked for": {by: buyer, reason: "x",
			listing: listing(func(l *match.LockedListing) { l.Asked = 5 })},
	} {
		r, err := moderation.ReportListing(tt.listing, tt.by, tt.reason, coretest.Forms, coretest.Noon)
		if core.KindOf(err) != tt.refused {
			t.Errorf("%s: returned %v", name, err)
		}
		if err == nil && (r.ListingID != 4 || r.OrderID != 0 || r.OfferID != 0 || r.Subject != 2 || r.ItemName != "Iron Ore" || r.State != moderation.ReportOpen) {
			t.Errorf("%s: reports %+v", name, r)
		}
	}
}

func TestTakingAListingOffSale(t *testing.T) {
	for name, tt := range map[string]struct {
		by      core.Actor
		listing match.LockedListing
		reason  string
		refused core.ErrorKind
	}{
		"a moderator":                  {by: coretest.Moderator, listing: listing(), reason: "No such item"},
		"without a reason":             {by: coretest.Moderator, listing: listing(), refused: core.Invalid},
		"its seller, a moderator":      {by: core.Actor{UserID: 2, Moderator: true}, listing: listing(), reason: "Mine", refused: core.Forbidden},
		"another user":                 {by: core.Actor{UserID: 5}, listing: listing(), reason: "x", refused: core.Forbidden},
		"a visitor":                    {by: coretest.Visitor, listing: listing(), reason: "x", refused: core.Unauthenticated},
		"of a seller who is blocked":   {by: coretest.Moderator, listing: listing(func(l *match.LockedListing) { l.Away = true }), reason: "x"},
		"what is off sale already":     {by: coretest.Moderator, listing: listing(func(l *match.LockedListing) { l.Public = false }), reason: "x", refused: core.NotFound},
		"what its seller has not seen": {by: coretest.Moderator, listing: listing(func(l *match.LockedListing) { l.TouchedAt = coretest.Noon.Add(-match.StockLifetime) }), reason: "x", refused: core.NotFound},
	} {
		done, err := moderation.RemoveListing(tt.listing, tt.by, tt.reason, coretest.Forms, coretest.Noon)
		if core.KindOf(err) != tt.refused {
			t.Errorf("%s: returned %v", name, err)
		}
		if err != nil {
			continue
		}
		if e := done.Entry; e.Action != core.AuditListingRemoved || e.ListingID != 4 || e.OrderID != 0 || e.Subject != 2 || e.Moderator != tt.by.UserID || e.Reason != tt.reason {
			t.Errorf("%s: noted %+v", name, e)
		}
		if n := done.Notices; len(n) != 1 || n[0].User != 2 || n[0].Kind != notify.NoticeListingRemoved || n[0].Message != tt.reason || n[0].Quantity != 5 {
			t.Errorf("%s: the seller is notified of %+v", name, n)
		}
		if s := moderation.NotForSale(tt.listing.Stock); s.Listed(coretest.Noon) || s.Quantity != 5 || s.SellsDaily != 0 {
			t.Errorf("%s: the stock is %+v", name, s)
		}
	}
}

// Whatever its seller did to the stock meanwhile, an undo shows it as it is now, for as long and with as many
// unasked as it was shown before, or is refused and changes nothing.
func TestUndoneRemovalsShowStockAsItIsNow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	restored := 0
	for range 20000 {
		now := coretest.Noon
		removed := listing().Stock
		removed.SellsDaily = random.IntN(3)
		if random.IntN(2) == 0 {
			removed.Until = now.Add(time.Duration(random.IntN(60)) * core.Day / 2)
		}
		s := moderation.NotForSale(removed)
		now = now.Add(time.Duration(random.IntN(40)) * core.Day / 2)
		s.Quantity, s.Price = random.IntN(4), core.Copper(1+random.IntN(9))
		if random.IntN(3) == 0 {
			s.Public = true
		}
		if random.IntN(3) == 0 {
			s.TouchedAt = now.Add(-time.Duration(random.IntN(60)) * core.Day / 2)
		}
		shown, notice, err := moderation.RestoreListing(s, removed, now)
		there := s.Quantity > 0 && now.Before(s.TouchedAt.Add(match.StockLifetime))
		ended := !removed.Until.IsZero() && !now.Before(removed.Until)
		if refused := s.Public || !there || ended; refused != (err != nil) {
			t.Fatalf("%+v, removed as %+v, at %v: %v", s, removed, now, err)
		}
		if err != nil {
			if core.KindOf(err) != core.Conflict || shown != s {
				t.Fatalf("refused with %v, %+v", err, shown)
			}
			continue
		}
		restored++
		if !shown.Listed(now) || shown.Until != removed.Until || shown.SellsDaily != removed.SellsDaily ||
			shown.Quantity != s.Quantity || shown.Price != s.Price || shown.TouchedAt != s.TouchedAt {
			t.Fatalf("%+v is shown as %+v", s, shown)
		}
		if notice.Kind != notify.NoticeListingRestored || notice.User != s.User || notice.Quantity != s.Quantity {
			t.Fatalf("the seller is notified of %+v", notice)
		}
	}
	if restored < 1000 {
		t.Errorf("only %d were restored", restored)
	}
	other := listing().Stock
	other.User = 9
	if _, _, err := moderation.RestoreListing(moderation.NotForSale(other), listing().Stock, coretest.Noon); core.KindOf(err) != core.Conflict {
		t.Errorf("another seller's stock: %v", err)
	}
}
