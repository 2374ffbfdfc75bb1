package kernel

import (
	"strings"
	"testing"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/game"
)

func TestCommandsInTextsCanBePressed(t *testing.T) {
	t.Parallel()
	ids := discord.CommandIDs{"request": "11", "offer": "12", "board": "13", "moderate": "14", "have": "15"}
	for locale, open := range map[string]string{"en-US": "`/request browse` of “`/request mine`”", "de": "`/gesuch stöbern` und `/gesuch meine`"} {
		tr := TranslatorFor(locale, game.Standard())
		if got := tr.mentioned(open); got != open {
			t.Errorf("%s: without ids %q became %q", locale, open, got)
		}
		tr.commands = ids
		if got := tr.mentioned(open); !strings.Contains(got, "</request browse:11>") || !strings.Contains(got, "</request mine:11>") {
			t.Errorf("%s: %q became %q", locale, open, got)
		}
		for _, unchanged := range []string{"`/watch list`", "`/request edit request:… price:9s`", string(discord.Escape("`/request mine`"))} {
			if got := tr.mentioned(unchanged); got != unchanged {
				t.Errorf("%s: %q became %q", locale, unchanged, got)
			}
		}
		if got := string(tr.ErrorReply(core.NewError(core.Invalid, core.NewText("board_missing"))).Text); !strings.Contains(got, "</board here:13>") || strings.Contains(got, `\/`) {
			t.Errorf("%s: an error reads %q", locale, got)
		}
	}
}

func TestEveryCommandThatATextNamesIsThere(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"en-US", "de"} {
		tr := TranslatorFor(locale, game.Standard())
		for key, message := range tr.Messages {
			for _, text := range message.Variants() {
				for _, found := range commandInText.FindAllStringSubmatch(text, -1) {
					words := strings.Fields(strings.NewReplacer("{price}", "", "…", "").Replace(found[1]))
					for len(words) > 0 && strings.Contains(words[len(words)-1], ":") {
						words = words[:len(words)-1]
					}
					if path := strings.Join(words, " "); pathOf(tr.Language, path) == "" {
						t.Errorf("%s, %s: there is no /%s", locale, key, path)
					}
				}
			}
		}
	}
}

func TestHintsFitTheError(t *testing.T) {
	t.Parallel()
	tr := TranslatorFor("en-US", game.Standard())
	for code, want := range map[string]string{
		"moderator_only": "", "undo_not_yours": "", "report_settled": "/moderate reports", "buyer_only": "/request mine", "watch_gone": "/market",
		"handover_later_once": "", "dispute_gone": "/moderate disputes",
	} {
		kind := core.Forbidden
		if strings.HasSuffix(code, "_gone") {
			kind = core.NotFound
		}
		refusal := core.NewText(code)
		got := string(tr.ErrorReply(core.NewError(kind, refusal)).Text)
		if want == "" && got != refusal.String() || !strings.Contains(got, want) {
			t.Errorf("after %s: %q", code, got)
		}
	}
	wait := core.NewUnavailable(core.Text{Plain: "Not now"})
	wait.RetryAfter = 90_000_000_000
	if got := string(tr.ErrorReply(wait).Text); got != "Not now\nTry again in 2 minutes." {
		t.Errorf("a wait reads %q", got)
	}
}
