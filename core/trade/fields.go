package trade

import (
	"strings"

	"tradepost/core"
	"tradepost/core/game"
)

// Field declares a text of a request: its names, its rule, and where it is shown. The rules, the store, the
// bot and the API read the declaration; tools/rules copies it for the page. docs/adding-a-field.md lists the
// steps for a new field.
type Field struct {
	Name   string   `json:"name"`   // in the API and in errors
	Option string   `json:"option"` // in Discord, and in addresses that filter by it
	Column string   `json:"-"`      // of the table orders
	Label  string   `json:"-"`      // in forms and errors
	Short  string   `json:"-"`      // on cards
	Copied bool     `json:"-"`      // whether a card has a button that copies it
	Kind   TextKind `json:"kind"`
	Limit  int      `json:"limit"` // in characters

	Required bool `json:"required"`
	Personal bool `json:"-"`      // hidden from other users once the request is over
	OnCard   bool `json:"onCard"` // a detail of cards, on the page, in its first look and in Discord
	InRow    bool `json:"inRow"`  // in rows of lists, on the page, on phones and in Discord

	// OnBoard fields have a filter on the page's board, which saved searches keep.
	OnBoard bool `json:"onBoard"`

	// InListForm fields are in Discord's form for a list, which has room for five fields. Others that
	// requests of a list share can be set on the page.
	InListForm bool `json:"-"`

	Draft func(*OrderDraft) *string `json:"-"`
	Edit  func(*OrderEdit) **string `json:"-"`
	List  func(*ListDraft) *string  `json:"-"` // nil where every request of a list has its own

	Filter func(*TextFilter) *string `json:"-"` // nil where no list is filtered by it
}

// Fields lists the texts of a request. The first is the item's name.
var Fields = []Field{
	{
		Name: "itemName", Option: "item", Column: "item_name", Label: "Item name", Short: "Item",
		Kind: LineText, Limit: core.MaxItemName, Required: true,
		Draft:  func(d *OrderDraft) *string { return &d.ItemName },
		Edit:   func(e *OrderEdit) **string { return &e.ItemName },
		Filter: func(f *TextFilter) *string { return &f.Item },
	},
	{
		Name: "description", Option: "description", Column: "description", Label: "Description",
		Short: "Description", Kind: ProseText, Limit: core.MaxDescription,
		Draft: func(d *OrderDraft) *string { return &d.Description },
		Edit:  func(e *OrderEdit) **string { return &e.Description },
		List:  func(d *ListDraft) *string { return &d.Description },
	},
	{
		Name: "buyerContact", Option: "contact", Column: "buyer_contact", Label: "Discord username",
		Short: "Discord", Copied: true, Kind: NameText, Limit: core.MaxContact,
		Required: true, Personal: true, OnCard: true,
		Draft: func(d *OrderDraft) *string { return &d.BuyerContact },
		Edit:  func(e *OrderEdit) **string { return &e.BuyerContact },
		List:  func(d *ListDraft) *string { return &d.BuyerContact },
	},
	{
		Name: "ign", Option: "ign", Column: "ign", Label: "In-game name",
		Short: "In game", Copied: true, Kind: NameText, Limit: core.MaxInGameName,
		Personal: true, OnCard: true, InListForm: true,
		Draft: func(d *OrderDraft) *string { return &d.InGameName },
		Edit:  func(e *OrderEdit) **string { return &e.InGameName },
		List:  func(d *ListDraft) *string { return &d.InGameName },
	},
}

// TextKind says how a text is cleaned.
type TextKind string

// The kinds.
const (
	LineText  TextKind = "line"
	NameText  TextKind = "name"  // a line without marks that look like a sign of trust
	ProseText TextKind = "prose" // several lines
)

// TextKinds lists every kind.
var TextKinds = []TextKind{LineText, NameText, ProseText}

func (k TextKind) clean(text string, forms core.TextForms) string {
	switch k {
	case NameText:
		return forms.Name(text)
	case ProseText:
		return forms.Prose(text)
	case LineText:
	}
	return forms.Line(text)
}

// Of returns the text of an order.
func (f Field) Of(o Order) string { return *f.Draft(&o.OrderDraft) }

// Missing returns the message about a required text that is empty.
func (f Field) Missing() core.Text { return core.NewText(f.code("required")) }

// TooLong returns the message about a text that has more characters than its limit.
func (f Field) TooLong() core.Text { return core.TooLong(f.code("too_long"), f.Limit) }

// code returns the code of an error about the field: in_game_name_too_long.
func (f Field) code(problem string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(f.Label)) + "_" + problem
}

func (f Field) check(c *core.Checks, d OrderDraft) {
	switch text := *f.Draft(&d); {
	case f.Required && text == "":
		c.That(false, f.Name, f.Missing())
	case !core.Within(text, f.Limit):
		c.That(false, f.Name, f.TooLong())
	}
}

// OrderDraft contains the fields of an order that its buyer fills in.
//
// A draft is part of the digest that a repeated write is recognised by. A field that is added later needs
// the tag `json:",omitzero"`, so that a retry of a write made before it was added still matches. The same
// applies to OrderEdit and ListDraft.
type OrderDraft struct {
	ItemName         string
	Quantity         int
	MaxPrice         core.Copper // for one
	Description      string
	BuyerContact     string          // a Discord username
	InGameName       string          // empty for none
	LevelRequirement *int            // 1 to MaxLevel; nil for any
	Category         game.Category   // empty for the default of the game
	Importance       game.Importance // empty for Medium
	SignedInOnly     bool            // takes offers of signed-in sellers only, none of visitors
	NoPrograms       bool            `json:",omitzero"` // takes offers that people send, none of programs
}

// OrderEdit changes the fields that are not nil. Version is the one the change was made from.
type OrderEdit struct {
	Version          int
	ItemName         *string
	Quantity         *int
	MaxPrice         *core.Copper
	Description      *string
	BuyerContact     *string
	InGameName       *string
	LevelRequirement *int
	AnyLevel         bool // takes the level requirement away
	Category         *game.Category
	Importance       *game.Importance
	SignedInOnly     *bool
	NoPrograms       *bool `json:",omitzero"`
}

// TextFilter narrows a list to orders with these texts, whole and in any case; an empty one is any. Its
// fields have the tag `json:",omitzero"`, for it is part of saved searches.
type TextFilter struct {
	Item string `json:",omitzero"`
}

// ListDraft is a text with an order in each line, and the fields that all of them share.
type ListDraft struct {
	Name         string
	Text         string
	Description  string
	BuyerContact string
	InGameName   string
	Category     game.Category   // of items that the catalogue gives none; empty for the default of the game
	Importance   game.Importance // empty for Medium
	SignedInOnly bool
	NoPrograms   bool `json:",omitzero"`
}
