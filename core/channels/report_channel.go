package channels

import (
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/moderation"
)

// ReportChannel is the Discord channel in which moderators see new reports. There is one at most.
type ReportChannel struct {
	ChannelID string
	GuildID   string
	Locale    string // the Discord locale of the server
	CreatedAt time.Time
}

// Reports within ReportBatchWindow of another one share a message, which shows up to MaxReportMessage
// reported things.
const (
	ReportBatchWindow = time.Minute
	MaxReportMessage  = 10 // Discord's limit of embeds
)

// ReportPost shows the open reports about one thing in a report channel, in a message of its own or in one
// that it shares.
type ReportPost struct {
	ID          int64
	ChannelID   string
	Locale      string
	ReportID    core.ReportID // the newest that is shown
	OrderID     core.OrderID  // zero when they are about a listing
	OfferID     core.OfferID  // zero when they are about the order, or a listing
	ListingID   core.StockID  // zero when they are about an order or an offer
	MessageID   string        // empty until it was sent
	MessageOf   int64         // the post for which the message was started
	Shared      bool
	NoncePrefix string // the database's part of the nonce, as it was when the post was started
	// ShownReports is how many reports the message shows, and ShownThing the version of the order or listing,
	// or the quantity of the offer.
	ShownReports int
	ShownThing   int
	Decided      bool // the message shows the decision and its moderator
	Gone         bool // the message was deleted
	StartedAt    time.Time

	Beside int // of a recent post: how many posts share its message, this one included
}

// GatheredReport chooses the message that shows a newly reported thing. recent lists the channel's posts
// within ReportBatchWindow. It returns the MessageOf of the message to join, or zero for a new one.
func GatheredReport(recent []ReportPost) (messageOf int64, shared bool) {
	for _, p := range recent {
		shared = true
		if p.Shared && p.MessageOf > messageOf {
			messageOf = p.MessageOf
		}
	}
	open := false
	for _, p := range recent {
		if p.MessageOf != messageOf {
			continue
		}
		if p.Gone || p.Beside >= MaxReportMessage {
			return 0, shared
		}
		open = open || !p.Decided
	}
	if !open {
		return 0, shared
	}
	return messageOf, shared
}

// Nonce names the message to Discord, so that a repeat makes no second one.
func (p ReportPost) Nonce() string {
	return "r" + p.NoncePrefix + "-" + strconv.FormatInt(p.MessageOf, 36)
}

// DecidedReport is a report that was decided, with the entry of the log that says how.
type DecidedReport struct {
	Report moderation.Report
	Entry  core.AuditEntry
}

// Why reports no longer arrive in their channel.
var (
	reportChannelForbidden = core.NewText("report_channel_forbidden")
	reportChannelDeleted   = core.NewText("report_channel_deleted")
)

// ReportChannelReasons are the sentences that a NoticeReportChannelEnded can have.
var ReportChannelReasons = []core.Text{reportChannelForbidden, reportChannelDeleted}
