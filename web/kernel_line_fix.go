package web

import (
	"tradepost/core"
)

// lineFixView is the JSON shape of a line as it was probably meant.
type lineFixView struct {
	Line  string      `json:"line" example:"Iron Ore x600 4s"`
	Usual bool        `json:"usual" doc:"The line says no price; its price is the item's usual one"`
	Price core.Copper `json:"price" doc:"For one, in copper" example:"4000"`
}

func viewLineFix(game core.Game, f core.LineFix) lineFixView {
	return lineFixView{Line: f.Line(game), Usual: f.Usual, Price: f.Price}
}
