package core

import (
	"fmt"
	"slices"
)

// Category is the profession that an item belongs to. Which there are is for the game to say: see Categories. An order may
// hold another, from when another game was played.
type Category string

// Valid tells whether c is one of Categories.
func (c Category) Valid() bool { return slices.Contains(Categories, c) }

func unknownCategoryMessage() string {
	return fmt.Sprintf("Choose one of the %d categories", len(Categories))
}

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
