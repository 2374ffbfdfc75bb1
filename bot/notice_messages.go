package bot

import (
	"cmp"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// deliveryMessage is a direct message as the database is now. A note says what has just been done on it. Every one has a
// button to the settings of messages; one with a single offer has it behind *More*.
func (b noticesBot) deliveryMessage(t translator, d core.Delivery, note discord.Markdown) Reply {
	draw := b.routes.messages[d.Kind]
	if draw == nil {
		draw = b.noticeDM
	}
	r := draw(t, d)
	if note != "" {
		r.text = note
	}
	if d.Thread != "" {
		r.text = inThreadOf(d, r.text)
	}
	r.public = true
	if d.Kind != core.NoticeOfferReceived || len(d.Offers) != 1 {
		r.rows = append(r.rows, row(button(settingsID(d.ID), discordgo.SecondaryButton, t.plain(msg.StopThese))))
	}
	return r
}

// offersDM is a message about new offers: one with its buttons, or several with a list to pick from.
func (b offersBot) offersDM(t translator, d core.Delivery) Reply {
	view := deliveryView(d.ID)
	var receipts []*discord.Card
	ofSale := map[core.SaleID]*discord.Card{}
	for _, one := range d.Receipts[:min(len(d.Receipts), receiptsShown)] {
		card := b.receipt(t, one, d.To.User)
		receipts, ofSale[one.ID] = append(receipts, card), card
	}
	switch len(d.Offers) {
	case 0:
		if past := b.pastOffers(t, d); past.Description != "" {
			receipts = append([]*discord.Card{past}, receipts...)
		}
		return Reply{text: t.text(msg.OffersGone), cards: receipts, receipts: ofSale}
	case 1:
		one := d.Offers[0]
		r := Reply{text: t.text(msg.NewOffer, one.Offer.Quantity, one.Order.ItemName), receipts: ofSale}
		if len(d.Notices) > 1 {
			r.text = t.text(msg.OneOfferLeft, len(d.Notices))
		}
		card := b.offerCard(t, one.Order, one.Offer, d.Accounts[one.Offer.Seller])
		card.Rows = []discordgo.MessageComponent{row(append(b.offerButtons(t, one.Order, one.Offer, view), offerMore(t, one.Offer, view))...)}
		r.cards = append([]*discord.Card{card}, receipts...)
		return r
	}
	var text discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(d.Offers))
	for i, o := range d.Offers {
		text = joined(text, "**"+discord.Escape(o.Order.ItemName)+"** · "+offerLine(t, o.Offer, d.Accounts[o.Offer.Seller]))
		options[i] = discordgo.SelectMenuOption{Label: t.liveLabel(o), Value: fmt.Sprint(o.Offer.ID), Description: discord.FirstLine(o.Offer.Message)}
	}
	return Reply{
		text: t.text(msg.NewOffers, len(d.Offers)), receipts: ofSale,
		cards: append([]*discord.Card{{
			Title: string(t.text(msg.OffersDMTitle)), URL: b.mineURL(), Color: colourUsual, Description: string(text),
			Rows: []discordgo.MessageComponent{choose(discord.NewCustomID("offer-picked", view), t.plain(msg.PickOffer), options)},
		}}, receipts...),
	}
}

// pastOffers lists the offers of a message of which something was not accepted, when none of them is open any more.
func (b offersBot) pastOffers(t translator, d core.Delivery) *discord.Card {
	accepted := map[core.OfferID]int{}
	for _, r := range d.Receipts {
		accepted[r.OfferID] += r.Quantity
	}
	var text discord.Markdown
	for _, n := range d.Notices {
		if accepted[n.OfferID] >= n.Quantity {
			continue // its receipts say more
		}
		text = joined(text, "~~"+t.text(msg.OfferTitle, n.Quantity, n.ItemName)+"~~ · "+discord.Escape(n.Name)+" · "+username(n.Contact))
	}
	return &discord.Card{Color: colourDone, Description: string(text)}
}

// noticeDM is a message about anything but new offers.
func (b noticesBot) noticeDM(t translator, d core.Delivery) Reply {
	if len(d.Notices) == 0 {
		return Reply{text: t.text(msg.OffersGone)}
	}
	if len(d.Notices) > 1 {
		return b.groupedDM(t, d)
	}
	n := d.Notices[0]
	e := b.noticeCard(n)
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	var buttons []discordgo.MessageComponent
	r := Reply{cards: []*discord.Card{e}}
	switch n.Kind {
	case core.NoticeOfferAccepted, core.NoticeStandingAccepted,
		core.NoticeHandoverCancelled, core.NoticeHandoverDisputed, core.NoticeHandoverSettled:
		draw := b.routes.notices[n.Kind]
		if draw == nil {
			return b.otherDM(t)
		}
		r = draw(t, d, n)
	case core.NoticeOfferDeclined:
		r.text = t.text(msg.OfferDeclinedDM, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.text(msg.SeeOthers)), colourDone
	case core.NoticeOfferWithdrawn:
		r.text = t.text(msg.OfferWithdrawnDM, cmp.Or(n.Name, t.plain(msg.ASeller)), n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.text(msg.SeeOffers)), colourDone
	case core.NoticeOfferLapsed:
		r.text = t.text(msg.OfferLapsedDM, n.Quantity, n.ItemName, t.core(core.LapseReason(n.Message)))
		e.Description, e.Color = string(t.text(msg.SeeOthers)), colourDone
	case core.NoticeOrderFilled:
		r.text = t.text(msg.FilledDM, n.ItemName)
		e.Description = string(t.text(msg.Completed))
		add(msg.FilledSold, t.text(msg.OfferTitle, n.Quantity, n.ItemName))
		add(msg.CardPrice, t.coins(n.Price))
	case core.NoticeOrderExpiring:
		r.text = t.text(msg.Expiring, n.ItemName, timestamp(n.CreatedAt.Add(core.ExpiryWarning)))
		e.Color = colourHigh
		add(msg.CardLeft, t.text(msg.OfferTitle, n.Quantity, n.ItemName))
		buttons = append(buttons, button(discord.NewCustomID("renew", n.OrderID), discordgo.PrimaryButton, t.plain(msg.Renew)))
	case core.NoticeOrderRemoved, core.NoticeOfferRemoved:
		m := msg.OrderRemovedDM
		if n.Kind == core.NoticeOfferRemoved {
			m = msg.OfferRemovedDM
		}
		r.text = t.text(m, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.text(msg.ReasonGiven, discord.Quote(n.Message))), colourDanger
	case core.NoticeOrderRestored:
		r.text = t.text(msg.OrderRestoredDM, n.Quantity, n.ItemName)
		e.Description = string(t.text(msg.OrderRestoredNext))
	case core.NoticeOfferRestored:
		r.text = t.text(msg.OfferRestoredDM, n.Quantity, n.ItemName)
		e.Description = string(t.text(msg.OfferRestoredNext))
	case core.NoticeOfferReopened:
		r.text = t.text(msg.OfferReopenedDM, n.Quantity, n.ItemName)
		e.Description = string(t.text(msg.OfferReopenedNext))
	case core.NoticeUserBlocked:
		r.text, e.Title = t.text(msg.BlockedDM), ""
		e.Description, e.Color = string(t.text(msg.ReasonGiven, discord.Quote(n.Message))), colourDanger
	case core.NoticeManyRemovals:
		r.text, e.Title, e.URL = t.text(msg.ManyRemovals, remover(t, n, d.Accounts), n.Quantity), string(t.text(msg.AuditTitle)), b.pageURL("/moderation?show=log")
		e.Description, e.Color = string(t.text(msg.ManyRemovalsNext)), colourDanger
		buttons = append(buttons, webLink(b.pageURL("/moderation?show=log"), t.plain(msg.OpenWeb))...)
	case core.NoticeReportReceived:
		r.text, e.Title = t.text(msg.ReportDM, n.ItemName), ""
		e.Description, e.Color = string(t.text(msg.ReasonGiven, discord.Quote(n.Message))), colourHigh
		buttons = append(buttons, b.reportsButtons(t)...)
		n.OrderID = 0 // the reports lead to it
	case core.NoticeReportChannelEnded:
		r.text, e.Title = reportChannelEnded(t, n), ""
		e.Description, e.Color = string(t.text(msg.ReportChannelEndedNext)), colourDanger
		buttons = append(buttons, b.reportsButtons(t)...)
	case core.NoticeBoardEnded:
		r.text, r.cards = boardEnded(t, n), nil
	case core.NoticeLookAlike:
		r.text, e.Color = lookAlikeDM(t, n), colourHigh
		e.Description = string(t.text(msg.LookAlikeOfferNext))
		if n.OfferID == 0 {
			e.Description = string(t.text(msg.LookAlikeNext))
		}
		if n.OfferID == 0 && n.OrderID != 0 {
			buttons = append(buttons, button(reportOn{order: n.OrderID}.press("report"), discordgo.SecondaryButton, t.plain(msg.Report)))
		}
	case core.NoticeStockStale:
		r.text, e.Color = t.text(msg.StockStaleDM, n.Quantity, n.ItemName), colourHigh
		e.Description = string(t.text(msg.StockStaleNext, timestamp(n.CreatedAt.Add(core.StockLifetime-core.StockAskedAfter))))
		buttons = append(buttons, stockButtons(t, b.pageURL("/stock"))...)
	case core.NoticeOfferTimedOut:
		r.text = t.text(msg.OfferTimedOutDM, cmp.Or(n.Name, t.plain(msg.ASeller)), n.Quantity, n.ItemName, t.core(core.LapseReason(n.Message)))
		e.Description, e.Color = string(t.text(msg.SeeOffers)), colourDone
	case core.NoticeDisputeReceived:
		r.text, e.Color = t.text(msg.DisputeDM, n.Quantity, n.ItemName), colourHigh
		buttons = append(buttons, button(discord.NewCustomID("disputes"), discordgo.PrimaryButton, t.plain(msg.OpenDisputes)))
	case core.NoticeTest:
		r.text, r.cards = t.text(msg.TestDM, b.siteName), nil
	case core.NoticeOfferReceived, core.NoticeHandoverPrompt, core.NoticeRequestWatched, core.NoticeDigest, core.NoticeDMFailed: // never sent as a message like these
		return b.otherDM(t)
	default:
		return b.otherDM(t)
	}
	if buttons = append(buttons, webLink(b.orderURL(n.OrderID), t.plain(msg.OpenWeb))...); len(buttons) > 0 {
		r.rows = append(r.rows, row(buttons...))
	}
	return r
}

// noticeCard is the card of a message about one notice.
func (d *Drawer) noticeCard(n core.Notice) *discord.Card {
	return &discord.Card{Title: string(discord.Escape(n.ItemName)), URL: d.orderURL(n.OrderID), Color: colourUsual}
}

// reportChannelEnded says why reports no longer arrive in their channel.
func reportChannelEnded(t translator, n core.Notice) discord.Markdown {
	return t.text(msg.ReportChannelEndedDM, discord.Markdown("<#"+n.Name+">"), t.stored(n.Message, core.ReportChannelReasons...))
}

// boardEnded says why a board ended, and how there is one again.
func boardEnded(t translator, n core.Notice) discord.Markdown {
	if n.ServerLeft() {
		return t.text(msg.BoardServerLeft, mentionChannel(n.Name))
	}
	return t.text(msg.BoardChannelDeleted)
}

// lookAlikeDM says where a name is used that looks like the reader's.
func lookAlikeDM(t translator, n core.Notice) discord.Markdown {
	name := cmp.Or(n.Name, t.plain(msg.DeletedUser))
	if n.OfferID != 0 {
		return t.text(msg.LookAlikeOfferDM, name, n.ItemName)
	}
	return t.text(msg.LookAlikeDM, name, n.ItemName)
}

// otherDM is the message for a kind of notice that this program does not know, because a newer one beside it wrote the
// notice. The page shows it.
func (b noticesBot) otherDM(t translator) Reply {
	r := Reply{text: t.text(msg.OtherDM, b.siteName)}
	if link := webLink(b.pageURL("/inbox"), t.plain(msg.OpenWeb)); len(link) > 0 {
		r.rows = append(r.rows, row(link...))
	}
	return r
}

// remover returns the moderator that a notice of many removals is about. The name is empty once
// their account is deleted.
func remover(t translator, n core.Notice, accounts core.Accounts) discord.Markdown {
	if n.Contact == "" {
		return t.text(msg.DeletedUser)
	}
	return mention(n.Contact, accounts[n.CausedBy])
}
