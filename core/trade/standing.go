package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

// Limits of standing acceptances and least records.
const (
	MaxPartnersAsked = 100
	MaxStandingDays  = 30
)

// StandingDraft says which offers on an order are accepted as they come.
type StandingDraft struct {
	Partners     int // from how many established partners on a seller is trusted
	FromPartners int // how many items in all are taken from trusted sellers
	FromOthers   int // and from all others
	Until        time.Time
}

// StandingAcceptance accepts offers on an order by itself: a whole offer of a signed-in seller for which
// there is room, in the transaction that sends it. Its total quantity is limited, separately for trusted
// sellers and for others.
type StandingAcceptance struct {
	StandingDraft
	ID                int64
	Order             core.OrderID
	TakenFromPartners int
	TakenFromOthers   int
	SetAt             time.Time
	EndedAt           time.Time // zero while it stands
}

// Validate returns Invalid with every invalid field.
func (d StandingDraft) Validate(o Order, now time.Time) error {
	var c core.Checks
	c.That(d.Partners >= 1 && d.Partners <= MaxPartnersAsked, "partners",
		core.NewText("partners_range", "Partners must be between 1 and %d", MaxPartnersAsked))
	quantity := core.NewText("standing_quantity_range", "Choose a quantity from 0 to %d", o.Remaining())
	c.That(d.FromPartners >= 0 && d.FromPartners <= o.Remaining(), "fromPartners", quantity)
	c.That(d.FromOthers >= 0 && d.FromOthers <= o.Remaining(), "fromOthers", quantity)
	c.That(d.FromPartners+d.FromOthers > 0, "fromPartners",
		core.NewText("standing_nothing", "Say how many you take"))
	c.That(d.Until.After(now) && !d.Until.After(now.Add(MaxStandingDays*core.Day)), "until",
		core.NewText("standing_until_range", "Choose a time within the next %d days", MaxStandingDays))
	return c.Err()
}

// Stands reports whether offers are accepted now.
func (s StandingAcceptance) Stands(now time.Time) bool {
	return s.ID != 0 && s.EndedAt.IsZero() && now.Before(s.Until)
}

// Left returns how many are still taken from trusted sellers, and from others.
func (s StandingAcceptance) Left() (fromPartners, fromOthers int) {
	return max(s.FromPartners-s.TakenFromPartners, 0), max(s.FromOthers-s.TakenFromOthers, 0)
}

// takes reports whether an offer on an order is accepted, and returns the acceptance after taking it. An
// offer that does not fit as a whole waits for the buyer.
func (s StandingAcceptance) takes(
	offer Offer, o Order, record trust.Record, now time.Time,
) (StandingAcceptance, bool) {
	if !s.Stands(now) || !offer.Verified() || offer.Quantity > o.Remaining() {
		return s, false
	}
	fromPartners, fromOthers := s.Left()
	if record.Partners >= s.Partners && offer.Quantity <= fromPartners {
		s.TakenFromPartners += offer.Quantity
		return s, true
	}
	if offer.Quantity <= fromOthers {
		s.TakenFromOthers += offer.Quantity
		return s, true
	}
	return s, false
}

// LeastRecord is a buyer's requirement for sellers: established partners, or an offer that is small enough
// for new traders. The zero value requires nothing.
type LeastRecord struct {
	Partners int
	NewUpTo  int // items that others may offer at most; zero for none
}

// Validate returns Invalid with every invalid field.
func (l LeastRecord) Validate(o Order) error {
	var c core.Checks
	c.That(l.Partners >= 1 && l.Partners <= MaxPartnersAsked, "partners",
		core.NewText("partners_range", "Partners must be between 1 and %d", MaxPartnersAsked))
	c.That(l.NewUpTo >= 0 && l.NewUpTo <= o.Quantity, "newUpTo",
		core.NewText("standing_quantity_range", "Choose a quantity from 0 to %d", o.Quantity))
	return c.Err()
}

// check returns an error that names the unmet requirement when an offer of so many does not satisfy the
// buyer.
func (l LeastRecord) check(record trust.Record, quantity int) error {
	switch {
	case l.Partners == 0 || record.Partners >= l.Partners || quantity <= l.NewUpTo:
		return nil
	case l.NewUpTo > 0:
		return core.NewFieldError("quantityOffered", core.NewText("least_record_small",
			"This buyer asks for %d established partners, and you have %d so far. You can offer up to %d.",
			l.Partners, record.Partners, l.NewUpTo))
	}
	return core.NewError(core.Forbidden, core.NewText("least_record",
		"This buyer asks for %d established partners, and you have %d so far. Trade on other requests first.",
		l.Partners, record.Partners))
}

// Terms are a buyer's requirements for sellers on an order, and the offers that are accepted automatically.
type Terms struct {
	Least    LeastRecord
	Standing []StandingAcceptance // the latest first; only for the buyer
}

// TimeNamed reads the end of a day that a user names, in their time zone (an IANA name; empty for UTC):
// "today", "tomorrow", "weekend" (the coming Sunday), or a date such as 2026-11-30; "72h" and "week" are
// counted from now. It reports false for anything else.
func TimeNamed(name, zone string, now time.Time) (time.Time, bool) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	here := now.In(location)
	endOf := func(days int) time.Time {
		return time.Date(here.Year(), here.Month(), here.Day()+days, 23, 59, 0, 0, location).UTC()
	}
	switch name {
	case "today":
		return endOf(0), true
	case "tomorrow":
		return endOf(1), true
	case "weekend":
		return endOf((7 - int(here.Weekday())) % 7), true
	case "72h":
		return now.Add(AgreedWithin), true
	case "week":
		return now.Add(7 * core.Day), true
	}
	date, err := time.ParseInLocation(time.DateOnly, name, location)
	if err != nil {
		return time.Time{}, false
	}
	return time.Date(date.Year(), date.Month(), date.Day(), 23, 59, 0, 0, location).UTC(), true
}
