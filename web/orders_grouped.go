package web

import (
	"time"

	"tradepost/core"
)

// groupView is the JSON shape of the open orders of one item.
type groupView struct {
	Requests int         `json:"requests" doc:"How many requests of this item match" example:"4"`
	Wanted   int         `json:"wanted" doc:"How many are left of all of them" example:"1240"`
	Best     core.Copper `json:"best" doc:"The highest unit price, in copper" example:"25000"`
}

func viewListedOrder(o core.ListedOrder, now time.Time) orderView {
	v := viewOrder(o.Order, now)
	if o.Group.Orders > 0 {
		v.Group = &groupView{Requests: o.Group.Orders, Wanted: o.Group.Wanted, Best: o.Group.Best}
	}
	return v
}
