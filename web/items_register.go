package web

// itemOperations are the operations of the catalogue, and of what its items were traded for.
type itemOperations struct{ *api }

// registerItems adds the operations of items. Without the catalogue most of them, and what they add to others, are not there.
func registerItems(a *api) {
	o := itemOperations{a}
	get(a, "/api/items", o.suggestItems, "suggest-items", "Complete the name of an item")
	if !a.features.Items {
		a.amend(func() {
			a.leaveOutParameter("/api/orders", "itemId")
			a.leaveOutParameter("/api/orders/counts", "itemId")
			a.leaveOut("Order", "itemId")
			a.leaveOut("Stock", "itemId")
		})
		return
	}
	get(a, "/api/catalogue", o.listItems, "list-items", "List the items that the game has")
	get(a, "/api/catalogue/completions", o.completeItems, "complete-items",
		"Complete the name of an item, with what is known of it")
	get(a, "/api/catalogue/{id}", o.getItem, "get-item",
		"Get an item, or the one that it was merged into")
	get(a, "/api/moderation/items", o.listProvisionalItems, "list-provisional-items",
		"List the names that wait for a moderator")
	perform(a, "/api/moderation/items/{id}/confirm", o.confirmItem, "confirm-item",
		"Confirm that a name is an item of the game")
	perform(a, "/api/moderation/items/{id}/merge", o.mergeItem, "merge-item",
		"Merge a name into an item, as another name for it")
	perform(a, "/api/moderation/items/{id}/ignore", o.ignoreItem, "ignore-item",
		"Ignore a name: it is no item")
	if a.features.Prices {
		get(a, "/api/catalogue/{id}/prices", o.getItemPrices, "get-item-prices",
			"Get what an item was traded for")
		get(a, "/api/catalogue/{id}/odds", o.getItemOdds, "get-item-odds",
			"Get how likely a request for an item is filled, by price")
	}
}
