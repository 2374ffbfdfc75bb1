package match

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// How many letters of a word are a key.
const keyLetters = 3

// Keys returns the index keys of the search: a request that fits has at least one of them, see
// WatchedOrder.Keys. A search uses the narrowest keys possible, so that few searches are compared with a
// request.
func (d SearchDraft) Keys(forms core.TextForms, game game.Game) []string {
	var keys []string
	switch longest := longest(d.Terms()); {
	case len(d.Items) > 0:
		for _, id := range d.Items {
			keys = append(keys, itemKey(id))
		}
	case d.Kind != "":
		keys = append(keys, kindKey(forms, d.Kind))
	case utf8.RuneCountInString(longest) >= keyLetters:
		keys = append(keys, "word:"+string([]rune(longest)[:keyLetters]))
		for _, category := range game.Categories() {
			if category.IsNamedBy(longest) {
				keys = append(keys, categoryKey(category))
			}
		}
	case len(d.Categories) > 0:
		for _, category := range d.Categories {
			keys = append(keys, categoryKey(category))
		}
	default:
		keys = append(keys, anyKey)
	}
	switch d.Side {
	case SaleSide:
		return forSale(keys)
	case EitherSide:
		return append(keys, forSale(keys)...)
	case WantedSide:
	}
	return keys
}

// forSale returns the keys of listings. Requests are never looked up by them.
func forSale(keys []string) []string {
	own := make([]string, len(keys))
	for i, key := range keys {
		own[i] = "sale " + key
	}
	return own
}

const anyKey = "any"

func itemKey(id core.ItemID) string { return fmt.Sprintf("item:%d", id) }

func kindKey(forms core.TextForms, kind string) string { return "kind:" + forms.FoldItem(kind) }

func categoryKey(category game.Category) string { return "category:" + string(category) }

func longest(words []string) (longest string) {
	for _, word := range words {
		if utf8.RuneCountInString(word) > utf8.RuneCountInString(longest) {
			longest = word
		}
	}
	return longest
}

// WatchedOrder is a request as saved searches with a bell are compared with it.
type WatchedOrder struct {
	trade.Order
	Items []core.ItemID // that its name leads to: an item and the items merged into it
	Kind  string        // of the item
}

// asWatched returns the request as saved searches with a bell are compared with it.
func asWatched(x *items.Index, o trade.Order) WatchedOrder {
	w := WatchedOrder{Order: o}
	item, known := x.Named(o.ItemName)
	if !known {
		return w
	}
	w.Kind = item.Kind
	for at := range x.Items {
		if x.Items[at].ID == item.ID {
			w.Items = append(w.Items, item.ID)
		} else if x.Items[at].State == items.Merged {
			if to, known := x.Target(at); known && x.Items[to].ID == item.ID {
				w.Items = append(w.Items, x.Items[at].ID)
			}
		}
	}
	return w
}

// Content returns the texts in which the words of a search are looked for, in lower case.
func (o WatchedOrder) Content() string {
	return strings.ToLower(o.ItemName + " " + o.Description + "\n" + o.BuyerContact + " " + o.InGameName)
}

// CategoryWords returns the words of the names of the request's profession, in lower case.
func (o WatchedOrder) CategoryWords() []string { return o.Category.Words() }

// Keys returns the index keys under which saved searches can match the request.
func (o WatchedOrder) Keys(forms core.TextForms) []string {
	keys := []string{anyKey, categoryKey(o.Category)}
	for _, id := range o.Items {
		keys = append(keys, itemKey(id))
	}
	if o.Kind != "" {
		keys = append(keys, kindKey(forms, o.Kind))
	}
	seen := map[string]bool{}
	letters := []rune(o.Content())
	for i := range max(len(letters)-keyLetters+1, 0) {
		part := string(letters[i : i+keyLetters])
		if !seen[part] && !strings.ContainsFunc(part, core.IsBetweenWords) {
			seen[part] = true
			keys = append(keys, "word:"+part)
		}
	}
	return keys
}

// Fits reports whether a request fits the search of a user with the skills. The query Watchers asks the same
// of the database.
func (d SearchDraft) Fits(o WatchedOrder, skills []people.Skill) bool {
	switch {
	case len(d.Items) > 0 && !slices.ContainsFunc(d.Items,
		func(id core.ItemID) bool { return slices.Contains(o.Items, id) }),
		d.Kind != "" && d.Kind != o.Kind,
		len(d.Categories) > 0 && !slices.Contains(d.Categories, o.Category),
		len(d.Importance) > 0 && !slices.Contains(d.Importance, o.Importance),
		d.Level > 0 && o.LevelRequired() > d.Level,
		o.MaxPrice < d.MinPrice, d.MaxPrice > 0 && o.MaxPrice > d.MaxPrice,
		o.Quantity < d.MinQuantity,
		!d.Texts.Fits(o.Order),
		d.ForMe && !CanFill(skills, o.Order):
		return false
	}
	content := o.Content()
	for _, term := range d.Terms() {
		if !strings.Contains(content, term) && !o.Category.IsNamedBy(term) {
			return false
		}
	}
	return true
}

// CanFill reports whether a user with the skills can make the requested item.
func CanFill(skills []people.Skill, o trade.Order) bool {
	return slices.ContainsFunc(skills, func(s people.Skill) bool {
		return s.Category == o.Category &&
			s.Level >= o.LevelRequired()
	})
}

// namesFor returns the names of the items that a search is about.
func namesFor(x *items.Index, d SearchDraft) []string {
	found := []string{}
	for at := range x.Items {
		to, known := x.Target(at)
		if !known || d.Kind != "" && x.Items[to].Kind != d.Kind {
			continue
		}
		if len(d.Items) > 0 && !slices.Contains(d.Items, x.Items[to].ID) &&
			!slices.Contains(d.Items, x.Items[at].ID) {
			continue
		}
		for _, name := range x.Items[at].Names {
			found = append(found, name.Name)
		}
	}
	return found
}

// ofListings returns the draft with what it asks of a listing, which has no importance and no level. The
// least price is one that a buyer pays.
func (d SearchDraft) ofListings() SearchDraft {
	d.Importance, d.Level, d.ForMe, d.MinPrice = nil, 0, false, 0
	return d
}
