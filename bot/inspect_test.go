package bot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
)

func TestAnApplicationIsInspectedByItsToken(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	d.AllowRedirect("https://trade.example/auth/discord/callback")
	found, err := discord.Inspect(t.Context(), d.Token(), d.Transport(), true)
	if err != nil {
		t.Fatal(err)
	}
	if found.ApplicationID != d.ClientID() || found.ApplicationName == "" ||
		!slices.Contains(found.RedirectURIs, "https://trade.example/auth/discord/callback") {
		t.Errorf("found %+v", found)
	}
	if len(found.Servers) != 1 || len(found.Servers[0].Missing) != 0 {
		t.Errorf("in servers %+v", found.Servers)
	}

	d.SetBotPermissions(1 << 10) // it may look, and no more
	found, err = discord.Inspect(t.Context(), d.Token(), d.Transport(), true)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(found.Servers[0].Missing, ", "); got != "Send Messages, Send Messages in Threads, Embed Links, Read Message History, Create Private Threads" {
		t.Errorf("missing %q", got)
	}

	if found, err = discord.Inspect(t.Context(), d.Token(), d.Transport(), false); err != nil || slices.Contains(found.Servers[0].Missing, "Create Private Threads") {
		t.Errorf("without threads: %+v, %v", found.Servers, err)
	}

	if _, err := discord.Inspect(t.Context(), "wrong", d.Transport(), true); !errors.Is(err, discord.ErrToken) {
		t.Errorf("a wrong token: %v", err)
	}
}
