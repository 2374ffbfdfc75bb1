package game

import (
	"slices"
	"strings"
	"sync"
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
	if words, translated := translatedWords()[c]; translated {
		return words
	}
	return ownWords(string(c))
}

func ownWords(name string) []string { return strings.Fields(strings.ToLower(name)) }

// translatedWords are those of every profession that a language has a name for.
var translatedWords = sync.OnceValue(func() map[Category][]string {
	all := map[Category][]string{}
	for _, l := range text.Languages {
		for name, translated := range l.Categories {
			c := Category(name)
			for _, word := range append(ownWords(name), ownWords(translated)...) {
				if !slices.Contains(all[c], word) {
					all[c] = append(all[c], word)
				}
			}
		}
	}
	return all
})

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
