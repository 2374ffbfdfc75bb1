package kernel

import (
	"context"
	"net/http"
	"net/netip"

	"tradepost/core"
	"tradepost/core/trade"
)

// CodeSignIn is the code of a problem that signing in solves.
const CodeSignIn = trade.CodeSignIn

// Writes are counted when they arrive, so that concurrent ones cannot pass the limit. A write that fails on
// our side, and a repeat of an earlier write, is refunded once it is answered.

// WriteExceeds counts a write and reports whether it is beyond the limit of the client.
func (l Limiter) WriteExceeds(ctx context.Context, client string) bool {
	r := (&http.Request{}).WithContext(ctx) // the limiter wants one, for its context
	if l.Exceeds(r, client) {
		return true
	}
	if rec := RecordOf(ctx); rec != nil {
		rec.refunds = append(rec.refunds, func() { l.giveBack(ctx, client) })
	}
	return false
}

// visitorLimits are the limits of visitors, who are not signed in.
type visitorLimits struct {
	signInToOffer bool // visitors may not offer at all

	offers, networks, inAll Limiter // of offers: by client, by network and by all visitors together
	reports                 Limiter
}

// NewVisitorLimits returns the limits of visitors, which all replicas share.
func NewVisitorLimits(signInToOffer bool, l Limits, shared SharedLimits) visitorLimits {
	return visitorLimits{
		signInToOffer: signInToOffer,

		offers:   NewLimiter(l.VisitorOffers, visitorOfferWindow).Exactly("offers of a visitor", shared),
		networks: NewLimiter(l.VisitorNetwork, visitorOfferWindow).Exactly("offers of a network", shared),
		inAll:    NewLimiter(l.VisitorsInAll, visitorOfferWindow).Exactly("offers of visitors", shared),
		reports:  NewLimiter(l.VisitorReports, visitorReportWindow).Exactly("reports of a visitor", shared),
	}
}

// limitVisitor returns TooMany with CodeSignIn when visitors at this address have made enough writes of a
// kind for now. A repeat of a write that has happened passes: it has no effect.
func (k *Kernel) limitVisitor(ctx context.Context, actor core.Actor, limit Limiter, message string) error {
	if actor.SignedIn() || !limit.WriteExceeds(ctx, actor.Address) {
		return nil
	}
	if happened, err := k.Market.WasCommitted(ctx, actor); err == nil && happened {
		return nil
	}
	return &core.Error{Kind: core.TooMany, Code: CodeSignIn, Message: message, RetryAfter: limit.Window}
}

// LimitVisitorOffers returns an error with CodeSignIn for a visitor who may not offer now: TooMany
// when this client or its network has sent enough, and Unauthenticated when the market takes no
// offers from visitors, because its operator does not allow them or because visitors of the whole
// market have sent as many as it takes. All replicas share the limits.
func (k *Kernel) LimitVisitorOffers(ctx context.Context, actor core.Actor) error {
	if actor.SignedIn() {
		return nil
	}
	if k.Visitors.signInToOffer {
		return &core.Error{Kind: core.Unauthenticated, Code: CodeSignIn,
			Message: "Sign in with Discord to send an offer"}
	}
	const tooMany = "Too many offers from here. Sign in with Discord, or wait a few minutes."
	if err := k.limitVisitor(ctx, actor, k.Visitors.offers, tooMany); err != nil {
		return err
	}
	network := actor
	network.Address = networkOf(actor.Address)
	if k.Visitors.networks.WriteExceeds(ctx, network.Address) && !k.happened(ctx, actor) {
		return &core.Error{
			Kind: core.TooMany, Code: CodeSignIn, Message: tooMany, RetryAfter: k.Visitors.networks.Window,
		}
	}
	if k.Visitors.inAll.WriteExceeds(ctx, "") && !k.happened(ctx, actor) {
		return &core.Error{
			Kind: core.Unauthenticated, Code: CodeSignIn,
			Message: "Many visitors are sending offers right now. Sign in with Discord to send yours.",
		}
	}
	return nil
}

func (k *Kernel) happened(ctx context.Context, actor core.Actor) bool {
	happened, err := k.Market.WasCommitted(ctx, actor)
	return err == nil && happened
}

// networkOf returns the network that a client's address belongs to: 48 bits of IPv6, 24 of IPv4. An address
// that cannot be read is its own.
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

// LimitVisitorReports returns TooMany when visitors at this address have reported enough for now.
func (k *Kernel) LimitVisitorReports(ctx context.Context, actor core.Actor) error {
	return k.limitVisitor(ctx, actor, k.Visitors.reports,
		"Too many reports from here. Sign in with Discord, or wait a few minutes.")
}
