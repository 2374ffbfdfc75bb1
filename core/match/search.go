package match

import (
	"slices"
	"strings"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// FewMatches is how many open orders must match a search as it is written, or else one typo is forgiven.
const FewMatches = 5

const (
	maxWords       = 10 // of a search
	maxCorrections = 4  // that are tried
)

// Meaning lists the matches of a search's words besides the words themselves.
type Meaning struct {
	Professions []game.Category // a word may name one of these
	Typo        string          // the word that Correction is found for too; empty for none
	Correction  string
}

// Term is one word of a search. An order must have one of the spellings in a text, or one of the categories.
type Term struct {
	Spellings  []string
	Categories []game.Category
}

// Words splits the text of a filter into the words that must be found, lower case, each once, ten at most.
// A hyphen is a space.
func (f OrderFilter) Words() []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(f.Text), core.IsBetweenWords) {
		if !slices.Contains(words, w) && len(words) < maxWords {
			words = append(words, w)
		}
	}
	return words
}

// Terms returns the words of a filter with their further matches.
func (f OrderFilter) Terms() []Term {
	words := f.Words()
	terms := make([]Term, len(words))
	for i, word := range words {
		terms[i].Spellings = []string{word}
		if word == f.Means.Typo {
			terms[i].Spellings = append(terms[i].Spellings, f.Means.Correction)
		}
		for _, category := range f.Means.Professions {
			if slices.ContainsFunc(terms[i].Spellings, category.IsNamedBy) {
				terms[i].Categories = append(terms[i].Categories, category)
			}
		}
	}
	return terms
}

// FindsWithoutNames reports whether an order has the words of a search, or of the search with its typo
// corrected, in its item, its description or its profession. Lists find an order by the names of its buyer,
// too.
func FindsWithoutNames(search, corrected string, o trade.Order) bool {
	text := strings.ToLower(o.ItemName + "\n" + o.Description)
	has := func(search string) bool {
		words := OrderFilter{Text: search}.Words()
		return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
			return !strings.Contains(text, word) && !o.Category.IsNamedBy(word)
		})
	}
	return has(search) || has(corrected)
}

// corrected returns the text of the filter with its typo corrected, empty where none was.
func (f OrderFilter) corrected() string {
	if f.Means.Typo == "" {
		return ""
	}
	words := f.Words()
	for i, w := range words {
		if w == f.Means.Typo {
			words[i] = f.Means.Correction
		}
	}
	return strings.Join(words, " ")
}

type typo struct{ word, correction string }

// typos returns possible corrections of the words of a search, the likeliest first: corrections of words
// that the market does not know come before others.
func (f OrderFilter) typos(v Vocabulary) []typo {
	var unknown, known []typo
	for _, word := range f.Words() {
		corrections := v.corrections(word)
		if _, knows := v[word]; !knows {
			for _, c := range corrections {
				unknown = append(unknown, typo{word, c})
			}
			continue
		}
		for _, c := range corrections {
			if v[c].InNames > 0 { // a word in descriptions only is no better than the word itself
				known = append(known, typo{word, c})
			}
		}
	}
	all := slices.Concat(unknown, known)
	return all[:min(len(all), maxCorrections)]
}

func beginsWith(name string, words []string) bool {
	return strings.HasPrefix(strings.ToLower(name), strings.Join(words, " "))
}

// SuggestItems merges the named items that contain the words of text with the ordered ones, each
// once.
func SuggestItems(named, ordered []string, text string, limit int) []string {
	words := OrderFilter{Text: text}.Words()
	suggested := []string{}
	seen := map[string]bool{}
	add := func(name string) {
		if key := strings.ToLower(name); !seen[key] && len(suggested) < limit {
			seen[key] = true
			suggested = append(suggested, name)
		}
	}
	holdsAll := func(name string) bool {
		return !slices.ContainsFunc(words,
			func(word string) bool { return !strings.Contains(strings.ToLower(name), word) })
	}
	for _, first := range []bool{true, false} {
		for _, name := range named {
			if beginsWith(name, words) == first && holdsAll(name) {
				add(name)
			}
		}
		for _, name := range ordered {
			if beginsWith(name, words) == first {
				add(name)
			}
		}
	}
	return suggested
}
