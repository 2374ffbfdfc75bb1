package bot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/channels"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/bot/moderation"
	"tradepost/bot/notices"
	"tradepost/bot/requests"
	"tradepost/core"
	corechannels "tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	coremoderation "tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/webhook"
)

// drawnPart is any component of a message.
type drawnPart struct {
	Type        int
	Content     string
	AccentColor *int `json:"accent_color"`
	Components  []drawnPart
	Accessory   *drawnPart
	Media       struct{ URL string }
	Items       []struct{ Media struct{ URL string } }
	Label, URL  string
	CustomID    string `json:"custom_id"`
	Placeholder string
	Options     []struct{ Label, Value, Description string }
}

// Drawn writes a message down as one reads it.
func drawn(t *testing.T, m discord.Message) string {
	t.Helper()
	data, err := json.Marshal(m.Components)
	if err != nil {
		t.Fatal(err)
	}
	var parts []drawnPart
	if err := json.Unmarshal(data, &parts); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range parts {
		p.draw(&b, "")
	}
	return b.String()
}

func (p drawnPart) draw(b *strings.Builder, indent string) {
	switch {
	case p.AccentColor != nil:
		fmt.Fprintf(b, "%s[#%06x]\n", indent, *p.AccentColor)
		indent += "| "
	case p.Content != "":
		for line := range strings.SplitSeq(p.Content, "\n") {
			fmt.Fprintln(b, strings.TrimRight(indent+line, " "))
		}
	case p.Type == 14:
		fmt.Fprintln(b, indent+"---")
	case p.CustomID != "" || p.Label != "":
		fmt.Fprintf(b, "%s  (%s) %s%s\n", indent, p.Label+p.Placeholder, p.CustomID, p.URL)
		for _, o := range p.Options {
			fmt.Fprintf(b, "%s    - %s = %s  %s\n", indent, o.Label, o.Value, o.Description)
		}
	case p.Media.URL != "":
		fmt.Fprintf(b, "%s  <%s>\n", indent, p.Media.URL)
	}
	for _, item := range p.Items {
		fmt.Fprintf(b, "%s  <<%s>>\n", indent, item.Media.URL)
	}
	for _, inner := range p.Components {
		inner.draw(b, indent)
	}
	if p.Accessory != nil {
		p.Accessory.draw(b, indent)
	}
}

// Whatever a message is about, it leads to the settings that say which messages are sent.
func TestEveryMessageLeadsToTheSettingsOfMessages(t *testing.T) {
	t.Parallel()
	b := New(market.New(nil, market.Options{}), Options{PublicURL: "https://market.example", Now: func() time.Time { return coretest.Noon }})
	dms := notices.New(b.kernel)
	tr := kernel.Translator{Printer: msg.Printer{Language: msg.Languages[0]}, Game: game.Standard()}
	for _, kind := range append([]notify.Kind{notify.NoticeDigest}, notify.Kinds...) {
		one := notify.Notice{Kind: kind, OrderID: 7, ItemName: "Iron Ore", Quantity: 20, CreatedAt: coretest.Noon, User: 2}
		d := corechannels.Delivery{ID: 9, Kind: kind, Notices: []notify.Notice{one}}
		if text := drawn(t, dms.DeliveryMessage(tr, d, "").Message()); !strings.Contains(text, notices.SettingsID(9).String()) {
			t.Errorf("a message of %s has no button to the settings:\n%s", kind, text)
		}
	}
}

// A digest has a line for every kind, and a message alone for each that is sent.
func TestEveryKindOfNoticeHasAText(t *testing.T) {
	t.Parallel()
	b := New(market.New(nil, market.Options{}), Options{PublicURL: "https://market.example", Now: func() time.Time { return coretest.Noon }})
	dms := notices.New(b.kernel)
	for _, l := range msg.Languages {
		tr := kernel.Translator{Printer: msg.Printer{Language: l}, Game: game.Standard()}
		unknown := string(tr.Text(msg.OtherDM, "site", b.kernel.SiteName))
		for _, kind := range notify.Kinds {
			if kind == notify.NoticeDMFailed { // only the page shows it
				continue
			}
			one := notify.Notice{Kind: kind, OrderID: 7, ItemName: "Iron Ore", Quantity: 20, CreatedAt: coretest.Noon, User: 2}
			for _, as := range []notify.Kind{kind, notify.NoticeDigest} {
				d := corechannels.Delivery{ID: 9, Kind: as, Notices: []notify.Notice{one}}
				if text := drawn(t, dms.DeliveryMessage(tr, d, "").Message()); strings.Contains(text, unknown) {
					t.Errorf("a message of kind %s about %s says only that something happened:\n%s", as, kind, text)
				}
			}
		}
	}
}

func TestMessagesReadAsTheyShould(t *testing.T) {
	level := 120
	urgent := coretest.Order(func(o *trade.Order) {
		o.ItemName, o.Importance, o.LevelRequirement, o.InGameName = "Iron *Ore*", game.Urgent, &level, "Maple_of_Harbour"
		o.Description = "Deliver to\n# the harbour @everyone <@1>"
		o.MaxPrice, o.Sold, o.BuyerContact = 1*coretest.Platinum+500*coretest.Gold, 160, "maple_leaf"
	})
	visitor := coretest.Offer(func(o *trade.Offer) { o.Price = urgent.MaxPrice; o.Message = "[free](https://evil.example) **now**" })
	verified := coretest.Offer(func(o *trade.Offer) {
		o.ID, o.Seller, o.SellerName, o.SellerContact, o.Quantity, o.Price = 71, 2, "Rowan", "rowan.ashdown", 400, 200
	})
	maple := people.Account{DiscordID: "80351110224678912", Username: "maple_leaf", DisplayName: "Maple *Leaf*", Avatar: "8342729096ea3675442027381ff50dfe"}
	rowan := people.Account{DiscordID: "80351110224678913", Username: "rowan.ashdown", DisplayName: "Rowan"}
	accounts := people.Accounts{1: maple, 2: rowan}
	notice := func(kind notify.Kind, change ...func(*notify.Notice)) corechannels.Delivery {
		n := notify.Notice{
			Kind: kind, OrderID: 7, OfferID: 70, ItemName: urgent.ItemName, Quantity: 20, Price: urgent.MaxPrice, Name: "Maple_of_Harbour",
			Contact: "maple_leaf", CreatedAt: coretest.Noon, User: 2, CausedBy: 1,
		}
		for _, c := range change {
			c(&n)
		}
		return corechannels.Delivery{ID: 9, Kind: kind, Notices: []notify.Notice{n}, Accounts: accounts}
	}
	offers := func(live ...trade.Offer) corechannels.Delivery {
		d := notice(notify.NoticeOfferReceived)
		for _, o := range live {
			d.Offers = append(d.Offers, trade.OpenOffer{Offer: o, Order: urgent})
		}
		return d
	}
	ended := func(reason trade.CloseReason) trade.Order {
		o := urgent
		o.Status, o.CloseReason = trade.Fulfilled, reason
		if reason == trade.Filled {
			o.Sold = o.Quantity
		}
		return o
	}
	expired := urgent
	expired.ExpiresAt = coretest.Noon
	for _, l := range append(msg.Offered{Pseudo(msg.Languages[0]), Pseudo(msg.For("de").Language)}, msg.Languages...) {
		b := New(market.New(nil, market.Options{}), Options{
			PublicURL: "https://market.example", Now: func() time.Time { return coretest.Noon }, Languages: msg.Offered{l},
		})
		dms, staff, boards := notices.New(b.kernel), moderation.New(b.kernel, nil), channels.New(b.kernel, nil)
		tr := kernel.Translator{Printer: msg.Printer{Language: l}, Game: game.Standard()}
		var all strings.Builder
		add := func(what string, m discord.Message) { fmt.Fprintf(&all, "=== %s\n%s\n", what, drawn(t, m)) }
		dm := func(what string, d corechannels.Delivery) { add("DM: "+what, dms.DeliveryMessage(tr, d, "").Message()) }
		dm("an offer of a visitor", offers(visitor))
		dm("an offer of more than is needed, at an old price", offers(verified))
		dm("several offers", offers(visitor, verified))
		dm("offers that are all gone", offers())
		answered := offers(verified)
		answered.To.User = 1
		answered.Trades = []trade.Trade{
			{
				ItemName: urgent.ItemName, Order: 7, Quantity: 3, UnitPrice: urgent.MaxPrice,
				Buyer: trade.Party{User: 1, Contact: maple.Username, Name: maple.DisplayName, DiscordID: maple.DiscordID,
					Typed: trade.Typed{Contact: "maple_leaf", InGameName: "Maple_of_Harbour"}},
				Seller: trade.Party{Typed: trade.Typed{Name: "Fern ```", Contact: "fern"}},
			},
			{
				ItemName: urgent.ItemName, Order: 7, Quantity: 2, UnitPrice: urgent.MaxPrice,
				Buyer: trade.Party{User: 1},
				Seller: trade.Party{User: 2, Contact: rowan.Username, Name: rowan.DisplayName, DiscordID: rowan.DiscordID,
					Typed: trade.Typed{Name: "Rowan", Contact: "rowan.ashdown"}},
			},
		}
		dm("an open offer beside two that were accepted", answered)
		answered.Offers = nil
		dm("offers that were accepted", answered)
		dm("accepted", notice(notify.NoticeOfferAccepted))
		dm("accepted by a buyer who typed another contact", notice(notify.NoticeOfferAccepted, func(n *notify.Notice) { n.Contact, n.Name = "guild.bank", "" }))
		dm("accepted by a buyer who has left", notice(notify.NoticeOfferAccepted, func(n *notify.Notice) { n.Contact, n.Name, n.CausedBy = "", "", 99 }))
		dm("declined", notice(notify.NoticeOfferDeclined))
		dm("withdrawn", notice(notify.NoticeOfferWithdrawn, func(n *notify.Notice) { n.Name, n.Contact = "Rowan", "rowan.ashdown" }))
		dm("lapsed with a deleted request", notice(notify.NoticeOfferLapsed, func(n *notify.Notice) { n.OrderID, n.Message = 0, "The request was deleted" }))
		dm("filled", notice(notify.NoticeOrderFilled))
		dm("expiring", notice(notify.NoticeOrderExpiring))
		dm("a test", notice(notify.NoticeTest))
		watched := func(watch core.SearchID, orders ...trade.Order) corechannels.Delivery {
			d := corechannels.Delivery{ID: 9, Kind: notify.NoticeRequestWatched, Watched: orders, Accounts: accounts}
			for i, o := range orders {
				n := notice(notify.NoticeRequestWatched).Notices[0]
				n.ID, n.OrderID, n.Search, n.Name, n.Contact = core.NoticeID(31+i), o.ID, watch, "Ores", ""
				d.Notices = append(d.Notices, n)
			}
			return d
		}
		coal := coretest.Order(func(o *trade.Order) { o.ID, o.ItemName = 8, "Coal" })
		dm("a request that fits a watch", watched(4, urgent))
		dm("a request that stock is for", watched(0, urgent))
		dm("requests that fit watches", watched(4, urgent, coal))
		dm("a request that fitted a watch and is over", watched(4, ended(trade.Filled)))
		dm("stock that its seller has not confirmed", notice(notify.NoticeStockStale, func(n *notify.Notice) { n.OrderID, n.OfferID, n.Name, n.Contact = 0, 0, "", "" }))
		digest := corechannels.Delivery{ID: 9, Kind: notify.NoticeDigest, Offers: offers(verified).Offers}
		for i, kind := range []notify.Kind{notify.NoticeOfferReceived, notify.NoticeOfferWithdrawn, notify.NoticeOfferAccepted, notify.NoticeOfferDeclined, notify.NoticeOrderFilled} {
			n := notice(kind).Notices[0]
			n.ID = core.NoticeID(i + 1)
			digest.Notices = append(digest.Notices, n)
		}
		dm("a digest", digest)
		for i := range 20 {
			n := notice(notify.NoticeOfferWithdrawn).Notices[0]
			n.ID = core.NoticeID(i + 10)
			digest.Notices = append(digest.Notices, n)
		}
		digest.Offers = nil
		dm("a digest of many", digest)
		why := func(n *notify.Notice) {
			n.OrderID, n.Name, n.Contact, n.Message = 0, "", "", "No *such* item\n# @everyone"
		}
		dm("a removed request", notice(notify.NoticeOrderRemoved, why))
		dm("a removed offer", notice(notify.NoticeOfferRemoved, why))
		dm("a restored request", notice(notify.NoticeOrderRestored))
		dm("a restored offer", notice(notify.NoticeOfferRestored))
		listed := func(n *notify.Notice) { n.OrderID, n.OfferID, n.Name, n.Contact = 0, 0, "", "" }
		dm("a listing that is off sale", notice(notify.NoticeListingRemoved, why, listed))
		dm("a listing that is for sale again", notice(notify.NoticeListingRestored, listed))
		dm("an offer that is open again", notice(notify.NoticeOfferReopened))
		dm("a block", notice(notify.NoticeUserBlocked, why, func(n *notify.Notice) { n.ItemName = "" }))
		removals := func(n *notify.Notice) {
			n.OrderID, n.OfferID, n.ItemName, n.Name, n.Price, n.Quantity = 0, 0, "", "", 0, 11
		}
		dm("many removals", notice(notify.NoticeManyRemovals, removals))
		dm("many removals by a moderator who has left", notice(notify.NoticeManyRemovals, removals, func(n *notify.Notice) { n.Contact = "" }))
		dm("a name that looks like theirs on a request", notice(notify.NoticeLookAlike, func(n *notify.Notice) { n.OfferID, n.Name, n.Contact = 0, "R*wan", "" }))
		dm("a name that looks like theirs in an offer", notice(notify.NoticeLookAlike, func(n *notify.Notice) { n.Name, n.Contact = "Rówan", "" }))
		many := notice(notify.NoticeManyRemovals, removals)
		many.Kind = notify.NoticeDigest
		dm("many removals in a digest", many)
		reported := func(n *notify.Notice) {
			n.OfferID, n.Name, n.Contact, n.Price, n.Quantity, n.Message = 0, "", "", 0, 0, "A *scam*\n# @everyone"
		}
		dm("a report", notice(notify.NoticeReportReceived, reported))
		report := coremoderation.Report{ID: 5, Reporter: 2, ReporterName: "rowan.ashdown", OrderID: 7, Subject: 1, SubjectName: "maple_leaf", ItemName: urgent.ItemName, CreatedAt: coretest.Noon}
		ofOffer := report
		ofOffer.OfferID, ofOffer.Reporter, ofOffer.Subject = 70, 0, 0
		persons := people.Accounts{1: maple, 9: {DiscordID: "80351110224678900", Username: "old_tamsin"}}
		add("reports", kernel.Private(kernel.Joined(moderation.ReportTitle(tr, report, persons), moderation.ReportTitle(tr, ofOffer, persons))).Message())
		dm("the end of the report channel", notice(notify.NoticeReportChannelEnded, func(n *notify.Notice) {
			n.OrderID, n.OfferID, n.ItemName, n.Price, n.Quantity, n.Contact = 0, 0, "", 0, 0, ""
			n.Name, n.Message = "1284552374680621056", corechannels.ReportChannelReasons[0].String()
		}))
		for _, why := range []string{"The channel was deleted", "The bot is no longer in the server"} {
			dm("the end of a board: "+why, notice(notify.NoticeBoardEnded, func(n *notify.Notice) {
				n.OrderID, n.OfferID, n.ItemName, n.Price, n.Quantity, n.Contact = 0, 0, "", 0, 0, ""
				n.Name, n.Message = "1284552374680621056", why
			}))
		}
		for _, kind := range []notify.Kind{notify.NoticeRoleGiven, notify.NoticeRoleTaken, notify.NoticeRoleTrouble} {
			dm("the role for established traders: "+string(kind), notice(kind, func(n *notify.Notice) {
				n.OrderID, n.OfferID, n.Price, n.Quantity, n.Contact = 0, 0, 0, 0, ""
				n.Name, n.ItemName, n.Message = "Harbour *light*", "Trusted", corechannels.RoleAbove.String()
			}))
		}
		dm("a token", notice(notify.NoticeTokenMade, func(n *notify.Notice) {
			n.OrderID, n.OfferID, n.Price, n.Quantity, n.Contact, n.ItemName, n.Message = 0, 0, 0, 0, "", "", ""
			n.Name = "Restock *bot*"
		}))
		dm("a webhook that is off", notice(notify.NoticeWebhookOff, func(n *notify.Notice) {
			n.OrderID, n.OfferID, n.Price, n.Quantity, n.Contact, n.ItemName = 0, 0, 0, 0, "", ""
			n.Name, n.Message = "hooks.example.org", string(webhook.Behind)
		}))
		waits := report
		waits.SubjectName, waits.Order, waits.Count = "maple_leaf", nil, 2
		waits.Reasons = []coremoderation.ReportReason{{Reporter: 2, ReporterName: "rowan.ashdown", Reason: "A *scam*\n# @everyone"}, {Reason: "No such item"}}
		post := corechannels.ReportPost{ID: 3, MessageOf: 3, Locale: l.Locales[0]}
		beside := corechannels.ReportPost{ID: 4, MessageOf: 3, Shared: true, Locale: l.Locales[0]}
		decision := corechannels.DecidedReport{Report: report, Entry: core.AuditEntry{
			At: coretest.Noon, Moderator: 9, ModeratorName: "old_tamsin", Action: core.AuditOrderRemoved, Subject: 1, SubjectName: "maple_leaf",
			ItemName: urgent.ItemName, Reason: "No *such* item",
		}}
		add("a report in the channel", staff.ReportMessage([]moderation.ReportCase{{Post: post, Open: &waits}}, persons).Message())
		add("reports that share a message", staff.ReportMessage([]moderation.ReportCase{{Post: beside, Open: &waits}, {Post: beside, Decided: decision}}, persons).Message())
		add("a report that was decided", staff.ReportMessage([]moderation.ReportCase{{Post: post, Decided: decision}}, persons).Message())
		var log discord.Markdown
		for _, action := range core.AuditActions {
			log = kernel.Joined(log, moderation.AuditLine(tr, core.AuditEntry{
				At: coretest.Noon, Moderator: 9, ModeratorName: "old_tamsin", Action: action, Subject: 1, SubjectName: "maple_leaf",
				ItemName: urgent.ItemName, Reason: "No *such* item",
			}, persons))
		}
		log = kernel.Joined(log, moderation.AuditLine(tr, core.AuditEntry{At: coretest.Noon, Moderator: 9, Action: core.AuditOfferRemoved, ItemName: urgent.ItemName}, persons))
		if slices.Contains(msg.Languages, l) {
			add("the log", kernel.Private(log).Message())
		} else { // the bot shows fewer lines in a message
			for line := range strings.Lines(string(log)) {
				add("a line of the log", kernel.Private(discord.Markdown(line)).Message())
			}
		}
		moderated := b.kernel.SharedCard(tr, urgent, maple)
		moderated.Rows = append(moderated.Rows, requests.ModeratorRow(tr, urgent))
		add("a card for moderators", moderated.Message())
		add("a card for everybody", b.kernel.SharedCard(tr, urgent, maple).Message())
		add("an expired card", b.kernel.SharedCard(tr, expired, maple).Message())
		add("a filled card", b.kernel.SharedCard(tr, ended(trade.Filled), maple).Message())
		add("a card that was closed early", b.kernel.SharedCard(tr, ended(trade.ClosedEarly), people.Account{DiscordID: "80351110224678912", Username: "guild.bank"}).Message())
		add("a deleted card", boards.BoardCard(tr, urgent.ItemName, nil, people.Account{}, nil))
		if !slices.Contains(msg.Languages, l) {
			for line := range strings.Lines(all.String()) {
				if cut := cutTexts(strings.TrimSpace(line)); cut != nil {
					t.Errorf("with texts a third longer, a message is cut off: %q", cut)
				}
			}
			continue
		}
		golden(t, "messages."+l.Locales[0]+".txt", all.String())
	}
}
