package trade

import (
	"cmp"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trust"
)

// OpenOffer is an open offer with its order.
type OpenOffer struct {
	Offer Offer
	Order Order
}

// Offer is a seller's word to fill part of an order. Its quantity is above 0 as long as it lives.
type Offer struct {
	ID            core.OfferID
	OrderID       core.OrderID
	Seller        core.UserID // zero for a visitor
	SellerName    string
	SellerContact string // a Discord username: typed by a visitor, the account's own for a user
	Message       string
	Price         core.Copper // for one: the order's price when the offer was made
	Quantity      int         // the rest of it
	CreatedAt     time.Time
	GoodUntil     time.Time `json:",omitzero"` // as the seller chose; zero for none
	LapsesAt      time.Time `json:",omitzero"` // zero for not known

	// of the seller's contact and name; set where offers are read for adapters
	LookAlike core.LookAlike `json:"-"`
}

// Verified reports whether the offer was sent from a Discord account, which vouches for the
// contact.
func (o Offer) Verified() bool { return o.Seller != 0 }

// Lapsed reports whether the time is over until which the offer stands.
func (o Offer) Lapsed(now time.Time) bool { return !o.LapsesAt.IsZero() && !now.Before(o.LapsesAt) }

// OfferDraft contains the fields of an offer that a seller fills in.
type OfferDraft struct {
	SellerName    string
	SellerContact string // empty for a signed-in seller: the account's contact is used
	Message       string
	Quantity      int

	// Replaces is the open offer that the seller means to change, zero when they know of none: another one
	// is not replaced. Nil replaces whichever there is.
	Replaces *core.OfferID `json:",omitempty"`

	// ReplacesLink is the private link of the open offer that a visitor means to change; empty for none.
	ReplacesLink OfferToken `json:"-"`

	// GoodUntil is when the offer lapses; zero for UnansweredFor from now.
	GoodUntil time.Time `json:",omitzero"`

	// PriceSeen is the price for one that the seller means to offer at; zero for any.
	PriceSeen core.Copper `json:",omitzero"`
}

// Clean returns the draft with its texts cleaned.
func (d OfferDraft) Clean(forms core.TextForms) OfferDraft {
	d.SellerName = forms.Name(d.SellerName)
	d.SellerContact = forms.Name(d.SellerContact)
	d.Message = forms.Prose(d.Message)
	return d
}

// Validate checks a clean draft for an order of that total quantity. It returns Invalid with every
// invalid field.
func (d OfferDraft) Validate(total int) error {
	var c core.Checks
	c.That(d.SellerName != "", "sellerName", core.NewText("seller_name_required"))
	c.That(core.Within(d.SellerName, core.MaxSellerName), "sellerName",
		core.TooLong("seller_name_too_long", core.MaxSellerName))
	c.That(d.SellerContact != "", "sellerContact", core.NewText("discord_username_required"))
	c.That(core.Within(d.SellerContact, core.MaxContact), "sellerContact",
		core.TooLong("discord_username_too_long", core.MaxContact))
	c.That(d.Message != "", "message", core.NewText("message_required"))
	c.That(core.Within(d.Message, core.MaxOfferMessage), "message",
		core.TooLong("message_too_long", core.MaxOfferMessage))
	c.That(1 <= d.Quantity && d.Quantity <= total, "quantityOffered",
		core.NewText("quantity_range", "most", total))
	return c.Err()
}

// Seller has the facts that decide whether a user may offer on an order.
type Seller struct {
	Offer          core.OfferID // their live offer on it; zero for none
	Offered        int          // the rest of that offer
	Blocked        bool         // by a moderator
	BlockedByBuyer bool
	Leaving        time.Time // since when they are; zero when not
	Visitors       int       // for a visitor: how many open offers of visitors it has already

	Trusted bool        // an established trader
	Reach   trust.Reach // of a user
	Met     bool        // has handed over to the buyer, or the buyer to them

	Least    LeastRecord        // that the buyer asks for on this order
	Standing StandingAcceptance // of offers on this order; the zero value for none

	// Of the market; for a visitor's new offer.
	Rules MarketRules

	// When they sent their latest offers, anywhere and on this order, newest first; as many as Quotas limits.
	Sent, SentHere []time.Time
}

// UnansweredFor is how long an offer stands that its buyer does not answer, unless its seller said less.
const UnansweredFor = 14 * core.Day

// NewOffer decides whether the actor may make this offer on the order. It fails with Conflict when the
// order takes none or has another price than they saw, Unauthenticated when it or the market takes none of
// visitors, Forbidden when it is the actor's own, refuses their program or the actor is blocked, TooMany
// when visitors have made enough offers on it, and Invalid.
func (o Order) NewOffer(
	draft OfferDraft, by core.Actor, seller Seller, forms core.TextForms, now time.Time,
) (Offer, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Offer{}, err
	}
	switch {
	case !by.SignedIn():
		if err := seller.Rules.mayTakeVisitors(); err != nil {
			return Offer{}, err
		}
		if err := o.mayTakeVisitors(seller.Visitors); err != nil {
			return Offer{}, err
		}
	case by.UserID == o.Owner:
		return Offer{}, core.NewError(core.Forbidden, core.NewText("own_request"))
	case seller.BlockedByBuyer:
		return Offer{}, core.NewError(core.Forbidden, core.NewText("not_accepted_from_you"))
	case by.Program && o.NoPrograms:
		return Offer{}, core.NewError(core.Forbidden, core.NewText("programs_refused"))
	default:
		by.Blocked = by.Blocked || seller.Blocked
		if err := by.MayTrade(); err != nil {
			return Offer{}, err
		}
		draft.SellerContact = by.Username
	}
	if draft.PriceSeen != 0 && draft.PriceSeen != o.MaxPrice {
		return Offer{}, conflict(core.NewText("offer_price_changed"), o)
	}
	draft = draft.Clean(forms)
	var c core.Checks
	c.Add(draft.Validate(o.Quantity))
	c.Add(forms.RefuseSuspicious(core.SuspiciousMessage,
		core.SuspiciousField{Name: "message", After: draft.Message}))
	lapsesAt := now.Add(UnansweredFor)
	if !draft.GoodUntil.IsZero() {
		c.That(draft.GoodUntil.After(now) && !draft.GoodUntil.After(lapsesAt), "goodUntil",
			core.NewText("good_until_range", "days", int(UnansweredFor/core.Day)))
		draft.GoodUntil = draft.GoodUntil.UTC().Truncate(time.Microsecond)
		lapsesAt = draft.GoodUntil
	}
	if err := c.Err(); err != nil {
		return Offer{}, err
	}
	return Offer{
		OrderID: o.ID, Seller: by.UserID,
		SellerName: draft.SellerName, SellerContact: draft.SellerContact, Message: draft.Message,
		Price: o.MaxPrice, Quantity: draft.Quantity, CreatedAt: now,
		GoodUntil: draft.GoodUntil, LapsesAt: lapsesAt,
	}, nil
}

// CodeOffered is the code of an Error about an offer that would replace, or fail to replace, another one of
// the seller's.
const CodeOffered = "offered"

// mayReplace returns Conflict when the seller's open offer is not the offer that they mean to change.
func (d OfferDraft) mayReplace(seller Seller) error {
	if d.Replaces == nil || *d.Replaces == seller.Offer {
		return nil
	}
	text := core.NewText("offer_changed_since")
	switch {
	case seller.Offer == 0:
		text = core.NewText("offer_ended_since")
	case *d.Replaces == 0:
		text = core.NewText("already_offered", "quantity", seller.Offered)
	}
	err := core.NewError(core.Conflict, text)
	err.Code = CodeOffered
	return err
}

// mayTakeVisitors returns an error when the order has too many visitors' offers, or takes none.
func (o Order) mayTakeVisitors(standing int) error {
	switch {
	case o.SignedInOnly:
		return core.NewError(core.Unauthenticated, core.NewText("signed_in_only"))
	case standing >= core.LimitVisitorsHere.Limit:
		return core.LimitVisitorsHere.Over(0)
	}
	return nil
}

// mayBlockSeller returns an error unless the actor may block the sender of the offer.
func (o Offer) mayBlockSeller(of Order, by core.Actor) error {
	if err := by.MustBe(of.Owner); err != nil {
		return err
	}
	if !o.Verified() {
		return core.NewError(core.Invalid, core.NewText("guest_not_blockable"))
	}
	return nil
}

// RemoveOffer decides which event the actor's removal of the offer is, and who is notified. It
// fails with Forbidden when the actor is neither the buyer nor the seller.
func (o Order) RemoveOffer(offer Offer, by core.Actor, now time.Time) (OfferState, []notify.Notice, error) {
	switch {
	case by.MustBe(o.Owner) == nil:
		return OfferDeclined, ToSeller(o, offer, notify.NoticeOfferDeclined, offer.Quantity, "", now), nil
	case offer.Verified() && offer.Seller == by.UserID:
		n := OfferReceived(o, offer, now)
		n.Kind = notify.NoticeOfferWithdrawn
		return OfferWithdrawn, []notify.Notice{n}, nil
	default:
		return "", nil, core.NewError(core.Forbidden, core.NewText("buyer_or_seller_only"))
	}
}

// ReceivedPlace marks a place in a buyer's list of received offers: right after this offer on this order.
type ReceivedPlace struct {
	Order core.OrderID
	Offer core.OfferID
}

// ReceivedPage is part of the offers that wait for a buyer's answer. Offers on one order follow each other.
type ReceivedPage struct {
	Offers []OpenOffer
	Next   ReceivedPlace // ask for those after it; zero on the last page
}

// Choice is an open offer as its buyer chooses among the offers on its order.
type Choice struct {
	OpenOffer
	Met int      // handovers of buyer and seller that were met
	Why []Reason // the strongest first; none when nothing distinguishes it
	// Soonest says that of the sellers on the order, the buyer shares the most hours with this one.
	Soonest bool
}

// ChoicePage is part of the offers that wait for a buyer's answer. Those on one order follow each other, best
// first.
type ChoicePage struct {
	Choices []Choice
	Next    ReceivedPlace // ask for those after it; zero on the last page
}

// Reason says why an offer stands where it does among those on its order.
type Reason string

// The reasons, the strongest first.
const (
	ReasonMissed   Reason = "missed"   // the seller did not keep their word to several: it stands last
	ReasonMet      Reason = "met"      // buyer and seller have met before
	ReasonAll      Reason = "all"      // it is enough for all that the order still needs
	ReasonReliable Reason = "reliable" // of an established trader who keeps their word
	ReasonCheaper  Reason = "cheaper"  // it costs less than the order's price is now
	ReasonEarliest Reason = "earliest" // the oldest of several
)

// Reasons lists every reason.
var Reasons = []Reason{ReasonMissed, ReasonMet, ReasonAll, ReasonReliable, ReasonCheaper, ReasonEarliest}

const (
	// ReliableFrom is the least share of partners, in percent, that a reliable trader kept their word to.
	ReliableFrom = 95
	// MissedBelow is the share, in percent, below which a trader did not keep their word to several.
	MissedBelow = 80
)

// BestFirst sorts the offers on one order by what a buyer would choose first: of sellers they have met, then
// who brings all of it, then of reliable traders, of other established ones, of other users, and of visitors.
// Of equals the cheaper is first, then the older. Sellers who did not keep their word are last.
func BestFirst(offers []OpenOffer, known map[core.UserID]trust.Acquaintance) []Choice {
	choices := make([]Choice, len(offers))
	ranks := map[core.OfferID]int{}
	for i, o := range offers {
		seller, ok := known[o.Offer.Seller]
		if !ok {
			seller.Record.Kept = trust.NoShare
		}
		choices[i] = Choice{OpenOffer: o, Met: seller.Met, Why: o.reasons(seller, offers)}
		ranks[o.Offer.ID] = o.rank(seller.Record, choices[i].Why)
	}
	fills := func(c Choice) int {
		if slices.Contains(c.Why, ReasonAll) {
			return 0
		}
		return 1
	}
	slices.SortFunc(choices, func(a, b Choice) int {
		return cmp.Or(
			cmp.Compare(ranks[a.Offer.ID], ranks[b.Offer.ID]),
			cmp.Compare(fills(a), fills(b)),
			cmp.Compare(b.Met, a.Met),
			cmp.Compare(a.Offer.Price, b.Offer.Price),
			cmp.Compare(a.Offer.ID, b.Offer.ID),
		)
	})
	return choices
}

// reasons returns what distinguishes the offer from the others on its order.
func (o OpenOffer) reasons(seller trust.Acquaintance, others []OpenOffer) []Reason {
	var why []Reason
	add := func(is bool, r Reason) {
		if is {
			why = append(why, r)
		}
	}
	record := seller.Record
	add(record.Kept != trust.NoShare && record.Kept < MissedBelow, ReasonMissed)
	add(seller.Met > 0, ReasonMet)
	add(o.Offer.Quantity >= o.Order.Remaining(), ReasonAll)
	add(record.Trusted && record.Kept >= ReliableFrom, ReasonReliable)
	add(o.Offer.Price < o.Order.MaxPrice, ReasonCheaper)
	earlier := func(other OpenOffer) bool { return other.Offer.ID < o.Offer.ID }
	add(len(others) > 1 && !slices.ContainsFunc(others, earlier), ReasonEarliest)
	return why
}

// rank returns the place of the offer's kind among the others, 0 for the best.
func (o OpenOffer) rank(r trust.Record, why []Reason) int {
	has := func(reason Reason) bool { return slices.Contains(why, reason) }
	switch {
	case has(ReasonMissed):
		return 6
	case has(ReasonMet):
		return 0
	case !o.Offer.Verified():
		return 5
	case has(ReasonAll):
		return 1
	case has(ReasonReliable):
		return 2
	case r.Trusted:
		return 3
	}
	return 4
}
