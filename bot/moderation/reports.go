package moderation

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/moderation"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// reportOnMessage opens the form of a report about the request or listing that a message shows.
func (b Moderation) reportOnMessage(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	switch listings := kernel.ListingsThere(in); len(listings) {
	case 0:
	case 1:
		in.ID = kernel.ReportOn{Listing: listings[0]}.Press("report")
		return b.reportForm(ctx, in)
	default:
		return listingReports{b}.reportWhich(ctx, in, listings)
	}
	order, err := kernel.ShownThere(in)
	if err != nil {
		return kernel.Reply{}, err
	}
	in.ID = kernel.ReportOn{Order: order}.Press("report")
	return b.reportForm(ctx, in)
}

func reportOf(p discord.CustomID) kernel.ReportOn {
	switch p.Word(0) {
	case "offer":
		return kernel.ReportOn{Offer: core.OfferID(p.Number(1))}
	case "listing":
		return kernel.ReportOn{Listing: core.StockID(p.Number(1))}
	}
	return kernel.ReportOn{Order: core.OrderID(p.Number(1))}
}

// reportForm asks for the reason of a report.
func (b Moderation) reportForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.AskWhy(ctx, in, reportOf(in.ID).Press("reported").OpenedBy(in.Interaction), msg.ReportTitle,
		msg.HintReport, in.ID.Number(2))
}

// reportSubmitted handles the form. Invalid input is not lost.
func (b Moderation) reportSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	about := reportOf(in.ID)
	reply, err := b.reported(ctx, in, about)
	return b.WhyAgain(ctx, in, reply, err,
		func(typed int64) discord.CustomID { return about.Press("report", typed) })
}

func (b Moderation) reported(
	ctx context.Context, in kernel.Input, about kernel.ReportOn,
) (kernel.Reply, error) {
	var err error
	switch {
	case about.Offer != 0:
		_, err = b.Market.Moderation.ReportOffer(ctx, in.Actor, about.Offer, in.Text("reason"))
	case about.Listing != 0:
		_, err = b.Market.Moderation.ReportListing(ctx, in.Actor, about.Listing, in.Text("reason"))
	default:
		_, err = b.Market.Moderation.ReportOrder(ctx, in.Actor, about.Order, in.Text("reason"))
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.Reported))
	if about.Listing != 0 && in.Actor.MustModerate() == nil {
		reply.Rows = append(reply.Rows, kernel.Row(removeListing(in.Tr, about.Listing)))
	}
	return reply, nil
}

const reportsShown = 8

// reports lists the subjects that wait for a moderator.
func (b Moderation) reports(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.reportsBefore(ctx, in, 0, "")
}

func (b Moderation) reportsButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, reportsView(core.ReportID(in.ID.Number(0))), "")
}

func (b Moderation) reportsBefore(
	ctx context.Context, in kernel.Input, before core.ReportID, note discord.Markdown,
) (kernel.Reply, error) {
	reports, err := b.Market.Moderation.Reports(ctx, in.Actor, before, reportsShown+1)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(note)
	if len(reports) == 0 {
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.NoReports))
		return reply, nil
	}
	more := len(reports) > reportsShown
	reports = reports[:min(len(reports), reportsShown)]
	var text discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(reports))
	people := b.reportPeople(ctx, reports...)
	for i, r := range reports {
		text = kernel.Joined(text, kernel.Joined(ReportTitle(in.Tr, r, people),
			discord.ClipMarkdown(discord.Quote(discord.FirstLine(r.Reason)), 120)))
		options[i] = discordgo.SelectMenuOption{
			Label: reportLabel(in.Tr, r), Value: fmt.Sprint(r.ID),
			Description: discord.Clip(discord.FirstLine(r.Reason), discord.MaxOptionLabel),
		}
	}
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(msg.ReportsTitle)), Color: kernel.ColourUsual,
		Description: string(text)}}
	reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("report-picked"),
		in.Tr.Plain(msg.PickReport), options))
	if buttons := older(in.Tr, "reports", int64(before), more,
		int64(reports[len(reports)-1].ID)); len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

func reportLabel(t kernel.Translator, r moderation.Report) string {
	subject := "@" + r.SubjectName
	if r.Subject == 0 {
		subject = t.Plain(msg.AVisitor)
	}
	return discord.Clip(r.ItemName+" · "+subject, discord.MaxOptionLabel)
}

// older are buttons to the older part of a list and back to its top.
func older(
	t kernel.Translator, action string, before int64, more bool, last int64,
) []discordgo.MessageComponent {
	var buttons []discordgo.MessageComponent
	if before > 0 {
		buttons = append(buttons, kernel.Button(discord.NewCustomID(action, 0), discordgo.SecondaryButton,
			t.Plain(msg.Newest)))
	}
	if more {
		buttons = append(buttons, kernel.Button(discord.NewCustomID(action, last), discordgo.SecondaryButton,
			t.Plain(msg.Older)))
	}
	return buttons
}

// ReportTitle names the reported post, its owner and the reporter.
func ReportTitle(t kernel.Translator, r moderation.Report, people people.Accounts) discord.Markdown {
	title := "**" + reportedThing(t, r, people) + "** · "
	if r.Count > 1 {
		title += t.Text(msg.ReportCount, "count", r.Count) + " · "
	}
	return title + t.Text(msg.ReportedBy,
		"reporter", reporter(t, r.Reporter, r.ReporterName, people)) + " · " +
		kernel.Timestamp(r.CreatedAt)
}

// reportedThing names the subject of a report, and its owner.
func reportedThing(t kernel.Translator, r moderation.Report, people people.Accounts) discord.Markdown {
	m := msg.ReportOrder
	switch {
	case r.OfferID != 0:
		m = msg.ReportOffer
	case r.ListingID != 0:
		m = msg.ReportListing
	}
	subject := t.Text(msg.AVisitor)
	if r.Subject != 0 {
		subject = kernel.Mention(r.SubjectName, people[r.Subject])
	}
	return t.Text(m, "item", r.ItemName, "user", subject)
}

func reporter(t kernel.Translator, id core.UserID, name string, people people.Accounts) discord.Markdown {
	if id == 0 {
		return t.Text(msg.AVisitor)
	}
	return kernel.Mention(name, people[id])
}

// reportPeople returns the accounts of those who reports are about, and of those who have sent them.
func (b Moderation) reportPeople(ctx context.Context, reports ...moderation.Report) people.Accounts {
	var ids []core.UserID
	for _, r := range reports {
		ids = append(ids, r.Subject, r.Reporter)
		for _, reason := range r.Reasons {
			ids = append(ids, reason.Reporter)
		}
	}
	return b.Accounts(ctx, ids...)
}

// reasons lists the reasons of the reports about one subject.
func reasons(t kernel.Translator, r moderation.Report, people people.Accounts) discord.Markdown {
	if len(r.Reasons) < 2 {
		return discord.Quote(r.Reason)
	}
	var text discord.Markdown
	for _, reason := range r.Reasons {
		text = kernel.Joined(text, t.Text(msg.ReportedBy,
			"reporter", reporter(t, reason.Reporter, reason.ReporterName, people))+" · "+
			kernel.Timestamp(reason.At))
		text = kernel.Joined(text, discord.ClipMarkdown(discord.Quote(reason.Reason), 500))
	}
	return text
}

// reportPicked shows one report with what can be done about it.
func (b Moderation) reportPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, reportView(core.ReportID(in.Picked())), "")
}

// showReport shows a report that still waits.
func (b Moderation) showReport(
	ctx context.Context, in kernel.Input, id core.ReportID, note discord.Markdown,
) (kernel.Reply, error) {
	r, err := b.Market.Moderation.Report(ctx, in.Actor, id)
	if core.KindOf(err) == core.NotFound {
		return b.reportsBefore(ctx, in, 0, kernel.Joined(note, in.Tr.Text(msg.ReportSettled)))
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	aboutThem, people := r.CheckSettledBy(in.Actor), b.reportPeople(ctx, r)
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.ReportsTitle)), Color: kernel.ColourHigh,
		Description: string(kernel.Joined(ReportTitle(in.Tr, r, people), reasons(in.Tr, r, people))),
	}}
	back := kernel.Button(discord.NewCustomID("reports", 0), discordgo.SecondaryButton, in.Tr.Plain(msg.Back))
	if aboutThem != nil {
		reply.Text = kernel.Joined(note, in.Tr.ErrorReply(aboutThem).Text)
		reply.Rows = append(reply.Rows, kernel.Row(back))
		return reply, nil
	}
	switch {
	case r.OfferID != 0 && r.Offer != nil && r.Order != nil:
		reply.Cards = append(reply.Cards,
			b.OfferCard(in.Tr, *r.Order, *r.Offer, b.Account(ctx, r.Offer.Seller)))
	case r.ListingID != 0 && b.listed(r):
		reply.Cards = append(reply.Cards, listingCard(in.Tr, r.Listing.Listing, b.Account(ctx, r.Subject)))
	case r.ListingID != 0:
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.ListedGone))
	case r.OfferID == 0 && r.Order != nil:
		reply.Cards = append(reply.Cards, b.Card(in.Tr, *r.Order, b.Account(ctx, r.Order.Owner), false))
	default:
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.ReportedGone))
	}
	reply.Rows = append(reply.Rows, kernel.Row(append(b.decisions(in.Tr, r, id, reportView(id)), back)...))
	if allow := allowReported(b.Market, in.Tr, r); allow != nil {
		reply.Rows = append(reply.Rows, kernel.Row(allow))
	}
	return reply, nil
}

// dismissButton settles a report with nothing being done.
func (b Moderation) dismissButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.ReportID(in.ID.Number(0))
	if err := b.Market.Moderation.DismissReport(ctx, in.Actor, id); err != nil {
		return b.ErrorOn(ctx, in, reportsView(0), err)
	}
	return b.Redraw(ctx, in, reportsView(0), in.Tr.Text(msg.Dismissed))
}
