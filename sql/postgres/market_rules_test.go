package postgres_test

import (
	"fmt"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/postgres"
)

// Each write reads the rule in its own transaction: no replica has a copy that could be old.
func TestEveryReplicaObeysSignedInOnlyFromItsCommitOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	other := market.New(w.Another(postgres.Options{}), market.Options{Now: w.Clock.Now})
	orders := make([]trade.Order, 8)
	for i := range orders {
		orders[i] = w.Post(w.Ann)
	}
	visitors := func(i int) error {
		_, err := other.Trade.SendOffer(t.Context(), core.Actor{Address: fmt.Sprintf("192.0.2.%d", i)}, orders[i%len(orders)].ID, visitorOffer())
		return err
	}
	must(t, visitors(0))
	before := 0
	results := atOnce(60, func(i int) error {
		if i != 30 {
			return visitors(i)
		}
		if err := w.Trade.SetSignedInOnly(t.Context(), mod, true, "A flood of offers"); err != nil {
			return err
		}
		before = w.Value("select count(*) from offers")
		return nil
	})
	must(t, results[30])
	sent := 1
	for i, err := range results {
		switch {
		case i == 30:
		case err == nil:
			sent++
		default:
			wantKind(t, err, core.Unauthenticated)
		}
	}
	if after := w.Value("select count(*) from offers"); after != before || after != sent {
		t.Errorf("%d offers when the rule was set, %d of %d sent are there later", before, after, sent)
	}
	wantKind(t, visitors(1), core.Unauthenticated)
	_, err := other.Trade.SendOffer(t.Context(), w.Bob, orders[0].ID, trade.OfferDraft{SellerName: "Bob", Message: "I have it", Quantity: 1})
	must(t, err)
	rules, err := other.Trade.MarketRules(t.Context())
	must(t, err)
	if !rules.SignedInOnly() {
		t.Errorf("the other replica reads %+v", rules)
	}

	must(t, other.Trade.SetSignedInOnly(t.Context(), mod, false, ""))
	wantKind(t, w.Trade.SetSignedInOnly(t.Context(), mod, false, ""), core.Conflict)
	must(t, visitors(2))
	entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	if len(entries) != 2 || entries[0].Action != core.AuditSignedInOnlyOff || entries[1].Action != core.AuditSignedInOnlyOn ||
		entries[1].Reason != "A flood of offers" || entries[1].ModeratorName != "mod" {
		t.Errorf("noted %+v", entries)
	}
	w.CheckInvariants()
}
