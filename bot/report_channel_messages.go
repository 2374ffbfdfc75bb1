package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// reportCase is what a post shows: the open reports about one thing, or what was decided on them.
type reportCase struct {
	post    core.ReportPost // as it is once the message is drawn
	shown   core.ReportID   // the newest report that the message showed before
	open    *core.Report
	decided core.DecidedReport
}

// reportCase reads what a post should show now.
func (b moderationBot) reportCase(ctx context.Context, p core.ReportPost) (reportCase, error) {
	if !p.Decided {
		r, err := b.posts.OpenReport(ctx, p.ReportID)
		if err == nil {
			p.ShownReports, p.ShownThing = r.Count, 0
			switch {
			case p.OfferID != 0 && r.Offer != nil:
				p.ShownThing = r.Offer.Quantity
			case p.OfferID == 0 && r.Order != nil:
				p.ShownThing = r.Order.Version
			}
			was := p.ReportID
			p.ReportID = r.ID
			return reportCase{post: p, shown: was, open: &r}, nil
		}
		if core.KindOf(err) != core.NotFound {
			return reportCase{}, fmt.Errorf("report %d: %w", p.ReportID, err)
		}
	}
	decided, err := b.posts.DecidedReport(ctx, p.ReportID)
	if err != nil {
		return reportCase{}, fmt.Errorf("decided report %d: %w", p.ReportID, err)
	}
	p.Decided = true
	return reportCase{post: p, shown: p.ReportID, decided: decided}, nil
}

// openReportsID is on every message of the report channel that has something to decide. It shows a moderator more, and the
// message is found again by it.
func openReportsID(messageOf int64) discord.CustomID {
	return discord.NewCustomID("report-open", messageOf)
}

// reportMessageOf draws a message of the report channel as it should be now. It returns NotFound when nothing on it waits any more.
func (b moderationBot) reportMessageOf(ctx context.Context, messageOf int64) (Reply, error) {
	posts, err := b.posts.ReportPostsOf(ctx, messageOf)
	if err != nil {
		return Reply{}, err
	}
	if len(posts) == 0 {
		return Reply{}, core.NewError(core.NotFound, alreadySettled.Text)
	}
	cases := make([]reportCase, len(posts))
	for i, p := range posts {
		if cases[i], err = b.reportCase(ctx, p); err != nil {
			return Reply{}, err
		}
	}
	return b.reportMessage(cases, b.casePeople(ctx, cases)), nil
}

// reportMessage draws a message of the report channel. It names no reporter: only moderators may know, and a channel's readers
// can change.
func (b moderationBot) reportMessage(cases []reportCase, people core.Accounts) Reply {
	t := b.translator(cases[0].post.Locale)
	reply := Reply{public: true}
	limit := reasonLimit
	if cases[0].post.Shared {
		limit = sharedReasonLimit
	}
	var open []core.Report
	var options []discordgo.SelectMenuOption
	for _, c := range cases {
		if c.open == nil {
			e := c.decided.Entry
			reply.cards = append(reply.cards, &discord.Card{
				Color: colourDone, Description: string(joined(caseTitle(t, c.decided.Report, people), auditLine(t, e, people))),
			})
			continue
		}
		open = append(open, *c.open)
		reply.cards = append(reply.cards, &discord.Card{
			Color: colourHigh, Description: string(joined(caseTitle(t, *c.open, people), caseReasons(t, *c.open, limit))),
		})
		options = append(options, discordgo.SelectMenuOption{
			Label: reportLabel(t, *c.open), Value: fmt.Sprint(c.open.ID), Description: discord.Clip(discord.FirstLine(c.open.Reason), discord.MaxOptionLabel),
		})
	}
	messageOf := cases[0].post.MessageOf
	switch {
	case len(open) == 0:
	case cases[0].post.Shared:
		reply.text = t.text(msg.ReportsDM, len(cases))
		reply.rows = append(reply.rows, choose(openReportsID(messageOf), t.plain(msg.PickReport), options))
	default:
		r := open[0]
		reply.text = t.text(msg.ReportDM, r.ItemName)
		if r.OfferID == 0 && r.Order != nil {
			reply.cards = append(reply.cards, b.card(t, *r.Order, people[r.Order.Owner], false))
		}
		reply.rows = append(reply.rows, row(append(decisions(t, r, r.ID, channelView(messageOf)),
			button(openReportsID(messageOf), discordgo.SecondaryButton, t.plain(msg.Details)))...))
	}
	return reply
}

// casePeople returns the accounts of everyone who is named in a message of the report channel.
func (b moderationBot) casePeople(ctx context.Context, cases []reportCase) core.Accounts {
	var ids []core.UserID
	for _, c := range cases {
		if c.open != nil {
			ids = append(ids, c.open.Subject)
			if c.open.Order != nil {
				ids = append(ids, c.open.Order.Owner)
			}
		} else {
			ids = append(ids, c.decided.Entry.Moderator, c.decided.Entry.Subject)
		}
	}
	return b.accounts(ctx, ids...)
}

// caseTitle names what reports are about and whose it is, and no reporter.
func caseTitle(t translator, r core.Report, people core.Accounts) discord.Markdown {
	title := "**" + reportedThing(t, r, people) + "**"
	if r.Count > 1 {
		title += " · " + t.text(msg.ReportCount, r.Count)
	}
	return title + " · " + timestamp(r.CreatedAt)
}

// caseReasons lists what the reports about one thing say, without who says it.
func caseReasons(t translator, r core.Report, limit int) discord.Markdown {
	if len(r.Reasons) == 0 {
		return discord.ClipMarkdown(discord.Quote(r.Reason), limit)
	}
	reasons := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		reasons[i] = string(discord.ClipMarkdown(discord.Quote(reason.Reason), limit))
	}
	return discord.Markdown(strings.Join(reasons, "\n\n"))
}

// How much of a reason a message of the report channel shows: in a shared one, ten things with five reasons each have room.
const (
	reasonLimit       = 400
	sharedReasonLimit = 100
)
