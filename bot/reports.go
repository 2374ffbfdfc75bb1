package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// reportRequest reports a request that was named to the moderators.
func (b moderationBot) reportRequest(ctx context.Context, in Input) (Reply, error) {
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

func (r reportOn) press(action string, more ...any) discord.CustomID {
	if r.offer != 0 {
		return discord.NewCustomID(action, append([]any{"offer", r.offer}, more...)...)
	}
	return discord.NewCustomID(action, append([]any{"order", r.order}, more...)...)
}

func reportOf(p discord.CustomID) reportOn {
	if p.Word(0) == "offer" {
		return reportOn{offer: core.OfferID(p.Number(1))}
	}
	return reportOn{order: core.OrderID(p.Number(1))}
}

// reportForm asks for the reason of a report.
func (b moderationBot) reportForm(ctx context.Context, in Input) (Reply, error) {
	return b.askWhy(ctx, in, reportOf(in.id).press("reported").OpenedBy(in.i), msg.ReportTitle, msg.HintReport, in.id.Number(2))
}

// reportSubmitted handles the form. What was typed is not lost when it is invalid.
func (b moderationBot) reportSubmitted(ctx context.Context, in Input) (Reply, error) {
	about := reportOf(in.id)
	reply, err := b.reported(ctx, in, about)
	return b.whyAgain(ctx, in, reply, err, func(typed int64) discord.CustomID { return about.press("report", typed) })
}

func (b moderationBot) reported(ctx context.Context, in Input, about reportOn) (Reply, error) {
	var err error
	if about.offer != 0 {
		_, err = b.market.ReportOffer(ctx, in.Actor, about.offer, in.text("reason"))
	} else {
		_, err = b.market.ReportOrder(ctx, in.Actor, about.order, in.text("reason"))
	}
	if err != nil {
		return Reply{}, err
	}
	return private(in.tr.text(msg.Reported)), nil
}

// askWhy asks for the reason of a report, a removal or a block. typed is the draft of an earlier answer, 0 for none.
func (k *Kernel) askWhy(ctx context.Context, in Input, to discord.CustomID, title, hint msg.Key, typed int64) (Reply, error) {
	reason := ""
	if typed > 0 {
		d, err := k.loadDraft(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		reason = d.Options["reason"]
	}
	return Reply{form: &discord.Modal{ID: to, Title: in.tr.plain(title), Fields: []discord.Field{{
		Name: "reason", Label: in.tr.plain(msg.FieldReason), Hint: in.tr.plain(hint), Value: reason, Long: true, MaxLength: core.MaxReason,
	}}}}, nil
}

// whyAgain returns an invalid reason to the user who typed it.
func (k *Kernel) whyAgain(ctx context.Context, in Input, reply Reply, err error, again func(typed int64) discord.CustomID) (Reply, error) {
	var failed *core.Error
	if !errors.As(err, &failed) || failed.Kind != core.Invalid || core.KeyReused(err) {
		return reply, err
	}
	typed, keepErr := k.keep(ctx, in, draft{Options: in.fields})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply = in.tr.errorReply(err)
	reply.rows = append(reply.rows, row(button(again(typed), discordgo.PrimaryButton, in.tr.plain(msg.EditAgain))))
	return reply, nil
}

const reportsShown = 8

// reports lists what waits for a moderator.
func (b moderationBot) reports(ctx context.Context, in Input) (Reply, error) {
	return b.reportsBefore(ctx, in, 0, "")
}

func (b moderationBot) reportsButton(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, reportsView(core.ReportID(in.id.Number(0))), "")
}

func (b moderationBot) reportsBefore(ctx context.Context, in Input, before core.ReportID, note discord.Markdown) (Reply, error) {
	reports, err := b.market.Reports(ctx, in.Actor, before, reportsShown+1)
	if err != nil {
		return Reply{}, err
	}
	reply := private(note)
	if len(reports) == 0 {
		reply.text = joined(note, in.tr.text(msg.NoReports))
		return reply, nil
	}
	more := len(reports) > reportsShown
	reports = reports[:min(len(reports), reportsShown)]
	var text discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(reports))
	people := b.reportPeople(ctx, reports...)
	for i, r := range reports {
		text = joined(text, joined(reportTitle(in.tr, r, people), discord.ClipMarkdown(discord.Quote(discord.FirstLine(r.Reason)), 120)))
		options[i] = discordgo.SelectMenuOption{
			Label: reportLabel(in.tr, r), Value: fmt.Sprint(r.ID),
			Description: discord.Clip(discord.FirstLine(r.Reason), discord.MaxOptionLabel),
		}
	}
	reply.cards = []*discord.Card{{Title: string(in.tr.text(msg.ReportsTitle)), Color: colourUsual, Description: string(text)}}
	reply.rows = append(reply.rows, choose(discord.NewCustomID("report-picked"), in.tr.plain(msg.PickReport), options))
	if buttons := older(in.tr, "reports", int64(before), more, int64(reports[len(reports)-1].ID)); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

func reportLabel(t translator, r core.Report) string {
	subject := "@" + r.SubjectName
	if r.Subject == 0 {
		subject = t.plain(msg.AVisitor)
	}
	return discord.Clip(r.ItemName+" · "+subject, discord.MaxOptionLabel)
}

// older are buttons to the older part of a list and back to its top.
func older(t translator, action string, before int64, more bool, last int64) []discordgo.MessageComponent {
	var buttons []discordgo.MessageComponent
	if before > 0 {
		buttons = append(buttons, button(discord.NewCustomID(action, 0), discordgo.SecondaryButton, t.plain(msg.Newest)))
	}
	if more {
		buttons = append(buttons, button(discord.NewCustomID(action, last), discordgo.SecondaryButton, t.plain(msg.Older)))
	}
	return buttons
}

// reportTitle names the reported post, its owner and the reporter.
func reportTitle(t translator, r core.Report, people core.Accounts) discord.Markdown {
	title := "**" + reportedThing(t, r, people) + "** · "
	if r.Count > 1 {
		title += t.text(msg.ReportCount, r.Count) + " · "
	}
	return title + t.text(msg.ReportedBy, reporter(t, r.Reporter, r.ReporterName, people)) + " · " + timestamp(r.CreatedAt)
}

// reportedThing names what a report is about, and whose it is.
func reportedThing(t translator, r core.Report, people core.Accounts) discord.Markdown {
	m := msg.ReportOrder
	if r.OfferID != 0 {
		m = msg.ReportOffer
	}
	subject := t.text(msg.AVisitor)
	if r.Subject != 0 {
		subject = mention(r.SubjectName, people[r.Subject])
	}
	return t.text(m, r.ItemName, subject)
}

func reporter(t translator, id core.UserID, name string, people core.Accounts) discord.Markdown {
	if id == 0 {
		return t.text(msg.AVisitor)
	}
	return mention(name, people[id])
}

// reportPeople returns the accounts of those who reports are about, and of those who have sent them.
func (b moderationBot) reportPeople(ctx context.Context, reports ...core.Report) core.Accounts {
	var ids []core.UserID
	for _, r := range reports {
		ids = append(ids, r.Subject, r.Reporter)
		for _, reason := range r.Reasons {
			ids = append(ids, reason.Reporter)
		}
	}
	return b.accounts(ctx, ids...)
}

// reasons lists what the reports about one thing say.
func reasons(t translator, r core.Report, people core.Accounts) discord.Markdown {
	if len(r.Reasons) < 2 {
		return discord.Quote(r.Reason)
	}
	var text discord.Markdown
	for _, reason := range r.Reasons {
		text = joined(text, t.text(msg.ReportedBy, reporter(t, reason.Reporter, reason.ReporterName, people))+" · "+timestamp(reason.At))
		text = joined(text, discord.ClipMarkdown(discord.Quote(reason.Reason), 500))
	}
	return text
}

// reportPicked shows one report with what can be done about it.
func (b moderationBot) reportPicked(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, reportView(core.ReportID(in.picked())), "")
}

// showReport shows a report that still waits.
func (b moderationBot) showReport(ctx context.Context, in Input, id core.ReportID, note discord.Markdown) (Reply, error) {
	r, err := b.market.Report(ctx, in.Actor, id)
	if core.KindOf(err) == core.NotFound {
		return b.reportsBefore(ctx, in, 0, joined(note, in.tr.text(msg.ReportSettled)))
	}
	if err != nil {
		return Reply{}, err
	}
	aboutThem, people := r.CheckSettledBy(in.Actor), b.reportPeople(ctx, r)
	reply := private(note)
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.ReportsTitle)), Color: colourHigh,
		Description: string(joined(reportTitle(in.tr, r, people), reasons(in.tr, r, people))),
	}}
	back := button(discord.NewCustomID("reports", 0), discordgo.SecondaryButton, in.tr.plain(msg.Back))
	if aboutThem != nil {
		reply.text = joined(note, in.tr.errorReply(aboutThem).text)
		reply.rows = append(reply.rows, row(back))
		return reply, nil
	}
	switch {
	case r.OfferID != 0 && r.Offer != nil && r.Order != nil:
		reply.cards = append(reply.cards, b.offerCard(in.tr, *r.Order, *r.Offer, b.account(ctx, r.Offer.Seller)))
	case r.OfferID == 0 && r.Order != nil:
		reply.cards = append(reply.cards, b.card(in.tr, *r.Order, b.account(ctx, r.Order.Owner), false))
	default:
		reply.text = joined(note, in.tr.text(msg.ReportedGone))
	}
	reply.rows = append(reply.rows, row(append(decisions(in.tr, r, id, reportView(id)), back)...))
	return reply, nil
}

// dismissButton settles a report with nothing being done.
func (b moderationBot) dismissButton(ctx context.Context, in Input) (Reply, error) {
	id := core.ReportID(in.id.Number(0))
	if err := b.market.DismissReport(ctx, in.Actor, id); err != nil {
		return b.errorOn(ctx, in, reportsView(0), err)
	}
	return b.redraw(ctx, in, reportsView(0), in.tr.text(msg.Dismissed))
}
