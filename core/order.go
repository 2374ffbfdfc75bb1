package core

import (
	"fmt"
	"time"
)

// OrderID numbers an order.
type OrderID int64

// Status says whether an order still takes part in the market. It never goes back.
type Status string

// The two statuses. An active order past its ExpiresAt is expired: still active here, gone from every public list.
const (
	Active    Status = "active"
	Fulfilled Status = "fulfilled"
)

// CloseReason says how an order came to be fulfilled.
type CloseReason string

// The reasons. Open orders have none.
const (
	NotClosed   CloseReason = ""
	Filled      CloseReason = "filled"       // everything asked for was sold
	ClosedEarly CloseReason = "closed_early" // its buyer closed it before that
)

// Limits of an order.
const (
	MaxQuantity = 1_000_000
	MaxLevel    = 500

	// OrderLife is how long an order is shown after it was posted or renewed.
	OrderLife = 365 * 24 * time.Hour
	// ExpiryWarning is how long before the end its buyer is told.
	ExpiryWarning = 7 * 24 * time.Hour
)

// Order is a buyer's request for a quantity of one item.
type Order struct {
	ID      OrderID
	Owner   UserID
	Version int // grows by one with every change, whoever makes it

	ItemName         string
	Quantity         int
	MaxPrice         Copper // for one
	Description      string
	BuyerContact     string // a Discord username
	InGameName       string // empty for none
	LevelRequirement *int   // 1 to 500; nil for any
	Category         Category
	Importance       Importance
	SignedInOnly     bool // takes offers of signed-in sellers only, none of visitors

	Status      Status
	Sold        int // always the sum of its sales
	CloseReason CloseReason
	CreatedAt   time.Time
	UpdatedAt   time.Time
	ExpiresAt   time.Time
	ClosedAt    time.Time // zero while active
	Hidden      bool      // its buyer is blocked: nobody else sees it
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

// TotalValue is what the whole order pays.
func (o Order) TotalValue() Copper { return o.MaxPrice * Copper(o.Quantity) }

// RemainingValue is what the rest of the order pays.
func (o Order) RemainingValue() Copper { return o.MaxPrice * Copper(o.Remaining()) }

// Expired tells whether the order is past its time without having been fulfilled.
func (o Order) Expired(now time.Time) bool { return o.Status == Active && !now.Before(o.ExpiresAt) }

// ShownTo tells whether the reader may see the order at all.
func (o Order) ShownTo(reader Actor, now time.Time) bool {
	if reader.Owns(o) == nil {
		return true
	}
	return !o.Expired(now) && (!o.Hidden || reader.Moderates() == nil)
}

// Open tells whether the order takes offers.
func (o Order) Open(now time.Time) bool {
	return o.Status == Active && now.Before(o.ExpiresAt) && !o.Hidden
}

// mustBeOpen refuses with Conflict when the order takes no offers, accepts or sales, and with NotFound when it is hidden.
func (o Order) mustBeOpen(now time.Time) error {
	if o.Hidden {
		return orderNotFound()
	}
	if o.Status != Active {
		return conflict("This request is already closed", o)
	}
	if o.Expired(now) {
		return conflict("This request has expired", o)
	}
	return nil
}

// OrderDraft is what a buyer says about an order.
type OrderDraft struct {
	ItemName         string
	Quantity         int
	MaxPrice         Copper
	Description      string
	BuyerContact     string
	InGameName       string
	LevelRequirement *int       // nil for any
	Category         Category   // empty for DefaultCategory
	Importance       Importance // empty for Medium
	SignedInOnly     bool
}

// Clean returns the draft with its texts cleaned and its defaults filled in.
func (d OrderDraft) Clean(forms TextForms) OrderDraft {
	d.ItemName = forms.line(d.ItemName)
	d.Description = forms.prose(d.Description)
	d.BuyerContact = forms.name(d.BuyerContact)
	d.InGameName = forms.name(d.InGameName)
	if d.Category == "" {
		d.Category = DefaultCategory
	}
	if d.Importance == "" {
		d.Importance = Medium
	}
	return d
}

// Validate refuses a clean draft with Invalid, naming every broken field.
func (d OrderDraft) Validate() error {
	var c Checks
	c.That(d.ItemName != "", "itemName", "Item name is required")
	c.That(within(d.ItemName, MaxItemName), "itemName", tooLong("Item name", MaxItemName))
	c.That(d.Quantity > 0, "quantity", "Quantity must be greater than 0")
	c.That(d.Quantity <= MaxQuantity, "quantity", fmt.Sprintf("Quantity must be %d or less", MaxQuantity))
	c.That(d.MaxPrice > 0, "maxPricePerUnit", "Max price must be greater than 0")
	c.That(d.MaxPrice <= MaxPrice, "maxPricePerUnit", maxPriceMessage())
	c.That(within(d.Description, MaxDescription), "description", tooLong("Description", MaxDescription))
	c.That(d.BuyerContact != "", "buyerContact", "Discord username is required")
	c.That(within(d.BuyerContact, MaxContact), "buyerContact", tooLong("Discord username", MaxContact))
	c.That(within(d.InGameName, MaxInGameName), "ign", tooLong("In-game name", MaxInGameName))
	c.That(d.LevelRequirement == nil || 1 <= *d.LevelRequirement && *d.LevelRequirement <= MaxLevel,
		"levelRequirement", "Level requirement must be between 1 and 500")
	c.That(d.Category.Valid(), "category", unknownCategoryMessage())
	c.That(d.Importance.Valid(), "importance", "Importance must be low, medium, high or urgent")
	return c.Err()
}

func tooLong(label string, limit int) string {
	return fmt.Sprintf("%s must be %d characters or fewer", label, limit)
}

// NewOrder decides whether a draft may be posted and what order it makes. It refuses with Invalid.
func NewOrder(draft OrderDraft, owner UserID, forms TextForms, now time.Time) (Order, error) {
	draft = draft.Clean(forms)
	if err := draft.Validate(); err != nil {
		return Order{}, err
	}
	if forms.suspicious(draft.ItemName, draft.Description) {
		return Order{}, &Error{Kind: Invalid, Message: "Your post contains suspicious content. Please revise."}
	}
	o := Order{
		Owner: owner, Version: 1, Status: Active,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(OrderLife),
	}
	return o.describedBy(draft), nil
}

// Draft returns what the order's buyer has said about it.
func (o Order) Draft() OrderDraft {
	return OrderDraft{
		ItemName: o.ItemName, Quantity: o.Quantity, MaxPrice: o.MaxPrice, Description: o.Description,
		BuyerContact: o.BuyerContact, InGameName: o.InGameName, LevelRequirement: o.LevelRequirement,
		Category: o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
	}
}

func (o Order) describedBy(d OrderDraft) Order {
	o.ItemName, o.Quantity, o.MaxPrice, o.Description = d.ItemName, d.Quantity, d.MaxPrice, d.Description
	o.BuyerContact, o.InGameName, o.LevelRequirement = d.BuyerContact, d.InGameName, d.LevelRequirement
	o.Category, o.Importance, o.SignedInOnly = d.Category, d.Importance, d.SignedInOnly
	return o
}

// OrderEdit changes the fields that are not nil. Version is the one the change was made from.
type OrderEdit struct {
	Version          int
	ItemName         *string
	Quantity         *int
	MaxPrice         *Copper
	Description      *string
	BuyerContact     *string
	InGameName       *string
	LevelRequirement *int
	AnyLevel         bool // takes the level requirement away
	Category         *Category
	Importance       *Importance
	SignedInOnly     *bool
}

func (e OrderEdit) apply(d OrderDraft) OrderDraft {
	set(&d.ItemName, e.ItemName)
	set(&d.Quantity, e.Quantity)
	set(&d.MaxPrice, e.MaxPrice)
	set(&d.Description, e.Description)
	set(&d.BuyerContact, e.BuyerContact)
	set(&d.InGameName, e.InGameName)
	set(&d.Category, e.Category)
	set(&d.Importance, e.Importance)
	set(&d.SignedInOnly, e.SignedInOnly)
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

// Edit decides what an edit makes of the order. It refuses with Conflict when the order is closed or has changed since
// the edit's version, and with Invalid when the result breaks a rule. An edit down to what is already sold closes it.
func (o Order) Edit(edit OrderEdit, forms TextForms, now time.Time) (Order, error) {
	if o.Status != Active {
		return Order{}, conflict("This request is already closed", o)
	}
	if edit.Version != o.Version {
		return Order{}, conflict("This request has changed since you opened it. Look at it again and repeat your change.", o)
	}
	draft := edit.apply(o.Draft()).Clean(forms)
	var c Checks
	c.Add(draft.Validate())
	c.That(draft.Quantity >= o.Sold, "quantity", fmt.Sprintf("Quantity cannot be less than the %d already sold", o.Sold))
	if err := c.Err(); err != nil {
		return Order{}, err
	}
	return o.describedBy(draft).changed(now), nil
}

// Close decides what closing the order early makes of it. It refuses with Conflict when it is closed already.
func (o Order) Close(now time.Time) (Order, error) {
	if o.Status != Active {
		return Order{}, conflict("This request is already closed", o)
	}
	return o.closed(ClosedEarly, now), nil
}

// Renew decides what showing the order for another OrderLife makes of it. It refuses with Conflict when it is closed.
func (o Order) Renew(now time.Time) (Order, error) {
	if o.Status != Active {
		return Order{}, conflict("This request is already closed", o)
	}
	o.ExpiresAt = now.Add(OrderLife)
	return o.changed(now), nil
}

// sell moves qty of the order to sold.
func (o Order) sell(qty int, now time.Time) Order {
	o.Sold += qty
	return o.changed(now)
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

func orderNotFound() *Error { return &Error{Kind: NotFound, Message: "Order not found"} }
