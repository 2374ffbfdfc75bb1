package web

import (
	"log/slog"

	"tradepost/web/kernel"
	"tradepost/web/pages"
	"tradepost/web/people"
	"tradepost/web/serving"
)

// Programs use the parts of the HTTP adapter by these names.
type (
	// Limits are the rate limits and the shares of each client.
	Limits = kernel.Limits
	// SharedLimits counts what clients do over all replicas.
	SharedLimits = kernel.SharedLimits
	// Discord configures the OAuth client.
	Discord = people.Discord
	// Branding is how an operator customizes the page.
	Branding = pages.Branding
	// Hub publishes changes of the market to every open event stream.
	Hub = serving.Hub
	// Purger tells caches in front of the program which of their responses have become stale.
	Purger = serving.Purger
)

// CodeSignIn is the code of a problem that signing in solves.
const CodeSignIn = kernel.CodeSignIn

// NewHub returns a hub without subscribers.
func NewHub() *Hub { return serving.NewHub() }

// NewPurger returns a purger for the caches that take purges at these addresses.
func NewPurger(addresses []string, log *slog.Logger) *Purger {
	return serving.NewPurger(addresses, log)
}

// CheckPurgeURL returns an error when an address cannot be where a cache takes purges.
func CheckPurgeURL(address string) error { return serving.CheckPurgeURL(address) }

// CheckSecurityContact returns an error when RFC 9116 does not allow a contact.
func CheckSecurityContact(contact string) error { return pages.CheckSecurityContact(contact) }

// ParseColour reads a colour as #1f6f63.
func ParseColour(text string) (pages.Colour, error) { return pages.ParseColour(text) }

// ParseLogo reads an SVG, PNG or WebP picture of up to 256 KiB.
func ParseLogo(data []byte) (*pages.Logo, error) { return pages.ParseLogo(data) }
