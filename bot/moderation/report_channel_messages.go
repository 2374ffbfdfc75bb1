package moderation

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/moderation"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// ReportCase is the content of a post: the open reports about one subject, or the decision on them.
type ReportCase struct {
	Post    channels.ReportPost // as it is once the message is drawn
	shown   core.ReportID       // the newest report that the message showed before
	Open    *moderation.Report
	Decided channels.DecidedReport
}

// reportCase reads what a post should show now.
func (b Moderation) reportCase(ctx context.Context, p channels.ReportPost) (ReportCase, error) {
	if !p.Decided {
		r, err := b.posts.OpenReport(ctx, p.ReportID)
		if err == nil {
			p.ShownReports, p.ShownThing = r.Count, 0
			switch {
			case p.OfferID != 0 && r.Offer != nil:
				p.ShownThing = r.Offer.Quantity
			case p.ListingID != 0 && r.Listing != nil:
				p.ShownThing = r.Listing.Version
			case p.OfferID == 0 && r.Order != nil:
				p.ShownThing = r.Order.Version
			}
			was := p.ReportID
			p.ReportID = r.ID
			return ReportCase{Post: p, shown: was, Open: &r}, nil
		}
		if core.KindOf(err) != core.NotFound {
			return ReportCase{}, fmt.Errorf("report %d: %w", p.ReportID, err)
		}
	}
	decided, err := b.posts.DecidedReport(ctx, p.ReportID)
	if err != nil {
		return ReportCase{}, fmt.Errorf("decided report %d: %w", p.ReportID, err)
	}
	p.Decided = true
	return ReportCase{Post: p, shown: p.ReportID, Decided: decided}, nil
}

// openReportsID is on every message of the report channel that has something to decide. It shows a
// moderator more, and the message is found again by it.
func openReportsID(messageOf int64) discord.CustomID {
	return discord.NewCustomID("report-open", messageOf)
}

// reportMessageOf draws a message of the report channel as it should be now. It returns NotFound when
// nothing on it waits any more.
func (b Moderation) reportMessageOf(ctx context.Context, messageOf int64) (kernel.Reply, error) {
	posts, err := b.posts.ReportPostsOf(ctx, messageOf)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(posts) == 0 {
		return kernel.Reply{}, core.NewError(core.NotFound, alreadySettled.Text)
	}
	cases := make([]ReportCase, len(posts))
	for i, p := range posts {
		if cases[i], err = b.reportCase(ctx, p); err != nil {
			return kernel.Reply{}, err
		}
	}
	return b.ReportMessage(cases, b.casePeople(ctx, cases)), nil
}

// ReportMessage draws a message of the report channel. It names no reporter: only moderators may know, and
// a channel's readers can change.
func (b Moderation) ReportMessage(cases []ReportCase, people people.Accounts) kernel.Reply {
	t := b.Translator(cases[0].Post.Locale)
	reply := kernel.Reply{Public: true}
	limit := reasonLimit
	if cases[0].Post.Shared {
		limit = sharedReasonLimit
	}
	var open []moderation.Report
	var options []discordgo.SelectMenuOption
	for _, c := range cases {
		if c.Open == nil {
			e := c.Decided.Entry
			reply.Cards = append(reply.Cards, &discord.Card{
				Color: kernel.ColourDone,
				Description: string(kernel.Joined(caseTitle(t, c.Decided.Report, people),
					AuditLine(t, e, people))),
			})
			continue
		}
		open = append(open, *c.Open)
		reply.Cards = append(reply.Cards, &discord.Card{
			Color: kernel.ColourHigh, Description: string(kernel.Joined(caseTitle(t, *c.Open, people),
				caseReasons(*c.Open, limit))),
		})
		options = append(options, discordgo.SelectMenuOption{
			Label: reportLabel(t, *c.Open), Value: fmt.Sprint(c.Open.ID),
			Description: discord.Clip(discord.FirstLine(c.Open.Reason), discord.MaxOptionLabel),
		})
	}
	messageOf := cases[0].Post.MessageOf
	switch {
	case len(open) == 0:
	case cases[0].Post.Shared:
		reply.Text = t.Text(msg.ReportsDM, "count", len(cases))
		reply.Rows = append(reply.Rows, kernel.Choose(openReportsID(messageOf), t.Plain(msg.PickReport),
			options))
	default:
		r := open[0]
		reply.Text = t.Text(msg.ReportDM, "item", r.ItemName)
		if r.ListingID != 0 && b.listed(r) {
			reply.Cards = append(reply.Cards, listingCard(t, r.Listing.Listing, people[r.Subject]))
		}
		if r.OfferID == 0 && r.Order != nil {
			reply.Cards = append(reply.Cards, b.Card(t, *r.Order, people[r.Order.Owner], false))
		}
		reply.Rows = append(reply.Rows, kernel.Row(append(b.decisions(t, r, r.ID, channelView(messageOf)),
			kernel.Button(openReportsID(messageOf), discordgo.SecondaryButton, t.Plain(msg.Details)))...))
	}
	return reply
}

// casePeople returns the accounts of everyone who is named in a message of the report channel.
func (b Moderation) casePeople(ctx context.Context, cases []ReportCase) people.Accounts {
	var ids []core.UserID
	for _, c := range cases {
		if c.Open != nil {
			ids = append(ids, c.Open.Subject)
			if c.Open.Order != nil {
				ids = append(ids, c.Open.Order.Owner)
			}
		} else {
			ids = append(ids, c.Decided.Entry.Moderator, c.Decided.Entry.Subject)
		}
	}
	return b.Accounts(ctx, ids...)
}

// caseTitle names the reported subject and its owner, and no reporter.
func caseTitle(t kernel.Translator, r moderation.Report, people people.Accounts) discord.Markdown {
	title := "**" + reportedThing(t, r, people) + "**"
	if r.Count > 1 {
		title += " · " + t.Text(msg.ReportCount, "count", r.Count)
	}
	return title + " · " + kernel.Timestamp(r.CreatedAt)
}

// caseReasons lists the reasons of the reports about one subject, without the reporters.
func caseReasons(r moderation.Report, limit int) discord.Markdown {
	if len(r.Reasons) == 0 {
		return discord.ClipMarkdown(discord.Quote(r.Reason), limit)
	}
	reasons := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		reasons[i] = string(discord.ClipMarkdown(discord.Quote(reason.Reason), limit))
	}
	return discord.Markdown(strings.Join(reasons, "\n\n"))
}

// How much of a reason a message of the report channel shows: in a shared one, ten things with five reasons
// each have room.
const (
	reasonLimit       = 400
	sharedReasonLimit = 100
)
