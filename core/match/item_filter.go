package match

import "context"

// ofItem returns a filter with the names of the item that it asks for.
func (m *searchActs) ofItem(ctx context.Context, f OrderFilter) (OrderFilter, error) {
	f.Named = nil
	if f.ItemID == 0 {
		return f, nil
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return f, err
	}
	f.Named = []string{}
	if item, known := index.Item(f.ItemID); known && item.Known() {
		f.ItemID, f.Named = item.ID, index.NamesOf(item.ID)
	}
	return f, nil
}
