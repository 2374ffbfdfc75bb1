package notices

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// digestShown limits the notices that a digest lists. Its link leads to all of them.
const digestShown = 10

// digestDM is one message about everything beyond the quotas of messages: accepted offers first, then the
// newest. Open offers can be picked.
func (b Notices) digestDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	notices := slices.Clone(d.Notices)
	slices.SortStableFunc(notices, func(x, y notify.Notice) int {
		if taken := x.Kind == notify.NoticeOfferAccepted; taken != (y.Kind == notify.NoticeOfferAccepted) {
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
			options[i] = discordgo.SelectMenuOption{Label: t.LiveLabel(o), Value: fmt.Sprint(o.Offer.ID),
				Description: discord.FirstLine(o.Offer.Message)}
		}
		r.Rows = append(r.Rows, kernel.Choose(discord.NewCustomID("offer-picked", kernel.DeliveryView(d.ID)),
			t.Plain(msg.PickOffer), options))
	}
	if link := kernel.WebLink(b.PageURL("/inbox"), t.Plain(msg.OpenWeb)); len(link) > 0 {
		r.Rows = append(r.Rows, kernel.Row(link...))
	}
	return r
}

// digestLine is one notice in a sentence.
func (b Notices) digestLine(t kernel.Translator, n notify.Notice, accounts people.Accounts) discord.Markdown {
	switch n.Kind {
	case notify.NoticeOfferReceived:
		return t.Text(msg.NewOffer, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case notify.NoticeOfferAccepted:
		return t.Text(msg.OfferAcceptedDM, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case notify.NoticeStandingAccepted:
		return t.Text(msg.StandingAcceptedDM, n.Quantity, n.ItemName) + otherSide(n, accounts)
	case notify.NoticeOfferDeclined:
		return t.Text(msg.OfferDeclinedDM, n.Quantity, n.ItemName)
	case notify.NoticeOfferWithdrawn:
		return t.Text(msg.OfferWithdrawnDM, cmp.Or(n.Name, t.Plain(msg.ASeller)), n.Quantity, n.ItemName) +
			otherSide(n, accounts)
	case notify.NoticeOfferLapsed:
		return t.Text(msg.OfferLapsedDM, n.Quantity, n.ItemName, t.Core(trade.LapseReason(n.Message)))
	case notify.NoticeOrderFilled:
		return t.Text(msg.FilledDM, n.ItemName)
	case notify.NoticeOrderExpiring:
		return t.Text(msg.Expiring, n.ItemName, kernel.Timestamp(n.CreatedAt.Add(trade.ExpiryWarning)))
	case notify.NoticeOrderRemoved:
		return t.Text(msg.OrderRemovedDM, n.Quantity, n.ItemName)
	case notify.NoticeOfferRemoved:
		return t.Text(msg.OfferRemovedDM, n.Quantity, n.ItemName)
	case notify.NoticeOrderRestored:
		return t.Text(msg.OrderRestoredDM, n.Quantity, n.ItemName)
	case notify.NoticeOfferRestored:
		return t.Text(msg.OfferRestoredDM, n.Quantity, n.ItemName)
	case notify.NoticeOfferReopened:
		return t.Text(msg.OfferReopenedDM, n.Quantity, n.ItemName)
	case notify.NoticeUserBlocked:
		return t.Text(msg.BlockedDM)
	case notify.NoticeManyRemovals:
		return t.Text(msg.ManyRemovals, remover(t, n, accounts), n.Quantity)
	case notify.NoticeReportReceived:
		return t.Text(msg.ReportDM, n.ItemName)
	case notify.NoticeReportChannelEnded:
		return reportChannelEnded(t, n)
	case notify.NoticeBoardEnded:
		return boardEnded(t, n)
	case notify.NoticeLookAlike:
		return lookAlikeDM(t, n)
	case notify.NoticeStockStale:
		return t.Text(msg.StockStaleDM, n.Quantity, n.ItemName)
	case notify.NoticeRequestWatched:
		return t.Text(msg.WatchedDM, n.Quantity, n.ItemName, t.Coins(n.Price))
	case notify.NoticeOfferTimedOut:
		return t.Text(msg.OfferTimedOutDM, cmp.Or(n.Name, t.Plain(msg.ASeller)), n.Quantity, n.ItemName,
			t.Core(trade.LapseReason(n.Message)))
	case notify.NoticeHandoverPrompt:
		return t.Text(msg.HandoverPrompt, kernel.Mention(n.Contact, accounts[n.CausedBy])) + " " +
			t.Text(msg.OfferTitle, n.Quantity, n.ItemName)
	case notify.NoticeHandoverCancelled:
		return t.Text(msg.HandoverCancelledDM, kernel.Mention(n.Contact, accounts[n.CausedBy]), n.Quantity,
			n.ItemName)
	case notify.NoticeHandoverDisputed:
		return t.Text(msg.HandoverDisputedDM, kernel.Mention(n.Contact, accounts[n.CausedBy]), n.Quantity,
			n.ItemName)
	case notify.NoticeHandoverSettled:
		return t.Text(msg.HandoverSettledDM, n.Quantity, n.ItemName)
	case notify.NoticeDisputeReceived:
		return t.Text(msg.DisputeDM, n.Quantity, n.ItemName)
	case notify.NoticeTest:
		return t.Text(msg.TestDM, b.SiteName)
	case notify.NoticeDMFailed, notify.NoticeDigest: // never in a digest
	}
	return t.Text(msg.OtherDM, b.SiteName)
}

// otherSide mentions, behind a sentence, the account that a notice is about, so that it can be pressed;
// without one it is the contact that a visitor typed, as text.
func otherSide(n notify.Notice, accounts people.Accounts) discord.Markdown {
	switch a := accounts[n.CausedBy]; {
	case a.DiscordID != "":
		return discord.Markdown(" <@" + a.DiscordID + ">")
	case n.Contact != "":
		return " " + kernel.Username(n.Contact)
	}
	return ""
}
