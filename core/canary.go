package core

import "strings"

// canaryPrefix begins the Discord IDs of the accounts with which the program trades to check itself. Those of people are numbers.
const canaryPrefix = "canary-"

// The accounts of the canary, which trade with each other.
var (
	CanaryBuyer  = Profile{DiscordID: canaryPrefix + "buyer", Username: "canary.buyer", DisplayName: "Canary"}
	CanarySeller = Profile{DiscordID: canaryPrefix + "seller", Username: "canary.seller", DisplayName: "Canary"}
)

// IsCanary reports whether a Discord ID is one of the canary's.
func IsCanary(discordID string) bool { return strings.HasPrefix(discordID, canaryPrefix) }

// asTraded returns the order as the actor trades it: the requests of the canary are hidden from all lists, but not from itself.
func asTraded(a Actor, o Order) Order {
	if a.Canary {
		o.Hidden = false
	}
	return o
}
