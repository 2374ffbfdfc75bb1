package core

import "slices"

// Category is the profession that an item belongs to.
type Category string

// Categories lists the 15 professions in the order in which people see them.
var Categories = []Category{
	"Forager", "Fisher", "Chef", "Alchemist", "Botanist", "Woodcutter", "Carpenter", "Miner", "Bonewright",
	"Blacksmith", "Stonemason", "Detective", "Leatherworker", "Merchant", "Combat",
}

// DefaultCategory is what an order belongs to when its buyer did not say.
const DefaultCategory Category = "Merchant"

// Valid tells whether c is one of Categories.
func (c Category) Valid() bool { return slices.Contains(Categories, c) }

// Importance says how soon a buyer needs the item.
type Importance string

// The four degrees of importance.
const (
	Low    Importance = "low"
	Medium Importance = "medium" // the default
	High   Importance = "high"
	Urgent Importance = "urgent"
)

// Importances lists the degrees from least to most pressing.
var Importances = []Importance{Low, Medium, High, Urgent}

// Valid tells whether i is one of Importances.
func (i Importance) Valid() bool { return slices.Contains(Importances, i) }

// Banner is the sentence that an order of this importance is announced with, empty for the two quiet ones.
func (i Importance) Banner() string {
	switch i {
	case Urgent:
		return "URGENT REQUEST: Buyer needs this item as soon as possible"
	case High:
		return "HIGH PRIORITY REQUEST: Buyer needs this item soon"
	default:
		return ""
	}
}
