package items

import (
	_ "embed"

	"tradepost/core"
)

// ShippedVersion grows whenever core/game_items.csv changes, so that markets with an older one import
// it.
const ShippedVersion = 1

//go:embed game_items.csv
var shippedItems []byte

// Shipped returns the items of the game that comes along.
func Shipped(forms core.TextForms) []Row {
	rows, err := ReadRows(shippedItems, forms)
	if err != nil {
		panic(err) // a mistake in game_items.csv
	}
	return rows
}
