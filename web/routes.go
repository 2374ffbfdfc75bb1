package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// routes is the table of contents: every address that is answered, and by what.
func (s *Server) routes() (http.Handler, *api) {
	r := chi.NewRouter()
	r.Use(identify, s.clientAddress(), s.observe, s.recoverPanics, s.secureHeaders, middleware.GetHead, s.share)

	r.With(s.readBody).Get("/healthz", s.healthz)
	r.With(s.readBody).Get("/readyz", s.readyz)

	limited := chi.Chain(s.limitRequests(), s.readBody)
	r.With(limited...).With(s.session.load).Get("/api/events", s.events)

	var a *api
	shed := s.shedLoad()
	r.With(s.assets).With(limited...).With(shed, middleware.Compress(5, "text/html")).Get("/*", s.notFound)
	r.Group(func(r chi.Router) {
		r.Use(limited...)
		r.Use(shed, s.serveCached)

		r.Group(func(r chi.Router) {
			r.Use(s.compressWhenIdle("application/json", "application/problem+json"))
			r.Use(s.sameSiteOnly(), noStore, checkBody, s.session.load, s.limitUsers())
			a = s.newAPI(r)
			a.routes()
			a.itemRoutes()
			a.priceRoutes()
			a.listRoutes()
			a.stockRoutes()
			a.recordRoutes()
			a.watchRoutes()
			a.handoverRoutes()
			s.cached = newCachedRoutes(a)
			a.describeTheRest()
			r.Get("/api/openapi.json", a.serveOpenAPI())
			r.Post("/auth/sign-out", s.signOut)
		})
		r.Group(func(r chi.Router) {
			r.Use(s.limitSignIns(), s.session.load)
			r.Get("/auth/discord", s.beginSignIn)
			r.Get("/auth/discord/callback", s.finishSignIn)
		})

		r.Get(securityTextPath, s.securityText)
		r.Get(robotsPath, s.robots)
		r.Get(siteCardPath, s.serveSiteCard)
		r.Get("/requests/{id}/card.png", s.orderCard)
		if s.opts.Features.Items {
			r.Get("/items/{id}/card.png", s.itemCard)
		}
		r.Group(func(r chi.Router) {
			r.Use(middleware.Compress(5, "text/html"))
			r.Get("/requests/{id}", s.orderPage)
			r.Get("/", s.board)
			r.Get("/mine", s.page)
			r.Get("/completed", s.page)
			r.Get("/offers", s.page)
			r.Get("/offers/received", s.page)
			r.Get("/offer/{token}", s.offerPage)
			r.Get("/inbox", s.page)
			if s.opts.Features.Records {
				r.Get("/traders/{id}", s.page)
			}
			if s.opts.Features.Handover {
				r.Get("/trades", s.page)
				r.Get("/trades/with/{id}", s.page)
			}
			if s.opts.Features.Lists {
				r.Get("/lists/{id}", s.page)
			}
			if s.opts.Features.Stock {
				r.Get("/stock", s.page)
				r.Get("/wanted", s.page)
			}
			r.Get("/moderation", s.page)
			if s.opts.Features.Items {
				r.Get("/items", s.itemsPage)
				r.Get("/items/{id}", s.itemPage)
				r.Get("/items/{id}/{name}", s.itemPage)
			}
		})
	})
	r.NotFound(limited.HandlerFunc(s.notFound).ServeHTTP)
	r.MethodNotAllowed(limited.HandlerFunc(s.wrongMethod).ServeHTTP)
	return r, a
}

func (a *api) routes() {
	get(a, "/api/orders", a.listOrders, "list-orders", "List open requests")
	get(a, "/api/orders/counts", a.countOrders, "count-orders", "Count open requests by category")
	get(a, "/api/items", a.suggestItems, "suggest-items", "Complete the name of an item")
	create(a, "/api/orders", a.postOrder, "post-order", "Post a request")
	get(a, "/api/orders/{id}", a.getOrder, "get-order", "Read a request")
	patch(a, "/api/orders/{id}", a.editOrder, "edit-order", "Edit a request")
	remove(a, "/api/orders/{id}", a.deleteOrder, "delete-order", "Delete a request with its offers; sales stay in the history of both sides, without the owner's texts")
	post(a, "/api/orders/{id}/close", a.closeOrder, "close-order", "Close a request before it is filled")
	post(a, "/api/orders/{id}/undo-close", a.undoClose, "undo-close", "Undo closing a request within ten minutes: it is open again, with its offers")
	post(a, "/api/orders/{id}/renew", a.renewOrder, "renew-order", "Show a request for another 365 days")

	get(a, "/api/orders/{id}/offers", a.listOffers, "list-offers", "List the offers on your request")
	get(a, "/api/orders/{id}/my-offer", a.getMyOffer, "get-my-offer", "Get your open offer on a request")
	create(a, "/api/orders/{id}/offers", a.sendOffer, "send-offer", "Offer to fill part of a request")
	post(a, "/api/offers/{id}/accept", a.acceptOffer, "accept-offer", "Accept a quantity of an offer")
	post(a, "/api/offers/answer", a.answerOffers, "answer-offers", "Accept or decline several offers, each on its own")
	remove(a, "/api/offers/{id}", a.deleteOffer, "delete-offer", "Decline an offer as the buyer, or withdraw it as the seller")

	get(a, offerLinkPrefix+"{token}", a.getOfferLink, "get-offer-link", "Follow the offer of a visitor by its private link")
	remove(a, offerLinkPrefix+"{token}", a.withdrawLinked, "withdraw-linked-offer", "Withdraw the offer of a visitor by its private link")

	get(a, "/api/orders/{id}/sales", a.listSales, "list-sales", "List the newest sales of your request")
	post(a, "/api/orders/{id}/sales", a.logSale, "log-sale", "Record that some of a request was bought")
	post(a, "/api/sales/{id}/undo", a.undoSale, "undo-sale", "Undo an accept or a logged sale within ten minutes; a request that it filled is open again, with its offers")
	perform(a, "/api/offers/{id}/undo", a.undoOffer, "undo-offer", "Undo declining or withdrawing an offer, within ten minutes")

	perform(a, "/api/orders/{id}/report", a.reportOrder, "report-order", "Report a request")
	perform(a, "/api/offers/{id}/report", a.reportOffer, "report-offer", "Report an offer on your request")
	perform(a, "/api/orders/{id}/remove", a.removeOrder, "remove-order", "Remove a request, as a moderator")
	perform(a, "/api/offers/{id}/remove", a.removeOffer, "remove-offer", "Remove an offer, as a moderator")
	get(a, "/api/moderation/reports", a.listReports, "list-reports", "List open reports")
	perform(a, "/api/moderation/reports/{id}/dismiss", a.dismissReport, "dismiss-report", "Dismiss a report")
	get(a, "/api/moderation/audit", a.listAudit, "list-audit", "List the moderation log")
	perform(a, "/api/moderation/audit/{id}/undo", a.undoRemoval, "undo-removal", "Restore what a moderator removed within the last 30 days, or undo a decision on a name")
	get(a, "/api/moderation/blocks", a.listBlocks, "list-blocks", "List the users who are blocked")
	perform(a, "/api/moderation/blocks", a.blockUser, "block-user", "Block a user from trading")
	remove(a, "/api/moderation/blocks/{id}", a.unblockUser, "unblock-user", "Unblock a user")

	get(a, "/api/rules", a.getRules, "get-rules", "Get what moderators have set for the whole market")
	perform(a, "/api/moderation/signed-in-only", a.signedInOnly, "require-sign-in", "Have only signed-in sellers offer, on every request")
	remove(a, "/api/moderation/signed-in-only", a.visitorsToo, "allow-visitors", "Let visitors offer again, too")

	perform(a, "/api/moderation/vouches", a.vouch, "vouch", "Vouch for a user: they are an established trader from now on")

	perform(a, "/api/offers/{id}/block-seller", a.blockSeller, "block-seller", "Block the seller who sent this offer")
	get(a, "/api/me/blocked-sellers", a.listBlockedSellers, "list-blocked-sellers", "List your blocked sellers")
	remove(a, "/api/me/blocked-sellers/{id}", a.unblockSeller, "unblock-seller", "Unblock a seller")

	get(a, "/api/address", a.getAddress, "get-address", "Get the client address that the server sees")

	get(a, "/api/me", a.getMe, "get-me", "Get the signed-in user and their counts")
	remove(a, "/api/me", a.leave, "leave", "Leave: everything of yours is hidden at once, and deleted after 14 days")
	perform(a, "/api/me/cancel-leaving", a.cancelLeaving, "cancel-leaving", "Cancel leaving: the one call that is answered while you leave")
	get(a, "/api/me/data", a.getMyData, "get-my-data", "Download your data")
	get(a, "/api/me/sessions", a.listSessions, "list-sessions", "List the browsers in which you are signed in")
	remove(a, "/api/me/sessions", a.endSessions, "end-sessions", "Sign out everywhere")
	remove(a, "/api/me/sessions/{id}", a.endSession, "end-session", "Sign out of one browser")
	get(a, "/api/me/orders", a.listMyOrders, "list-my-orders", "List your requests")
	get(a, "/api/me/offers", a.listMyOffers, "list-my-offers", "List the offers you sent")
	get(a, "/api/me/offers/received", a.listReceivedOffers, "list-received-offers", "List the offers waiting for your answer, by request")
	get(a, "/api/me/offers/open", a.listMyOpenOffers, "list-my-open-offers", "List your open offers in a short form")

	get(a, "/api/me/receipts", a.listReceipts, "list-receipts", "List the accepts in which you are the buyer or the seller")

	get(a, "/api/me/skills", a.getSkills, "get-skills", "Get your levels in the professions")
	put(a, "/api/me/skills", a.putSkills, "put-skills", "Set your levels in the professions")
	get(a, "/api/me/searches", a.listSearches, "list-searches", "List your saved searches")
	create(a, "/api/me/searches", a.addSearch, "add-search", "Save a search")
	put(a, "/api/me/searches/{id}", a.putSearch, "put-search", "Replace a saved search")
	remove(a, "/api/me/searches/{id}", a.deleteSearch, "delete-search", "Delete a saved search")

	get(a, "/api/me/notices", a.listNotices, "list-notices", "List your notices")
	perform(a, "/api/me/notices/read", a.readNotices, "read-notices", "Mark notices as read")
	get(a, "/api/me/notices/settings", a.getNoticeSettings, "get-notice-settings", "Get your direct message settings")
	put(a, "/api/me/notices/settings", a.putNoticeSettings, "put-notice-settings", "Set your direct message settings")
	perform(a, "/api/me/notices/test", a.sendTestNotice, "send-test-notice", "Send yourself a test message")
}
