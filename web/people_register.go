package web

// peopleOperations are the operations of users: their accounts, sessions and records, and the sellers they block.
type peopleOperations struct{ *api }

// registerPeople adds the operations of users. Without records the pages of traders are not there.
func registerPeople(a *api) {
	o := peopleOperations{a}
	perform(a, "/api/offers/{id}/block-seller", o.blockSeller, "block-seller",
		"Block the seller who sent this offer")
	get(a, "/api/me/blocked-sellers", o.listBlockedSellers, "list-blocked-sellers",
		"List your blocked sellers")
	remove(a, "/api/me/blocked-sellers/{id}", o.unblockSeller, "unblock-seller", "Unblock a seller")
	get(a, "/api/me", o.getMe, "get-me", "Get the signed-in user and their counts")
	remove(a, "/api/me", o.leave, "leave",
		"Leave: everything of yours is hidden at once, and deleted after 14 days")
	perform(a, "/api/me/cancel-leaving", o.cancelLeaving, "cancel-leaving",
		"Cancel leaving: the one call that is answered while you leave")
	get(a, "/api/me/sessions", o.listSessions, "list-sessions",
		"List the browsers in which you are signed in")
	remove(a, "/api/me/sessions", o.endSessions, "end-sessions", "Sign out everywhere")
	remove(a, "/api/me/sessions/{id}", o.endSession, "end-session", "Sign out of one browser")
	if a.features.Records {
		get(a, "/api/traders", o.listRecords, "list-records", "Get the records of several traders")
		get(a, "/api/traders/{id}", o.getTrader, "get-trader",
			"Get what everybody may know of a trader")
	}
}
