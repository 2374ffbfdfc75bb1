package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
)

// asTraded returns the order as the actor trades it: the requests of the canary are hidden from all lists,
// but not from itself.
func asTraded(a core.Actor, o Order) Order {
	if a.Canary {
		o.Hidden = false
	}
	return o
}

// Status says whether an order still takes part in the market. A closed order opens again only by an undo.
type Status string

// The two statuses. An active order past its ExpiresAt is expired: still active here, gone from every
// public list.
const (
	Active    Status = "active"
	Fulfilled Status = "fulfilled"
)

// Statuses lists both.
var Statuses = []Status{Active, Fulfilled}

// CloseReason says how an order came to be fulfilled.
type CloseReason string

// The reasons. Open orders have none.
const (
	NotClosed   CloseReason = ""
	Filled      CloseReason = "filled"       // everything asked for was sold
	ClosedEarly CloseReason = "closed_early" // its buyer closed it before that
)

// CloseReasons lists the reasons of closed orders.
var CloseReasons = []CloseReason{Filled, ClosedEarly}

const (
	// OrderLifetime is how long an order is shown after it was posted or renewed.
	OrderLifetime = 365 * 24 * time.Hour
	// ExpiryWarning is how long before the expiry its buyer is warned.
	ExpiryWarning = 7 * 24 * time.Hour
)

// Order is a buyer's request for a quantity of one item.
type Order struct {
	ID      core.OrderID
	Owner   core.UserID
	Version int // grows by one with every change

	OrderDraft // as it was posted and last edited: clean and valid

	Status      Status
	Sold        int // always the sum of its sales
	CloseReason CloseReason
	CreatedAt   time.Time
	UpdatedAt   time.Time
	ExpiresAt   time.Time
	ClosedAt    time.Time // zero while active
	Hidden      bool      // its buyer is blocked, or it is the canary's: other users don't see it

	// of its contact and in-game name; set where orders are read for adapters
	LookAlike core.LookAlike `json:"-"`

	// Item is the item that ItemName names, zero for none. It is found out when an order is read, and not
	// stored.
	Item core.ItemID `json:",omitzero"`

	List core.ListID `json:",omitzero"` // that it was posted with; zero for none

	// Listing is the stock that the order asks for; zero for none. Only its buyer sees such an order, and the
	// seller of the stock, who says yes or no: it is Hidden from all others, and takes no offers.
	Listing core.StockID `json:",omitzero"`
}

// Remaining is how many items the buyer still needs.
func (o Order) Remaining() int { return o.Quantity - o.Sold }

// Progress is the share sold in whole percent, rounded down; 100 once fulfilled.
func (o Order) Progress() int {
	if o.Status == Fulfilled {
		return 100
	}
	return 100 * o.Sold / o.Quantity
}

// Bought is the share that was really bought in whole percent, also of an order that was closed early.
func (o Order) Bought() int { return 100 * o.Sold / o.Quantity }

// TotalValue returns the price of the whole order.
func (o Order) TotalValue() core.Copper { return o.MaxPrice * core.Copper(o.Quantity) }

// RemainingValue returns the price of the rest of the order.
func (o Order) RemainingValue() core.Copper { return o.MaxPrice * core.Copper(o.Remaining()) }

// Expired reports whether the order has expired unfulfilled.
func (o Order) Expired(now time.Time) bool { return o.Status == Active && !now.Before(o.ExpiresAt) }

// VisibleTo reports whether the reader may see the order at all.
func (o Order) VisibleTo(reader core.Actor, now time.Time) bool {
	if reader.MustBe(o.Owner) == nil {
		return true
	}
	return !o.Expired(now) && (!o.Hidden || reader.MustModerate() == nil)
}

// Open reports whether the order takes offers.
func (o Order) Open(now time.Time) bool {
	return o.Status == Active && now.Before(o.ExpiresAt) && !o.Away()
}

// Away reports whether the order is hidden with its buyer, and not because it asks for a listing.
func (o Order) Away() bool { return o.Hidden && o.Listing == 0 }

// mustBeOpen fails with Conflict when the order takes no offers, accepts or sales, and with NotFound when
// it is hidden.
func (o Order) mustBeOpen(now time.Time) error {
	if o.Away() {
		return OrderNotFound()
	}
	if o.Status != Active {
		return conflict(core.NewText("request_closed"), o)
	}
	if o.Expired(now) {
		return conflict(core.NewText("request_expired"), o)
	}
	return nil
}

// Equal reports whether two drafts say the same.
func (d OrderDraft) Equal(other OrderDraft) bool {
	sameLevel := d.LevelRequirement == other.LevelRequirement ||
		d.LevelRequirement != nil && other.LevelRequirement != nil &&
			*d.LevelRequirement == *other.LevelRequirement
	d.LevelRequirement, other.LevelRequirement = nil, nil
	return sameLevel && d == other
}

// mayFitOthers reports whether the draft differs from an earlier one in what people search for.
func (d OrderDraft) mayFitOthers(before OrderDraft) bool {
	d.BuyerContact, d.InGameName = before.BuyerContact, before.InGameName
	d.SignedInOnly, d.NoPrograms = before.SignedInOnly, before.NoPrograms
	return !d.Equal(before)
}

// Clean returns the draft with its texts cleaned and its defaults filled in.
func (d OrderDraft) Clean(g game.Game, forms core.TextForms) OrderDraft {
	for _, f := range Fields {
		text := f.Draft(&d)
		*text = f.Kind.clean(*text, forms)
	}
	if d.Category == "" {
		d.Category = g.Default
	}
	if d.Importance == "" {
		d.Importance = game.Medium
	}
	return d
}

// Validate checks a clean draft. It returns Invalid with every invalid field.
func (d OrderDraft) Validate(game game.Game) error {
	var c core.Checks
	Fields[0].check(&c, d)
	c.That(d.Quantity > 0, "quantity", core.NewText("quantity_not_positive"))
	c.That(d.Quantity <= core.MaxQuantity, "quantity",
		core.NewText("quantity_too_high", "most", core.MaxQuantity))
	c.That(d.MaxPrice > 0, "maxPricePerUnit", core.NewText("max_price_not_positive"))
	c.That(d.MaxPrice <= core.MaxPrice, "maxPricePerUnit", game.TooMuchMessage())
	for _, f := range Fields[1:] {
		f.check(&c, d)
	}
	c.That(d.LevelRequirement == nil || 1 <= *d.LevelRequirement && *d.LevelRequirement <= core.MaxLevel,
		"levelRequirement", core.NewText("level_requirement_range", "most", core.MaxLevel))
	c.That(game.HasCategory(d.Category), "category", game.UnknownCategory())
	c.That(d.Importance.Valid(), "importance", core.NewText("importance_unknown"))
	return c.Err()
}

// withCategory fills in the category of a draft that has none.
func (d OrderDraft) withCategory(index *items.Index, game game.Game) OrderDraft {
	if d.Category == "" {
		d.Category = index.CategoryOf(d.ItemName, game)
	}
	return d
}

// refuseSuspicious returns Invalid where the draft contains a suspicious phrase that before did not contain.
func (d OrderDraft) refuseSuspicious(before OrderDraft, forms core.TextForms) error {
	return forms.RefuseSuspicious(core.SuspiciousPost,
		core.SuspiciousField{Name: "itemName", Before: before.ItemName, After: d.ItemName},
		core.SuspiciousField{Name: "description", Before: before.Description, After: d.Description})
}

// NewOrder validates a draft and returns the order to post. It fails with Invalid.
func NewOrder(
	draft OrderDraft, owner core.UserID, game game.Game, forms core.TextForms, now time.Time,
) (Order, error) {
	draft = draft.Clean(game, forms)
	if err := draft.Validate(game); err != nil {
		return Order{}, err
	}
	if err := draft.refuseSuspicious(OrderDraft{}, forms); err != nil {
		return Order{}, err
	}
	o := Order{
		Owner: owner, Version: 1, OrderDraft: draft, Status: Active,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(OrderLifetime),
	}
	return o, nil
}

func (e OrderEdit) apply(d OrderDraft) OrderDraft {
	for _, f := range Fields {
		set(f.Draft(&d), *f.Edit(&e))
	}
	set(&d.Quantity, e.Quantity)
	set(&d.MaxPrice, e.MaxPrice)
	set(&d.Category, e.Category)
	set(&d.Importance, e.Importance)
	set(&d.SignedInOnly, e.SignedInOnly)
	set(&d.NoPrograms, e.NoPrograms)
	if e.LevelRequirement != nil {
		d.LevelRequirement = e.LevelRequirement
	} else if e.AnyLevel {
		d.LevelRequirement = nil
	}
	return d
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// Edit returns the order after an edit. It fails with Conflict when the order is closed or has changed since
// the edit's version, and with Invalid when the result breaks a rule. An edit down to what is already sold
// closes it.
func (o Order) Edit(edit OrderEdit, game game.Game, forms core.TextForms, now time.Time) (Order, error) {
	if o.Status != Active {
		return Order{}, conflict(core.NewText("request_closed"), o)
	}
	if edit.Version != o.Version {
		return Order{}, conflict(core.NewText("request_changed_since"), o)
	}
	draft := edit.apply(o.OrderDraft).Clean(game, forms)
	var c core.Checks
	c.Add(draft.Validate(game))
	c.Add(draft.refuseSuspicious(o.OrderDraft, forms))
	c.That(draft.Quantity >= o.Sold, "quantity", core.NewText("quantity_below_sold", "sold", o.Sold))
	if err := c.Err(); err != nil {
		return Order{}, err
	}
	o.OrderDraft = draft
	return o.changed(now), nil
}

// Close returns the order after closing it early. It fails with Conflict when it is closed already.
func (o Order) Close(now time.Time) (Order, error) {
	if o.Status != Active {
		return Order{}, conflict(core.NewText("request_closed"), o)
	}
	return o.closed(ClosedEarly, now), nil
}

// Renew returns the order with another OrderLifetime. It fails with Conflict when it is closed.
func (o Order) Renew(now time.Time) (Order, error) {
	if o.Status != Active {
		return Order{}, conflict(core.NewText("request_closed"), o)
	}
	o.ExpiresAt = now.Add(OrderLifetime)
	return o.changed(now), nil
}

// sell moves qty of the order to sold.
func (o Order) sell(qty int, now time.Time) Order {
	o.Sold += qty
	return o.changed(now)
}

// giveBack returns the order after a sale that did not happen. A fulfilled order stays fulfilled.
func (o Order) giveBack(qty int, now time.Time) Order {
	o.Sold -= qty
	o.Version++
	o.UpdatedAt = now
	return o
}

// changed notes the time of a change, and closes the order when nothing is left to buy.
func (o Order) changed(now time.Time) Order {
	o.Version++
	o.UpdatedAt = now
	if o.Status == Active && o.Sold > 0 && o.Sold >= o.Quantity {
		o.Status, o.CloseReason, o.ClosedAt = Fulfilled, Filled, now
	}
	return o
}

func (o Order) closed(reason CloseReason, now time.Time) Order {
	o.Status, o.CloseReason, o.ClosedAt = Fulfilled, reason, now
	o.Version++
	o.UpdatedAt = now
	return o
}

// OrderNotFound returns the error for an order that is not there, or not for this reader.
func OrderNotFound() *core.Error {
	return core.NewError(core.NotFound, core.NewText("request_not_found"))
}

// LevelRequired returns the level that the request asks for, 0 for any.
func (o Order) LevelRequired() int {
	if o.LevelRequirement == nil {
		return 0
	}
	return *o.LevelRequirement
}
