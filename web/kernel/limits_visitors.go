package kernel

import (
	"context"
	"net/http"
	"net/netip"

	"tradepost/core"
)

// CodeSignIn is the code of a problem that signing in solves.
const CodeSignIn = core.CodeSignIn

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

		offers:   NewLimiter(core.LimitVisitorOffers, l.VisitorOffers).Exactly(shared),
		networks: NewLimiter(core.LimitNetworkOffers, l.VisitorNetwork).Exactly(shared),
		inAll:    NewLimiter(core.LimitVisitors, l.VisitorsInAll).Exactly(shared),
		reports:  NewLimiter(core.LimitVisitorReports, l.VisitorReports).Exactly(shared),
	}
}

// limitVisitor returns the error of a limit when a visitor is beyond it. A repeat of a write that has
// happened passes: it has no effect.
func (k *Kernel) limitVisitor(ctx context.Context, actor core.Actor, limit Limiter, client string) error {
	if actor.SignedIn() || !limit.WriteExceeds(ctx, client) {
		return nil
	}
	if happened, err := k.Market.WasCommitted(ctx, actor); err == nil && happened {
		return nil
	}
	return limit.Limit.Over(0)
}

// LimitVisitorOffers returns an error with CodeSignIn for a visitor who may not offer now: TooMany
// when this client or its network has sent enough, and Unauthenticated when the market takes no
// offers from visitors, because its operator does not allow them or because visitors of the whole
// market have sent as many as it takes. All replicas share the limits.
func (k *Kernel) LimitVisitorOffers(ctx context.Context, actor core.Actor) error {
	if k.Visitors.signInToOffer && !actor.SignedIn() {
		return &core.Error{Kind: core.Unauthenticated, Code: CodeSignIn,
			Message: "Sign in with Discord to send an offer"}
	}
	if err := k.limitVisitor(ctx, actor, k.Visitors.offers, actor.Address); err != nil {
		return err
	}
	if err := k.limitVisitor(ctx, actor, k.Visitors.networks, networkOf(actor.Address)); err != nil {
		return err
	}
	return k.limitVisitor(ctx, actor, k.Visitors.inAll, "")
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
	return k.limitVisitor(ctx, actor, k.Visitors.reports, actor.Address)
}
