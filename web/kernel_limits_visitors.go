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
	if rec, ok := ctx.Value(recordKey{}).(*record); ok {
		rec.refunds = append(rec.refunds, func() { l.giveBack(ctx, client) })
	}
	return false
}

// limitVisitor returns TooMany with CodeSignIn when visitors at this address have made enough writes of a kind for now. A
// repeat of a write that has happened passes: it has no effect.
func (s *Server) limitVisitor(ctx context.Context, actor core.Actor, limit limiter, message string) error {
	if actor.SignedIn() || !limit.writeExceeds(ctx, actor.Address) {
		return nil
	}
	if happened, err := s.market.WasCommitted(ctx, actor); err == nil && happened {
		return nil
	}
	return &core.Error{Kind: core.TooMany, Code: CodeSignIn, Message: message, RetryAfter: limit.window}
}

// limitVisitorOffers returns an error with CodeSignIn for a visitor who may not offer now: TooMany
// when this client or its network has sent enough, and Unauthenticated when the market takes no
// offers from visitors, because its operator does not allow them or because visitors of the whole
// market have sent as many as it takes. All replicas share the limits.
func (s *Server) limitVisitorOffers(ctx context.Context, actor core.Actor) error {
	if actor.SignedIn() {
		return nil
	}
	if s.opts.NoVisitorOffers {
		return &core.Error{Kind: core.Unauthenticated, Code: CodeSignIn, Message: "Sign in with Discord to send an offer"}
	}
	const tooMany = "Too many offers from here. Sign in with Discord, or wait a few minutes."
	if err := s.limitVisitor(ctx, actor, s.visitorOffers, tooMany); err != nil {
		return err
	}
	network := actor
	network.Address = networkOf(actor.Address)
	if s.visitorNetworks.writeExceeds(ctx, network.Address) && !s.happened(ctx, actor) {
		return &core.Error{
			Kind: core.TooMany, Code: CodeSignIn, Message: tooMany, RetryAfter: s.visitorNetworks.window,
		}
	}
	if s.visitorsInAll.writeExceeds(ctx, "") && !s.happened(ctx, actor) {
		return &core.Error{
			Kind: core.Unauthenticated, Code: CodeSignIn, Message: "Many visitors are sending offers right now. Sign in with Discord to send yours.",
		}
	}
	return nil
}

func (s *Server) happened(ctx context.Context, actor core.Actor) bool {
	happened, err := s.market.WasCommitted(ctx, actor)
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
func (s *Server) limitVisitorReports(ctx context.Context, actor core.Actor) error {
	return s.limitVisitor(ctx, actor, s.visitorReports, "Too many reports from here. Sign in with Discord, or wait a few minutes.")
}
