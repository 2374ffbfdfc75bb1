package items

import (
	_ "embed"

	"tradepost/core"
)

// ShippedItemsVersion grows whenever core/game_items.csv changes, so that markets with an older one import
// it.
const ShippedItemsVersion = 1

//go:embed game_items.csv
var shippedItems []byte

// ShippedItems returns the items of the game that comes along.
func ShippedItems(forms core.TextForms) []ItemRow {
	rows, err := ReadItems(shippedItems, forms)
	if err != nil {
		panic(err) // a mistake in game_items.csv
	}
	return rows
}
