package kernel

import (
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

func TestLargeNumbersAreWrittenAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	sum := 1240*coretest.Platinum + 500*coretest.Gold
	tooMuch := core.NewError(core.Invalid, core.NewText("quantity_range", "most", 12_500))
	for locale, want := range map[string][2]string{
		"en-US": {"1,240p 500g", "12,500"},
		"de":    {"1.240p 500g", "12.500"},
	} {
		translate := TranslatorFor(locale, game.Standard())
		if got := string(translate.Text(msg.HintLaterAt, "wait", sum)); !strings.Contains(got, want[0]) {
			t.Errorf("%s: an amount reads %q", locale, got)
		}
		if got := string(translate.Coins(sum)); !strings.Contains(got, strings.Fields(want[0])[0]) {
			t.Errorf("%s: coins read %q", locale, got)
		}
		if got := string(translate.ErrorReply(tooMuch).Text); !strings.Contains(got, want[1]) {
			t.Errorf("%s: an error reads %q", locale, got)
		}
	}
}
