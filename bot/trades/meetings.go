package trades

import (
	"context"
	"time"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/hours"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// meetingDM is the message that the other side has chosen a time, or says that one works; and the reminder.
func (b Trades) meetingDM(t kernel.Translator, d channels.Delivery, n notify.Notice) kernel.Reply {
	partner, key := partnerOf(t, d), msg.MeetingTimeDM
	if n.Kind == notify.NoticeMeetingSoon {
		key = msg.MeetingSoonDM
	}
	e := b.NoticeCard(n)
	r := kernel.Reply{Cards: []*discord.Card{e},
		Text: t.Text(key, "partner", partner, "quantity", n.Quantity, "item", n.ItemName)}
	for _, h := range d.Trades {
		if h.Sale != n.Sale {
			continue
		}
		line := b.MeetingLine(t, h, n.User)
		if line == "" {
			line = handoverLine(t, h, n.User, b.Now())
		}
		e.URL, e.Description = b.TradeURL(h), string(line)
		view := kernel.DeliveryView(d.ID)
		if d.Thread != "" {
			view = tradeView(h.Sale)
		}
		r.Rows = b.MeetingRow(t, h, n.User, view)
	}
	return r
}

// meetings are the handlers of times to meet.
type meetings struct{ Trades }

// works says that the time on a button works for the actor.
func (b meetings) works(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	h, err := b.Market.Trade.AcceptMeeting(ctx, in.Actor, core.SaleID(in.ID.Number(0)),
		time.Unix(in.ID.Number(2), 0))
	return b.after(ctx, in, h, err)
}

// other has the next time proposed.
func (b meetings) other(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	h, err := b.Market.Trade.ProposeMeeting(ctx, in.Actor, core.SaleID(in.ID.Number(0)),
		time.Unix(in.ID.Number(2), 0))
	return b.after(ctx, in, h, err)
}

// form asks for a time.
func (b meetings) form(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("meet-chosen", in.ID.Number(0), in.ID.Word(1)).OpenedBy(in.Interaction),
		Title: in.Tr.Plain(msg.MeetingChoose),
		Fields: []discord.Field{{Name: "time", Label: in.Tr.Plain(msg.MeetingField),
			Hint: "20:30", MaxLength: len("2006-01-02 15:04")}},
	}}, nil
}

// chosen proposes the time that the actor has typed, in their time zone.
func (b meetings) chosen(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	settings, _, err := b.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	at, ok := hours.TimeTyped(in.Text("time"), settings.TimeZone, b.Now())
	if !ok {
		return b.ErrorOn(ctx, in, in.ID.Word(1),
			core.NewFieldError("at", core.NewText("meeting_time_unknown")))
	}
	h, err := b.Market.Trade.ChooseMeeting(ctx, in.Actor, core.SaleID(in.ID.Number(0)), at)
	return b.after(ctx, in, h, err)
}

func (b meetings) after(
	ctx context.Context, in kernel.Input, h trade.Trade, err error,
) (kernel.Reply, error) {
	if err != nil {
		return b.ErrorOn(ctx, in, in.ID.Word(1), err)
	}
	return b.Redraw(ctx, in, in.ID.Word(1), b.MeetingLine(in.Tr, h, in.Actor.UserID))
}
