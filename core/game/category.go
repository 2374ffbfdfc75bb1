package game

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tradepost/core"
	"tradepost/core/text"
)

// Category is the profession that an item belongs to. Which there are is for the game to say: see
// Game.Categories. An order may have another, from when another game was played.
type Category string

// Words returns the words of the profession's name, in lower case: in the game and in every language, because
// people type the name that they read.
func (c Category) Words() []string {
	words := strings.Fields(strings.ToLower(string(c)))
	for _, l := range text.Languages {
		for _, word := range strings.Fields(strings.ToLower(l.Categories[string(c)])) {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

// IsNamedBy reports whether a word in lower case is the beginning of a word of the profession's name.
func (c Category) IsNamedBy(word string) bool {
	return utf8.RuneCountInString(word) >= core.ShortestTypo &&
		slices.ContainsFunc(c.Words(), func(own string) bool { return strings.HasPrefix(own, word) })
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

// Valid reports whether i is one of Importances.
func (i Importance) Valid() bool { return slices.Contains(Importances, i) }

// Banner is the sentence that an order of this importance is announced with, empty for the two quiet ones.
func (i Importance) Banner() string {
	switch i {
	case Urgent:
		return "URGENT REQUEST: Buyer needs this item as soon as possible"
	case High:
		return "HIGH PRIORITY REQUEST: Buyer needs this item soon"
	case Low, Medium:
	}
	return ""
}
