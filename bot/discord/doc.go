// Package discord is Discord's protocol as a bot needs it, on top of discordgo: a supervised gateway
// connection (Gateway), requests within the rate limits (Client), interactions, modals, custom IDs, escaping
// and the limits of messages.
//
// It knows nothing of the market. modal.go adds the parts that discordgo v0.29 lacks; docs/decisions/0009
// describes how the library is used.
package discord
