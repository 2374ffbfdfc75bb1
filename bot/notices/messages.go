package notices

import (
	"cmp"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// DeliveryMessage returns a direct message in its current state in the database. A note describes the action
// just done on it. Each message has a button to the settings of messages; a message with a single offer has
// it behind *More*.
func (b Notices) DeliveryMessage(
	t kernel.Translator, d channels.Delivery, note discord.Markdown,
) kernel.Reply {
	draw := b.Table.Messages[d.Kind]
	if draw == nil {
		draw = b.noticeDM
	}
	r := draw(t, d)
	if note != "" {
		r.Text = note
	}
	if d.Thread != "" {
		r.Text = inThreadOf(d, r.Text)
	}
	r.Public = true
	if d.Kind != notify.NoticeOfferReceived || len(d.Offers) != 1 {
		r.Rows = append(r.Rows, kernel.Row(kernel.Button(SettingsID(d.ID), discordgo.SecondaryButton,
			t.Plain(msg.StopThese))))
	}
	return r
}

// noticeDM is a message about anything but new offers.
func (b Notices) noticeDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	if len(d.Notices) == 0 {
		return kernel.Reply{Text: t.Text(msg.OffersGone)}
	}
	if len(d.Notices) > 1 {
		return b.groupedDM(t, d)
	}
	n := d.Notices[0]
	e := b.NoticeCard(n)
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	var buttons []discordgo.MessageComponent
	r := kernel.Reply{Cards: []*discord.Card{e}}
	switch n.Kind {
	case notify.NoticeOfferAccepted, notify.NoticeStandingAccepted,
		notify.NoticeHandoverCancelled, notify.NoticeHandoverDisputed, notify.NoticeHandoverSettled:
		draw := b.Table.Notices[n.Kind]
		if draw == nil {
			return b.otherDM(t)
		}
		r = draw(t, d, n)
	case notify.NoticeOfferDeclined:
		r.Text = t.Text(msg.OfferDeclinedDM, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.Text(msg.SeeOthers)), kernel.ColourDone
	case notify.NoticeOfferWithdrawn:
		r.Text = t.Text(msg.OfferWithdrawnDM, cmp.Or(n.Name, t.Plain(msg.ASeller)), n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.Text(msg.SeeOffers)), kernel.ColourDone
	case notify.NoticeOfferLapsed:
		r.Text = t.Text(msg.OfferLapsedDM, n.Quantity, n.ItemName, t.Core(trade.LapseReason(n.Message)))
		e.Description, e.Color = string(t.Text(msg.SeeOthers)), kernel.ColourDone
	case notify.NoticeOrderFilled:
		r.Text = t.Text(msg.FilledDM, n.ItemName)
		e.Description = string(t.Text(msg.Completed))
		add(msg.FilledSold, t.Text(msg.OfferTitle, n.Quantity, n.ItemName))
		add(msg.CardPrice, t.Coins(n.Price))
	case notify.NoticeOrderExpiring:
		r.Text = t.Text(msg.Expiring, n.ItemName, kernel.Timestamp(n.CreatedAt.Add(trade.ExpiryWarning)))
		e.Color = kernel.ColourHigh
		add(msg.CardLeft, t.Text(msg.OfferTitle, n.Quantity, n.ItemName))
		buttons = append(buttons, kernel.Button(discord.NewCustomID("renew", n.OrderID),
			discordgo.PrimaryButton, t.Plain(msg.Renew)))
	case notify.NoticeOrderRemoved, notify.NoticeOfferRemoved:
		m := msg.OrderRemovedDM
		if n.Kind == notify.NoticeOfferRemoved {
			m = msg.OfferRemovedDM
		}
		r.Text = t.Text(m, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.Text(msg.ReasonGiven, discord.Quote(n.Message))),
			kernel.ColourDanger
	case notify.NoticeOrderRestored:
		r.Text = t.Text(msg.OrderRestoredDM, n.Quantity, n.ItemName)
		e.Description = string(t.Text(msg.OrderRestoredNext))
	case notify.NoticeOfferRestored:
		r.Text = t.Text(msg.OfferRestoredDM, n.Quantity, n.ItemName)
		e.Description = string(t.Text(msg.OfferRestoredNext))
	case notify.NoticeOfferReopened:
		r.Text = t.Text(msg.OfferReopenedDM, n.Quantity, n.ItemName)
		e.Description = string(t.Text(msg.OfferReopenedNext))
	case notify.NoticeUserBlocked:
		r.Text, e.Title = t.Text(msg.BlockedDM), ""
		e.Description, e.Color = string(t.Text(msg.ReasonGiven, discord.Quote(n.Message))),
			kernel.ColourDanger
	case notify.NoticeManyRemovals:
		r.Text, e.Title, e.URL = t.Text(msg.ManyRemovals, remover(t, n, d.Accounts), n.Quantity),
			string(t.Text(msg.AuditTitle)), b.PageURL("/moderation?show=log")
		e.Description, e.Color = string(t.Text(msg.ManyRemovalsNext)), kernel.ColourDanger
		buttons = append(buttons, kernel.WebLink(b.PageURL("/moderation?show=log"), t.Plain(msg.OpenWeb))...)
	case notify.NoticeReportReceived:
		r.Text, e.Title = t.Text(msg.ReportDM, n.ItemName), ""
		e.Description, e.Color = string(t.Text(msg.ReasonGiven, discord.Quote(n.Message))), kernel.ColourHigh
		buttons = append(buttons, b.reportsButtons(t)...)
		n.OrderID = 0 // the reports lead to it
	case notify.NoticeReportChannelEnded:
		r.Text, e.Title = reportChannelEnded(t, n), ""
		e.Description, e.Color = string(t.Text(msg.ReportChannelEndedNext)), kernel.ColourDanger
		buttons = append(buttons, b.reportsButtons(t)...)
	case notify.NoticeBoardEnded:
		r.Text, r.Cards = boardEnded(t, n), nil
	case notify.NoticeLookAlike:
		r.Text, e.Color = lookAlikeDM(t, n), kernel.ColourHigh
		e.Description = string(t.Text(msg.LookAlikeOfferNext))
		if n.OfferID == 0 {
			e.Description = string(t.Text(msg.LookAlikeNext))
		}
		if n.OfferID == 0 && n.OrderID != 0 {
			buttons = append(buttons, kernel.Button(kernel.ReportOn{Order: n.OrderID}.Press("report"),
				discordgo.SecondaryButton, t.Plain(msg.Report)))
		}
	case notify.NoticeStockStale:
		r.Text, e.Color = t.Text(msg.StockStaleDM, n.Quantity, n.ItemName), kernel.ColourHigh
		e.Description = string(t.Text(msg.StockStaleNext,
			kernel.Timestamp(n.CreatedAt.Add(match.StockLifetime-match.StockAskedAfter))))
		buttons = append(buttons, kernel.StockButtons(t, b.PageURL("/stock"))...)
	case notify.NoticeOfferTimedOut:
		r.Text = t.Text(msg.OfferTimedOutDM, cmp.Or(n.Name, t.Plain(msg.ASeller)), n.Quantity, n.ItemName,
			t.Core(trade.LapseReason(n.Message)))
		e.Description, e.Color = string(t.Text(msg.SeeOffers)), kernel.ColourDone
	case notify.NoticeDisputeReceived:
		r.Text, e.Color = t.Text(msg.DisputeDM, n.Quantity, n.ItemName), kernel.ColourHigh
		buttons = append(buttons, kernel.Button(discord.NewCustomID("disputes"), discordgo.PrimaryButton,
			t.Plain(msg.OpenDisputes)))
	case notify.NoticeTest:
		r.Text, r.Cards = t.Text(msg.TestDM, b.SiteName), nil
	case notify.NoticeOfferReceived, notify.NoticeHandoverPrompt, notify.NoticeRequestWatched,
		notify.NoticeDigest, notify.NoticeDMFailed: // never sent as a message like these
		return b.otherDM(t)
	default:
		return b.otherDM(t)
	}
	if buttons = append(buttons, kernel.WebLink(b.OrderURL(n.OrderID),
		t.Plain(msg.OpenWeb))...); len(buttons) > 0 {
		r.Rows = append(r.Rows, kernel.Row(buttons...))
	}
	return r
}

// reportChannelEnded explains why reports no longer arrive in their channel.
func reportChannelEnded(t kernel.Translator, n notify.Notice) discord.Markdown {
	return t.Text(msg.ReportChannelEndedDM, discord.Markdown("<#"+n.Name+">"),
		t.Stored(n.Message, channels.ReportChannelReasons...))
}

// boardEnded explains why a board ended, and how to set up a new one.
func boardEnded(t kernel.Translator, n notify.Notice) discord.Markdown {
	if channels.ServerLeft(n) {
		return t.Text(msg.BoardServerLeft, kernel.MentionChannel(n.Name))
	}
	return t.Text(msg.BoardChannelDeleted)
}

// lookAlikeDM says where a name is used that looks like the reader's.
func lookAlikeDM(t kernel.Translator, n notify.Notice) discord.Markdown {
	name := cmp.Or(n.Name, t.Plain(msg.DeletedUser))
	if n.OfferID != 0 {
		return t.Text(msg.LookAlikeOfferDM, name, n.ItemName)
	}
	return t.Text(msg.LookAlikeDM, name, n.ItemName)
}

// otherDM is the message for a kind of notice that this program does not know, because a newer one beside
// it wrote the notice. The page shows it.
func (b Notices) otherDM(t kernel.Translator) kernel.Reply {
	r := kernel.Reply{Text: t.Text(msg.OtherDM, b.SiteName)}
	if link := kernel.WebLink(b.PageURL("/inbox"), t.Plain(msg.OpenWeb)); len(link) > 0 {
		r.Rows = append(r.Rows, kernel.Row(link...))
	}
	return r
}

// remover returns the moderator that a notice of many removals is about. The name is empty once
// their account is deleted.
func remover(t kernel.Translator, n notify.Notice, accounts people.Accounts) discord.Markdown {
	if n.Contact == "" {
		return t.Text(msg.DeletedUser)
	}
	return kernel.Mention(n.Contact, accounts[n.CausedBy])
}
