package notices

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// digestShown is how many notices a digest lists. Its link leads to all of them.
const digestShown = 10

// digestDM is one message about everything beyond the quotas of messages: accepted offers first, then the newest. Open
// offers can be picked.
func (b Notices) digestDM(t kernel.Translator, d core.Delivery) kernel.Reply {
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
		list = kernel.Joined(list, "- "+b.digestLine(t, n, d.Accounts))
	}
	if rest := len(notices) - digestShown; rest > 0 {
		list = kernel.Joined(list, t.Text(msg.AndMore, rest))
	}
	r := kernel.Reply{
		Text:  t.Text(msg.Digest, len(notices)),
		Cards: []*discord.Card{{Color: kernel.ColourUsual, Description: string(list)}},
	}
	if len(d.Offers) > 0 {
		offers := d.Offers[:min(len(d.Offers), discord.MaxOptions)]
		options := make([]discordgo.SelectMenuOption, len(offers))
		for i, o := range offers {
			options[i] = discordgo.SelectMenuOption{Label: t.LiveLabel(o), Value: fmt.Sprint(o.Offer.ID), Description: discord.FirstLine(o.Offer.Message)}
		}
		r.Rows = append(r.Rows, kernel.Choose(discord.NewCustomID("offer-picked", kernel.DeliveryView(d.ID)), t.Plain(msg.PickOffer), options))
	}
	if link := kernel.WebLink(b.PageURL("/inbox"), t.Plain(msg.OpenWeb)); len(link) > 0 {
		r.Rows = append(r.Rows, kernel.Row(link...))
	}
	return r
}

// digestLine is one notice in a sentence.
func (b Notices) digestLine(t kernel.Translator, n core.Notice, accounts core.Accounts) discord.Markdown {
	switch n.Kind {
	case core.NoticeOfferReceived:
		return t.Text(msg.NewOffer, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeOfferAccepted:
		return t.Text(msg.OfferAcceptedDM, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeStandingAccepted:
		return t.Text(msg.StandingAcceptedDM, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeOfferDeclined:
		return t.Text(msg.OfferDeclinedDM, n.Quantity, n.ItemName)
	case core.NoticeOfferWithdrawn:
		return t.Text(msg.OfferWithdrawnDM, cmp.Or(n.Name, t.Plain(msg.ASeller)), n.Quantity, n.ItemName) + otherSide(n, accounts)
	case core.NoticeOfferLapsed:
		return t.Text(msg.OfferLapsedDM, n.Quantity, n.ItemName, t.Core(core.LapseReason(n.Message)))
	case core.NoticeOrderFilled:
		return t.Text(msg.FilledDM, n.ItemName)
	case core.NoticeOrderExpiring:
		return t.Text(msg.Expiring, n.ItemName, kernel.Timestamp(n.CreatedAt.Add(core.ExpiryWarning)))
	case core.NoticeOrderRemoved:
		return t.Text(msg.OrderRemovedDM, n.Quantity, n.ItemName)
	case core.NoticeOfferRemoved:
		return t.Text(msg.OfferRemovedDM, n.Quantity, n.ItemName)
	case core.NoticeOrderRestored:
		return t.Text(msg.OrderRestoredDM, n.Quantity, n.ItemName)
	case core.NoticeOfferRestored:
		return t.Text(msg.OfferRestoredDM, n.Quantity, n.ItemName)
	case core.NoticeOfferReopened:
		return t.Text(msg.OfferReopenedDM, n.Quantity, n.ItemName)
	case core.NoticeUserBlocked:
		return t.Text(msg.BlockedDM)
	case core.NoticeManyRemovals:
		return t.Text(msg.ManyRemovals, remover(t, n, accounts), n.Quantity)
	case core.NoticeReportReceived:
		return t.Text(msg.ReportDM, n.ItemName)
	case core.NoticeReportChannelEnded:
		return reportChannelEnded(t, n)
	case core.NoticeBoardEnded:
		return boardEnded(t, n)
	case core.NoticeLookAlike:
		return lookAlikeDM(t, n)
	case core.NoticeStockStale:
		return t.Text(msg.StockStaleDM, n.Quantity, n.ItemName)
	case core.NoticeRequestWatched:
		return t.Text(msg.WatchedDM, n.Quantity, n.ItemName, t.Coins(n.Price))
	case core.NoticeOfferTimedOut:
		return t.Text(msg.OfferTimedOutDM, cmp.Or(n.Name, t.Plain(msg.ASeller)), n.Quantity, n.ItemName, t.Core(core.LapseReason(n.Message)))
	case core.NoticeHandoverPrompt:
		return t.Text(msg.HandoverPrompt, kernel.Mention(n.Contact, accounts[n.CausedBy])) + " " + t.Text(msg.OfferTitle, n.Quantity, n.ItemName)
	case core.NoticeHandoverCancelled:
		return t.Text(msg.HandoverCancelledDM, kernel.Mention(n.Contact, accounts[n.CausedBy]), n.Quantity, n.ItemName)
	case core.NoticeHandoverDisputed:
		return t.Text(msg.HandoverDisputedDM, kernel.Mention(n.Contact, accounts[n.CausedBy]), n.Quantity, n.ItemName)
	case core.NoticeHandoverSettled:
		return t.Text(msg.HandoverSettledDM, n.Quantity, n.ItemName)
	case core.NoticeDisputeReceived:
		return t.Text(msg.DisputeDM, n.Quantity, n.ItemName)
	case core.NoticeTest:
		return t.Text(msg.TestDM, b.SiteName)
	case core.NoticeDMFailed, core.NoticeDigest: // never in a digest
	}
	return t.Text(msg.OtherDM, b.SiteName)
}

// otherSide mentions, behind a sentence, the account that a notice is about, so that it can be pressed; without one it is the contact that
// a visitor typed, as text.
func otherSide(n core.Notice, accounts core.Accounts) discord.Markdown {
	switch a := accounts[n.CausedBy]; {
	case a.DiscordID != "":
		return discord.Markdown(" <@" + a.DiscordID + ">")
	case n.Contact != "":
		return " " + kernel.Username(n.Contact)
	}
	return ""
}
