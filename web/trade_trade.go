package web

import (
	"strings"

	"tradepost/core"
)

// The operations of requests, of the offers on them, of what was agreed, and of lists of requests.
type (
	orders    struct{ *api }
	offers    struct{ *api }
	handovers struct{ *api }
	lists     struct{ *api }
)

// registerTrade adds the operations of requests, offers, sales, handovers and lists.
func registerTrade(a *api) {
	registerOrders(a, orders{a})
	registerOffers(a, offers{a})
	registerLists(a, lists{a})
	registerTerms(a, orders{a})
	registerHandovers(a, handovers{a})
}

func registerOrders(a *api, o orders) {
	get(a, "/api/orders", o.listOrders, "list-orders", "List open requests")
	get(a, "/api/orders/counts", o.countOrders, "count-orders", "Count open requests by category")
	create(a, "/api/orders", o.postOrder, "post-order", "Post a request")
	get(a, "/api/orders/{id}", o.getOrder, "get-order", "Read a request")
	patch(a, "/api/orders/{id}", o.editOrder, "edit-order", "Edit a request")
	remove(a, "/api/orders/{id}", o.deleteOrder, "delete-order",
		"Delete a request with its offers; sales stay in the history of both sides, without the owner's "+
			"texts")
	post(a, "/api/orders/{id}/close", o.closeOrder, "close-order",
		"Close a request before it is filled")
	post(a, "/api/orders/{id}/undo-close", o.undoClose, "undo-close",
		"Undo closing a request within ten minutes: it is open again, with its offers")
	post(a, "/api/orders/{id}/renew", o.renewOrder, "renew-order",
		"Show a request for another 365 days")
	get(a, "/api/orders/{id}/sales", o.listSales, "list-sales",
		"List the newest sales of your request")
	post(a, "/api/orders/{id}/sales", o.logSale, "log-sale",
		"Record that some of a request was bought")
	post(a, "/api/sales/{id}/undo", o.undoSale, "undo-sale",
		"Undo an accept or a logged sale within ten minutes; a request that it filled is open again, "+
			"with its offers")
	get(a, "/api/me/orders", o.listMyOrders, "list-my-orders", "List your requests")
}

func registerOffers(a *api, o offers) {
	get(a, "/api/orders/{id}/offers", o.listOffers, "list-offers", "List the offers on your request")
	get(a, "/api/orders/{id}/my-offer", o.getMyOffer, "get-my-offer",
		"Get your open offer on a request")
	create(a, "/api/orders/{id}/offers", o.sendOffer, "send-offer", "Offer to fill part of a request")
	post(a, "/api/offers/{id}/accept", o.acceptOffer, "accept-offer", "Accept a quantity of an offer")
	post(a, "/api/offers/answer", o.answerOffers, "answer-offers",
		"Accept or decline several offers, each on its own")
	remove(a, "/api/offers/{id}", o.deleteOffer, "delete-offer",
		"Decline an offer as the buyer, or withdraw it as the seller")
	get(a, offerLinkPrefix+"{token}", o.getOfferLink, "get-offer-link",
		"Follow the offer of a visitor by its private link")
	remove(a, offerLinkPrefix+"{token}", o.withdrawLinked, "withdraw-linked-offer",
		"Withdraw the offer of a visitor by its private link")
	perform(a, "/api/offers/{id}/undo", o.undoOffer, "undo-offer",
		"Undo declining or withdrawing an offer, within ten minutes")
	get(a, "/api/me/offers", o.listMyOffers, "list-my-offers", "List the offers you sent")
	get(a, "/api/me/offers/received", o.listReceivedOffers, "list-received-offers",
		"List the offers waiting for your answer, by request")
	get(a, "/api/me/offers/open", o.listMyOpenOffers, "list-my-open-offers",
		"List your open offers in a short form")
}

// registerLists adds the operations of posted lists. Without them what they add to others is not there.
func registerLists(a *api, l lists) {
	if !a.features.Lists {
		a.amend(func() { a.leaveOut("Order", "listId") })
		return
	}
	create(a, "/api/lists", l.postList, "post-list",
		"Post several requests at once, all of them or none; what is wrong is said by line, as lines[3]")
	post(a, "/api/lists/preview", l.previewList, "preview-list", "Check a list without posting it")
	post(a, "/api/lists/fixes", l.fixList, "fix-list",
		"Say which lines of a list were probably meant otherwise; nothing is posted")
	get(a, "/api/lists/{id}", l.getList, "get-list", "Get a list with its requests and its progress")
	create(a, "/api/lists/{id}/offers", l.offerOnList, "offer-on-list",
		"Offer on several requests of a list, as a signed-in seller: all of the offers are sent, or none")
	get(a, "/api/me/lists", l.listMyLists, "list-my-lists", "List the lists you posted")
}

// registerTerms adds the operations of what a buyer asks of sellers, by their records. Without records what they add to others
// is not there.
func registerTerms(a *api, o orders) {
	if !a.features.Records {
		a.amend(func() {
			a.leaveOut("Offer", "sellerId")
			a.leaveOut("OfferSent", "accepted")
			a.leaveOutValues("NoticeKind", func(kind string) bool { return kind == string(core.NoticeStandingAccepted) })
		})
		return
	}
	get(a, "/api/orders/{id}/terms", o.getTerms, "get-terms",
		"Get what the buyer asks of sellers on a request")
	put(a, "/api/orders/{id}/standing", o.putStanding, "put-standing",
		"Accept offers on your request as they come, each as a whole while there is room for it")
	remove(a, "/api/orders/{id}/standing", o.endStanding, "end-standing",
		"Have offers on your request wait for your answer again")
	put(a, "/api/orders/{id}/least-record", o.putLeastRecord, "put-least-record",
		"Ask for a least record of sellers on your request")
	remove(a, "/api/orders/{id}/least-record", o.removeLeastRecord, "remove-least-record",
		"Take offers of sellers with any record again")
}

// registerHandovers adds the operations of receipts and of handovers. With handovers off, these and what they add to others are
// not there.
func registerHandovers(a *api, h handovers) {
	get(a, "/api/me/receipts", h.listReceipts, "list-receipts",
		"List the accepts in which you are the buyer or the seller")
	if !a.features.Handover {
		a.amend(func() { leaveOutHandovers(a) })
		return
	}
	get(a, "/api/me/handovers", h.listHandovers, "list-handovers",
		"List what becomes of your accepted offers")
	post(a, "/api/handovers/say", h.sayHandovers, "say-handovers", "Say whether you met")
	post(a, "/api/handovers/take-back", h.takeBackWords, "take-back-words",
		"Take back what you said about disputed trades, until a moderator looks at them")
	post(a, "/api/handovers/later", h.postponeHandovers, "postpone-handovers",
		"Put off your answer for 24 hours, once each")
	post(a, "/api/handovers/{id}/agree", h.agreeHandover, "agree-handover",
		"Change by when you meet, as the buyer")
	get(a, "/api/me/slips/{id}", h.getSlip, "get-slip",
		"Get the trade slip: everything that is open between you and one partner")
	put(a, "/api/me/slips/{id}/place", h.putMeetingPlace, "put-meeting-place",
		"Say where you and a partner meet, for both to read")
	put(a, "/api/me/in-game-name", h.putInGameName, "put-in-game-name",
		"Set how your partners find you in the game")
	if !a.features.Records {
		a.amend(func() {
			a.leaveOut("DisputeSide", "record")
			a.leaveOut("MyData", "record")
			a.leaveOutSchema("Record")
		})
	}
}

func leaveOutHandovers(a *api) {
	a.leaveOut("AcceptDraft", "agreedBy")
	a.leaveOut("OfferDraft", "goodUntil")
	a.leaveOut("Offer", "goodUntil")
	a.leaveOut("SentOffer", "goodUntil")
	a.leaveOut("Notice", "saleId")
	a.leaveOut("MyData", "handovers")
	a.leaveOut("MyData", "meetingPlaces")
	a.leaveOut("OwnUser", "inGameName")
	a.leaveOutSchema("Handover")
	a.leaveOutSchema("OwnPlace")
	a.leaveOut("MyData", "record")
	a.leaveOutSchema("Record")
	a.leaveOutValues("NoticeKind", ofHandovers)
	a.leaveOutValues("AuditAction", ofHandovers)
}

// ofHandovers reports whether a value of an enumeration is there for handovers only.
func ofHandovers(value string) bool {
	return strings.HasPrefix(value, "handover_") || strings.HasPrefix(value, "dispute_") || value == string(core.NoticeOfferTimedOut)
}
