package serving

import (
	"context"
	"encoding/json"
	"slices"

	"tradepost/core"
	"tradepost/web/kernel"
)

// changeView is the data of a change event. It says nothing that a visitor may not see.
type changeView struct {
	Orders []core.OrderID `json:"orders" doc:"Requests that were added, changed or removed"`
	Mine   bool           `json:"mine" doc:"The caller's own lists or inbox changed"`
	// Changed and Gone are all of Orders, or both are left out.
	Changed []kernel.OrderView `json:"changed,omitempty" doc:"Those of them that are open, as everybody sees them now"`
	Gone    []core.OrderID     `json:"gone,omitempty" doc:"Those of them that are not open to everybody (any more)"`
	Counts  *kernel.CountsView `json:"counts,omitempty" doc:"What GET /api/orders/counts answers now; left out when no list has changed"`
}

// newEvent returns the event of a change with its data, which is written as JSON once for all readers.
func newEvent(c core.Change, describe func(context.Context, core.Change) changeView) *hubEvent {
	slices.Sort(c.Orders)
	slices.Sort(c.Users)
	c.Orders, c.Users = slices.Compact(c.Orders), slices.Compact(c.Users)
	e := &hubEvent{Change: c}
	if c.Resync {
		return e
	}
	view := changeView{Orders: c.Orders}
	if describe != nil {
		ctx, cancel := context.WithTimeout(context.Background(), describeTime)
		defer cancel()
		view = describe(ctx, c)
	}
	if view.Orders == nil {
		view.Orders = []core.OrderID{}
	}
	if len(c.Orders) > 0 {
		e.data = view.json()
	}
	if len(c.Users) > 0 {
		view.Mine = true
		e.mine = view.json()
	}
	return e
}

func (v changeView) json() []byte {
	data, _ := json.Marshal(v) // nothing in it can fail
	return data
}

// dataFor returns the data of the event for a reader, nil when it does not concern them.
func (e *hubEvent) dataFor(user core.UserID) []byte {
	if _, concerned := slices.BinarySearch(e.Users, user); concerned && user != 0 {
		return e.mine
	}
	return e.data
}
