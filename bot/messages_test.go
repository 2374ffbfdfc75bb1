package bot

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
)

// drawn writes a message down as one reads it.
func drawn(t *testing.T, m message) string {
	t.Helper()
	var b strings.Builder
	line := func(text string) {
		if text != "" {
			fmt.Fprintln(&b, text)
		}
	}
	line(m.Content)
	for _, e := range m.Embeds {
		if e.Author != nil {
			line("~ " + e.Author.Name)
		}
		fmt.Fprintf(&b, "[#%06x %s] %s\n", e.Color, e.Title, e.URL)
		line(e.Description)
		for _, f := range e.Fields {
			fmt.Fprintf(&b, "  %s: %s\n", f.Name, strings.ReplaceAll(f.Value, "\n", " ⏎ "))
		}
		if e.Footer != nil {
			line("  " + e.Footer.Text)
		}
	}
	data, err := json.Marshal(m.Components)
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Components []struct {
			Label, URL  string
			CustomID    string `json:"custom_id"`
			Placeholder string
			Options     []struct{ Label, Value, Description string }
			Disabled    bool
		}
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		for _, c := range r.Components {
			fmt.Fprintf(&b, "  (%s) %s%s\n", c.Label+c.Placeholder, c.CustomID, c.URL)
			for _, o := range c.Options {
				fmt.Fprintf(&b, "    - %s = %s  %s\n", o.Label, o.Value, o.Description)
			}
		}
	}
	return b.String()
}

func TestMessagesReadAsTheyShould(t *testing.T) {
	b := New(nil, Options{PublicURL: "https://market.example", Now: func() time.Time { return coretest.Noon }})
	level := 120
	urgent := coretest.Order(func(o *core.Order) {
		o.ItemName, o.Importance, o.LevelRequirement, o.InGameName = "Iron *Ore*", core.Urgent, &level, "Maple_of_Harbour"
		o.Description = "Deliver to\n# the harbour @everyone <@1>"
		o.MaxPrice, o.Sold, o.BuyerContact = 1*coretest.Platinum+500*coretest.Gold, 160, "maple_leaf"
	})
	visitor := coretest.Offer(func(o *core.Offer) { o.Price = urgent.MaxPrice; o.Message = "[free](https://evil.example) **now**" })
	verified := coretest.Offer(func(o *core.Offer) {
		o.ID, o.Seller, o.SellerName, o.SellerContact, o.Quantity, o.Price = 71, 2, "Rowan", "rowan.ashdown", 400, 200
	})
	notice := func(kind core.NoticeKind, change ...func(*core.Notice)) core.Delivery {
		n := core.Notice{
			Kind: kind, OrderID: 7, OfferID: 70, ItemName: urgent.ItemName, Quantity: 20, Price: urgent.MaxPrice, Name: "Maple_of_Harbour",
			Contact: "maple_leaf", CreatedAt: coretest.Noon,
		}
		for _, c := range change {
			c(&n)
		}
		return core.Delivery{ID: 9, Kind: kind, Notices: []core.Notice{n}}
	}
	offers := func(live ...core.Offer) core.Delivery {
		d := notice(core.OfferReceived)
		for _, o := range live {
			d.Offers = append(d.Offers, core.LiveOffer{Offer: o, Order: urgent})
		}
		return d
	}
	ended := func(reason core.CloseReason) core.Order {
		o := urgent
		o.Status, o.CloseReason = core.Fulfilled, reason
		if reason == core.Filled {
			o.Sold = o.Quantity
		}
		return o
	}
	expired := urgent
	expired.ExpiresAt = coretest.Noon
	for _, l := range languages {
		say := tongue{l}
		var all strings.Builder
		add := func(what string, m message) { fmt.Fprintf(&all, "=== %s\n%s\n", what, drawn(t, m)) }
		dm := func(what string, d core.Delivery) { add("DM: "+what, b.deliveryMessage(say, d, "").message()) }
		dm("an offer of a visitor", offers(visitor))
		dm("an offer of more than is needed, at an old price", offers(verified))
		dm("several offers", offers(visitor, verified))
		dm("offers that are all gone", offers())
		dm("accepted", notice(core.OfferTaken))
		dm("declined", notice(core.OfferRefused))
		dm("withdrawn", notice(core.OfferTakenBack, func(n *core.Notice) { n.Name, n.Contact = "Rowan", "rowan.ashdown" }))
		dm("lapsed with a deleted request", notice(core.OfferHasLapsed, func(n *core.Notice) { n.OrderID, n.Message = 0, "The request was deleted" }))
		dm("filled", notice(core.OrderFilled))
		dm("expiring", notice(core.OrderExpiring))
		dm("a test", notice(core.TestNotice))
		why := func(n *core.Notice) {
			n.OrderID, n.Name, n.Contact, n.Message = 0, "", "", "No *such* item\n# @everyone"
		}
		dm("a removed request", notice(core.OrderRemoved, why))
		dm("a removed offer", notice(core.OfferTakenOff, why))
		dm("a block", notice(core.UserBlocked, why, func(n *core.Notice) { n.ItemName = "" }))
		report := core.Report{ID: 5, Reporter: 2, ReporterName: "rowan.ashdown", OrderID: 7, Subject: 1, SubjectName: "maple_leaf", ItemName: urgent.ItemName, CreatedAt: coretest.Noon}
		ofOffer := report
		ofOffer.OfferID, ofOffer.Reporter, ofOffer.Subject = 70, 0, 0
		add("reports", private(joined(say.reportTitle(report), say.reportTitle(ofOffer))).message())
		var log safe
		for _, action := range core.AuditActions {
			log = joined(log, say.auditLine(core.AuditEntry{
				At: coretest.Noon, Moderator: 9, ModeratorName: "old_tamsin", Action: action, Subject: 1, SubjectName: "maple_leaf",
				ItemName: urgent.ItemName, Reason: "No *such* item",
			}))
		}
		log = joined(log, say.auditLine(core.AuditEntry{At: coretest.Noon, Moderator: 9, Action: core.RemovedOffer, ItemName: urgent.ItemName}))
		add("the log", private(log).message())
		moderated := b.sharedCard(say, urgent)
		moderated.rows = append(moderated.rows, b.moderatorRow(say, urgent))
		add("a card for moderators", moderated.message())
		add("a card for everybody", b.sharedCard(say, urgent).message())
		add("an expired card", b.sharedCard(say, expired).message())
		add("a filled card", b.sharedCard(say, ended(core.Filled)).message())
		add("a card that was closed early", b.sharedCard(say, ended(core.ClosedEarly)).message())
		add("a deleted card", b.boardCard(say, core.BoardPost{ItemName: urgent.ItemName}, nil))
		golden(t, "messages."+l.locales[0]+".txt", all.String())
	}
}
