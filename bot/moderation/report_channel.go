package moderation

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/moderation"
	msg "tradepost/core/text"
)

// ReportChannels keeps the channel in which reports arrive, and the messages there.
type ReportChannels interface {
	// ReportChannel returns the channel. It returns NotFound when there is none.
	ReportChannel(ctx context.Context) (channels.ReportChannel, error)
	SaveReportChannel(ctx context.Context, c channels.ReportChannel) error
	// RemoveReportChannel reports whether reports did arrive in the channel.
	RemoveReportChannel(ctx context.Context, channelID string) (bool, error)
	// ReportsToShow returns the newest open report about each thing that the channel should show and does
	// not.
	ReportsToShow(ctx context.Context, most int) ([]moderation.Report, error)
	// StartReportPost stores that a report is about to be shown in a channel, and in which message.
	StartReportPost(ctx context.Context, c channels.ReportChannel, r moderation.Report, now time.Time) error
	// StaleReportPosts returns posts that do not show their reports as they are, those not sent yet first.
	// It leaves out messages that are not edited now.
	StaleReportPosts(ctx context.Context, held channels.HeldEdits, most int) ([]channels.ReportPost, error)
	// ReportPostsOf returns the posts that one message shows, the oldest first.
	ReportPostsOf(ctx context.Context, messageOf int64) ([]channels.ReportPost, error)
	SaveReportPost(ctx context.Context, p channels.ReportPost) error
	RemoveReportPosts(ctx context.Context, posts []channels.ReportPost) error
	// OpenReport returns the newest open report about what a report is about, and NotFound when it is
	// decided.
	OpenReport(ctx context.Context, id core.ReportID) (moderation.Report, error)
	// DecidedReport returns a report with what was decided on it.
	DecidedReport(ctx context.Context, id core.ReportID) (channels.DecidedReport, error)
}

var reportsOnlyInServer = core.NewText("report_channel_only_in_server")

// moderateHere makes new reports arrive in the channel.
func (b Moderation) moderateHere(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return kernel.Reply{}, err
	}
	if in.Interaction.GuildID == "" {
		return kernel.Reply{}, core.NewError(core.Unavailable, reportsOnlyInServer)
	}
	if !in.Interaction.BotMayPost() {
		return kernel.Reply{}, core.NewError(core.Unavailable, kernel.CannotPostHere)
	}
	was, err := b.posts.ReportChannel(ctx)
	if err != nil && core.KindOf(err) != core.NotFound {
		return kernel.Reply{}, err
	}
	if err := b.posts.SaveReportChannel(ctx, channels.ReportChannel{
		ChannelID: in.Interaction.ChannelID, GuildID: in.Interaction.GuildID,
		Locale: in.Interaction.GuildLanguage(), CreatedAt: b.Now(),
	}); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	text := in.Tr.Text(msg.ReportsHere)
	switch was.ChannelID {
	case "":
	case in.Interaction.ChannelID:
		text = in.Tr.Text(msg.ReportsHereAlready)
	default:
		text = in.Tr.Text(msg.ReportsMoved, "channel", channelMention(was.ChannelID))
	}
	everyone, err := b.Discord.ReadByEveryone(ctx, in.Interaction.GuildID, in.Interaction.ChannelID)
	switch {
	case err != nil:
		b.Log.Warn("report channel: readers not known", "channel", in.Interaction.ChannelID, "error", err)
		text = kernel.Joined(text, in.Tr.Text(msg.ReportsReaders))
	case everyone:
		text = kernel.Joined(text, in.Tr.Text(msg.ReportsPublic))
	}
	reply := kernel.Private(text)
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("stop-reports",
		in.Interaction.ChannelID), discordgo.SecondaryButton, in.Tr.Plain(msg.ReportsStop))))
	return reply, nil
}

// stopReports ends that new reports arrive in a channel. The messages there stay, and still show what is
// decided.
func (b Moderation) stopReports(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return kernel.Reply{}, err
	}
	channel := in.ID.Word(0)
	if _, err := b.posts.RemoveReportChannel(ctx, channel); err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.ReportsStopped, "channel", channelMention(channel)))
	reply.Redraw = true
	return reply, nil
}

func channelMention(id string) discord.Markdown { return discord.Markdown("<#" + id + ">") }

// decisions are buttons to decide on a report: remove, block, dismiss. The view is drawn again afterwards.
func (b Moderation) decisions(
	t kernel.Translator, r moderation.Report, id core.ReportID, view string,
) []discordgo.MessageComponent {
	decide := func(d moderation.ReportDecision, style discordgo.ButtonStyle,
		label string) discordgo.MessageComponent {
		return kernel.Button(discord.NewCustomID("decide", id, d, view), style, label)
	}
	var buttons []discordgo.MessageComponent
	switch {
	case r.OfferID != 0 && r.Offer != nil && r.Order != nil:
		buttons = append(buttons, decide(moderation.DecideRemove, discordgo.DangerButton,
			t.Plain(msg.RemoveOffer)))
	case r.ListingID != 0 && b.listed(r):
		buttons = append(buttons, decide(moderation.DecideRemove, discordgo.DangerButton,
			t.Plain(msg.RemoveListing)))
	case r.OfferID == 0 && r.Order != nil:
		buttons = append(buttons, decide(moderation.DecideRemove, discordgo.DangerButton,
			t.Plain(msg.RemoveOrder)))
	}
	if r.Subject != 0 {
		buttons = append(buttons, decide(moderation.DecideBlock, discordgo.DangerButton,
			t.Plain(msg.BlockUser, "user", r.SubjectName)))
	}
	return append(buttons, decide(moderation.DecideDismiss, discordgo.SecondaryButton, t.Plain(msg.Dismiss)))
}

func decisionOf(in kernel.Input) moderation.ReportDecision {
	return moderation.ReportDecision(in.ID.Word(1))
}

// decidesWithReason reports whether a button asks for a reason first.
func decidesWithReason(in kernel.Input) bool { return decisionOf(in) != moderation.DecideDismiss }

// decideButton dismisses a report, or asks for the reason of a removal or a block.
func (b Moderation) decideButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, decision, view := core.ReportID(in.ID.Number(0)), decisionOf(in), in.ID.Word(2)
	if decision == moderation.DecideDismiss {
		return b.decide(ctx, in, id, decision, view)
	}
	report, err := b.Market.Moderation.Report(ctx, in.Actor, id)
	if core.KindOf(err) == core.NotFound {
		err = alreadySettled
	}
	if err == nil {
		err = report.CheckSettledBy(in.Actor)
	}
	if err != nil {
		return b.undecided(ctx, in, view, err)
	}
	title, hint := msg.RemoveOrderTitle, msg.HintRemove
	switch {
	case decision == moderation.DecideBlock:
		title, hint = msg.BlockTitle, msg.HintBlock
	case report.OfferID != 0:
		title = msg.RemoveOfferTitle
	case report.ListingID != 0:
		title = msg.RemoveListingTitle
	}
	return b.AskWhy(ctx, in, discord.NewCustomID("decided", id, decision, view).OpenedBy(in.Interaction),
		title, hint, in.ID.Number(3))
}

// decideSubmitted handles the form.
func (b Moderation) decideSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, decision, view := core.ReportID(in.ID.Number(0)), decisionOf(in), in.ID.Word(2)
	reply, err := b.decide(ctx, in, id, decision, view)
	return b.WhyAgain(ctx, in, reply, err, func(typed int64) discord.CustomID {
		return discord.NewCustomID("decide", id, decision, view, typed)
	})
}

func (b Moderation) decide(
	ctx context.Context, in kernel.Input, id core.ReportID, decision moderation.ReportDecision, view string,
) (kernel.Reply, error) {
	if err := b.Market.Moderation.DecideReport(ctx, in.Actor, id, decision, in.Text("reason")); err != nil {
		return b.undecided(ctx, in, view, err)
	}
	b.WakeSync()
	note := in.Tr.Text(msg.Dismissed)
	switch decision {
	case moderation.DecideRemove:
		note = in.Tr.Text(msg.OrderRemoved)
		switch report, err := b.posts.DecidedReport(ctx, id); {
		case err != nil:
		case report.Report.OfferID != 0:
			note = in.Tr.Text(msg.OfferRemoved)
		case report.Report.ListingID != 0:
			note = in.Tr.Text(msg.ListingRemoved)
		}
	case moderation.DecideBlock:
		note = in.Tr.Text(msg.UserBlocked)
	case moderation.DecideDismiss:
	}
	if !inReportChannel(view) {
		return b.Redraw(ctx, in, reportsView(0), note)
	}
	_, messageOf, _ := kernel.ParseView(view)
	reply, err := b.reportMessageOf(ctx, messageOf)
	if err != nil { // the next pass may have drawn the decision already, and forgotten the message: it stays
		return kernel.Private(note), nil
	}
	reply.Redraw = true
	return reply, nil
}

var alreadySettled = core.NewError(core.Conflict, core.NewText("report_settled"))

// undecided answers an error. In the report channel only the moderator who pressed reads it, and the
// message is drawn again by the next pass.
func (b Moderation) undecided(
	ctx context.Context, in kernel.Input, view string, err error,
) (kernel.Reply, error) {
	if core.KindOf(err) == core.Invalid {
		return kernel.Reply{}, err
	}
	if !inReportChannel(view) {
		return b.ErrorOn(ctx, in, reportsView(0), err)
	}
	b.WakeSync()
	if b.CommittedBefore(ctx, in, err) {
		return b.Redraw(ctx, in, view, in.Tr.Text(msg.SavedBefore))
	}
	return kernel.Reply{}, err
}

func inReportChannel(view string) bool {
	kind, _, _ := kernel.ParseView(view)
	return kind == 'c'
}

// openReported shows a moderator a report of the channel with all that is known of it, which only they see.
func (b Moderation) openReported(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return kernel.Reply{}, err
	}
	id := core.ReportID(in.Picked())
	if id == 0 {
		posts, err := b.posts.ReportPostsOf(ctx, in.ID.Number(0))
		if err != nil {
			return kernel.Reply{}, err
		}
		if len(posts) == 0 {
			return kernel.Reply{}, alreadySettled
		}
		id = posts[0].ReportID
	}
	return b.showReport(ctx, in, id, "")
}
