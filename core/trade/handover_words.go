package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trust"
)

// WaitsFor reports whether the handover still waits for a user's word.
func (h Handover) WaitsFor(user core.UserID) bool {
	side := h.SideOf(user)
	return side != "" && h.State == trust.HandoverAgreed && h.On(side).Word == ""
}

// Say returns the handover with a user's word. It returns MaySay's errors, unless they have said the same
// before.
func (h Handover) Say(user core.UserID, word Word, now time.Time) (Handover, error) {
	if side := h.SideOf(user); side != "" && h.On(side).Word == word {
		return h, nil
	}
	if err := h.MaySay(user, now); err != nil {
		return Handover{}, err
	}
	side := h.on(h.SideOf(user))
	// in a dispute, they agree with the other side
	side.Word, side.SaidAt, h.State = word, now, trust.HandoverAgreed
	return h, nil
}

// TakeBack is the disputed handover once a user has taken their word back: the other's is heard alone, and
// they are asked again. It returns MayTakeBack's errors, unless they have taken it back before.
func (h Handover) TakeBack(user core.UserID, now time.Time) (Handover, error) {
	if side := h.SideOf(user); side != "" && h.State == trust.HandoverAgreed && h.On(side).Word == "" &&
		!h.On(side).TookBackAt.IsZero() {
		return h, nil
	}
	if err := h.MayTakeBack(user, now); err != nil {
		return Handover{}, err
	}
	side := h.on(h.SideOf(user))
	side.Word, side.SaidAt, side.TookBackAt, h.State = "", time.Time{}, now, trust.HandoverAgreed
	return h, nil
}

// Postpone is the handover once a user has put off their answer. It returns MayPostpone's errors.
func (h Handover) Postpone(user core.UserID, now time.Time) (Handover, error) {
	if err := h.MayPostpone(user, now); err != nil {
		return Handover{}, err
	}
	h.on(h.SideOf(user)).LaterAt = now
	return h, nil
}

// AgreeBy is the handover with another time by which the sides meet. It returns Forbidden unless the user
// is the buyer, Conflict once a side was asked or has said something, and Invalid when the time is out of
// reach.
func (h Handover) AgreeBy(user core.UserID, by, now time.Time) (Handover, error) {
	if err := h.MaySay(user, now); err != nil {
		return Handover{}, err
	}
	if h.SideOf(user) != trust.BuyerSide {
		return Handover{}, core.NewError(core.Forbidden,
			core.NewText("buyer_only", "Only the buyer can do that"))
	}
	for _, side := range trust.Sides {
		if s := h.On(side); s.Word != "" || !s.PromptedAt.IsZero() {
			return Handover{}, core.NewError(core.Conflict,
				core.NewText("agreed_by_late",
					"You were asked already whether you met: the time stays as it is"))
		}
	}
	if err := mayAgreeBy(by, now); err != nil {
		return Handover{}, err
	}
	h.AgreedBy = by.UTC().Truncate(time.Microsecond)
	return h, nil
}

func mayAgreeBy(by, now time.Time) error {
	if by.Before(now) || by.After(now.Add(MaxAgreedWithin)) {
		return core.NewFieldError("agreedBy",
			core.NewText("agreed_by_range", "Choose a time within the next %d days",
				int(MaxAgreedWithin/core.Day)))
	}
	return nil
}

// settled returns the handover with its present outcome.
func (h Handover) settled(now time.Time) Handover {
	state, since := h.Outcome(now)
	if state == h.State {
		return h
	}
	h.State = state
	if state.Over() {
		h.SettledAt = since
	}
	return h
}

// prompted is the handover once the sides that are asked for their word now have been, with the notices.
func (h Handover) prompted(now time.Time) (Handover, []notify.Notice) {
	var notices []notify.Notice
	for _, side := range h.Prompts(now) {
		h.on(side).PromptedAt = now
		notices = append(notices, h.tellSide(side, notify.NoticeHandoverPrompt, now))
	}
	return h, notices
}

// Processed is the handover by now: settled when words or silence have settled it, else with its sides
// asked who are to be asked.
func (h Handover) Processed(now time.Time) Handover {
	if h = h.settled(now); h.State == trust.HandoverAgreed {
		h, _ = h.prompted(now)
	}
	return h
}

// notice is one about the handover, without a reader.
func (h Handover) notice(kind notify.NoticeKind, now time.Time) notify.Notice {
	return notify.Notice{
		Kind: kind, OrderID: h.Order, OfferID: h.Offer, Sale: h.Sale, ItemName: h.ItemName,
		Quantity: h.Quantity, Price: h.UnitPrice,
		State: notify.NoticePending, CreatedAt: now,
	}
}

// tell returns a notice for each side except a user, who knows already.
func (h *Handover) tell(kind notify.NoticeKind, except core.UserID, now time.Time) (notices []notify.Notice) {
	for _, side := range trust.Sides {
		if user := h.On(side).User; user != 0 && user != except {
			notices = append(notices, h.tellSide(side, kind, now))
		}
	}
	return notices
}

// tellSide returns a notice for a side. Beyond MaxHandoverMessages it is for the inbox only.
func (h *Handover) tellSide(side trust.Side, kind notify.NoticeKind, now time.Time) notify.Notice {
	to, other := h.on(side), h.On(side.Other())
	n := h.notice(kind, now)
	n.User, n.CausedBy, n.Name, n.Contact = to.User, other.User, other.Name, other.Contact
	if to.Messages >= MaxHandoverMessages {
		n.State, n.Reason, n.SettledAt = notify.NoticeDelivered, InboxOnly, now
		return n
	}
	to.Messages++
	return n
}

// InboxOnly is the reason of a delivered notice that no message was sent for.
const InboxOnly = "inbox"

// Missing returns the quantity that a user can post again: a cancelled handover gave it back to their
// request, which was fulfilled and stays so.
func (h Handover) Missing(user core.UserID) int {
	if h.State != trust.HandoverCancelled || h.SideOf(user) != trust.BuyerSide || !h.OrderFulfilled ||
		h.PostedAgain != 0 {
		return 0
	}
	return h.Quantity
}
