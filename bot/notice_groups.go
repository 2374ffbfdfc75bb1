package bot

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// groupShown is how many requests or offers a message about many lists. Its link leads to all of them.
const groupShown = 5

// groupedDM is one message about many requests that expire, many offers that have lapsed, much stock, or many reports.
func (b noticesBot) groupedDM(t translator, d core.Delivery) Reply {
	var r Reply
	colour, buttons := colourDone, []discordgo.MessageComponent(nil)
	switch {
	case d.Kind == core.NoticeOrderExpiring:
		r.text, colour, buttons = t.text(msg.ExpiringMany, len(d.Notices)), colourHigh, webLink(b.mineURL(), t.plain(msg.OpenWeb))
	case d.Kind == core.NoticeReportReceived:
		r.text, colour, buttons = t.text(msg.ReportsDM, len(d.Notices)), colourHigh, b.reportsButtons(t)
	case d.Kind == core.NoticeStockStale:
		r.text, colour, buttons = t.text(msg.StockStaleMany, len(d.Notices)), colourHigh, stockButtons(t, b.pageURL("/stock"))
	default:
		r.text, buttons = t.text(msg.OffersLapsedDM, len(d.Notices)), webLink(b.pageURL("/offers"), t.plain(msg.OpenWeb))
	}
	var list discord.Markdown
	for _, n := range d.Notices[:min(len(d.Notices), groupShown)] {
		list = joined(list, groupedLine(t, d.Kind, n))
	}
	if rest := len(d.Notices) - groupShown; rest > 0 {
		list = joined(list, t.text(msg.AndMore, rest))
	}
	r.cards = []*discord.Card{{Color: colour, Description: string(list)}}
	if len(buttons) > 0 {
		r.rows = append(r.rows, row(buttons...))
	}
	return r
}

// groupedLine is a notice in one line of a message about many.
func groupedLine(t translator, kind core.NoticeKind, n core.Notice) discord.Markdown {
	if kind == core.NoticeReportReceived {
		return "**" + discord.Escape(n.ItemName) + "** · " + discord.ClipMarkdown(discord.Escape(discord.FirstLine(n.Message)), 120)
	}
	line := "**" + t.text(msg.OfferTitle, n.Quantity, n.ItemName) + "** · "
	if kind == core.NoticeStockStale {
		return line + t.text(msg.StockAtLeast, n.Price)
	}
	if kind == core.NoticeOrderExpiring {
		return line + timestamp(n.CreatedAt.Add(core.ExpiryWarning))
	}
	return line + discord.Escape(t.core(core.LapseReason(n.Message)))
}

// reportsButtons lead a moderator to the open reports.
func (b noticesBot) reportsButtons(t translator) []discordgo.MessageComponent {
	open := button(discord.NewCustomID("reports", 0), discordgo.PrimaryButton, t.plain(msg.OpenReports))
	return append([]discordgo.MessageComponent{open}, webLink(b.pageURL("/moderation"), t.plain(msg.OpenWeb))...)
}
