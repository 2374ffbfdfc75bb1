package people

import (
	"tradepost/core/token"
	"tradepost/web/kernel"
)

// Register adds the operations of users. Without records the pages of traders are not there.
func Register(a *kernel.API) {
	o := operations{a}
	kernel.Perform(a, "/api/offers/{id}/block-seller", o.blockSeller, "block-seller",
		"Block the seller who sent this offer")
	kernel.Get(a, "/api/me/blocked-sellers", o.listBlockedSellers, "list-blocked-sellers",
		"List your blocked sellers")
	kernel.Remove(a, "/api/me/blocked-sellers/{id}", o.unblockSeller, "unblock-seller", "Unblock a seller")
	kernel.Get(a, "/api/me", o.getMe, "get-me", "Get the signed-in user and their counts")
	kernel.Put(a, "/api/me/language", o.putLanguage, "put-language",
		"Choose the language of the page and of the bot's messages to you")
	kernel.Remove(a, "/api/me", o.leave, "leave",
		"Leave: everything of yours is hidden at once, and deleted after 14 days")
	kernel.Perform(a, "/api/me/cancel-leaving", o.cancelLeaving, "cancel-leaving",
		"Cancel leaving: the one call that is answered while you leave")
	kernel.Get(a, "/api/me/sessions", o.listSessions, "list-sessions",
		"List the browsers in which you are signed in")
	kernel.Remove(a, "/api/me/sessions", o.endSessions, "end-sessions", "Sign out everywhere")
	kernel.Remove(a, "/api/me/sessions/{id}", o.endSession, "end-session", "Sign out of one browser")
	registerTokens(a, o)
	registerWebhooks(a, o)
	registerPlayHours(a, o)
	a.Programs.Open(token.Read, "list-blocked-sellers", "get-me", "list-records", "get-trader")
	if a.Features.Records {
		kernel.Get(a, "/api/traders", o.listRecords, "list-records", "Get the records of several traders")
		kernel.Get(a, "/api/traders/{id}", o.getTrader, "get-trader",
			"Get what everybody may know of a trader")
	}
}
