package notices

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// groupShown limits the requests or offers in a message about many. Its link leads to all of them.
const groupShown = 5

// groupedDM is one message about many requests that expire, many offers that have lapsed, much stock, or
// many reports.
func (b Notices) groupedDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	var r kernel.Reply
	colour, buttons := kernel.ColourDone, []discordgo.MessageComponent(nil)
	switch {
	case d.Kind == notify.NoticeOrderExpiring:
		r.Text, colour, buttons = t.Text(msg.ExpiringMany, "count", len(d.Notices)), kernel.ColourHigh,
			kernel.WebLink(b.MineURL(), t.Plain(msg.OpenWeb))
	case d.Kind == notify.NoticeReportReceived:
		r.Text, colour, buttons = t.Text(msg.ReportsDM, "count", len(d.Notices)), kernel.ColourHigh,
			b.reportsButtons(t)
	case d.Kind == notify.NoticeStockStale:
		r.Text, colour, buttons = t.Text(msg.StockStaleMany, "count", len(d.Notices)), kernel.ColourHigh,
			kernel.StockButtons(t, b.PageURL("/stock"))
	case d.Kind == notify.NoticeOfferLapsed:
		r.Text, buttons = t.Text(msg.OffersLapsedDM, "count", len(d.Notices)),
			kernel.WebLink(b.PageURL("/offers"), t.Plain(msg.OpenWeb))
	default:
		return b.otherDM(t)
	}
	var list discord.Markdown
	for _, n := range d.Notices[:min(len(d.Notices), groupShown)] {
		list = kernel.Joined(list, groupedLine(t, d.Kind, n))
	}
	if rest := len(d.Notices) - groupShown; rest > 0 {
		list = kernel.Joined(list, t.Text(msg.AndMore, "count", rest))
	}
	r.Cards = []*discord.Card{{Color: colour, Description: string(list)}}
	if len(buttons) > 0 {
		r.Rows = append(r.Rows, kernel.Row(buttons...))
	}
	return r
}

// groupedLine is a notice in one line of a message about many.
func groupedLine(t kernel.Translator, kind notify.Kind, n notify.Notice) discord.Markdown {
	if kind == notify.NoticeReportReceived {
		return "**" + discord.Escape(n.ItemName) + "** · " +
			discord.ClipMarkdown(discord.Escape(discord.FirstLine(n.Message)), 120)
	}
	line := "**" + t.Text(msg.OfferTitle, "quantity", n.Quantity, "item", n.ItemName) + "** · "
	if kind == notify.NoticeStockStale {
		return line + t.Text(msg.StockAtLeast, "price", n.Price)
	}
	if kind == notify.NoticeOrderExpiring {
		return line + kernel.Timestamp(n.CreatedAt.Add(trade.ExpiryWarning))
	}
	return line + discord.Escape(t.Core(trade.LapseReason(n.Message)))
}

// reportsButtons lead a moderator to the open reports.
func (b Notices) reportsButtons(t kernel.Translator) []discordgo.MessageComponent {
	open := kernel.Button(discord.NewCustomID("reports", 0), discordgo.PrimaryButton,
		t.Plain(msg.OpenReports))
	return append([]discordgo.MessageComponent{open},
		kernel.WebLink(b.PageURL("/moderation"), t.Plain(msg.OpenWeb))...)
}
