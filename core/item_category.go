package core

// CategoryOf returns the profession that an order belongs to whose buyer did not say: the one that makes the item which its name names.
// It is empty where the catalogue knows no such item, or no single profession; then the default of the game applies.
func (x *ItemIndex) CategoryOf(itemName string, game Game) Category {
	item, known := x.Named(x.Meant(x.forms.line(itemName)))
	if !known {
		return ""
	}
	return item.Proposal(game).Category
}

// withCategory fills in the category of a draft that has none.
func (d OrderDraft) withCategory(index *ItemIndex, game Game) OrderDraft {
	if d.Category == "" {
		d.Category = index.CategoryOf(d.ItemName, game)
	}
	return d
}
