package match

import (
	"tradepost/core/match"
	"tradepost/core/token"
	"tradepost/web/kernel"
)

// Register adds the operations of skills, searches, watches and stock.
func Register(a *kernel.API) {
	o := operations{a}
	a.Programs.Open(token.Read, "get-skills", "list-searches", "list-saved", "get-ready-offers",
		"list-watches", "sum-stock", "get-item-stock", "get-wanted", "browse-fillable", "list-fillable",
		"list-stock",
		"list-listings", "list-my-listings", "list-my-asks", "get-list-for-sale")
	a.Programs.Open(token.Stock, "alert-stock", "save-stock", "delete-stock", "confirm-stock",
		"read-stock-lines")
	a.Programs.Open(token.Trade, "ask-for-listing", "answer-ask", "plan-list", "post-plan")
	kernel.Get(a, "/api/me/skills", o.getSkills, "get-skills", "Get your levels in the professions")
	kernel.Put(a, "/api/me/skills", o.putSkills, "put-skills", "Set your levels in the professions")
	kernel.Get(a, "/api/me/searches", o.listSearches, "list-searches", "List your saved searches")
	kernel.Create(a, "/api/me/searches", addSearch[searchDraft](o, viewSearch), "add-search", "Save a search")
	kernel.Put(a, "/api/me/searches/{id}", putSearch[searchDraft](o, viewSearch), "put-search",
		"Replace a saved search")
	kernel.Remove(a, "/api/me/searches/{id}", o.deleteSearch(match.BellOff), "delete-search",
		"Delete a saved search")
	kernel.Get(a, "/api/me/saved", o.listSaved, "list-saved",
		"List your saved searches, with a bell and without")
	kernel.Get(a, "/api/me/offers/ready", o.getReady, "get-ready-offers",
		"Say what you offer with one press: on which open requests, how many of your stock, and with "+
			"which message")
	registerPublicChanges(a, o)
	registerStock(a, o)
	registerListings(a, o)
	registerWatches(a, o)
}

// registerStock adds the operations of stock. Without stock they are not there.
func registerStock(a *kernel.API, o operations) {
	if !a.Features.Stock {
		a.Amend(func() { a.LeaveOutParameter("/api/orders", "askStock") })
		return
	}
	kernel.Get(a, "/api/stock", o.sumStock, "sum-stock", "Say what sellers have of an item")
	kernel.Get(a, "/api/catalogue/{id}/stock", o.getItemStock, "get-item-stock", "List who has an item")
	registerPublic(a, o)
	kernel.GetSame(a, "/api/wanted", o.getWanted, "get-wanted",
		"Report what is wanted and not offered, what is filled fastest, and prices that moved")
	kernel.Get(a, "/api/orders/fillable", o.browseFillable, "browse-fillable",
		"List the open requests that you can fill, filtered as the board is; a visitor says their "+
			"levels as skill, an account has its own and its stock")
	kernel.Get(a, "/api/me/fill", o.listFillable, "list-fillable",
		"List the open requests that you can fill: those that your stock is for, then those whose items "+
			"you can make")
	kernel.Post(a, "/api/me/notices/{id}/snooze-stock", o.snoozeStock, "snooze-stock",
		"Hold the alerts of your stock that an alert is about; they come as one message")
	kernel.Post(a, "/api/me/notices/{id}/stop-stock", o.stopStock, "stop-stock",
		"End the alerts of your stock that an alert is about")
	kernel.Put(a, "/api/me/stock/{id}/alerts", o.alertStock, "alert-stock",
		"Say whether requests that fit an item of your stock alert you")
	kernel.Get(a, "/api/me/stock", o.listStock, "list-stock", "List what you have")
	kernel.Post(a, "/api/me/stock", o.saveStock, "save-stock",
		"Say what you have: each entry replaces what you had of its item")
	kernel.Remove(a, "/api/me/stock/{id}", o.deleteStock, "delete-stock", "Remove an item from your stock")
	kernel.Post(a, "/api/me/stock/confirm", o.confirmStock, "confirm-stock",
		"Say that all of your stock is still there")
	kernel.Post(a, "/api/me/stock/read", o.readStockLines, "read-stock-lines",
		"Say what is understood of lines that list what you have; nothing is saved")
}

// registerWatches adds the operations of watches. Stock sends alerts, too, so some of them are there with
// either feature.
func registerWatches(a *kernel.API, o operations) {
	if !a.Features.Watches && !a.Features.Stock {
		return
	}
	kernel.Get(a, "/api/me/watches", o.listWatches, "list-watches",
		"List your watches, and the buyers that you have muted")
	kernel.Perform(a, "/api/me/notices/{id}/mute-buyer", o.muteBuyer, "mute-buyer",
		"Hear no more of the requests of the buyer of an alert")
	kernel.Remove(a, "/api/me/muted-buyers/{id}", o.unmuteBuyer, "unmute-buyer",
		"Unmute a buyer")
	kernel.Post(a, "/api/orders/audience", o.countAudience, "count-audience",
		"Count the people who will get a message about a request, before it is posted")
	if !a.Features.Watches {
		return
	}
	kernel.Post(a, "/api/me/searches/{id}/bell", o.giveBell, "give-bell",
		"Give a bell to a saved search that has none: it becomes a watch, with another id")
	kernel.Create(a, "/api/me/watches", addSearch[watchDraft](o, viewWatch), "add-watch",
		"Watch for requests")
	kernel.Post(a, "/api/me/watches/try", o.tryWatch, "try-watch",
		"Count how often a watch would have alerted you in the last 30 days")
	kernel.Put(a, "/api/me/watches/{id}", putSearch[watchDraft](o, viewWatch), "put-watch", "Replace a watch")
	kernel.Remove(a, "/api/me/watches/{id}", o.deleteSearch(match.BellOn), "delete-watch", "Remove a watch")
	kernel.Post(a, "/api/me/watches/{id}/pause", o.pauseWatch, "pause-watch",
		"Pause a watch, or have it notify again")
	kernel.Post(a, "/api/me/watches/{id}/snooze", o.snoozeWatch, "snooze-watch",
		"Hold the alerts of a watch for a while; they come as one message")
}
