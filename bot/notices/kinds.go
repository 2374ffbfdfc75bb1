package notices

import (
	"cmp"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// news is one notice while its message is drawn.
type news struct {
	Notices
	notify.Notice
	t        kernel.Translator
	accounts people.Accounts
	card     *discord.Card // of a message about this notice alone
	buttons  []discordgo.MessageComponent
}

// kind says how notices of one kind read.
type kind struct {
	// sentence is the text of a message, and a line of a digest.
	sentence func(*news) discord.Markdown
	// alone completes the card and the buttons of a message about one notice. It is nil for a kind that has a
	// drawer of its own, and for one that has nothing to add.
	alone func(*news)
	// mentions is set where a line of a digest ends with the other side.
	mentions bool
}

// kinds has every kind of notice.
//
//exhaustive:enforce
var kinds = map[notify.Kind]kind{
	notify.NoticeOfferReceived:    {sentence: ofItem(msg.NewOffer), mentions: true},
	notify.NoticeOfferAccepted:    {sentence: ofItem(msg.OfferAcceptedDM), mentions: true},
	notify.NoticeStandingAccepted: {sentence: ofItem(msg.StandingAcceptedDM), mentions: true},
	notify.NoticeListingSold:      {sentence: ofItem(msg.ListingSoldDM), mentions: true},
	notify.NoticeCrossingUndone:   {sentence: ofItem(msg.CrossingUndoneDM), mentions: true},
	notify.NoticeAskReceived: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.AskReceivedDM, "buyer", cmp.Or(n.Name, n.t.Plain(msg.DeletedUser)),
				"quantity", n.Quantity, "item", n.ItemName)
		},
		alone: func(n *news) {
			n.card.URL = n.PageURL("/stock")
			n.next(kernel.ColourUsual, n.t.Text(msg.AskReceivedNext,
				"time", kernel.Timestamp(n.CreatedAt.Add(trade.AskLifetime))))
			n.field(msg.CardLeft, ofItem(msg.OfferTitle)(n))
			n.field(msg.CardPrice, n.t.Coins(n.Price))
			if n.OrderID != 0 {
				n.buttons = append(n.buttons, kernel.Button(
					discord.NewCustomID("ask-yes", n.OrderID, n.Quantity), discordgo.SuccessButton,
					n.t.Plain(msg.AskYes, "quantity", n.Quantity)))
				n.button(discord.NewCustomID("ask-no", n.OrderID), discordgo.SecondaryButton, msg.AskNo)
			}
			n.buttons = append(n.buttons, kernel.WebLink(n.card.URL, n.t.Plain(msg.OpenWeb))...)
			n.OrderID = 0 // only its buyer sees the request
		},
		mentions: true,
	},
	notify.NoticeAskAccepted: {sentence: ofItem(msg.AskAcceptedDM), mentions: true},
	notify.NoticeAskEnded: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.AskEndedDM, "quantity", n.Quantity, "item", n.ItemName,
				"reason", n.t.Core(trade.AskReason(n.Message)))
		},
	},
	notify.NoticeOfferDeclined: {sentence: ofItem(msg.OfferDeclinedDM), alone: over(msg.SeeOthers)},
	notify.NoticeOfferWithdrawn: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.OfferWithdrawnDM, "seller", n.seller(), "quantity", n.Quantity,
				"item", n.ItemName)
		},
		alone: over(msg.SeeOffers), mentions: true,
	},
	notify.NoticeOfferLapsed: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.OfferLapsedDM, "quantity", n.Quantity, "item", n.ItemName,
				"reason", n.t.Core(trade.LapseReason(n.Message)))
		},
		alone: over(msg.SeeOthers),
	},
	notify.NoticeOfferTimedOut: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.OfferTimedOutDM, "seller", n.seller(), "quantity", n.Quantity,
				"item", n.ItemName,
				"reason", n.t.Core(trade.LapseReason(n.Message)))
		},
		alone: over(msg.SeeOffers),
	},
	notify.NoticeOfferReopened: {sentence: ofItem(msg.OfferReopenedDM), alone: says(msg.OfferReopenedNext)},
	notify.NoticeOrderFilled: {
		sentence: func(n *news) discord.Markdown { return n.t.Text(msg.FilledDM, "item", n.ItemName) },
		alone: func(n *news) {
			n.next(kernel.ColourUsual, n.t.Text(msg.Completed))
			n.field(msg.FilledSold, ofItem(msg.OfferTitle)(n))
			n.field(msg.CardPrice, n.t.Coins(n.Price))
		},
	},
	notify.NoticeOrderExpiring: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.Expiring, "item", n.ItemName,
				"time", kernel.Timestamp(n.CreatedAt.Add(trade.ExpiryWarning)))
		},
		alone: func(n *news) {
			n.card.Color = kernel.ColourHigh
			n.field(msg.CardLeft, ofItem(msg.OfferTitle)(n))
			n.button(discord.NewCustomID("renew", n.OrderID), discordgo.PrimaryButton, msg.Renew)
		},
	},
	notify.NoticeOrderRemoved:   {sentence: ofItem(msg.OrderRemovedDM), alone: reason(kernel.ColourDanger)},
	notify.NoticeOfferRemoved:   {sentence: ofItem(msg.OfferRemovedDM), alone: reason(kernel.ColourDanger)},
	notify.NoticeOrderRestored:  {sentence: ofItem(msg.OrderRestoredDM), alone: says(msg.OrderRestoredNext)},
	notify.NoticeOfferRestored:  {sentence: ofItem(msg.OfferRestoredDM), alone: says(msg.OfferRestoredNext)},
	notify.NoticeListingRemoved: {sentence: ofItem(msg.ListingRemovedDM), alone: reason(kernel.ColourDanger)},
	notify.NoticeListingRestored: {sentence: ofItem(msg.ListingRestoredDM),
		alone: says(msg.ListingRestoredNext)},
	notify.NoticeUserBlocked: {
		sentence: func(n *news) discord.Markdown { return n.t.Text(msg.BlockedDM) },
		alone: func(n *news) {
			n.card.Title = ""
			reason(kernel.ColourDanger)(n)
		},
	},
	notify.NoticeManyRemovals: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.ManyRemovals, "moderator", n.remover(), "count", n.Quantity)
		},
		alone: func(n *news) {
			n.card.Title, n.card.URL = string(n.t.Text(msg.AuditTitle)), n.PageURL("/moderation?show=log")
			n.next(kernel.ColourDanger, n.t.Text(msg.ManyRemovalsNext))
			n.buttons = kernel.WebLink(n.card.URL, n.t.Plain(msg.OpenWeb))
		},
	},
	notify.NoticeReportReceived: {
		sentence: func(n *news) discord.Markdown { return n.t.Text(msg.ReportDM, "item", n.ItemName) },
		alone: func(n *news) {
			n.card.Title = ""
			reason(kernel.ColourHigh)(n)
			n.buttons = n.reportsButtons(n.t)
			n.OrderID = 0 // the reports lead to it
		},
	},
	notify.NoticeReportChannelEnded: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.ReportChannelEndedDM, "channel", discord.Markdown("<#"+n.Name+">"),
				"reason", n.t.Stored(n.Message, channels.ReportChannelReasons...))
		},
		alone: func(n *news) {
			n.card.Title = ""
			n.next(kernel.ColourDanger, n.t.Text(msg.ReportChannelEndedNext))
			n.buttons = n.reportsButtons(n.t)
		},
	},
	notify.NoticeBoardEnded: {
		sentence: func(n *news) discord.Markdown {
			if channels.ServerLeft(n.Notice) {
				return n.t.Text(msg.BoardServerLeft, "channel", kernel.MentionChannel(n.Name))
			}
			return n.t.Text(msg.BoardChannelDeleted)
		},
		alone: func(n *news) { n.card = nil },
	},
	notify.NoticeRoleGiven: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.RoleGivenDM, "role", n.ItemName, "server", n.Name)
		},
		alone: func(n *news) { n.card = nil },
	},
	notify.NoticeRoleTaken: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.RoleTakenDM, "role", n.ItemName, "server", n.Name)
		},
		alone: func(n *news) { n.card = nil },
	},
	notify.NoticeRoleTrouble: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.RoleTroubleDM, "role", n.ItemName, "server", n.Name,
				"problem", n.t.Stored(n.Message, channels.RoleProblems...))
		},
		alone: func(n *news) { n.card = nil },
	},
	notify.NoticeTokenMade: {
		sentence: func(n *news) discord.Markdown { return n.t.Text(msg.TokenMadeDM, "name", n.Name) },
		alone: func(n *news) {
			n.card.Title = ""
			n.next(kernel.ColourHigh, n.t.Text(msg.TokenMadeNext))
		},
	},
	notify.NoticeWebhookOff: {
		sentence: func(n *news) discord.Markdown {
			return n.t.Text(msg.WebhookOffDM, "host", n.Name, "reason", n.Message)
		},
		alone: func(n *news) {
			n.card.Title = ""
			n.next(kernel.ColourHigh, n.t.Text(msg.WebhookOffNext))
		},
	},
	notify.NoticeLookAlike: {
		sentence: func(n *news) discord.Markdown {
			name := cmp.Or(n.Name, n.t.Plain(msg.DeletedUser))
			if n.OfferID != 0 {
				return n.t.Text(msg.LookAlikeOfferDM, "name", name, "item", n.ItemName)
			}
			return n.t.Text(msg.LookAlikeDM, "name", name, "item", n.ItemName)
		},
		alone: func(n *news) {
			n.next(kernel.ColourHigh, n.t.Text(msg.LookAlikeOfferNext))
			if n.OfferID == 0 {
				n.next(kernel.ColourHigh, n.t.Text(msg.LookAlikeNext))
			}
			if n.OfferID == 0 && n.OrderID != 0 {
				id := kernel.ReportOn{Order: n.OrderID}.Press("report")
				n.button(id, discordgo.SecondaryButton, msg.Report)
			}
		},
	},
	notify.NoticeStockStale: {
		sentence: ofItem(msg.StockStaleDM),
		alone: func(n *news) {
			n.next(kernel.ColourHigh, n.t.Text(msg.StockStaleNext,
				"time", kernel.Timestamp(n.CreatedAt.Add(match.StockLifetime-match.StockAskedAfter))))
			n.buttons = kernel.StockButtons(n.t, n.PageURL("/stock"))
		},
	},
	notify.NoticeRequestWatched: {sentence: func(n *news) discord.Markdown {
		if n.Listing != 0 {
			return n.t.Text(msg.ListedDM, "quantity", n.Quantity, "item", n.ItemName,
				"price", n.t.Coins(n.Price))
		}
		return n.t.Text(msg.WatchedDM, "quantity", n.Quantity, "item", n.ItemName,
			"price", n.t.Coins(n.Price))
	}},
	notify.NoticeHandoverPrompt: {sentence: func(n *news) discord.Markdown {
		return n.t.Text(msg.HandoverPrompt, "partner", n.partner()) + " " + ofItem(msg.OfferTitle)(n)
	}},
	notify.NoticeHandoverCancelled: {sentence: func(n *news) discord.Markdown {
		return n.t.Text(msg.HandoverCancelledDM, "partner", n.partner(), "quantity", n.Quantity,
			"item", n.ItemName)
	}},
	notify.NoticeHandoverDisputed: {sentence: func(n *news) discord.Markdown {
		return n.t.Text(msg.HandoverDisputedDM, "partner", n.partner(), "quantity", n.Quantity,
			"item", n.ItemName)
	}},
	notify.NoticeHandoverSettled: {sentence: func(n *news) discord.Markdown {
		key := msg.HandoverSettledDM
		if n.Message == "" { // a decision has a reason: this one was undone
			key = msg.HandoverReopenedDM
		}
		return ofItem(key)(n)
	}},
	notify.NoticeMeetingTime: {sentence: meeting(msg.MeetingTimeDM)},
	notify.NoticeMeetingSoon: {sentence: meeting(msg.MeetingSoonDM)},
	notify.NoticeDisputeReceived: {
		sentence: ofItem(msg.DisputeDM),
		alone: func(n *news) {
			n.card.Color = kernel.ColourHigh
			n.button(discord.NewCustomID("disputes"), discordgo.PrimaryButton, msg.OpenDisputes)
		},
	},
	notify.NoticeTest: {
		sentence: func(n *news) discord.Markdown { return n.t.Text(msg.TestDM, "site", n.SiteName) },
		alone:    func(n *news) { n.card = nil },
	},
	notify.NoticeDMFailed: {sentence: unknown}, // is not sent
	notify.NoticeDigest:   {sentence: unknown}, // is the kind of a message, and of no notice
}

// unknown is the sentence of a kind that this program does not know, because a newer one beside it wrote the
// notice. The page shows it.
func unknown(n *news) discord.Markdown { return n.t.Text(msg.OtherDM, "site", n.SiteName) }

// ofItem returns a sentence about a quantity of an item.
func ofItem(key msg.Key) func(*news) discord.Markdown {
	return func(n *news) discord.Markdown { return n.t.Text(key, "quantity", n.Quantity, "item", n.ItemName) }
}

// meeting returns a sentence about when the reader and a partner meet.
func meeting(key msg.Key) func(*news) discord.Markdown {
	return func(n *news) discord.Markdown {
		return n.t.Text(key, "partner", n.partner(), "quantity", n.Quantity, "item", n.ItemName)
	}
}

// says adds the next step to a card.
func says(key msg.Key) func(*news) {
	return func(n *news) { n.next(kernel.ColourUsual, n.t.Text(key)) }
}

// over completes the card of an offer that is over.
func over(key msg.Key) func(*news) {
	return func(n *news) { n.next(kernel.ColourDone, n.t.Text(key)) }
}

// reason completes a card with the reason that the notice gives.
func reason(colour int) func(*news) {
	return func(n *news) { n.next(colour, n.t.Text(msg.ReasonGiven, "reason", discord.Quote(n.Message))) }
}

func (n *news) next(colour int, text discord.Markdown) {
	n.card.Description, n.card.Color = string(text), colour
}

func (n *news) field(name msg.Key, value discord.Markdown) {
	n.card.Fields = append(n.card.Fields,
		&discord.CardField{Name: string(n.t.Text(name)), Value: string(value), Inline: true})
}

func (n *news) button(id discord.CustomID, style discordgo.ButtonStyle, label msg.Key) {
	n.buttons = append(n.buttons, kernel.Button(id, style, n.t.Plain(label)))
}

func (n *news) seller() string { return cmp.Or(n.Name, n.t.Plain(msg.ASeller)) }

func (n *news) partner() discord.Markdown { return kernel.Mention(n.Contact, n.accounts[n.CausedBy]) }

// remover returns the moderator that a notice of many removals is about. The name is empty once their
// account is deleted.
func (n *news) remover() discord.Markdown {
	if n.Contact == "" {
		return n.t.Text(msg.DeletedUser)
	}
	return n.partner()
}
