package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
)

// withPrograms starts a bot for a market with every feature.
func withPrograms(t *testing.T) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.market.Features = core.EveryFeature()
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	return w
}

func TestAModeratorLetsProgramsTradeInDiscord(t *testing.T) {
	t.Parallel()
	w := withPrograms(t)
	mod, rowan := w.Player(t, moderator), w.Player(t, "rowan.ashdown").ManageMessages()
	trades := func(want bool) {
		t.Helper()
		if rules, err := w.market.Trade.MarketRules(t.Context()); err != nil || rules.ProgramsTrade() != want {
			t.Errorf("programs trade: %v, %v", rules.ProgramsTrade(), err)
		}
	}
	wants(t, "another user", rowan.Slash("moderate programs", discordtest.Bool("on", true)).View, "Only a moderator can do that")
	trades(false)
	on := mod.Slash("moderate programs", discordtest.Bool("on", true))
	if wants(t, "switched on", on.View, "programs can trade for people who let them"); !on.Private() {
		t.Error("everybody reads the answer")
	}
	trades(true)
	wants(t, "again", mod.Slash("moderate programs", discordtest.Bool("on", true)).View, "Programs can already trade")
	wants(t, "switched off", mod.Slash("moderate programs", discordtest.Bool("on", false)).View, "Programs can no longer trade")
	trades(false)
	wants(t, "the log", mod.Slash("moderate log").View, "let programs trade", "kept programs from trading")
}

func TestABuyerRefusesProgramsInDiscord(t *testing.T) {
	t.Parallel()
	w := withPrograms(t)
	maple := w.Player(t, "maple")
	card := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 10), discordtest.Str("price", "5s"),
		discordtest.Bool("no-programs", true)).Button("Post").Press()
	refuses := func(want bool) {
		t.Helper()
		if o := w.order("maple", 1); o.NoPrograms != want {
			t.Errorf("it refuses programs: %v", o.NoPrograms)
		}
	}
	refuses(true)
	open := card.Button("Programs, Too").Press()
	refuses(false)
	open.Button("No Programs").Press()
	refuses(true)
	maple.Slash("request edit", maple.Pick("request edit", "request", "Iron"), discordtest.Bool("no-programs", false))
	refuses(false)
	// Another user has no such button.
	rowan := w.Player(t, "rowan.ashdown")
	other := rowan.Slash("request show", rowan.Pick("request show", "request", "Iron"))
	if slices.ContainsFunc(other.Buttons(), func(label string) bool { return strings.Contains(label, "Programs") }) {
		t.Errorf("another user has %q", other.Buttons())
	}
}
