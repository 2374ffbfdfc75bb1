package pages

import (
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/text"
)

// english writes the texts in pictures: who follows a link reads them before a language is known, and a chat
// shows the same picture to all of its readers.
var english = text.For("en")

// grouped writes a whole number as people read it: 1,240.
func grouped[N int | uint64](n N) string { return english.Count(uint64(n)) }

// money writes an amount as people read it: "1,240p 500g".
func money(g game.Game, amount core.Copper) string { return g.Print(amount, grouped[uint64]) }
