package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// reportRequest tells the moderators of a request that was named.
func (b *Bot) reportRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.reported(ctx, in, reportOn{order: order.ID})
}

// reportOn is what a report is about: an order, or an offer on one of the actor's own.
type reportOn struct {
	order core.OrderID
	offer core.OfferID
}

func (r reportOn) press(action string, more ...any) press {
	if r.offer != 0 {
		return on(action, append([]any{"offer", r.offer}, more...)...)
	}
	return on(action, append([]any{"order", r.order}, more...)...)
}

func reportOf(p press) reportOn {
	if p.word(0) == "offer" {
		return reportOn{offer: core.OfferID(p.number(1))}
	}
	return reportOn{order: core.OrderID(p.number(1))}
}

// reportForm asks what is wrong.
func (b *Bot) reportForm(ctx context.Context, in Input) (Reply, error) {
	return b.askWhy(ctx, in, reportOf(in.press).press("reported"), msgReportTitle, msgHintReport, in.press.number(2))
}

// reportSubmitted takes the form in. What was typed is not lost when it is refused.
func (b *Bot) reportSubmitted(ctx context.Context, in Input) (Reply, error) {
	about := reportOf(in.press)
	reply, err := b.reported(ctx, in, about)
	return b.whyAgain(ctx, in, reply, err, func(typed int64) press { return about.press("report", typed) })
}

func (b *Bot) reported(ctx context.Context, in Input, about reportOn) (Reply, error) {
	var err error
	if about.offer != 0 {
		_, err = b.market.ReportOffer(ctx, in.Actor, about.offer, in.text("reason"))
	} else {
		_, err = b.market.ReportOrder(ctx, in.Actor, about.order, in.text("reason"))
	}
	if err != nil {
		return Reply{}, err
	}
	return private(in.say.text(msgReported)), nil
}

// askWhy asks for the reason of a report, a removal or a block. typed is the draft of an earlier answer, 0 for none.
func (b *Bot) askWhy(ctx context.Context, in Input, to press, title, hint msg, typed int64) (Reply, error) {
	reason := ""
	if typed > 0 {
		d, err := b.kept(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		reason = d.Options["reason"]
	}
	return Reply{form: &form{press: to, title: in.say.plain(title), fields: []field{{
		name: "reason", label: in.say.plain(msgFieldReason), hint: in.say.plain(hint), value: reason, long: true, limit: core.MaxReason,
	}}}}, nil
}

// whyAgain gives a reason that was refused back to whoever typed it.
func (b *Bot) whyAgain(ctx context.Context, in Input, reply Reply, err error, again func(typed int64) press) (Reply, error) {
	var refused *core.Error
	if !errors.As(err, &refused) || refused.Kind != core.Invalid {
		return reply, err
	}
	typed, keepErr := b.keep(ctx, in, draft{Options: in.fields})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply = in.say.refusal(err)
	reply.rows = append(reply.rows, row(button(again(typed), discordgo.PrimaryButton, in.say.plain(msgEditAgain))))
	return reply, nil
}

const reportsShown = 8

// reports lists what waits for a moderator.
func (b *Bot) reports(ctx context.Context, in Input) (Reply, error) {
	return b.reportsBefore(ctx, in, 0, "")
}

func (b *Bot) reportsPressed(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, reportsView(core.ReportID(in.press.number(0))), "")
}

func (b *Bot) reportsBefore(ctx context.Context, in Input, before core.ReportID, note safe) (Reply, error) {
	reports, err := b.market.Reports(ctx, in.Actor, before, reportsShown+1)
	if err != nil {
		return Reply{}, err
	}
	reply := private(note)
	if len(reports) == 0 {
		reply.text = joined(note, in.say.text(msgNoReports))
		return reply, nil
	}
	more := len(reports) > reportsShown
	reports = reports[:min(len(reports), reportsShown)]
	var text safe
	options := make([]discordgo.SelectMenuOption, len(reports))
	for i, r := range reports {
		text = joined(text, joined(in.say.reportTitle(r), clipSafe(quoted(firstLine(r.Reason)), 120)))
		options[i] = discordgo.SelectMenuOption{
			Label: in.say.reportLabel(r), Value: fmt.Sprint(r.ID),
			Description: clip(firstLine(r.Reason), maxOptionLabel),
		}
	}
	reply.embeds = []*discordgo.MessageEmbed{{Title: string(in.say.text(msgReportsTitle)), Color: colourUsual, Description: string(text)}}
	reply.rows = append(reply.rows, choose(on("report-picked"), in.say.plain(msgPickReport), options))
	if buttons := in.say.older("reports", int64(before), more, int64(reports[len(reports)-1].ID)); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

func (t tongue) reportLabel(r core.Report) string {
	subject := "@" + r.SubjectName
	if r.Subject == 0 {
		subject = t.plain(msgAVisitor)
	}
	return clip(r.ItemName+" · "+subject, maxOptionLabel)
}

// older are buttons to the older part of a list and back to its top.
func (t tongue) older(action string, before int64, more bool, last int64) []discordgo.MessageComponent {
	var buttons []discordgo.MessageComponent
	if before > 0 {
		buttons = append(buttons, button(on(action, 0), discordgo.SecondaryButton, t.plain(msgNewest)))
	}
	if more {
		buttons = append(buttons, button(on(action, last), discordgo.SecondaryButton, t.plain(msgOlder)))
	}
	return buttons
}

// reportTitle says what is reported, whose it is and who says so.
func (t tongue) reportTitle(r core.Report) safe {
	m := msgReportOrder
	if r.OfferID != 0 {
		m = msgReportOffer
	}
	reporter := t.text(msgAVisitor)
	if r.Reporter != 0 {
		reporter = username(r.ReporterName)
	}
	subject := t.text(msgAVisitor)
	if r.Subject != 0 {
		subject = username(r.SubjectName)
	}
	return "**" + t.text(m, r.ItemName, subject) + "** · " + t.text(msgReportedBy, reporter) + " · " + stamp(r.CreatedAt)
}

// reportPicked shows one report with what can be done about it.
func (b *Bot) reportPicked(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, reportView(core.ReportID(in.picked())), "")
}

// showReport shows a report that still waits.
func (b *Bot) showReport(ctx context.Context, in Input, id core.ReportID, note safe) (Reply, error) {
	found, err := b.market.Reports(ctx, in.Actor, id+1, 1)
	if err != nil {
		return Reply{}, err
	}
	if len(found) == 0 || found[0].ID != id {
		return b.reportsBefore(ctx, in, 0, joined(note, in.say.text(msgReportSettled)))
	}
	r := found[0]
	reply := private(note)
	reply.embeds = []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgReportsTitle)), Color: colourHigh,
		Description: string(joined(in.say.reportTitle(r), quoted(r.Reason))),
	}}
	view := reportView(id)
	var buttons []discordgo.MessageComponent
	switch {
	case r.OfferID != 0 && r.Offer != nil && r.Order != nil:
		reply.embeds = append(reply.embeds, b.offerCard(in.say, *r.Order, *r.Offer))
		buttons = append(buttons, button(on("remove-offer", r.OfferID, view), discordgo.DangerButton, in.say.plain(msgRemoveOffer)))
	case r.OfferID == 0 && r.Order != nil:
		reply.embeds = append(reply.embeds, b.card(in.say, *r.Order, false))
		buttons = append(buttons, button(on("remove-order", r.OrderID, view), discordgo.DangerButton, in.say.plain(msgRemoveOrder)))
	default:
		reply.text = joined(note, in.say.text(msgReportedGone))
	}
	if r.Subject != 0 {
		buttons = append(buttons, button(on("block", r.Subject, view), discordgo.DangerButton, in.say.plain(msgBlockUser, r.SubjectName)))
	}
	buttons = append(buttons,
		button(on("dismiss", id), discordgo.SecondaryButton, in.say.plain(msgDismiss)),
		button(on("reports", 0), discordgo.SecondaryButton, in.say.plain(msgBack)))
	reply.rows = append(reply.rows, row(buttons...))
	return reply, nil
}

// dismissPressed settles a report with nothing being done.
func (b *Bot) dismissPressed(ctx context.Context, in Input) (Reply, error) {
	id := core.ReportID(in.press.number(0))
	if err := b.market.DismissReport(ctx, in.Actor, id); err != nil {
		return b.refusedOn(ctx, in, reportsView(0), err)
	}
	return b.redraw(ctx, in, reportsView(0), in.say.text(msgDismissed))
}
