package items

import "tradepost/core/game"

// CategoryOf returns the profession of an order when its buyer chose none: the one that makes the named
// item. It is empty where the catalogue has no such item or no single profession for it; then the default of
// the game applies.
func (x *Index) CategoryOf(itemName string, game game.Game) game.Category {
	item, known := x.Named(x.Meant(x.forms.Line(itemName)))
	if !known {
		return ""
	}
	return item.Proposal(game).Category
}
