package notices

import (
	"cmp"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
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
	case d.Kind == notify.NoticeAskEnded:
		r.Text, buttons = t.Text(msg.AsksEndedMany, "count", len(d.Notices)),
			kernel.WebLink(b.MineURL(), t.Plain(msg.OpenWeb))
	case planKinds[d.Kind].text != "":
		return b.planDM(t, d)
	default:
		return b.otherDM(t)
	}
	r.Cards = []*discord.Card{{Color: colour, Description: string(shownOf(t, d.Notices, groupShown,
		func(n notify.Notice) discord.Markdown { return groupedLine(t, d.Kind, n) }))}}
	if len(buttons) > 0 {
		r.Rows = append(r.Rows, kernel.Row(buttons...))
	}
	return r
}

// planKind says how a message about many lines of a plan reads.
type planKind struct {
	text msg.Key
	page string // that has all of them
}

var planKinds = map[notify.Kind]planKind{
	notify.NoticeListingSold:      {msg.ListingsSoldMany, "/trades"},
	notify.NoticeStandingAccepted: {msg.PlanAgreedMany, "/trades"},
	notify.NoticeAskReceived:      {msg.AsksReceivedMany, "/stock"},
}

const (
	planShown   = 20 // lines of a plan in one message
	planButtons = 15 // to undo or to answer single ones
	inRow       = 5
)

// planDM is one message about many lines of a plan: what was bought or sold at once, with a button that
// undoes each, or what a buyer asks for, with a button to answer each.
func (b Notices) planDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	kind := planKinds[d.Kind]
	args := []any{"count", len(d.Notices)}
	if d.Kind == notify.NoticeAskReceived {
		args = append(args, "buyer", cmp.Or(d.Notices[0].Name, t.Plain(msg.DeletedUser)))
	}
	r := kernel.Reply{Text: t.Text(kind.text, args...)}
	list := shownOf(t, d.Notices, planShown, func(n notify.Notice) discord.Markdown {
		line := "**" + t.Text(msg.OfferTitle, "quantity", n.Quantity, "item", n.ItemName) + "** · " +
			t.Text(msg.StockAtLeast, "price", n.Price)
		if n.Kind == notify.NoticeCrossingUndone {
			return "~~" + line + "~~ " + t.Text(msg.SaleReversed)
		}
		return line + " ·" + otherSide(n, d.Accounts)
	})
	r.Cards = []*discord.Card{{Color: kernel.ColourUsual, Description: string(list)}}
	var buttons []discordgo.MessageComponent
	for _, n := range d.Notices {
		id, may := b.undoOf(d, n)
		label := t.Plain(msg.Undo, "item", n.ItemName)
		if n.Kind == notify.NoticeAskReceived {
			id, may = discord.NewCustomID(kernel.PanelAsk, n.OrderID), n.OrderID != 0
			label = t.Plain(msg.AskAnswerOf, "quantity", n.Quantity, "item", n.ItemName)
		}
		if may && len(buttons) < planButtons {
			buttons = append(buttons, kernel.Button(id, discordgo.SecondaryButton, label))
		}
	}
	for row := range slices.Chunk(buttons, inRow) {
		r.Rows = append(r.Rows, kernel.Row(row...))
	}
	if link := kernel.WebLink(b.PageURL(kind.page), t.Plain(msg.OpenWeb)); len(link) > 0 {
		r.Rows = append(r.Rows, kernel.Row(link...))
	}
	return r
}

// undoOf returns the button that undoes the sale of a notice, and false where its reader can't.
func (b Notices) undoOf(d channels.Delivery, n notify.Notice) (discord.CustomID, bool) {
	for _, sold := range d.Trades {
		if sold.Sale == n.Sale && sold.Crossed != 0 &&
			sold.Undo().May(core.Actor{UserID: n.User}, b.Now()) == nil {
			return kernel.UndoID(core.UndoSale, sold.Sale, kernel.DeliveryView(d.ID)), true
		}
	}
	return discord.CustomID{}, false
}

// shownOf lists the first notices of a message about many, a line each.
func shownOf(
	t kernel.Translator, notices []notify.Notice, shown int, line func(notify.Notice) discord.Markdown,
) (list discord.Markdown) {
	for _, n := range notices[:min(len(notices), shown)] {
		list = kernel.Joined(list, line(n))
	}
	if rest := len(notices) - shown; rest > 0 {
		list = kernel.Joined(list, t.Text(msg.AndMore, "count", rest))
	}
	return list
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
	if kind == notify.NoticeAskEnded {
		return line + discord.Escape(t.Core(trade.AskReason(n.Message)))
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
