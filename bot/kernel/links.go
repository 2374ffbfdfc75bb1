package kernel

import (
	"fmt"

	"tradepost/core"
)

// OrderURL is the page of an order; empty when there is no page.
func (d *Drawer) OrderURL(id core.OrderID) string {
	if d.PublicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/requests/%d", d.PublicURL, id)
}

// ItemURL is the page of an item; empty when there is none.
func (d *Drawer) ItemURL(id core.ItemID) string {
	if d.PublicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/items/%d", d.PublicURL, id)
}

// nameURL is where the name of an order leads: to its item, or to the order where the catalogue does not have the item.
func (d *Drawer) nameURL(o core.Order) string {
	if o.Item == 0 {
		return d.OrderURL(o.ID)
	}
	return d.ItemURL(o.Item)
}

func (d *Drawer) MineURL() string { return d.PageURL("/mine") }

// PageURL is the address of a page of the site; empty without a site.
func (d *Drawer) PageURL(path string) string {
	if d.PublicURL == "" {
		return ""
	}
	return d.PublicURL + path
}
