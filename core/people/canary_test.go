package people_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/people"
)

func TestOnlyTheProgramsOwnAccountsAreTheCanary(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{people.CanaryBuyer.DiscordID: true, people.CanarySeller.DiscordID: true, "80351110224678912": false, "": false} {
		if got := (people.User{DiscordID: id}).Actor().Canary; got != want || core.IsCanary(id) != want {
			t.Errorf("%q is a canary: %t", id, got)
		}
	}
}
