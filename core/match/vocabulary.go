package match

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tradepost/core"
	"tradepost/core/game"
)

// Vocabulary is the words of the market's open orders, lower case.
type Vocabulary map[string]WordUse

// WordUse says in how many texts a word is.
type WordUse struct {
	InNames int // of items and professions
	InAll   int
}

// Limits of a vocabulary.
const (
	MaxVocabularyOrders = 10_000 // the newest
	MaxVocabularyWords  = 20_000
	maxWordLength       = 32
)

// Add adds the words of a text, which may be the name of an item. A full vocabulary learns no other words.
func (v Vocabulary) Add(text string, isName bool) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) }) {
		if !mayBeTypo(word) || utf8.RuneCountInString(word) > maxWordLength {
			continue
		}
		use, known := v[word]
		if !known && len(v) >= MaxVocabularyWords {
			continue
		}
		use.InAll++
		if isName {
			use.InNames++
		}
		v[word] = use
	}
}

// With returns the vocabulary with the professions of a game, in every language.
func (v Vocabulary) With(game game.Game) Vocabulary {
	all := make(Vocabulary, len(v)+len(game.Professions))
	for word, use := range v {
		all[word] = use
	}
	for _, category := range game.Categories() {
		all.Add(string(category), true)
		for _, word := range category.Words() {
			if _, known := all[word]; !known {
				all.Add(word, false) // in another language, of which fewer people think
			}
		}
	}
	return all
}

// mayBeTypo reports whether a typo is forgiven in a word, or the word may be the correction of one: it has
// three letters or more, and no digit.
func mayBeTypo(word string) bool {
	return utf8.RuneCountInString(word) >= core.ShortestTypo && !strings.ContainsFunc(word, unicode.IsDigit)
}

// corrections returns the words of the vocabulary that are one typo away from a word, and that a search for
// it does not find: words in names first, then the most used, then by the alphabet.
func (v Vocabulary) corrections(word string) []string {
	if !mayBeTypo(word) {
		return nil
	}
	letters := []rune(word)
	var found []string
	for other := range v {
		if !strings.Contains(other, word) && isOneTypo(letters, other) {
			found = append(found, other)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(min(v[b].InNames, 1), min(v[a].InNames, 1)),
			cmp.Compare(v[b].InAll, v[a].InAll), strings.Compare(a, b))
	})
	return found[:min(len(found), maxCorrections)]
}

// isOneTypo reports whether two words differ by one letter that is wrong, missing or too many, or by two
// neighbors that changed places.
func isOneTypo(word []rune, other string) bool {
	if len(other) < len(word)-1 { // bytes are at least as many as letters
		return false
	}
	letters := []rune(other)
	a, b := word, letters
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	a, b = a[same:], b[same:]
	switch {
	case len(a) == len(b) && len(a) == 0:
		return false
	case len(a) < len(b):
		return slices.Equal(a, b[1:])
	case slices.Equal(a[1:], b[1:]):
		return true
	}
	return len(a) > 1 && a[0] == b[1] && a[1] == b[0] && slices.Equal(a[2:], b[2:])
}
