package postgres

import (
	"encoding/json"
	"time"

	"tradepost/core"
)

// listChange says by how much a transaction changes the number of open orders. Without counting, totals follow from it: see
// keptTotals. The zero value changes nothing.
type listChange struct {
	made    bool // a list changes
	unknown bool // by how much is not known: everything is counted again
	moves   []move
}

// move is one open order more or less.
type move struct {
	Category  core.Category `json:"category"`
	ExpiresAt time.Time     `json:"expires"`
	By        int           `json:"by"`
}

// joins says that an order is on the lists from now on, as it is.
func (c *listChange) joins(o core.Order) { c.moves, c.made = append(c.moves, moved(o, 1)...), true }

// leaves says that an order is no longer on the lists as it was.
func (c *listChange) leaves(o core.Order) { c.moves, c.made = append(c.moves, moved(o, -1)...), true }

// change says that the lists are changed in another way.
func (c *listChange) change() { c.made, c.unknown = true, true }

func moved(o core.Order, by int) []move {
	if o.Status != core.Active || o.Hidden {
		return nil
	}
	return []move{{o.Category, o.ExpiresAt, by}}
}

// counted returns the moves for the row of the change; nil when there is nothing to say.
func (c *listChange) counted() []byte {
	if !c.made || c.unknown {
		return nil
	}
	text, _ := json.Marshal(append([]move{}, c.moves...)) // words, times and numbers: it cannot fail
	return text
}
