package game_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/game"
)

func FuzzParseCopper(f *testing.F) {
	for _, s := range []string{"1p 500g 250s 100c", "", "1000p", "p", "1g1g", "-1c", "1.5g", "١g"} {
		f.Add(s)
	}
	game := game.Standard()
	f.Fuzz(func(t *testing.T, typed string) {
		amount, err := game.ParseCopper("price", typed)
		if err != nil {
			if core.KindOf(err) != core.Invalid {
				t.Fatalf("%q: %v", typed, err)
			}
			return
		}
		if amount < 0 || amount > core.MaxPrice {
			t.Fatalf("%q = %d copper", typed, amount)
		}
		if again, err := game.ParseCopper("price", game.Format(amount)); err != nil || again != amount {
			t.Errorf("%q = %d, printed %q, read again %d, %v", typed, amount, game.Format(amount), again, err)
		}
	})
}
