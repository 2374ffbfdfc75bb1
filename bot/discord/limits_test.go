package discord_test

import (
	"testing"

	"tradepost/bot/discord"
)

func TestAcceptsLink(t *testing.T) {
	for address, want := range map[string]bool{
		"https://trade.example":   true,
		"http://127.0.0.1:8080":   true,
		"http://localhost:8080":   false,
		"http://market.":          false,
		"http://0.0.0.0:8080":     false,
		"http://[::]:8080":        false,
		"http://[::1]:8080":       false,
		"https://a.example:99999": true, // the port is not looked at
		"not an address":          false,
		"":                        false,
	} {
		if got := discord.AcceptsLink(address); got != want {
			t.Errorf("AcceptsLink(%q) = %v", address, got)
		}
	}
}
