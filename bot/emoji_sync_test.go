package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/bot/emojis"
	"tradepost/core/game"
)

func withEmojis(o *bot.Options) { o.Emojis = emojis.For(game.Standard()) }

// waitEmojis waits until the application has all emojis of the standard game.
func waitEmojis(t *testing.T, d *discordtest.Discord) {
	t.Helper()
	all := len(emojis.For(game.Standard()))
	d.WaitRequests(t, "POST /applications/{application_id}/emojis", all)
	if got := d.Emojis(); len(got) != all || !slices.Contains(got, "pickaxe") {
		t.Errorf("the application has %q", got)
	}
}

func TestEmojisAreUploadedOnceAndShown(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	first := w.start(withEmojis)
	w.WaitForBot(t)
	waitEmojis(t, w.Discord)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	w.ForgetRequests()
	w.start(withEmojis)
	w.WaitForBot(t)
	w.WaitRequests(t, "GET /applications/{application_id}/emojis", 2) // by what waits for emojis, and by what uploads them
	w.post("maple", item("Iron Ore"), in("Miner"))
	rowan := w.Player(t, "rowan.ashdown").In("request-board")
	card := rowan.Slash("request show", discordtest.Str("request", "Iron Ore"), discordtest.Bool("share", true))
	if text := card.Text(); !strings.Contains(text, "<:pickaxe:") || !strings.Contains(text, "<:copper:") {
		t.Errorf("the card reads %q", text)
	}
	if pictures := card.Pictures(); len(pictures) != 1 || !strings.HasPrefix(pictures[0], "https://cdn.discordapp.com/emojis/") {
		t.Errorf("the card shows %q", pictures)
	}
	options := rowan.Slash("request browse").List("Category…").Options
	if i := slices.IndexFunc(options, func(o discordtest.SelectOption) bool { return o.Value == "Miner" }); options[i].Emoji == nil || options[i].Emoji.Name != "pickaxe" {
		t.Errorf("a profession to choose is %+v", options[i])
	}
	if n := len(w.Requests("POST /applications/{application_id}/emojis")); n != 0 {
		t.Errorf("%d emojis were uploaded again", n)
	}
}

func TestWithoutEmojisThereAreSignsOfUnicode(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	refused := w.Fail("POST /applications/{application_id}/emojis", discordtest.Always, discordtest.RefusingWith(30008))
	w.start(withEmojis)
	w.WaitForBot(t)
	refused.WaitHits(t, 1)
	w.post("maple", item("Iron Ore"))
	card := w.Player(t, "rowan.ashdown").Slash("request show", discordtest.Str("request", "Iron Ore"))
	if text := card.Text(); !strings.Contains(text, "🟤 **250c**") {
		t.Errorf("the card reads %q", text)
	}
}

func TestABotThatWaitsLearnsTheEmojis(t *testing.T) {
	t.Parallel()
	w, lock := openWithoutBot(t), newOneHolder()
	locked := func(o *bot.Options) { o.Lock = lock }
	w.start(withEmojis, locked)
	w.WaitForBot(t)
	waitEmojis(t, w.Discord)
	w.ForgetRequests()
	waiting := w.start(withEmojis, locked)
	w.WaitRequests(t, "GET /applications/{application_id}/emojis", 1)
	if err := waiting.stop(); err != nil {
		t.Fatal(err)
	}
	if n := len(w.Requests("POST /applications/{application_id}/emojis")); n != 0 {
		t.Errorf("it has uploaded %d", n)
	}
}
