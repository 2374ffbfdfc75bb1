package trade

import (
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

// Dispute is a handover with sides that contradict each other, as a moderator sees it.
type Dispute struct {
	Trade Trade
	// Records are the records of the sides; empty with records off, and without a side that has left.
	Records trust.Records
	// Before are the other handovers between the same two, newest first.
	Before []Trade
}

// NewSide returns the side that is new here, where others know the other side; empty where the two are alike
// and once a side has left.
func (d Dispute) NewSide() trust.Side {
	buyer, knownBuyer := d.Records[d.Trade.Buyer.User]
	seller, knownSeller := d.Records[d.Trade.Seller.User]
	switch {
	case !knownBuyer || !knownSeller || buyer.New() == seller.New():
		return ""
	case buyer.New():
		return trust.BuyerSide
	}
	return trust.SellerSide
}

// MaxBetween is how many other handovers between the same two a dispute comes with at most.
const MaxBetween = 20

// DisputeRuling is a moderator's decision on a dispute.
type DisputeRuling struct {
	Met     bool       // whether the trade took place; if not, its quantity is given back
	Against trust.Side // the side with the record that it counts against; empty for neither
	Reason  string
}

// Rule applies a moderator's ruling to a disputed handover. It returns Unauthenticated, Forbidden unless
// they are a moderator and no party, Conflict when it is not disputed, and Invalid.
func (t Trade) Rule(
	r DisputeRuling, by core.Actor, forms core.TextForms, now time.Time,
) (Trade, core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return Trade{}, core.AuditEntry{}, err
	}
	if err := core.NotASide(by, t.Buyer.User, t.Seller.User); err != nil {
		return Trade{}, core.AuditEntry{}, err
	}
	if t.State != trust.HandoverDisputed {
		return Trade{}, core.AuditEntry{},
			core.NewError(core.Conflict, core.NewText("dispute_settled"))
	}
	reason, err := forms.Reason(r.Reason)
	if err != nil {
		return Trade{}, core.AuditEntry{}, err
	}
	if r.Against != "" && !slices.Contains(trust.Sides, r.Against) {
		return Trade{}, core.AuditEntry{},
			core.NewFieldError("against", core.NewText("side_unknown"))
	}
	entry := core.AuditEntry{
		At: now, Moderator: by.UserID, Action: core.AuditDisputeNotMet, OrderID: t.Order, OfferID: t.Offer,
		ItemName: t.ItemName, Reason: reason,
	}
	t.State, t.SettledAt, t.SettledBy, t.Against = trust.HandoverCancelled, now, by.UserID, r.Against
	t.RulingReason = reason
	if r.Met {
		t.State, entry.Action = trust.HandoverMet, core.AuditDisputeMet
	}
	if r.Against != "" {
		entry.Subject = t.On(r.Against).User
	}
	return t, entry, nil
}

// Reopen is the handover once a moderator's ruling on its dispute was undone: it waits for a moderator's
// ruling again, and its sides can't change their words. It returns Forbidden for a party, and Conflict when
// the buyer has asked again for the quantity that the ruling gave back.
func (t Trade) Reopen(by core.Actor, now time.Time) (Trade, error) {
	if err := core.NotASide(by, t.Buyer.User, t.Seller.User); err != nil {
		return Trade{}, err
	}
	if t.PostedAgain != 0 {
		return Trade{}, rulingActedOn()
	}
	t.State, t.SettledAt, t.SettledBy, t.Against = trust.HandoverDisputed, time.Time{}, 0, ""
	t.RulingReason, t.RulingUndoneAt = "", now
	if t.LookedAt.IsZero() {
		t.LookedAt = now
	}
	return t, nil
}

func rulingActedOn() error {
	return core.NewError(core.Conflict, core.NewText("undo_ruling_acted"))
}

// takeAgain returns the order once a sale counts again that was given back. It returns Conflict when others
// have sold in its place.
func (o Order) takeAgain(qty int, now time.Time) (Order, error) {
	if qty > o.Remaining() {
		return Order{}, rulingActedOn()
	}
	o.Sold += qty
	return o.changed(now), nil
}

// Look is the disputed handover once a moderator looks at it: the sides can't change their words any more.
// It returns Unauthenticated, Forbidden unless they are a moderator and no party, and Conflict when it is
// not disputed or a moderator looks at it already.
func (t Trade) Look(by core.Actor, now time.Time) (Trade, core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return Trade{}, core.AuditEntry{}, err
	}
	if err := core.NotASide(by, t.Buyer.User, t.Seller.User); err != nil {
		return Trade{}, core.AuditEntry{}, err
	}
	if t.State != trust.HandoverDisputed {
		return Trade{}, core.AuditEntry{},
			core.NewError(core.Conflict, core.NewText("dispute_settled"))
	}
	if !t.LookedAt.IsZero() {
		return Trade{}, core.AuditEntry{},
			core.NewError(core.Conflict, core.NewText("dispute_looked_at"))
	}
	t.LookedAt = now
	return t, core.AuditEntry{
		At: now, Moderator: by.UserID, Action: core.AuditDisputeLookedAt, OrderID: t.Order, OfferID: t.Offer,
		ItemName: t.ItemName,
	}, nil
}

// Ruled reports whether a moderator settled the dispute.
func (t Trade) Ruled(now time.Time) bool {
	state, _ := t.Outcome(now)
	return state.Over() &&
		(t.SettledBy != 0 || t.Against != "" || t.RulingReason != "" || !t.LookedAt.IsZero())
}

func (t Trade) sameTwo(other Trade) bool {
	return other.SideOf(t.Buyer.User) != "" && other.SideOf(t.Seller.User) != ""
}
