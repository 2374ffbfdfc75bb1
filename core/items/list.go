package items

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"tradepost/core"
	"tradepost/core/game"
)

// Sort says in which order the list of items comes.
type Sort string

// The sorts. Ties fall to the name.
const (
	ByName       Sort = "name"       // the default
	ByOpen       Sort = "open"       // most open requests first, then those with a price, then most asked for
	ByPrice      Sort = "price"      // highest price first, without a price last
	ByProfession Sort = "profession" // that makes it, then the level
	ByLevel      Sort = "level"      // lowest level first, unknown last
)

// Sorts lists every sort.
var Sorts = []Sort{ByName, ByOpen, ByPrice, ByProfession, ByLevel}

// Summary is the demand for an item and its price, as completions and the list show it.
type Summary struct {
	Open   int          // open requests
	Traded core.Copper  // the median of Usual; zero without a price
	Usual  *PriceWindow // as Prices.Usual; nil without a price
}

// listPlace is the place of an item in a sorted list. No two items of a list have the same.
type listPlace struct {
	Text    string `json:"text,omitzero"`
	Numbers [3]int `json:"numbers"`
	Name    string `json:"name"` // folded
}

func (p listPlace) compare(other listPlace) int {
	return cmp.Or(strings.Compare(p.Text, other.Text),
		slices.Compare(p.Numbers[:], other.Numbers[:]), strings.Compare(p.Name, other.Name))
}

// listPlaceOf returns the place of an item in a list sorted by s.
func (x *Index) listPlaceOf(item *indexedItem, s Sort, of Summary) listPlace {
	p := listPlace{Name: x.forms.FoldItem(item.Name)}
	level := math.MaxInt32 // unknown, or any
	if item.MadeAt != nil && *item.MadeAt > 0 {
		level = *item.MadeAt
	}
	switch s {
	case ByOpen:
		unpriced := 1
		if of.Traded > 0 {
			unpriced = 0
		}
		p.Numbers = [3]int{-of.Open, unpriced, -item.Requests}
	case ByPrice:
		p.Numbers = [3]int{-int(of.Traded), -of.Open, -item.Requests}
	case ByProfession:
		p.Text, p.Numbers[0] = "\U0010FFFF", level
		if len(item.MadeBy) > 0 {
			p.Text = string(item.MadeBy[0])
		}
	case ByLevel:
		p.Numbers[0] = level
	case ByName:
	}
	return p
}

// Filter narrows the list of items.
type Filter struct {
	Text       string        // words that the name has, also as parts, or that name who makes it
	Profession game.Category // that makes or uses it; empty for any
	Level      int           // the reader's: items that take no more to make; 0 for any
	State      State
}

// List returns items by name after a place in the list, at most limit, and whether there are more. Where no
// item has the words, it allows the same mistakes as Complete: typos, missing spaces and a quantity in
// front.
func (x *Index) List(f Filter, after string, limit int) (items []Item, more bool) {
	places := x.listed(f, ByName, nil, &listPlace{Name: after})
	for _, p := range places[:min(len(places), limit)] {
		items = append(items, x.Items[p.at].Item)
	}
	return items, len(places) > limit
}

// placedItem is an item of the index with its place in a list.
type placedItem struct {
	listPlace
	at int
}

// listed returns the items that a filter leaves after a place, in the order of a list.
func (x *Index) listed(f Filter, s Sort, of map[core.ItemID]Summary, after *listPlace) []placedItem {
	words := strings.Fields(itemWords(x.forms, f.Text))
	named := x.professions.namedBy(words)
	var all []int
	for at := range x.Items {
		if f.matches(&x.Items[at], words, named) {
			all = append(all, at)
		}
	}
	if len(all) == 0 && len(words) > 0 && f.State == "" {
		for _, at := range x.find(f.Text) {
			if f.matches(&x.Items[at], nil, nil) {
				all = append(all, at)
			}
		}
	}
	places := make([]placedItem, 0, len(all))
	for _, at := range all {
		item := &x.Items[at]
		p := placedItem{x.listPlaceOf(item, s, of[item.ID]), at}
		if after == nil || p.compare(*after) > 0 {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b placedItem) int { return a.compare(b.listPlace) })
	return places
}

func (f Filter) matches(item *indexedItem, words []string, named named) bool {
	switch {
	case f.State != "":
		if item.State != f.State {
			return false
		}
	case !item.Known() || item.Gone():
		return false
	}
	if f.Profession != "" && !slices.Contains(item.MadeBy, f.Profession) &&
		!slices.Contains(item.UsedBy, f.Profession) {
		return false
	}
	if f.Level > 0 && (item.MadeAt == nil || *item.MadeAt > f.Level) {
		return false
	}
	contains := func(form *itemForm, word string) bool { return strings.Contains(form.text, word) }
	return len(words) == 0 || slices.ContainsFunc(item.forms, func(form itemForm) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !contains(&form, word) })
	}) || named.fits(item, words, contains)
}

// listCursor is a place in a list of one sort, as a page of it names the next.
type listCursor struct {
	Sort Sort `json:"sort"`
	listPlace
}

func (c listCursor) String() string {
	if c.Sort == ByName {
		return base64.RawURLEncoding.EncodeToString([]byte(c.Name))
	}
	text, _ := json.Marshal(c) //nolint:errchkjson // texts and numbers
	return base64.RawURLEncoding.EncodeToString(text)
}

// parseListCursor reads a cursor of a list sorted by s. It returns nil for an empty one, which is the top.
func parseListCursor(text string, s Sort) (after *listPlace, ok bool) {
	read, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(read) == 0 {
		return nil, err == nil
	}
	if s == ByName {
		return &listPlace{Name: string(read)}, true
	}
	var c listCursor
	if json.Unmarshal(read, &c) != nil || c.Sort != s {
		return nil, false
	}
	return &c.listPlace, true
}
