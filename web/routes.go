package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// routes is the table of contents: every address that is answered, and by what.
func (s *Server) routes() (http.Handler, *api) {
	r := chi.NewRouter()
	r.Use(identify, s.clientAddress(), s.observe, s.recoverPanics, s.secureHeaders, middleware.GetHead)

	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)

	limited := s.limitRequests()
	r.With(limited, s.session.load).Get("/api/events", s.events)

	var a *api
	r.Group(func(r chi.Router) {
		r.Use(limited, s.shedLoad(), s.readKept)

		r.Group(func(r chi.Router) {
			r.Use(s.compressAtLeisure("application/json", "application/problem+json"))
			r.Use(s.sameSiteOnly(), notKept, readBody, s.session.load, s.limitUsers())
			a = s.newAPI(r)
			a.routes()
			s.shelf = newShelf(a)
			a.describeTheRest()
			r.Get("/api/openapi.json", a.serveOpenAPI())
			r.Post("/auth/sign-out", s.signOut)
		})
		r.Group(func(r chi.Router) {
			r.Use(s.limitSignIns(), s.session.load)
			r.Get("/auth/discord", s.beginSignIn)
			r.Get("/auth/discord/callback", s.finishSignIn)
		})

		r.Get("/requests/{id}/card.png", s.orderCard)
		r.Group(func(r chi.Router) {
			r.Use(middleware.Compress(5, "text/html"))
			r.Get("/requests/{id}", s.orderPage)
			r.Get("/", s.board)
			r.Get("/mine", s.page)
			r.Get("/completed", s.page)
			r.Get("/offers", s.page)
			r.Get("/inbox", s.page)
			r.Get("/moderation", s.page)
			r.Get("/*", s.asset)
		})
	})
	r.NotFound(s.notFound)
	r.MethodNotAllowed(s.wrongMethod)
	return r, a
}

func (a *api) routes() {
	get(a, "/api/orders", a.listOrders, "list-orders", "List open requests")
	get(a, "/api/orders/counts", a.countOrders, "count-orders", "Count open requests by category")
	get(a, "/api/items", a.suggestItems, "suggest-items", "Complete the name of an item")
	create(a, "/api/orders", a.postOrder, "post-order", "Post a request")
	get(a, "/api/orders/{id}", a.getOrder, "get-order", "Read a request")
	patch(a, "/api/orders/{id}", a.editOrder, "edit-order", "Edit a request")
	remove(a, "/api/orders/{id}", a.deleteOrder, "delete-order", "Delete a request with its offers and sales")
	post(a, "/api/orders/{id}/close", a.closeOrder, "close-order", "Close a request before it is filled")
	post(a, "/api/orders/{id}/renew", a.renewOrder, "renew-order", "Show a request for another 365 days")

	get(a, "/api/orders/{id}/offers", a.listOffers, "list-offers", "List the offers on a request of one's own")
	create(a, "/api/orders/{id}/offers", a.sendOffer, "send-offer", "Offer to fill part of a request")
	post(a, "/api/offers/{id}/accept", a.acceptOffer, "accept-offer", "Accept a quantity of an offer")
	remove(a, "/api/offers/{id}", a.deleteOffer, "delete-offer", "Decline an offer as the buyer, or withdraw it as the seller")

	get(a, "/api/orders/{id}/sales", a.listSales, "list-sales", "List the newest sales of a request of one's own")
	post(a, "/api/orders/{id}/sales", a.logSale, "log-sale", "Record that some of a request was bought")

	perform(a, "/api/orders/{id}/report", a.reportOrder, "report-order", "Tell moderators of a request that does not belong here")
	perform(a, "/api/offers/{id}/report", a.reportOffer, "report-offer", "Tell moderators of an offer on a request of one's own")
	perform(a, "/api/orders/{id}/remove", a.removeOrder, "remove-order", "Take a request off the market, as a moderator")
	perform(a, "/api/offers/{id}/remove", a.removeOffer, "remove-offer", "Take an offer off the market, as a moderator")
	get(a, "/api/moderation/reports", a.listReports, "list-reports", "List the reports that wait for a moderator")
	perform(a, "/api/moderation/reports/{id}/dismiss", a.dismissReport, "dismiss-report", "Settle a report with nothing being done")
	get(a, "/api/moderation/audit", a.listAudit, "list-audit", "List what moderators did")
	get(a, "/api/moderation/blocks", a.listBlocks, "list-blocks", "List the users who are blocked")
	perform(a, "/api/moderation/blocks", a.blockUser, "block-user", "Shut a user out of trading")
	remove(a, "/api/moderation/blocks/{id}", a.unblockUser, "unblock-user", "Let a user trade again")

	perform(a, "/api/offers/{id}/block-seller", a.blockSeller, "block-seller", "Take no more offers of whoever sent this one")
	get(a, "/api/me/blocked-sellers", a.listBlockedSellers, "list-blocked-sellers", "List the sellers whose offers one does not want")
	remove(a, "/api/me/blocked-sellers/{id}", a.unblockSeller, "unblock-seller", "Take offers of a seller again")

	get(a, "/api/me", a.getMe, "get-me", "Who is asking, and the figures beside their tabs")
	remove(a, "/api/me", a.leave, "leave", "Delete one's account with everything that is one's own, for good")
	get(a, "/api/me/data", a.getMyData, "get-my-data", "Download everything that is kept about one")
	get(a, "/api/me/orders", a.listMyOrders, "list-my-orders", "List one's own requests")
	get(a, "/api/me/offers", a.listMyOffers, "list-my-offers", "List the offers one has sent")

	get(a, "/api/me/notices", a.listNotices, "list-notices", "List one's notices")
	perform(a, "/api/me/notices/read", a.readNotices, "read-notices", "Mark notices as read")
	get(a, "/api/me/notices/settings", a.getNoticeSettings, "get-notice-settings", "Read what is sent by direct message")
	put(a, "/api/me/notices/settings", a.putNoticeSettings, "put-notice-settings", "Choose what is sent by direct message")
	perform(a, "/api/me/notices/test", a.sendTestNotice, "send-test-notice", "Send oneself a direct message as a test")
}
