package items

import (
	"tradepost/core"
	"tradepost/core/token"
	"tradepost/web/kernel"
)

// Register adds the operations of items. Without the catalogue most of them, and what they add to others,
// are not there.
func Register(a *kernel.API) {
	o := operations{a}
	a.Programs.Open(token.Read, "suggest-items", "list-items", "complete-items", "get-item",
		"get-item-prices", "get-item-odds")
	kernel.Get(a, "/api/items", o.suggestItems, "suggest-items", "Complete the name of an item")
	if !a.Features.Items {
		a.Amend(func() {
			a.LeaveOutParameter("/api/orders", "itemId")
			a.LeaveOutParameter("/api/orders/counts", "itemId")
			a.LeaveOut("Order", "itemId")
			a.LeaveOutParameter(kernel.PublicPrefix+"orders", "itemId")
			a.LeaveOut("PublicOrder", "itemId")
			a.LeaveOutValues("PublicKind",
				func(kind string) bool { return kind == string(core.PublicCatalogue) })
			for _, schema := range []string{"Stock", "UnmetItem", "FilledItem", "MovedPrice"} {
				a.LeaveOut(schema, "itemId")
			}
		})
		return
	}
	registerPublic(a, o)
	kernel.GetSame(a, "/api/catalogue", o.listItems, "list-items", "List the items that the game has")
	kernel.GetSame(a, "/api/catalogue/completions", o.completeItems, "complete-items",
		"Complete the name of an item, with what is known of it")
	kernel.GetSame(a, "/api/catalogue/{id}", o.getItem, "get-item",
		"Get an item, or the one that it was merged into")
	kernel.Get(a, "/api/moderation/items", o.listProvisionalItems, "list-provisional-items",
		"List the names that wait for a moderator")
	kernel.Perform(a, "/api/moderation/items/{id}/confirm", o.confirmItem, "confirm-item",
		"Confirm that a name is an item of the game")
	kernel.Perform(a, "/api/moderation/items/{id}/merge", o.mergeItem, "merge-item",
		"Merge a name into an item, as another name for it")
	kernel.Perform(a, "/api/moderation/items/{id}/ignore", o.ignoreItem, "ignore-item",
		"Ignore a name: it is no item")
	if a.Features.Prices {
		kernel.GetSame(a, "/api/catalogue/{id}/prices", o.getItemPrices, "get-item-prices",
			"Get what an item was traded for")
		kernel.GetSame(a, "/api/catalogue/{id}/odds", o.getItemOdds, "get-item-odds",
			"Get how likely a request for an item is filled, by price")
	} else {
		a.Amend(func() { a.LeaveOut("ItemSummary", "traded") })
	}
}
