package match

import (
	"cmp"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Stock is a seller's quantity of one item and their lowest price for one. It never trades by itself: it
// alerts its seller to requests, and shows buyers the available quantity.
type Stock struct {
	ID   core.StockID
	User core.UserID
	StockDraft

	CreatedAt time.Time
	TouchedAt time.Time // when its seller last said that it is there
	AskedAt   time.Time // when they were asked whether it still is; zero since they said so

	SnoozedUntil time.Time `json:",omitzero"` // its alerts are held
	AlertsOffAt  time.Time `json:",omitzero"` // it alerts to nothing; zero while it does

	// Category is where a list of listings has it: the profession that makes the item when it was saved.
	Category game.Category `json:"-"`

	// Item is the item that ItemName names, zero for none. It is found out when stock is read, and not
	// stored.
	Item core.ItemID `json:",omitzero"`
}

// StockDraft contains the fields of stock that a seller fills in. A field that is added later needs the tag
// `json:",omitzero"`, as in OrderDraft.
type StockDraft struct {
	ItemName string
	Quantity int         // zero once all of it was accepted
	Price    core.Copper // the least for one
	Note     string      // empty for none
	Public   bool        // others see its seller; else it is used for matching only

	// Until is when public stock is shown no more; zero for as long as it is there.
	Until time.Time `json:",omitzero"`

	// SellsDaily is how many of public stock are sold without asking its seller, in any 24 hours; zero for
	// none.
	SellsDaily int `json:",omitzero"`
}

const (
	// StockAskedAfter is how long after its seller touched it a seller is asked whether their stock is
	// still there.
	StockAskedAfter = 14 * core.Day
	// StockLifetime is how long stock stays that its seller does not touch.
	StockLifetime = 28 * core.Day
	// MaxStockSellers is how many sellers of an item are listed.
	MaxStockSellers = 50
)

// Gone reports whether the stock was not touched for so long that it counts no more.
func (s Stock) Gone(now time.Time) bool { return !now.Before(s.TouchedAt.Add(StockLifetime)) }

// RemovalUndo is the undo of the removal of an entry. A removed entry stays as long as that is possible, as
// one that was last touched StockLifetime before: what is accepted meanwhile falls from it.
func (s Stock) RemovalUndo(now time.Time) core.Undo {
	return core.Undo{
		Kind: core.UndoStock, ID: int64(s.ID), By: core.Actor.MayTrade, Done: !s.Gone(now),
		Until: s.TouchedAt.Add(StockLifetime + core.UndoWindow),
	}
}

func (d StockDraft) clean(forms core.TextForms) StockDraft {
	d.ItemName, d.Note = forms.Line(d.ItemName), forms.Line(d.Note)
	if !d.Until.IsZero() {
		d.Until = d.Until.UTC().Truncate(time.Microsecond)
	}
	if !d.Public {
		d.Until, d.SellsDaily = time.Time{}, 0
	}
	return d
}

func (d StockDraft) check(c *core.Checks, game game.Game, forms core.TextForms, now time.Time) {
	c.That(d.Until.IsZero() || d.Until.After(now) && !d.Until.After(now.Add(StockLifetime)), "until",
		core.NewText("listed_until_range", "days", int(StockLifetime/core.Day)))
	c.That(0 <= d.SellsDaily && d.SellsDaily <= core.MaxQuantity, "sellsDaily",
		core.NewText("quantity_too_high", "most", core.MaxQuantity))
	c.That(d.ItemName != "", "itemName", core.NewText("item_name_required"))
	c.That(core.Within(d.ItemName, core.MaxItemName), "itemName",
		core.TooLong("item_name_too_long", core.MaxItemName))
	c.That(d.Quantity > 0, "quantity", core.NewText("quantity_not_positive"))
	c.That(d.Quantity <= core.MaxQuantity, "quantity",
		core.NewText("quantity_too_high", "most", core.MaxQuantity))
	c.That(d.Price > 0, "price", core.NewText("stock_price_required"))
	c.That(d.Price <= core.MaxPrice, "price", game.TooMuchMessage())
	c.That(core.Within(d.Note, core.MaxStockNote), "note",
		core.TooLong("stock_note_too_long", core.MaxStockNote))
	if err := forms.RefuseSuspicious(core.SuspiciousPost,
		core.SuspiciousField{Name: "itemName", Before: "", After: d.ItemName},
		core.SuspiciousField{Name: "note", Before: "", After: d.Note}); err != nil {
		c.Add(err)
	}
}

// PlanStock applies drafts to a seller's stock: each replaces the entry of its item or is a new one. It
// returns the entries to save, new ones without an id, and Invalid or Conflict.
func PlanStock(
	drafts []StockDraft, present []Stock, index *items.Index, game game.Game, forms core.TextForms,
	now time.Time,
) ([]Stock, error) {
	var c core.Checks
	c.That(len(drafts) > 0, "stock", core.NewText("stock_required"))
	c.That(len(drafts) <= core.MaxStockLines, "stock",
		core.NewText("stock_lines_many", "limit", core.MaxStockLines))
	var saved []Stock
	added := 0
	for _, draft := range drafts {
		draft = draft.clean(forms)
		draft.ItemName = index.Meant(draft.ItemName)
		if item, known := index.Named(draft.ItemName); known {
			draft.ItemName = item.Name
		}
		draft.check(&c, game, forms, now)
		s := Stock{StockDraft: draft, CreatedAt: now, TouchedAt: now,
			Category: cmp.Or(index.CategoryOf(draft.ItemName, game), game.Default)}
		for _, other := range saved {
			c.That(!index.SameItem(other.ItemName, draft.ItemName), "itemName",
				core.NewText("stock_twice", "item", draft.ItemName))
		}
		for _, other := range present {
			if index.SameItem(other.ItemName, draft.ItemName) {
				s.ID, s.User, s.CreatedAt = other.ID, other.User, other.CreatedAt
			}
		}
		if s.ID == 0 {
			added++
		}
		saved = append(saved, s)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return saved, mayList(len(present) + added)
}

// mayList returns Conflict when a seller would list too many items.
func mayList(items int) error {
	if items <= core.MaxStock {
		return nil
	}
	return core.LimitStock.Over(0, "count", core.MaxStock)
}

// ItemStock is the stock of an item from all sellers.
type ItemStock struct {
	StockSum
	Sellers []SellerStock // with public stock, the cheapest first; MaxStockSellers at most
}

// StockSum sums up the stock of an item, public or not. It names no seller.
type StockSum struct {
	SellerCount int
	Quantity    int
	UpTo        core.Copper // the highest of their lowest prices
}

// SellerStock is public stock with its seller.
type SellerStock struct {
	Stock
	Seller people.Account
}

// StockQuery asks for stock that is there.
type StockQuery struct {
	Names []string    // of the item
	For   core.UserID // a buyer: leaves out their own stock and their blocked sellers'; zero for a visitor
	UpTo  core.Copper // the most for one; zero for any
	Since time.Time
}

// StockFits asks for the stock that an order is for.
type StockFits struct {
	trade.Order
	Names         []string // of its item
	TouchedAfter  time.Time
	TouchedBefore time.Time // later changes are left out
	// who was alerted to an equal request of the buyer since, which is over, is left out
	RepeatedSince time.Time
}
