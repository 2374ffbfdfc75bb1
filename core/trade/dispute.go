package trade

import (
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

// Dispute is a handover with sides that contradict each other, as a moderator sees it.
type Dispute struct {
	Handover Handover
	// Records are the records of the sides; empty with records off, and without a side that has left.
	Records trust.Records
	// Before are the other handovers between the same two, newest first.
	Before []Handover
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
func (h Handover) Rule(
	r DisputeRuling, by core.Actor, forms core.TextForms, now time.Time,
) (Handover, core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return Handover{}, core.AuditEntry{}, err
	}
	if err := core.NotASide(by, h.Buyer.User, h.Seller.User); err != nil {
		return Handover{}, core.AuditEntry{}, err
	}
	if h.State != trust.HandoverDisputed {
		return Handover{}, core.AuditEntry{},
			core.NewError(core.Conflict, core.NewText("dispute_settled", "This dispute is already settled"))
	}
	reason, err := forms.Reason(r.Reason)
	if err != nil {
		return Handover{}, core.AuditEntry{}, err
	}
	if r.Against != "" && !slices.Contains(trust.Sides, r.Against) {
		return Handover{}, core.AuditEntry{},
			core.NewFieldError("against", core.NewText("side_unknown", "Say buyer, seller, or nobody"))
	}
	entry := core.AuditEntry{
		At: now, Moderator: by.UserID, Action: core.AuditDisputeNotMet, OrderID: h.Order, OfferID: h.Offer,
		ItemName: h.ItemName, Reason: reason,
	}
	h.State, h.SettledAt, h.SettledBy, h.Against = trust.HandoverCancelled, now, by.UserID, r.Against
	if r.Met {
		h.State, entry.Action = trust.HandoverMet, core.AuditDisputeMet
	}
	if r.Against != "" {
		entry.Subject = h.On(r.Against).User
	}
	return h, entry, nil
}

// Look is the disputed handover once a moderator looks at it: the sides can't change their words any more.
// It returns Unauthenticated, Forbidden unless they are a moderator and no party, and Conflict when it is
// not disputed or a moderator looks at it already.
func (h Handover) Look(by core.Actor, now time.Time) (Handover, core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return Handover{}, core.AuditEntry{}, err
	}
	if err := core.NotASide(by, h.Buyer.User, h.Seller.User); err != nil {
		return Handover{}, core.AuditEntry{}, err
	}
	if h.State != trust.HandoverDisputed {
		return Handover{}, core.AuditEntry{},
			core.NewError(core.Conflict, core.NewText("dispute_settled", "This dispute is already settled"))
	}
	if !h.LookedAt.IsZero() {
		return Handover{}, core.AuditEntry{},
			core.NewError(core.Conflict,
				core.NewText("dispute_looked_at", "A moderator is looking at this dispute already"))
	}
	h.LookedAt = now
	return h, core.AuditEntry{
		At: now, Moderator: by.UserID, Action: core.AuditDisputeLookedAt, OrderID: h.Order, OfferID: h.Offer,
		ItemName: h.ItemName,
	}, nil
}

func (h Handover) sameTwo(other Handover) bool {
	return other.SideOf(h.Buyer.User) != "" && other.SideOf(h.Seller.User) != ""
}
