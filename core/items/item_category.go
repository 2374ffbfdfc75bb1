package items

import "tradepost/core/game"

// CategoryOf returns the profession that an order belongs to whose buyer did not say: the one that makes the item which its name names.
// It is empty where the catalogue knows no such item, or no single profession; then the default of the game applies.
func (x *ItemIndex) CategoryOf(itemName string, game game.Game) game.Category {
	item, known := x.Named(x.Meant(x.forms.Line(itemName)))
	if !known {
		return ""
	}
	return item.Proposal(game).Category
}
