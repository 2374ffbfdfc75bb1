package kernel

import (
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
)

// LineFixView is the JSON shape of a line as it was probably meant.
type LineFixView struct {
	Line  string      `json:"line" example:"Iron Ore x600 4s"`
	Usual bool        `json:"usual" doc:"The line says no price; its price is the item's usual one"`
	Price core.Copper `json:"price" doc:"For one, in copper" example:"4000"`
}

// ViewLineFix returns the shape of a line as it was probably meant.
func ViewLineFix(game game.Game, f items.LineFix) LineFixView {
	return LineFixView{Line: f.Line(game), Usual: f.Usual, Price: f.Price}
}
