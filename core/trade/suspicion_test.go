package trade_test

import (
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
)

func TestOperatorsAddSuspiciousPhrases(t *testing.T) {
	t.Parallel()
	forms := coretest.Forms
	forms.Suspicious = []string{"Cheap coins", ""}
	for text, refused := range map[string]bool{
		"CHEAP c\u043eins here": true, "cheapcoins": true, "cheap and coins": false, "urgent": true, "Iron Ore": false,
	} {
		draft := coretest.OrderDraft(func(d *trade.OrderDraft) { d.Description = text })
		if _, err := trade.NewOrder(draft, 1, game.Standard(), forms, coretest.Noon); (core.KindOf(err) == core.Invalid) != refused {
			t.Errorf("%q: NewOrder = %v, want refused: %v", text, err, refused)
		}
	}
}

// The page's tests run the same cases. tools/rules writes them.
func TestTheGeneratedCasesOfSuspiciousTextAreCurrent(t *testing.T) {
	t.Parallel()
	cases := coretest.Vectors[[]struct {
		Text    string
		Refused bool
	}](t, "suspicion.json")
	found := map[string]bool{}
	for _, tt := range cases {
		draft := coretest.OrderDraft(func(d *trade.OrderDraft) { d.Description = tt.Text })
		_, err := trade.NewOrder(draft, 1, game.Standard(), coretest.Forms, coretest.Noon)
		if (core.KindOf(err) == core.Invalid) != tt.Refused {
			t.Errorf("%q: NewOrder = %v, want refused: %v", tt.Text, err, tt.Refused)
		}
		found[tt.Text] = tt.Refused
	}
	for _, phrase := range core.SuspiciousPhrases() {
		if !found[phrase] || !found[strings.ReplaceAll(phrase, " ", "")] {
			t.Errorf("%q is not among the cases: make generate", phrase)
		}
	}
}
