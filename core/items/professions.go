package items

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tradepost/core"
	"tradepost/core/game"
)

// professionWords has the folded words of the names of professions, in every language.
type professionWords map[game.Category][]string

func (p professionWords) add(forms core.TextForms, makers []game.Category) {
	for _, category := range makers {
		if _, known := p[category]; known {
			continue
		}
		var words []string
		for _, word := range category.Words() {
			words = append(words, strings.Fields(itemWords(forms, word))...)
		}
		p[category] = words
	}
}

// named has, for each word that is the beginning of a profession's name, the professions.
type named map[string][]game.Category

// namedBy returns which of the words are the beginning of a profession's name.
func (p professionWords) namedBy(words []string) named {
	var found named
	for _, word := range words {
		if utf8.RuneCountInString(word) < core.ShortestTypo {
			continue
		}
		for category, own := range p {
			if slices.ContainsFunc(own, func(name string) bool { return strings.HasPrefix(name, word) }) {
				if found == nil {
					found = named{}
				}
				found[word] = append(found[word], category)
			}
		}
	}
	return found
}

// fits reports whether each word is in one of the item's names or names a profession that makes it.
func (n named) fits(item *indexedItem, words []string, has func(form *itemForm, word string) bool) bool {
	if len(n) == 0 {
		return false
	}
	makes := func(word string) bool {
		return slices.ContainsFunc(n[word],
			func(category game.Category) bool { return slices.Contains(item.MadeBy, category) })
	}
	for i := range item.forms {
		if !slices.ContainsFunc(words,
			func(word string) bool { return !makes(word) && !has(&item.forms[i], word) }) {
			return true
		}
	}
	return false
}
