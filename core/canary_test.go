package core_test

import (
	"testing"

	"tradepost/core"
)

func TestOnlyTheProgramsOwnAccountsAreTheCanary(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{core.CanaryBuyer.DiscordID: true, core.CanarySeller.DiscordID: true, "80351110224678912": false, "": false} {
		if got := (core.User{DiscordID: id}).Actor().Canary; got != want || core.IsCanary(id) != want {
			t.Errorf("%q is a canary: %t", id, got)
		}
	}
}
