package pages

import (
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"tradepost/core"
	"tradepost/core/game"
)

// The server's own texts are in English.
var english = message.NewPrinter(language.English)

// grouped writes a whole number as people read it: 1,240.
func grouped[N int | uint64](n N) string { return english.Sprint(n) }

// money writes an amount as people read it: "1,240p 500g".
func money(g game.Game, amount core.Copper) string { return g.Print(amount, grouped[uint64]) }
