package postgres_test

import (
	"fmt"
	"testing"

	"tradepost/core"
)

func TestTheDatabaseHasTheLimitsOfCore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	limits := core.AllLimits()
	for domain, most := range map[string]int{
		"item_name": limits.ItemName, "description": limits.Description, "buyer_contact": limits.Contact, "in_game_name": limits.InGameName,
		"seller_name": limits.SellerName, "seller_contact": limits.Contact, "offer_message": limits.Message, "sale_notes": limits.Notes,
	} {
		within(w, domain, "repeat('ä', %d)", most)
	}
	within(w, "order_quantity", "%d", limits.Quantity)
	within(w, "level", "%d", limits.Level)
	within(w, "price", "%d", core.MaxPrice)
}

// within checks that a domain accepts the largest value and no larger one. The value is an SQL expression with its size.
func within[N int | core.Copper](w *world, domain, value string, most N) {
	w.T.Helper()
	if err := w.SQL(fmt.Sprintf("select ("+value+")::"+domain, most)); err != nil {
		w.T.Errorf("%s does not accept %d: %v", domain, most, err)
	}
	if err := w.SQL(fmt.Sprintf("select ("+value+")::"+domain, most+1)); err == nil {
		w.T.Errorf("%s accepts %d", domain, most+1)
	}
}
