package kernel

import (
	"context"
	"net/netip"
)

// Client is the origin of a request.
type Client struct {
	Address   netip.Addr // invalid when the peer's cannot be read
	Forwarded Forwarding
}

// Forwarding is how a header that names another address than the peer's was handled.
type Forwarding string

// The ways in which a client's address is known.
const (
	NotForwarded     Forwarding = "none"     // there is no such header
	ForwardBelieved  Forwarding = "believed" // the peer is a trusted proxy
	ForwardedIgnored Forwarding = "ignored"  // the peer is not
)

type clientKey struct{}

// WithClient returns the context of a request with its client.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientIn returns the client of a request.
func ClientIn(ctx context.Context) Client {
	c, _ := ctx.Value(clientKey{}).(Client)
	return c
}

// LimitKeyOf returns the key under which limits count the client of a request.
func LimitKeyOf(ctx context.Context) string { return LimitKey(ClientIn(ctx).Address) }
