package bot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// digestShown is how many notices a digest lists. Its link leads to all of them.
const digestShown = 10

// digestDM is one message about everything beyond the quotas of messages: accepted offers first, then the newest. Open
// offers can be picked.
func (b noticesBot) digestDM(t translator, d core.Delivery) Reply {
	notices := slices.Clone(d.Notices)
	slices.SortStableFunc(notices, func(x, y core.Notice) int {
		if taken := x.Kind == core.NoticeOfferAccepted; taken != (y.Kind == core.NoticeOfferAccepted) {
			if taken {
				return -1
			}
			return 1
		}
		return int(y.ID - x.ID)
	})
	var list discord.Markdown
	for _, n := range notices[:min(len(notices), digestShown)] {
		list = joined(list, "- "+b.digestLine(t, n, d.Accounts))
	}
	if rest := len(notices) - digestShown; rest > 0 {
		list = joined(list, t.text(msg.AndMore, rest))
	}
	r := Reply{
		text:  t.text(msg.Digest, len(notices)),
		cards: []*discord.Card{{Color: colourUsual, Description: string(list)}},
	}
	if len(d.Offers) > 0 {
		offers := d.Offers[:min(len(d.Offers), discord.MaxOptions)]
		options := make([]discordgo.SelectMenuOption, len(offers))
		for i, o := range offers {
			options[i] = discordgo.SelectMenuOption{Label: t.liveLabel(o), Value: fmt.Sprint(o.Offer.ID), Description: discord.FirstLine(o.Offer.Message)}
		}
		r.rows = append(r.rows, choose(discord.NewCustomID("offer-picked", deliveryView(d.ID)), t.plain(msg.PickOffer), options))
	}
	if link := webLink(b.pageURL("/inbox"), t.plain(msg.OpenWeb)); len(link) > 0 {
		r.rows = append(r.rows, row(link...))
	}
	return r
}

// digestLine is one notice in a sentence.
func (b noticesBot) digestLine(t translator, n core.Notice, accounts core.Accounts) discord.Markdown {
	switch n.Kind {
	case core.NoticeOfferReceived:
		return t.text(msg.NewOffer, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeOfferAccepted:
		return t.text(msg.OfferAcceptedDM, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeStandingAccepted:
		return t.text(msg.StandingAcceptedDM, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeOfferDeclined:
		return t.text(msg.OfferDeclinedDM, n.Quantity, n.ItemName)
	case core.NoticeOfferWithdrawn:
		return t.text(msg.OfferWithdrawnDM, cmp.Or(n.Name, t.plain(msg.ASeller)), n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeOfferLapsed:
		return t.text(msg.OfferLapsedDM, n.Quantity, n.ItemName, t.core(core.LapseReason(n.Message)))
	case core.NoticeOrderFilled:
		return t.text(msg.FilledDM, n.ItemName)
	case core.NoticeOrderExpiring:
		return t.text(msg.Expiring, n.ItemName, timestamp(n.CreatedAt.Add(core.ExpiryWarning)))
	case core.NoticeOrderRemoved:
		return t.text(msg.OrderRemovedDM, n.Quantity, n.ItemName)
	case core.NoticeOfferRemoved:
		return t.text(msg.OfferRemovedDM, n.Quantity, n.ItemName)
	case core.NoticeOrderRestored:
		return t.text(msg.OrderRestoredDM, n.Quantity, n.ItemName)
	case core.NoticeOfferRestored:
		return t.text(msg.OfferRestoredDM, n.Quantity, n.ItemName)
	case core.NoticeOfferReopened:
		return t.text(msg.OfferReopenedDM, n.Quantity, n.ItemName)
	case core.NoticeUserBlocked:
		return t.text(msg.BlockedDM)
	case core.NoticeManyRemovals:
		return t.text(msg.ManyRemovals, remover(t, n, accounts), n.Quantity)
	case core.NoticeReportReceived:
		return t.text(msg.ReportDM, n.ItemName)
	case core.NoticeReportChannelEnded:
		return reportChannelEnded(t, n)
	case core.NoticeBoardEnded:
		return boardEnded(t, n)
	case core.NoticeLookAlike:
		return lookAlikeDM(t, n)
	case core.NoticeStockStale:
		return t.text(msg.StockStaleDM, n.Quantity, n.ItemName)
	case core.NoticeRequestWatched:
		return t.text(msg.WatchedDM, n.Quantity, n.ItemName, t.coins(n.Price))
	case core.NoticeOfferTimedOut:
		return t.text(msg.OfferTimedOutDM, cmp.Or(n.Name, t.plain(msg.ASeller)), n.Quantity, n.ItemName, t.core(core.LapseReason(n.Message)))
	case core.NoticeHandoverPrompt:
		return t.text(msg.HandoverPrompt, mention(n.Contact, accounts[n.CausedBy])) + " " + t.text(msg.OfferTitle, n.Quantity, n.ItemName)
	case core.NoticeHandoverCancelled:
		return t.text(msg.HandoverCancelledDM, mention(n.Contact, accounts[n.CausedBy]), n.Quantity, n.ItemName)
	case core.NoticeHandoverDisputed:
		return t.text(msg.HandoverDisputedDM, mention(n.Contact, accounts[n.CausedBy]), n.Quantity, n.ItemName)
	case core.NoticeHandoverSettled:
		return t.text(msg.HandoverSettledDM, n.Quantity, n.ItemName)
	case core.NoticeDisputeReceived:
		return t.text(msg.DisputeDM, n.Quantity, n.ItemName)
	case core.NoticeTest:
		return t.text(msg.TestDM, b.siteName)
	case core.NoticeDMFailed, core.NoticeDigest: // never in a digest
	}
	return t.text(msg.OtherDM, b.siteName)
}

// otherSide mentions, behind a sentence, the account that a notice is about, so that it can be pressed; without one it is the contact that
// a visitor typed, as text.
func otherSide(n core.Notice, accounts core.Accounts) discord.Markdown {
	switch a := accounts[n.CausedBy]; {
	case a.DiscordID != "":
		return discord.Markdown(" <@" + a.DiscordID + ">")
	case n.Contact != "":
		return " " + username(n.Contact)
	}
	return ""
}
