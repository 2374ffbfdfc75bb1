package trade

import (
	"context"
	"slices"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

// HandoverView is a handover as one of its sides sees it.
type HandoverView struct {
	ID          core.SaleID         `json:"id" doc:"Of the sale that it is about, as in receipts" example:"12"`
	OrderID     *core.OrderID       `json:"orderId" doc:"null once the request is deleted" example:"7"`
	OfferID     *core.OfferID       `json:"offerId" doc:"null when not known; the offer may be gone" example:"70"`
	ItemName    string              `json:"itemName" example:"Iron Ore"`
	Quantity    int                 `json:"quantity" example:"20"`
	Total       string              `json:"total" pattern:"^[0-9]+$" doc:"Exact sum in copper" example:"5000"`
	Side        string              `json:"side" enum:"buyer,seller" doc:"The caller's side" example:"buyer"`
	PartnerID   *core.UserID        `json:"partnerId" doc:"The other side's user ID on this site, by which the open trades with them are found; null once they have left" example:"3"`
	With        kernel.Counterpart  `json:"with" doc:"The other side; empty strings once they have left"`
	AcceptedAt  time.Time           `json:"acceptedAt"`
	AgreedBy    time.Time           `json:"agreedBy" doc:"The two want to have met by then"`
	State       trust.HandoverState `json:"state" enum:"agreed,met,cancelled,disputed,unconfirmed"`
	SettledAt   *time.Time          `json:"settledAt" doc:"When the state became an end; null before"`
	YourWord    string              `json:"yourWord,omitempty" enum:"met,not_met" doc:"What you said happened; left out for nothing yet"`
	TheirWord   string              `json:"theirWord,omitempty" enum:"met,not_met" doc:"What the other side said; left out for nothing yet"`
	Against     string              `json:"against,omitempty" enum:"you,them" doc:"Against whom a moderator settled a dispute; left out for nobody"`
	Ruling      *rulingView         `json:"ruling,omitempty" doc:"A moderator's decision on your dispute; left out for none, and where silence or your words settled it"`
	CanSay      bool                `json:"canSay" doc:"You can say what happened"`
	EarlyUntil  *time.Time          `json:"earlyUntil,omitempty" doc:"Until then, it is too early to know that it did not happen: ask before you say so; left out for no question"`
	CanTakeBack bool                `json:"canTakeBack" doc:"You contradict each other and no moderator looks at it yet: you can withdraw your answer, or change it"`
	Undo        *kernel.UndoView    `json:"undo,omitempty" doc:"Left out when you can't withdraw your answer"`
	LookedAt    *time.Time          `json:"lookedAt" doc:"When a moderator began to look at the dispute; null before"`
	CanPutOff   bool                `json:"canPutOff" doc:"You can put your answer off for a day"`
	CanAgree    bool                `json:"canAgree" doc:"You can change by when you meet"`
	Meeting     *meetingView        `json:"meeting,omitempty" doc:"The one time that is proposed to both of you; left out for none"`
	Missing     int                 `json:"missing" doc:"How many the buyer can post again, because they were given back to a request that is fulfilled"`
}

// ViewHandover returns the shape of a handover for the side that reads it.
func ViewHandover(h trade.Trade, reader core.UserID, now time.Time) HandoverView {
	side := h.SideOf(reader)
	own, other := h.On(side), h.On(side.Other())
	state, since := h.Outcome(now)
	_, agreeErr := h.AgreeBy(reader, now.Add(trade.AgreedWithin), now)
	view := HandoverView{
		ID: h.Sale, OrderID: kernel.IDOrNil(h.Order), OfferID: kernel.IDOrNil(h.Offer), ItemName: h.ItemName,
		Quantity: h.Quantity,
		Total:    strconv.FormatInt(int64(h.Total()), 10), Side: string(side),
		PartnerID:  kernel.IDOrNil(other.User),
		With:       kernel.Counterpart{Name: other.Name, Contact: other.Contact},
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, State: state, YourWord: string(own.Word),
		TheirWord: string(other.Word),
		CanSay:    h.MaySay(reader, now) == nil && own.Word == "",
		CanPutOff: h.MayPostpone(reader, now) == nil, CanAgree: agreeErr == nil,
		Missing: h.Missing(reader), Undo: kernel.ViewUndo(h.WordUndo(now), reader, now),
	}
	view.CanTakeBack = view.Undo != nil
	view.Meeting = viewMeeting(h, side, now)
	if !h.LookedAt.IsZero() {
		view.LookedAt = &h.LookedAt
	}
	if state.Over() && !since.IsZero() {
		view.SettledAt = &since
	}
	switch h.Against {
	case "":
	case side:
		view.Against = "you"
	default:
		view.Against = "them"
	}
	if until, _ := h.EarlyUntil(reader, now); !until.IsZero() {
		view.EarlyUntil = &until
	}
	if h.Ruled(now) {
		view.Ruling = &rulingView{Reason: h.RulingReason}
	}
	return view
}

// rulingView is the JSON shape of a moderator's decision, whose outcome is the state of its handover.
type rulingView struct {
	Reason string `json:"reason" doc:"Empty once the other side has left, and for a decision of an earlier version" example:"Both logs say so"`
}

// meetingView is the JSON shape of the time that is proposed to both sides of a trade, as one of them reads
// it.
type meetingView struct {
	At           time.Time `json:"at"`
	Works        bool      `json:"works" doc:"You have said that it works"`
	Left         int       `json:"proposalsLeft" doc:"How many other times you can still propose" example:"3"`
	WorksForThem bool      `json:"worksForThem" doc:"The other side has said so. Once both have, it is agreed, and both are reminded ten minutes before"`
}

func viewMeeting(h trade.Trade, side trust.Side, now time.Time) *meetingView {
	if m := h.Meets; !m.At.IsZero() && h.ReadsMeeting(now) {
		left := m.Left(side == trust.BuyerSide)
		if side == trust.BuyerSide {
			return &meetingView{At: m.At, Works: m.Buyer, Left: left, WorksForThem: m.Seller}
		}
		return &meetingView{At: m.At, Works: m.Seller, Left: left, WorksForThem: m.Buyer}
	}
	return nil
}

type listHandoversInput struct {
	Sales    []int64 `query:"sale,explode" maxItems:"60" doc:"Only those of these sales; may be repeated" example:"[12]"`
	Requests []int64 `query:"request,explode" maxItems:"60" doc:"Only those of these requests; may be repeated" example:"[7]"`
	kernel.CursorInput

	States []trust.HandoverState `query:"state,explode" maxItems:"5" doc:"Only those in these states: agreed, met, cancelled, disputed or unconfirmed; may be repeated" example:"[\"agreed\"]"`
}

type handoverPageView struct {
	Handovers  []HandoverView `json:"handovers" doc:"Newest first"`
	NextCursor *string        `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (a handovers) listHandovers(
	ctx context.Context, in *listHandoversInput,
) (*kernel.Answer[handoverPageView], error) {
	before, err := kernel.PlaceAfter[core.SaleID](in.Cursor)
	if err != nil {
		return nil, err
	}
	var c core.Checks
	for _, state := range in.States {
		c.That(slices.Contains(trust.HandoverStates, state), "state", core.NewText("handover_state_unknown"))
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	found, err := a.Market.Trade.Handovers(ctx, in.By, trade.Query{
		States: in.States, Sales: kernel.Numbers[core.SaleID](in.Sales),
		Orders: kernel.Numbers[core.OrderID](in.Requests), Before: before, Limit: kernel.PageSize + 1,
	})
	if err != nil {
		return nil, err
	}
	page := a.viewHandovers(found[:min(len(found), kernel.PageSize)], in.By.UserID)
	if len(found) > kernel.PageSize {
		page.NextCursor = kernel.WriteCursor(found[kernel.PageSize-1].Sale)
	}
	return &kernel.Answer[handoverPageView]{Body: page}, nil
}

func (a handovers) viewHandovers(found []trade.Trade, reader core.UserID) handoverPageView {
	page := handoverPageView{Handovers: make([]HandoverView, 0, len(found))}
	for _, h := range found {
		page.Handovers = append(page.Handovers, ViewHandover(h, reader, a.Now()))
	}
	return page
}

type handoverWord struct {
	Sales []core.SaleID `json:"sales" minItems:"1" maxItems:"200" doc:"The handovers that you speak of" example:"[12]"`
	Word  trade.Word    `json:"word" enum:"met,not_met" doc:"What happened" example:"met"`
}

type sayHandoversInput struct {
	kernel.Keyed
	Body kernel.Sent[handoverWord]
}

func (a handovers) sayHandovers(
	ctx context.Context, in *sayHandoversInput,
) (*kernel.Answer[handoverPageView], error) {
	said, err := a.Market.Trade.SayHandovers(ctx, in.By, in.Body.Fields.Sales, in.Body.Fields.Word)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[handoverPageView]{Body: a.viewHandovers(said, in.By.UserID)}, nil
}

type handoverSales struct {
	Sales []core.SaleID `json:"sales" minItems:"1" maxItems:"200" doc:"The handovers whose answer you put off" example:"[12]"`
}

type postponeHandoversInput struct {
	kernel.Keyed
	Body kernel.Sent[handoverSales]
}

func (a handovers) postponeHandovers(
	ctx context.Context, in *postponeHandoversInput,
) (*kernel.Answer[handoverPageView], error) {
	put, err := a.Market.Trade.PostponeHandovers(ctx, in.By, in.Body.Fields.Sales)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[handoverPageView]{Body: a.viewHandovers(put, in.By.UserID)}, nil
}

type disputedSales struct {
	Sales []core.SaleID `json:"sales" minItems:"1" maxItems:"200" doc:"The disputed handovers whose answer you withdraw" example:"[12]"`
}

type takeBackWordsInput struct {
	kernel.Keyed
	Body kernel.Sent[disputedSales]
}

func (a handovers) takeBackWords(
	ctx context.Context, in *takeBackWordsInput,
) (*kernel.Answer[handoverPageView], error) {
	took, err := a.Market.Trade.TakeBackWords(ctx, in.By, in.Body.Fields.Sales)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[handoverPageView]{Body: a.viewHandovers(took, in.By.UserID)}, nil
}

type agreedTime struct {
	AgreedBy time.Time `json:"agreedBy" doc:"Within the next 30 days" example:"2026-05-03T20:00:00Z"`
}

type agreeHandoverInput struct {
	kernel.BySale
	kernel.Keyed
	Body kernel.Sent[agreedTime]
}

func (a handovers) agreeHandover(
	ctx context.Context, in *agreeHandoverInput,
) (*kernel.Answer[HandoverView], error) {
	h, err := a.Market.Trade.AgreeHandover(ctx, in.By, in.ID, in.Body.Fields.AgreedBy)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[HandoverView]{Body: ViewHandover(h, in.By.UserID, a.Now())}, nil
}

type meetingTime struct {
	At time.Time `json:"at" doc:"Within the next 14 days" example:"2026-05-03T20:30:00Z"`
}

type meetingInput struct {
	kernel.BySale
	kernel.Keyed
	Body kernel.Sent[meetingTime]
}

func (a handovers) acceptMeeting(
	ctx context.Context, in *meetingInput,
) (*kernel.Answer[HandoverView], error) {
	h, err := a.Market.Trade.AcceptMeeting(ctx, in.By, in.ID, in.Body.Fields.At)
	return a.afterMeeting(h, in.By, err)
}

func (a handovers) chooseMeeting(
	ctx context.Context, in *meetingInput,
) (*kernel.Answer[HandoverView], error) {
	h, err := a.Market.Trade.ChooseMeeting(ctx, in.By, in.ID, in.Body.Fields.At)
	return a.afterMeeting(h, in.By, err)
}

type otherMeeting struct {
	Instead *time.Time `json:"instead,omitempty" doc:"The time that does not work, as you read it; left out for none" example:"2026-05-03T20:30:00Z"`
}

type proposeMeetingInput struct {
	kernel.BySale
	kernel.Keyed
	Body kernel.Sent[otherMeeting]
}

func (a handovers) proposeMeeting(
	ctx context.Context, in *proposeMeetingInput,
) (*kernel.Answer[HandoverView], error) {
	var instead time.Time
	if at := in.Body.Fields.Instead; at != nil {
		instead = *at
	}
	h, err := a.Market.Trade.ProposeMeeting(ctx, in.By, in.ID, instead)
	return a.afterMeeting(h, in.By, err)
}

func (a handovers) afterMeeting(
	h trade.Trade, by core.Actor, err error,
) (*kernel.Answer[HandoverView], error) {
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[HandoverView]{Body: ViewHandover(h, by.UserID, a.Now())}, nil
}
