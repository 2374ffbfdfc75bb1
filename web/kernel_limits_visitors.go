package web

import (
	"context"
	"net/http"
	"net/netip"

	"tradepost/core"
)

// CodeSignIn is the code of a problem that signing in solves.
const CodeSignIn = core.CodeSignIn

// Writes are counted when they arrive, so that concurrent ones cannot pass the limit. A write that fails on our side, and a
// repeat of one that has happened, is refunded once it is answered.

// writeExceeds counts a write and reports whether it is beyond the limit of the client.
func (l limiter) writeExceeds(ctx context.Context, client string) bool {
	r := (&http.Request{}).WithContext(ctx) // the limiter wants one, for its context
	if l.exceeds(r, client) {
		return true
	}
	if rec := recordOf(ctx); rec != nil {
		rec.refunds = append(rec.refunds, func() { l.giveBack(ctx, client) })
	}
	return false
}

// visitorLimits are the limits of those who are not signed in.
type visitorLimits struct {
	signInToOffer bool // visitors may not offer at all

	offers, networks, inAll limiter // of offers: by client, by network and by all visitors together
	reports                 limiter
}

// newVisitorLimits returns the limits of visitors, which all replicas share.
func newVisitorLimits(signInToOffer bool, l Limits, shared SharedLimits) visitorLimits {
	return visitorLimits{
		signInToOffer: signInToOffer,

		offers:   newLimiter(l.VisitorOffers, visitorOfferWindow).exactly("offers of a visitor", shared),
		networks: newLimiter(l.VisitorNetwork, visitorOfferWindow).exactly("offers of a network", shared),
		inAll:    newLimiter(l.VisitorsInAll, visitorOfferWindow).exactly("offers of visitors", shared),
		reports:  newLimiter(l.VisitorReports, visitorReportWindow).exactly("reports of a visitor", shared),
	}
}

// limitVisitor returns TooMany with CodeSignIn when visitors at this address have made enough writes of a kind for now. A
// repeat of a write that has happened passes: it has no effect.
func (k *Kernel) limitVisitor(ctx context.Context, actor core.Actor, limit limiter, message string) error {
	if actor.SignedIn() || !limit.writeExceeds(ctx, actor.Address) {
		return nil
	}
	if happened, err := k.market.WasCommitted(ctx, actor); err == nil && happened {
		return nil
	}
	return &core.Error{Kind: core.TooMany, Code: CodeSignIn, Message: message, RetryAfter: limit.window}
}

// limitVisitorOffers returns an error with CodeSignIn for a visitor who may not offer now: TooMany
// when this client or its network has sent enough, and Unauthenticated when the market takes no
// offers from visitors, because its operator does not allow them or because visitors of the whole
// market have sent as many as it takes. All replicas share the limits.
func (k *Kernel) limitVisitorOffers(ctx context.Context, actor core.Actor) error {
	if actor.SignedIn() {
		return nil
	}
	if k.visitors.signInToOffer {
		return &core.Error{Kind: core.Unauthenticated, Code: CodeSignIn, Message: "Sign in with Discord to send an offer"}
	}
	const tooMany = "Too many offers from here. Sign in with Discord, or wait a few minutes."
	if err := k.limitVisitor(ctx, actor, k.visitors.offers, tooMany); err != nil {
		return err
	}
	network := actor
	network.Address = networkOf(actor.Address)
	if k.visitors.networks.writeExceeds(ctx, network.Address) && !k.happened(ctx, actor) {
		return &core.Error{
			Kind: core.TooMany, Code: CodeSignIn, Message: tooMany, RetryAfter: k.visitors.networks.window,
		}
	}
	if k.visitors.inAll.writeExceeds(ctx, "") && !k.happened(ctx, actor) {
		return &core.Error{
			Kind: core.Unauthenticated, Code: CodeSignIn, Message: "Many visitors are sending offers right now. Sign in with Discord to send yours.",
		}
	}
	return nil
}

func (k *Kernel) happened(ctx context.Context, actor core.Actor) bool {
	happened, err := k.market.WasCommitted(ctx, actor)
	return err == nil && happened
}

// networkOf returns the network that a client's address belongs to: 48 bits of IPv6, 24 of IPv4. An address that cannot be
// read is its own.
func networkOf(client string) string {
	bits := 24
	prefix, err := netip.ParsePrefix(client)
	if err == nil {
		bits = 48
	} else if ip, err := netip.ParseAddr(client); err == nil {
		prefix = netip.PrefixFrom(ip, ip.BitLen())
	} else {
		return client
	}
	network, err := prefix.Addr().Prefix(bits)
	if err != nil {
		return client
	}
	return network.String()
}

// limitVisitorReports returns TooMany when visitors at this address have reported enough for now.
func (k *Kernel) limitVisitorReports(ctx context.Context, actor core.Actor) error {
	return k.limitVisitor(ctx, actor, k.visitors.reports, "Too many reports from here. Sign in with Discord, or wait a few minutes.")
}
