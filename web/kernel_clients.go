package web

import (
	"context"
	"net/netip"
)

// client is the origin of a request.
type client struct {
	address   netip.Addr // invalid when the peer's cannot be read
	forwarded forwarding
}

// forwarding is how a header that names another address than the peer's was handled.
type forwarding string

const (
	notForwarded     forwarding = "none"     // there is no such header
	forwardBelieved  forwarding = "believed" // the peer is a trusted proxy
	forwardedIgnored forwarding = "ignored"  // the peer is not
)

type clientKey struct{}

// withClient returns the context of a request with its client.
func withClient(ctx context.Context, c client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

func clientIn(ctx context.Context) client {
	c, _ := ctx.Value(clientKey{}).(client)
	return c
}

// limitKeyOf returns the key under which limits count the client of a request.
func limitKeyOf(ctx context.Context) string { return limitKey(clientIn(ctx).address) }
