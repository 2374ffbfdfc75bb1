package items

import "tradepost/core"

// ProvisionalItem is an item that waits for a moderator.
type ProvisionalItem struct {
	Item     Item
	Requests int   // that named it in the last 30 days
	Near     *Item // the listed item that its name is a near miss of; nil for none
}

// Provisional returns the items that wait for a moderator after a number, the oldest first. A name that no
// visible request had lately does not wait.
func (x *Index) Provisional(after core.ItemID, limit int) []ProvisionalItem {
	var waiting []ProvisionalItem
	for at := range x.Items {
		item := &x.Items[at]
		asked := item.Requests > 0 || item.Suggested
		if item.State != Provisional || !asked || item.ID <= after || len(waiting) == limit {
			continue
		}
		w := ProvisionalItem{Item: item.Item, Requests: item.Requests}
		near, known := x.near(x.forms.FoldItem(item.Name),
			func(other int) bool { return x.Items[other].State == Listed })
		if known {
			w.Near = &near
		}
		waiting = append(waiting, w)
	}
	return waiting
}
