package moderation_test

import (
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

func TestModeratorsAreNamedByAccountOrRole(t *testing.T) {
	mods := people.Moderators{Accounts: []string{"1"}, Roles: []string{"50"}}
	for name, tt := range map[string]struct {
		who  people.Profile
		want bool
	}{
		"a listed account":                  {people.Profile{DiscordID: "1"}, true},
		"another account":                   {people.Profile{DiscordID: "2"}, false},
		"a member with the role":            {people.Profile{DiscordID: "2", Roles: []string{"7", "50"}}, true},
		"a member with another role":        {people.Profile{DiscordID: "2", Roles: []string{"7"}}, false},
		"a role that has an account's id":   {people.Profile{DiscordID: "2", Roles: []string{"1"}}, false},
		"an account that has the role's id": {people.Profile{DiscordID: "50"}, false},
	} {
		if got := mods.Includes(tt.who); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	empty := people.Moderators{Accounts: []string{""}, Roles: []string{""}}
	if empty.Includes(people.Profile{Roles: []string{""}}) || (people.Moderators{}).Includes(people.Profile{DiscordID: "1"}) {
		t.Error("a market without moderators is said to have some")
	}
}

func TestRemovingWithAReason(t *testing.T) {
	order, offer := coretest.Order(), coretest.Offer(func(o *trade.Offer) { o.Seller = 2 })
	for name, tt := range map[string]struct {
		by      core.Actor
		reason  string
		refused core.ErrorKind
	}{
		"a moderator":                  {by: coretest.Moderator, reason: "No such item"},
		"a moderator without a reason": {by: coretest.Moderator, reason: " \u200b\n", refused: core.Invalid},
		"with too long a reason":       {by: coretest.Moderator, reason: strings.Repeat("é", core.MaxReason+1), refused: core.Invalid},
		"the longest reason":           {by: coretest.Moderator, reason: strings.Repeat("é", core.MaxReason)},
		"the buyer":                    {by: core.Actor{UserID: order.Owner}, reason: "Mine", refused: core.Forbidden},
		"the seller":                   {by: coretest.Seller, reason: "Mine", refused: core.Forbidden},
		"a visitor":                    {by: coretest.Visitor, reason: "Mine", refused: core.Unauthenticated},
		"a visitor who says they may":  {by: core.Actor{Moderator: true}, reason: "Mine", refused: core.Unauthenticated},
		"a moderator who is blocked":   {by: core.Actor{UserID: 9, Moderator: true, Blocked: true}, reason: "Mine", refused: core.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			ofOrder, err := moderation.RemoveOrder(order, tt.by, tt.reason, coretest.Forms, coretest.Noon)
			ofOffer, offerErr := moderation.RemoveOffer(offer, order, tt.by, tt.reason, coretest.Forms, coretest.Noon)
			if core.KindOf(err) != tt.refused || core.KindOf(offerErr) != tt.refused {
				t.Fatalf("returned %v and %v", err, offerErr)
			}
			if err != nil {
				return
			}
			if e := ofOrder.Entry; e.Action != core.AuditOrderRemoved || e.Moderator != 9 || e.Subject != order.Owner || e.OrderID != order.ID || e.Reason != tt.reason {
				t.Errorf("noted %+v", e)
			}
			if n := ofOrder.Notices; len(n) != 1 || n[0].User != order.Owner || n[0].Kind != notify.NoticeOrderRemoved || n[0].Message != tt.reason || n[0].OrderID != 0 {
				t.Errorf("the buyer is notified of %+v", n)
			}
			if e := ofOffer.Entry; e.Action != core.AuditOfferRemoved || e.OfferID != offer.ID || e.Subject != 2 {
				t.Errorf("noted %+v", e)
			}
			if n := ofOffer.Notices; len(n) != 1 || n[0].User != 2 || n[0].Kind != notify.NoticeOfferRemoved || n[0].Contact != "" {
				t.Errorf("the seller is notified of %+v", n)
			}
		})
	}
	if done, err := moderation.RemoveOffer(coretest.Offer(), order, coretest.Moderator, "Spam", coretest.Forms, coretest.Noon); err != nil || len(done.Notices) != 0 || done.Entry.Subject != 0 {
		t.Errorf("a visitor's offer: %+v, %v", done, err)
	}
}

func TestBlockingAndUnblocking(t *testing.T) {
	user := people.User{ID: 2, DiscordID: "2"}
	for name, tt := range map[string]struct {
		by      core.Actor
		who     people.User
		reason  string
		refused core.ErrorKind
	}{
		"a moderator":               {by: coretest.Moderator, who: user, reason: "Cheats"},
		"without a reason":          {by: coretest.Moderator, who: user, refused: core.Invalid},
		"another user":              {by: coretest.Seller, who: people.User{ID: 3}, reason: "Cheats", refused: core.Forbidden},
		"a visitor":                 {by: coretest.Visitor, who: user, reason: "Cheats", refused: core.Unauthenticated},
		"another moderator":         {by: coretest.Moderator, who: people.User{ID: 3, Moderator: true}, reason: "Cheats", refused: core.Forbidden},
		"a moderator blocks itself": {by: coretest.Moderator, who: people.User{ID: 9}, reason: "Cheats", refused: core.Forbidden},
		"blocked already":           {by: coretest.Moderator, who: people.User{ID: 2, BlockedAt: coretest.Noon}, reason: "Cheats", refused: core.Conflict},
	} {
		done, err := moderation.BlockUser(tt.who, tt.by, tt.reason, coretest.Forms, coretest.Noon)
		if core.KindOf(err) != tt.refused {
			t.Errorf("%s: returned %v", name, err)
		}
		if err == nil && (!done.User.Blocked() || done.User.BlockedFor != "Cheats" || done.Entry.Action != core.AuditUserBlocked || done.Notices[0].Kind != notify.NoticeUserBlocked) {
			t.Errorf("%s: %+v", name, done)
		}
	}
	blocked := people.User{ID: 2, BlockedAt: coretest.Noon, BlockedFor: "Cheats"}
	if done, err := moderation.UnblockUser(blocked, coretest.Moderator, coretest.Noon); err != nil || done.User.Blocked() || done.User.BlockedFor != "" || done.Entry.Action != core.AuditUserUnblocked {
		t.Errorf("unblocked %+v, %v", done, err)
	}
	if _, err := moderation.UnblockUser(user, coretest.Moderator, coretest.Noon); core.KindOf(err) != core.Conflict {
		t.Errorf("who is not blocked: %v", err)
	}
	if _, err := moderation.UnblockUser(blocked, blocked.Actor(), coretest.Noon); core.KindOf(err) != core.Forbidden {
		t.Errorf("the blocked user themselves: %v", err)
	}
}

func TestBlockedUserCannotOffer(t *testing.T) {
	order := coretest.Order()
	for name, tt := range map[string]struct {
		by      core.Actor
		known   trade.Seller
		order   trade.Order
		refused core.ErrorKind
	}{
		"a seller":                            {by: coretest.Seller, order: order},
		"who was known to be blocked":         {by: core.Actor{UserID: 2, Username: "fern", Blocked: true}, order: order, refused: core.Forbidden},
		"who has been blocked meanwhile":      {by: coretest.Seller, known: trade.Seller{Blocked: true}, order: order, refused: core.Forbidden},
		"blocked by the buyer":                {by: coretest.Seller, known: trade.Seller{BlockedByBuyer: true}, order: order, refused: core.Forbidden},
		"on a request whose buyer is blocked": {by: coretest.Seller, order: coretest.Order(func(o *trade.Order) { o.Hidden = true }), refused: core.NotFound},
		"a visitor, on such a request":        {by: coretest.Visitor, order: coretest.Order(func(o *trade.Order) { o.Hidden = true }), refused: core.NotFound},
	} {
		if _, err := tt.order.NewOffer(coretest.OfferDraft(), tt.by, tt.known, coretest.Forms, coretest.Noon); core.KindOf(err) != tt.refused {
			t.Errorf("%s: returned %v", name, err)
		}
	}
	hidden := coretest.Order(func(o *trade.Order) { o.Hidden = true })
	if _, err := hidden.Accept(coretest.Offer(), 1, hidden.Owner, coretest.Noon); core.KindOf(err) != core.NotFound {
		t.Errorf("accepting on a hidden request: %v", err)
	}
}

func TestHiddenRequestsAreShownToTheirBuyerAndModerators(t *testing.T) {
	hidden := coretest.Order(func(o *trade.Order) { o.Hidden = true })
	for name, tt := range map[string]struct {
		order  trade.Order
		reader core.Actor
		want   bool
	}{
		"an open one, a visitor":      {coretest.Order(), coretest.Visitor, true},
		"a hidden one, a visitor":     {hidden, coretest.Visitor, false},
		"a hidden one, a seller":      {hidden, coretest.Seller, false},
		"a hidden one, its buyer":     {hidden, core.Actor{UserID: hidden.Owner, Blocked: true}, true},
		"a hidden one, a moderator":   {hidden, coretest.Moderator, true},
		"an expired one, a moderator": {coretest.Order(func(o *trade.Order) { o.ExpiresAt = coretest.Noon }), coretest.Moderator, false},
	} {
		if got := tt.order.VisibleTo(tt.reader, coretest.Noon); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestReporting(t *testing.T) {
	order, offer := coretest.Order(), coretest.Offer(func(o *trade.Offer) { o.Seller = 2 })
	buyer := core.Actor{UserID: order.Owner}
	for name, tt := range map[string]struct {
		order   trade.Order
		by      core.Actor
		reason  string
		refused core.ErrorKind
	}{
		"a visitor":                 {order: order, by: coretest.Visitor, reason: "No such item"},
		"a seller":                  {order: order, by: coretest.Seller, reason: "No such item"},
		"without a reason":          {order: order, by: coretest.Seller, refused: core.Invalid},
		"one's own":                 {order: order, by: buyer, reason: "Mine", refused: core.Forbidden},
		"by who is blocked":         {order: order, by: core.Actor{UserID: 2, Blocked: true}, reason: "x", refused: core.Forbidden},
		"what is hidden":            {order: coretest.Order(func(o *trade.Order) { o.Hidden = true }), by: coretest.Seller, reason: "x", refused: core.NotFound},
		"what is expired":           {order: coretest.Order(func(o *trade.Order) { o.ExpiresAt = coretest.Noon }), by: coretest.Visitor, reason: "x", refused: core.NotFound},
		"what is over, by a seller": {order: coretest.Order(func(o *trade.Order) { o.Status = trade.Fulfilled }), by: coretest.Seller, reason: "He did not pay"},
	} {
		r, err := moderation.ReportOrder(tt.order, tt.by, tt.reason, coretest.Forms, coretest.Noon)
		if core.KindOf(err) != tt.refused {
			t.Errorf("%s: returned %v", name, err)
		}
		if err == nil && (r.State != moderation.ReportOpen || r.Reporter != tt.by.UserID || r.Subject != order.Owner || r.OrderID != order.ID || r.OfferID != 0) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r, err := moderation.ReportOffer(offer, order, buyer, "He never came", coretest.Forms, coretest.Noon); err != nil || r.OfferID != offer.ID || r.Subject != 2 {
		t.Errorf("the buyer reports an offer: %+v, %v", r, err)
	}
	for _, by := range []core.Actor{coretest.Seller, coretest.Moderator} {
		if _, err := moderation.ReportOffer(offer, order, by, "x", coretest.Forms, coretest.Noon); core.KindOf(err) != core.Forbidden {
			t.Errorf("user %d reports an offer that only its buyer sees: %v", by.UserID, err)
		}
	}
}

func TestDismissingAReport(t *testing.T) {
	open := moderation.Report{ID: 4, OrderID: 7, Subject: 1, ItemName: "Iron Ore", State: moderation.ReportOpen}
	if r, e, err := open.Dismiss(coretest.Moderator, coretest.Noon); err != nil || r.State != moderation.ReportDismissed || e.Action != core.AuditReportDismissed || e.ReportID != 4 || e.Subject != 1 {
		t.Errorf("dismissed %+v, noted %+v, %v", r, e, err)
	}
	if _, _, err := open.Dismiss(coretest.Seller, coretest.Noon); core.KindOf(err) != core.Forbidden {
		t.Errorf("by a seller: %v", err)
	}
	for _, state := range []moderation.ReportState{moderation.ReportDismissed, moderation.ReportActedOn} {
		open.State = state
		if _, _, err := open.Dismiss(coretest.Moderator, coretest.Noon); core.KindOf(err) != core.Conflict {
			t.Errorf("one that is %s: %v", state, err)
		}
	}
}
