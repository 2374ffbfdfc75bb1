package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/notify"
	"tradepost/core/trust"
)

// WaitsFor reports whether the handover still waits for a user's word.
func (t Trade) WaitsFor(user core.UserID) bool {
	side := t.SideOf(user)
	return side != "" && t.State == trust.HandoverAgreed && t.On(side).Word == ""
}

// Say returns the handover with a user's word. It returns MaySay's errors, unless they have said the same
// before.
func (t Trade) Say(user core.UserID, word Word, now time.Time) (Trade, error) {
	if side := t.SideOf(user); side != "" && t.On(side).Word == word {
		return t, nil
	}
	if err := t.MaySay(user, now); err != nil {
		return Trade{}, err
	}
	side := t.on(t.SideOf(user))
	// in a dispute, they agree with the other side
	side.Word, side.SaidAt, t.State = word, now, trust.HandoverAgreed
	return t, nil
}

// TakeBack is the disputed handover once a user has taken their word back: the other's is heard alone, and
// they are asked again. It returns the errors of WordUndo, unless they have taken it back before.
func (t Trade) TakeBack(user core.UserID, now time.Time) (Trade, error) {
	if side := t.SideOf(user); side != "" && t.State == trust.HandoverAgreed && t.On(side).Word == "" &&
		!t.On(side).TookBackAt.IsZero() {
		return t, nil
	}
	if err := t.WordUndo(now).May(core.Actor{UserID: user}, now); err != nil {
		return Trade{}, err
	}
	side := t.on(t.SideOf(user))
	side.Word, side.SaidAt, side.TookBackAt, t.State = "", time.Time{}, now, trust.HandoverAgreed
	return t, nil
}

// Postpone is the handover once a user has put off their answer. It returns MayPostpone's errors.
func (t Trade) Postpone(user core.UserID, now time.Time) (Trade, error) {
	if err := t.MayPostpone(user, now); err != nil {
		return Trade{}, err
	}
	t.on(t.SideOf(user)).LaterAt = now
	return t, nil
}

// AgreeBy is the handover with another time by which the sides meet. It returns Forbidden unless the user
// is the buyer, Conflict once a side was asked or has said something, and Invalid when the time is out of
// reach.
func (t Trade) AgreeBy(user core.UserID, by, now time.Time) (Trade, error) {
	if err := t.MaySay(user, now); err != nil {
		return Trade{}, err
	}
	if t.SideOf(user) != trust.BuyerSide {
		return Trade{}, core.NewError(core.Forbidden, core.NewText("buyer_only"))
	}
	for _, side := range trust.Sides {
		if s := t.On(side); s.Word != "" || !s.PromptedAt.IsZero() {
			return Trade{}, core.NewError(core.Conflict, core.NewText("agreed_by_late"))
		}
	}
	if err := mayAgreeBy(by, now); err != nil {
		return Trade{}, err
	}
	t.AgreedBy = by.UTC().Truncate(time.Microsecond)
	return t, nil
}

func mayAgreeBy(by, now time.Time) error {
	if by.Before(now) || by.After(now.Add(MaxAgreedWithin)) {
		return core.NewFieldError("agreedBy", core.NewText("agreed_by_range",
			"days", int(MaxAgreedWithin/core.Day)))
	}
	return nil
}

// settled returns the handover with its present outcome.
func (t Trade) settled(now time.Time) Trade {
	state, since := t.Outcome(now)
	if state == t.State {
		return t
	}
	t.State = state
	if state.Over() {
		t.SettledAt = since
	}
	return t
}

// prompted is the handover once the sides that are asked for their word now have been, with the notices.
func (t Trade) prompted(now time.Time) (Trade, []notify.Notice) {
	var notices []notify.Notice
	for _, side := range t.Prompts(now) {
		t.on(side).PromptedAt = now
		notices = append(notices, t.tellSide(side, notify.NoticeHandoverPrompt, now))
	}
	return t, notices
}

// Processed is the handover by now: settled when words or silence have settled it, else with its sides
// asked who are to be asked.
func (t Trade) Processed(now time.Time) Trade {
	if t = t.settled(now); t.State == trust.HandoverAgreed {
		t, _ = t.prompted(now)
		t, _ = t.reminded(now)
	}
	return t
}

// reminded is the handover once both sides were reminded of the time that they have agreed on, with the
// notices; unless it is not time for that.
func (t Trade) reminded(now time.Time) (Trade, []notify.Notice) {
	if at := t.Meets.RemindAt(); t.State != trust.HandoverAgreed || at.IsZero() || now.Before(at) {
		return t, nil
	}
	t.Meets.Reminded = true
	if !t.Meets.Ahead(now) { // no process has looked for long
		return t, nil
	}
	var notices []notify.Notice
	for _, side := range trust.Sides {
		if t.On(side).User != 0 && t.On(side).Word == "" {
			notices = append(notices, t.aboutMeeting(side, notify.NoticeMeetingSoon, now))
		}
	}
	return t, notices
}

// aboutMeeting returns a notice for a side about when the two meet. It is not one of LimitTradeMessages: who
// causes it has a limit of their own.
func (t Trade) aboutMeeting(side trust.Side, kind notify.Kind, now time.Time) notify.Notice {
	to, other := t.On(side), t.On(side.Other())
	n := t.notice(kind, now)
	n.User, n.CausedBy, n.Name, n.Contact = to.User, other.User, other.Name, other.Contact
	return n
}

// ReadsMeeting reports whether a time to meet is of use to the reader: the handover waits for it, and nobody
// has said that they met.
func (t Trade) ReadsMeeting(now time.Time) bool {
	state, _ := t.Outcome(now)
	return t.State == trust.HandoverAgreed && state == trust.HandoverAgreed && t.Buyer.Word == "" &&
		t.Seller.Word == ""
}

// Meet is the handover with another time to meet at, as a side has said. It fails with Conflict once
// ReadsMeeting is false, and as change does.
func (t Trade) Meet(
	user core.UserID, now time.Time, change func(m hours.Meeting, buyer bool) (hours.Meeting, error),
) (Trade, error) {
	if err := t.MaySay(user, now); err != nil {
		return Trade{}, err
	}
	if !t.ReadsMeeting(now) {
		return Trade{}, core.NewError(core.Conflict, core.NewText("handover_said"))
	}
	meets, err := change(t.Meets, t.SideOf(user) == trust.BuyerSide)
	if err != nil {
		return Trade{}, err
	}
	t.Meets = meets
	if meets.Agreed() && meets.At.After(t.AgreedBy) && t.Buyer.PromptedAt.IsZero() &&
		t.Seller.PromptedAt.IsZero() {
		t.AgreedBy = meets.At // nobody is asked whether they met before they do
	}
	return t, nil
}

// notice is one about the handover, without a reader.
func (t Trade) notice(kind notify.Kind, now time.Time) notify.Notice {
	return notify.Notice{
		Kind: kind, OrderID: t.Order, OfferID: t.Offer, Sale: t.Sale, ItemName: t.ItemName,
		Quantity: t.Quantity, Price: t.UnitPrice,
		State: notify.NoticePending, CreatedAt: now,
	}
}

// tell returns a notice for each side except a user, who knows already.
func (t *Trade) tell(kind notify.Kind, except core.UserID, now time.Time) (notices []notify.Notice) {
	for _, side := range trust.Sides {
		if user := t.On(side).User; user != 0 && user != except {
			notices = append(notices, t.tellSide(side, kind, now))
		}
	}
	return notices
}

// tellSide returns a notice for a side. Beyond LimitTradeMessages it is for the inbox only.
func (t *Trade) tellSide(side trust.Side, kind notify.Kind, now time.Time) notify.Notice {
	to, other := t.on(side), t.On(side.Other())
	n := t.notice(kind, now)
	n.User, n.CausedBy, n.Name, n.Contact = to.User, other.User, other.Name, other.Contact
	if to.Messages >= core.LimitTradeMessages.Limit {
		n.State, n.Reason, n.SettledAt = notify.NoticeDelivered, notify.InboxOnly, now
		return n
	}
	to.Messages++
	return n
}

// Missing returns the quantity that a user can post again: a cancelled handover gave it back to their
// request, which was fulfilled and stays so.
func (t Trade) Missing(user core.UserID) int {
	if t.State != trust.HandoverCancelled || t.SideOf(user) != trust.BuyerSide || !t.OrderFulfilled ||
		t.PostedAgain != 0 {
		return 0
	}
	return t.Quantity
}

// meetWith is the handover with the meeting of another one between the same two: they meet once.
func (t Trade) meetWith(other Trade, user core.UserID, now time.Time) (Trade, error) {
	return t.Meet(user, now, func(hours.Meeting, bool) (hours.Meeting, error) {
		m := other.Meets
		if t.Buyer.User != other.Buyer.User {
			m.Buyer, m.Seller = m.Seller, m.Buyer
			m.ByBuyer, m.BySeller = m.BySeller, m.ByBuyer
		}
		return m, nil
	})
}

// meetingNotices returns the notice for the other side: the user has said when they meet, or no longer means
// what the other has agreed to.
func (t Trade) meetingNotices(before Trade, by core.UserID, now time.Time) []notify.Notice {
	mine, other := t.SideOf(by), t.SideOf(by).Other()
	said := func(m hours.Meeting, side trust.Side) bool {
		return side == trust.BuyerSide && m.Buyer || side == trust.SellerSide && m.Seller
	}
	if t.On(other).User == 0 || !said(t.Meets, mine) && !said(before.Meets, other) {
		return nil
	}
	return []notify.Notice{t.aboutMeeting(other, notify.NoticeMeetingTime, now)}
}
