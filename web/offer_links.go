package web

import (
	"context"
	"net/http"
	"strings"

	"tradepost/core"
)

const (
	offerPagePrefix = "/offer/"
	offerLinkPrefix = "/api/offer-links/"
)

// isPrivateLink reports whether a path contains the secret of a private link.
func isPrivateLink(path string) bool {
	return strings.HasPrefix(path, offerPagePrefix) || strings.HasPrefix(path, offerLinkPrefix)
}

// The headers of every response at a private link: its address goes to no other site, no cache and no index of a search engine.
var privateLinkHeaders = http.Header{
	"Referrer-Policy": {"no-referrer"},
	"Cache-Control":   {"no-store"},
	"X-Robots-Tag":    {"noindex"},
}

// offerPage serves the dashboard at a private link. The page itself is the same for every token.
func (s *Server) offerPage(w http.ResponseWriter, r *http.Request) {
	s.servePage(w, r, http.StatusOK, s.frontMeta())
}

// ByToken is part of everything about the offer that a private link leads to.
type ByToken struct {
	Token core.OfferToken `path:"token" doc:"The secret of the link: the last part of its address" example:"pQ0n3c9Zb1yq7mGxkT5vJr2uWd8eLhXaSfIoNwE4B6M"`
}

// offerLinkView is what a visitor's private link leads to.
type offerLinkView struct {
	Offer    sentOfferView     `json:"offer" doc:"The offer as it was sent, and its state"`
	Order    orNull[orderView] `json:"order" doc:"The request while the offer is open; null after that"`
	Receipts []receiptView     `json:"receipts" doc:"One per accept, newest first"`
}

func (a *api) getOfferLink(ctx context.Context, in *ByToken) (*answer[offerLinkView], error) {
	link, err := a.market.FollowOffer(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	view := offerLinkView{Offer: viewSentOffer(link.Sent), Receipts: make([]receiptView, 0, len(link.Receipts))}
	if link.Open() {
		order := viewOrder(link.Order, a.now())
		view.Order.value = &order
	}
	for _, r := range link.Receipts {
		view.Receipts = append(view.Receipts, viewVisitorsReceipt(r))
	}
	return &answer[offerLinkView]{view}, nil
}

// viewVisitorsReceipt returns a receipt for a visitor who sold. Only signed-in sides of a receipt get a way to the other's
// Discord account.
func viewVisitorsReceipt(r core.Receipt) receiptView {
	v := viewReceipt(r, 0)
	v.With.DiscordURL = nil
	return v
}

type withdrawLinkedInput struct {
	ByToken
	Keyed
}

func (a *api) withdrawLinked(ctx context.Context, in *withdrawLinkedInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.WithdrawLinked(ctx, actor, in.Token)
}
