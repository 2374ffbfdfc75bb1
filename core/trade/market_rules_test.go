package trade_test

import (
	"errors"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/trade"
)

func TestAModeratorHasOnlySignedInSellersOffer(t *testing.T) {
	open, closed := trade.MarketRules{}, trade.MarketRules{SignedInOnlySince: coretest.Noon}
	for name, tt := range map[string]struct {
		rules   trade.MarketRules
		by      core.Actor
		on      bool
		reason  string
		refused core.ErrorKind
		action  core.AuditAction
	}{
		"on":                     {open, moderator, true, "A flood", 0, core.AuditSignedInOnlyOn},
		"off":                    {closed, moderator, false, "", 0, core.AuditSignedInOnlyOff},
		"on again":               {closed, moderator, true, "A flood", core.Conflict, ""},
		"off again":              {open, moderator, false, "", core.Conflict, ""},
		"on without a reason":    {open, moderator, true, " \n", core.Invalid, ""},
		"with too long a reason": {open, moderator, true, strings.Repeat("é", core.MaxReason+1), core.Invalid, ""},
		"by a user":              {open, seller, true, "A flood", core.Forbidden, ""},
		"by a visitor":           {closed, visitor, false, "", core.Unauthenticated, ""},
	} {
		rules, entry, err := tt.rules.SetSignedInOnly(tt.by, tt.on, tt.reason, coretest.Forms, coretest.Noon)
		if core.KindOf(err) != tt.refused {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			if rules != tt.rules {
				t.Errorf("%s: the rules are %+v", name, rules)
			}
			continue
		}
		if rules.SignedInOnly() != tt.on || entry.Action != tt.action || entry.Moderator != moderator.UserID || entry.Reason != tt.reason || !entry.At.Equal(coretest.Noon) {
			t.Errorf("%s: %+v, noted %+v", name, rules, entry)
		}
	}
}

func TestWhileOnlySignedInSellersMayOfferAVisitorIsAskedToSignIn(t *testing.T) {
	rules := trade.MarketRules{SignedInOnlySince: coretest.Noon}
	draft := trade.OfferDraft{SellerName: "Fern", SellerContact: "fern", Message: "I have it", Quantity: 1}
	_, err := coretest.Order().NewOffer(draft, visitor, trade.Seller{Rules: rules}, coretest.Forms, coretest.Noon)
	var refused *core.Error
	if !errors.As(err, &refused) || refused.Kind != core.Unauthenticated || refused.Code != core.CodeSignIn {
		t.Errorf("a visitor: %v", err)
	}
	if _, err := coretest.Order().NewOffer(draft, seller, trade.Seller{Rules: rules}, coretest.Forms, coretest.Noon); err != nil {
		t.Errorf("a signed-in seller: %v", err)
	}
}
