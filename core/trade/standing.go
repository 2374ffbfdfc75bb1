package trade

import (
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
)

// MaxStandingDays is for how long offers can be accepted as they come.
const MaxStandingDays = 30

// Sellers says which sellers a buyer asks for.
type Sellers string

// The choices.
const (
	SellersAnybody Sellers = "anybody" // up to a quantity
	SellersTrusted Sellers = "trusted" // others here know them
	SellersMet     Sellers = "met"     // they have handed over to the buyer, or the buyer to them
)

// AllSellers lists every choice.
var AllSellers = []Sellers{SellersTrusted, SellersMet, SellersAnybody}

// UsualSellers returns the sellers that a buyer asks for who does not say which, and how many of a quantity
// others may offer. In a young market hardly anybody is trusted yet.
func UsualSellers(young bool, quantity int) (sellers Sellers, others int) {
	if young {
		return SellersMet, 0
	}
	return SellersTrusted, quantity / 10
}

// include reports whether a seller is one of them, whatever the quantity.
func (s Sellers) include(seller Seller) bool {
	return s == SellersTrusted && seller.Trusted || s == SellersMet && seller.Met
}

func (s Sellers) check(c *core.Checks) {
	c.That(slices.Contains(AllSellers, s), "sellers", core.NewText("sellers_unknown"))
}

// StandingDraft says which offers on an order are accepted as they come.
type StandingDraft struct {
	Sellers      Sellers `json:",omitzero"`
	FromPartners int     // how many items in all are taken from these sellers; none from SellersAnybody
	FromOthers   int     // and from all others
	Until        time.Time
}

// forPost returns the draft as it is for a new order: of the whole quantity, and for as long as possible,
// where it does not say that.
func (d StandingDraft) forPost(o Order, now time.Time) StandingDraft {
	switch {
	case d.FromPartners > 0 || d.FromOthers > 0:
	case d.Sellers == SellersAnybody:
		d.FromOthers = o.Quantity
	default:
		d.FromPartners = o.Quantity
	}
	if d.Until.IsZero() {
		d.Until = now.Add(MaxStandingDays * core.Day)
	}
	d.Until = d.Until.UTC().Truncate(time.Microsecond)
	return d
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
	d.Sellers.check(&c)
	quantity := core.NewText("standing_quantity_range", "most", o.Remaining())
	c.That(d.FromPartners >= 0 && d.FromPartners <= o.Remaining(), "fromPartners", quantity)
	c.That(d.FromOthers >= 0 && d.FromOthers <= o.Remaining(), "fromOthers", quantity)
	c.That(d.FromPartners == 0 || d.Sellers != SellersAnybody, "fromPartners",
		core.NewText("standing_anybody"))
	c.That(d.FromPartners+d.FromOthers > 0, "fromPartners", core.NewText("standing_nothing"))
	c.That(d.Until.After(now) && !d.Until.After(now.Add(MaxStandingDays*core.Day)), "until",
		core.NewText("standing_until_range", "days", MaxStandingDays))
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
	offer Offer, o Order, seller Seller, now time.Time,
) (StandingAcceptance, bool) {
	if !s.Stands(now) || !offer.Verified() || offer.Quantity > o.Remaining() {
		return s, false
	}
	fromPartners, fromOthers := s.Left()
	if s.Sellers.include(seller) && offer.Quantity <= fromPartners {
		s.TakenFromPartners += offer.Quantity
		return s, true
	}
	if offer.Quantity <= fromOthers {
		s.TakenFromOthers += offer.Quantity
		return s, true
	}
	return s, false
}

// Meeting is a locked order whose offers are accepted as they come, and a locked listing of its item that
// sells without asking.
type Meeting struct {
	cross.Pair
	Terms Seller // the order's terms, and what they ask of the listing's seller
}

// pair returns the pair with what the terms leave of it.
func (m Meeting) pair(now time.Time) cross.Pair {
	p, s := m.Pair, m.Terms.Standing
	p.Chosen, p.UpTo = s.Sellers.include(m.Terms), core.MaxQuantity
	if s.Stands(now) {
		p.FromChosen, p.FromOthers = s.Left()
	}
	if l := m.Terms.Least; l.Sellers != "" && !l.Sellers.include(m.Terms) {
		p.UpTo = l.NewUpTo
	}
	return p
}

// Crossings decides which meetings of one row, which came later, become trades: see cross.Decide.
func Crossings(later cross.Side, meetings []Meeting, now time.Time) (crossings []Crossing) {
	standing := map[core.OrderID]StandingAcceptance{}
	pairs := make([]cross.Pair, len(meetings))
	for i, m := range meetings {
		pairs[i], standing[m.Request] = m.pair(now), m.Terms.Standing
	}
	for _, t := range cross.Decide(later, pairs) {
		s := standing[t.Request]
		if t.AsChosen {
			s.TakenFromPartners += t.Quantity
		} else {
			s.TakenFromOthers += t.Quantity
		}
		standing[t.Request] = s
		crossings = append(crossings, Crossing{t, s})
	}
	return crossings
}

// LeastRecord is a buyer's requirement for sellers: which of them may offer, and what others may offer at
// most. The zero value requires nothing.
type LeastRecord struct {
	Sellers Sellers
	NewUpTo int // items that others may offer at most; zero for none
}

// Validate returns Invalid with every invalid field.
func (l LeastRecord) Validate(o Order) error {
	var c core.Checks
	l.Sellers.check(&c)
	least := 0
	if l.Sellers == SellersAnybody {
		least = 1
	}
	c.That(l.NewUpTo >= least && l.NewUpTo <= o.Quantity, "newUpTo",
		core.NewText("least_quantity_range", "least", least, "most", o.Quantity))
	return c.Err()
}

// check returns an error with the requirement and the seller's next step when an offer of this quantity does
// not satisfy the buyer.
func (l LeastRecord) check(seller Seller, quantity int) error {
	if l.Sellers == "" || l.Sellers.include(seller) || quantity <= l.NewUpTo {
		return nil
	}
	asks := map[Sellers]core.Text{
		SellersTrusted: core.NewText("least_trusted"),
		SellersMet:     core.NewText("least_met"),
	}
	if l.NewUpTo > 0 {
		asks = map[Sellers]core.Text{
			SellersAnybody: core.NewText("least_up_to", "quantity", l.NewUpTo),
			SellersTrusted: core.NewText("least_trusted_small", "quantity", l.NewUpTo),
			SellersMet:     core.NewText("least_met_small", "quantity", l.NewUpTo),
		}
		return core.NewFieldError("quantityOffered", asks[l.Sellers])
	}
	return core.NewError(core.Forbidden, asks[l.Sellers])
}

// Terms are a buyer's requirements for sellers on an order, and the offers that are accepted automatically.
type Terms struct {
	Least    LeastRecord
	Standing []StandingAcceptance // the latest first; only for the buyer
	Young    bool                 // the market is: UsualSellers depends on it
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
