package trade

import (
	"strings"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/token"
	"tradepost/web/kernel"
)

// Register adds the operations of requests, offers, sales, handovers and lists.
func Register(a *kernel.API) {
	a.Programs.Open(token.Read, "list-orders", "count-orders", "get-order", "list-sales", "list-my-orders",
		"get-my-offer", "list-my-offers", "list-my-open-offers", "get-list", "list-my-lists", "get-terms",
		"list-receipts", "list-handovers", "get-trade", "get-slip")
	a.Programs.Open(token.Inbox, "list-offers", "list-received-offers")
	a.Programs.Open(token.Trade, "post-order", "edit-order", "delete-order", "close-order", "renew-order",
		"log-sale", "undo-close", "undo-sale", "undo-offer", "send-offer", "accept-offer", "answer-offers",
		"delete-offer",
		"post-list", "preview-list", "fix-list", "offer-on-list", "put-standing", "end-standing",
		"put-least-record", "remove-least-record", "say-handovers", "take-back-words", "postpone-handovers",
		"agree-handover", "put-meeting-place", "accept-meeting", "choose-meeting", "propose-meeting")
	registerOrders(a, orders{a})
	registerPublic(a, orders{a})
	registerUndo(a, orders{a})
	registerOffers(a, offers{a})
	registerLists(a, lists{a})
	registerTerms(a, orders{a})
	registerHandovers(a, handovers{a})
}

func registerOrders(a *kernel.API, o orders) {
	kernel.GetSame(a, "/api/orders", o.listOrders, "list-orders", "List open requests")
	kernel.GetSame(a, "/api/orders/counts", o.countOrders, "count-orders", "Count open requests by category")
	kernel.Create(a, "/api/orders", o.postOrder, "post-order", "Post a request")
	kernel.Get(a, "/api/orders/{id}", o.getOrder, "get-order", "Read a request")
	kernel.Patch(a, "/api/orders/{id}", o.editOrder, "edit-order", "Edit a request")
	kernel.Remove(a, "/api/orders/{id}", o.deleteOrder, "delete-order",
		"Delete a request with its offers; sales stay in the history of both sides, without the owner's "+
			"texts")
	kernel.Post(a, "/api/orders/{id}/close", o.closeOrder, "close-order",
		"Close a request before it is filled")
	kernel.Post(a, "/api/orders/{id}/renew", o.renewOrder, "renew-order",
		"Show a request for another 365 days")
	kernel.Get(a, "/api/orders/{id}/sales", o.listSales, "list-sales",
		"List the newest sales of your request")
	kernel.Post(a, "/api/orders/{id}/sales", o.logSale, "log-sale",
		"Record that some of a request was bought")
	kernel.Get(a, "/api/me/orders", o.listMyOrders, "list-my-orders", "List your requests")
}

// registerUndo adds the undo of every act, also of those outside of trade.
func registerUndo(a *kernel.API, o orders) {
	kernel.Post(a, "/api/undo/{kind}/{id}", o.undo, "undo",
		"Undo an act, as its property undo says: once, in time, and before another user has acted on it")
	kernel.Post(a, "/api/orders/{id}/undo-close", o.undoOf(core.UndoClose), "undo-close",
		"Undo closing a request within ten minutes: it is open again, with its offers")
	kernel.Post(a, "/api/sales/{id}/undo", o.undoOf(core.UndoSale), "undo-sale",
		"Undo an accept or a logged sale within ten minutes; a request that it filled is open again, "+
			"with its offers")
	kernel.Perform(a, "/api/offers/{id}/undo", o.undoSilently(core.UndoOffer), "undo-offer",
		"Undo declining or withdrawing an offer, within ten minutes")
	kernel.Perform(a, "/api/moderation/audit/{id}/undo", o.undoSilently(core.UndoRemoval), "undo-removal",
		"Restore what a moderator removed within the last 30 days, or undo a decision on a name")
}

func registerOffers(a *kernel.API, o offers) {
	kernel.Get(a, "/api/orders/{id}/offers", o.listOffers, "list-offers", "List the offers on your request")
	kernel.Get(a, "/api/orders/{id}/my-offer", o.getMyOffer, "get-my-offer",
		"Get your open offer on a request")
	kernel.Create(a, "/api/orders/{id}/offers", o.sendOffer, "send-offer", "Offer to fill part of a request")
	kernel.Post(a, "/api/offers/{id}/accept", o.acceptOffer, "accept-offer", "Accept a quantity of an offer")
	kernel.Post(a, "/api/offers/answer", o.answerOffers, "answer-offers",
		"Accept or decline several offers, each on its own")
	kernel.Remove(a, "/api/offers/{id}", o.deleteOffer, "delete-offer",
		"Decline an offer as the buyer, or withdraw it as the seller")
	kernel.Get(a, kernel.OfferLinkPrefix+"{token}", o.getOfferLink, "get-offer-link",
		"Follow the offer of a visitor by its private link")
	kernel.Remove(a, kernel.OfferLinkPrefix+"{token}", o.withdrawLinked, "withdraw-linked-offer",
		"Withdraw the offer of a visitor by its private link")
	kernel.Get(a, "/api/me/offers", o.listMyOffers, "list-my-offers", "List the offers you sent")
	kernel.Get(a, "/api/me/offers/received", o.listReceivedOffers, "list-received-offers",
		"List the offers waiting for your answer, by request")
	kernel.Get(a, "/api/me/offers/open", o.listMyOpenOffers, "list-my-open-offers",
		"List your open offers in a short form")
}

// registerLists adds the operations of posted lists. Without them what they add to others is not there.
func registerLists(a *kernel.API, l lists) {
	if !a.Features.Lists {
		a.Amend(func() { a.LeaveOut("Order", "listId") })
		return
	}
	kernel.Create(a, "/api/lists", l.postList, "post-list",
		"Post several requests at once, all of them or none; what is wrong is said by line, as lines[3]")
	kernel.Post(a, "/api/lists/preview", l.previewList, "preview-list", "Check a list without posting it")
	kernel.Post(a, "/api/lists/fixes", l.fixList, "fix-list",
		"Say which lines of a list were probably meant otherwise; nothing is posted")
	kernel.Get(a, "/api/lists/{id}", l.getList, "get-list", "Get a list with its requests and its progress")
	kernel.Create(a, "/api/lists/{id}/offers", l.offerOnList, "offer-on-list",
		"Offer on several requests of a list, as a signed-in seller: all of the offers are sent, or none")
	kernel.Get(a, "/api/me/lists", l.listMyLists, "list-my-lists", "List the lists you posted")
}

// registerTerms adds the operations of the terms of a request, which need records. Without records they, and
// the properties that they add to other answers, are not there.
func registerTerms(a *kernel.API, o orders) {
	if !a.Features.Records {
		a.Amend(func() {
			a.LeaveOut("Offer", "sellerId")
			a.LeaveOut("ReceivedOffer", "sellerId")
			a.LeaveOut("ReceivedOffer", "met")
			a.LeaveOut("OfferSent", "accepted")
			a.LeaveOutValues("NoticeKind",
				func(kind string) bool { return kind == string(notify.NoticeStandingAccepted) })
		})
		return
	}
	kernel.Get(a, "/api/orders/{id}/terms", o.getTerms, "get-terms",
		"Get what the buyer asks of sellers on a request")
	kernel.Put(a, "/api/orders/{id}/standing", o.putStanding, "put-standing",
		"Accept offers on your request as they come, each as a whole while there is room for it")
	kernel.Remove(a, "/api/orders/{id}/standing", o.endStanding, "end-standing",
		"Have offers on your request wait for your answer again")
	kernel.Put(a, "/api/orders/{id}/least-record", o.putLeastRecord, "put-least-record",
		"Ask for a least record of sellers on your request")
	kernel.Remove(a, "/api/orders/{id}/least-record", o.removeLeastRecord, "remove-least-record",
		"Take offers of sellers with any record again")
}

// registerHandovers adds the operations of receipts and of handovers. With handovers off, these and what
// they add to others are not there.
func registerHandovers(a *kernel.API, h handovers) {
	kernel.Get(a, "/api/me/receipts", h.listReceipts, "list-receipts",
		"List the accepts in which you are the buyer or the seller")
	if !a.Features.Handover {
		a.Amend(func() { leaveOutHandovers(a) })
		return
	}
	kernel.Get(a, "/api/me/handovers", h.listHandovers, "list-handovers",
		"List what becomes of your accepted offers")
	kernel.Get(a, "/api/me/trades/{id}", h.getTrade, "get-trade",
		"Get everything about one of your trades, and what is open with the same partner")
	kernel.Post(a, "/api/handovers/say", h.sayHandovers, "say-handovers", "Say whether you met")
	kernel.Post(a, "/api/handovers/take-back", h.takeBackWords, "take-back-words",
		"Withdraw your answers about disputed trades, until a moderator looks at them")
	kernel.Post(a, "/api/handovers/later", h.postponeHandovers, "postpone-handovers",
		"Put off your answer for 24 hours, once each")
	kernel.Post(a, "/api/handovers/{id}/agree", h.agreeHandover, "agree-handover",
		"Change by when you meet, as the buyer")
	kernel.Get(a, "/api/me/slips/{id}", h.getSlip, "get-slip",
		"Get your open trades with one partner, and what both bring")
	kernel.Put(a, "/api/me/slips/{id}/place", h.putMeetingPlace, "put-meeting-place",
		"Say where you and a partner meet, for both to read")
	kernel.Put(a, "/api/me/in-game-name", h.putInGameName, "put-in-game-name",
		"Set how your partners find you in the game")
	registerMeetings(a, h)
	if !a.Features.Records {
		a.Amend(func() {
			a.LeaveOut("DisputeSide", "record")
			a.LeaveOut("MyData", "record")
			a.LeaveOutSchema("Record")
		})
	}
}

// registerMeetings adds the operations of when the sides of a trade meet. With hours off, these and what they
// add to others are not there.
func registerMeetings(a *kernel.API, h handovers) {
	if !a.Features.Hours {
		a.Amend(func() {
			a.LeaveOut("Handover", "meeting")
			a.LeaveOut("ReceivedOffer", "soonest")
			a.LeaveOutValues("NoticeKind", ofMeetings)
		})
		return
	}
	kernel.Post(a, "/api/handovers/{id}/meeting/accept", h.acceptMeeting, "accept-meeting",
		"Say that the proposed time to meet works for you")
	kernel.Put(a, "/api/handovers/{id}/meeting", h.chooseMeeting, "choose-meeting",
		"Propose the time to meet that you choose")
	kernel.Post(a, "/api/handovers/{id}/meeting/next", h.proposeMeeting, "propose-meeting",
		"Have the next time proposed to both in which both play")
}

// ofMeetings reports whether a kind of notice is about when two meet.
func ofMeetings(kind string) bool { return strings.HasPrefix(kind, "meeting_") }

func leaveOutHandovers(a *kernel.API) {
	a.LeaveOut("AcceptDraft", "agreedBy")
	a.LeaveOut("OfferDraft", "goodUntil")
	a.LeaveOut("Offer", "goodUntil")
	a.LeaveOut("ReceivedOffer", "goodUntil")
	a.LeaveOut("SentOffer", "goodUntil")
	a.LeaveOut("Notice", "saleId")
	a.LeaveOut("MyData", "handovers")
	a.LeaveOut("MyData", "meetingPlaces")
	a.LeaveOut("OwnUser", "inGameName")
	a.LeaveOutSchema("Handover")
	a.LeaveOutSchema("EventKind")
	a.LeaveOutSchema("OwnPlace")
	a.LeaveOut("MyData", "record")
	a.LeaveOutSchema("Record")
	a.LeaveOutValues("NoticeKind", ofHandovers)
	a.LeaveOutValues("AuditAction", ofHandovers)
}

// ofHandovers reports whether a value of an enumeration is there for handovers only.
func ofHandovers(value string) bool {
	return ofMeetings(value) || strings.HasPrefix(value, "handover_") ||
		strings.HasPrefix(value, "dispute_") ||
		value == string(notify.NoticeOfferTimedOut)
}
