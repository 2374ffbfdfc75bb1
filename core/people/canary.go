package people

import "tradepost/core"

// The accounts of the canary, which trade with each other.
var (
	CanaryBuyer = Profile{DiscordID: core.CanaryPrefix + "buyer", Username: "canary.buyer",
		DisplayName: "Canary"}
	CanarySeller = Profile{DiscordID: core.CanaryPrefix + "seller", Username: "canary.seller",
		DisplayName: "Canary"}
)
