package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Way says how a watch notifies. The inbox has every alert, whatever the way.
type Way string

// The ways.
const (
	WayDirect Way = "direct" // a direct message at once
	WayDigest Way = "digest" // one direct message a day
	WayInbox  Way = "inbox"  // the inbox only
)

// Ways lists every way.
var Ways = []Way{WayDirect, WayDigest, WayInbox}

// Watch is a search that notifies its user of requests that fit.
type Watch struct {
	ID    core.WatchID
	Owner core.UserID
	WatchDraft
	PausedAt     time.Time // zero while it notifies
	SnoozedUntil time.Time
	AlertedAt    time.Time // the latest alert; in the future while that is held
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Paused reports whether the watch notifies of nothing.
func (w Watch) Paused() bool { return !w.PausedAt.IsZero() }

// WatchDraft contains the fields of a watch that a user fills in. A request must match all its fields. A
// field that is added later needs the tag `json:",omitzero"`, as in OrderDraft.
type WatchDraft struct {
	Name        string
	Items       []core.ItemID // any of these; empty for all
	Kind        string        // of items; empty for any
	Categories  []game.Category
	Text        string
	Importance  []game.Importance
	Level       int // 0 for any
	MinPrice    core.Copper
	MaxPrice    core.Copper
	ForMe       bool // requests that the user's skills at that time are enough for
	MinQuantity int  // 0 for any
	Way         Way  // empty for WayDirect
	Pause       time.Duration
}

// filter returns the part of the watch that the board's filter has, too.
func (d WatchDraft) filter() OrderFilter {
	return OrderFilter{
		Categories: d.Categories, Text: d.Text, Importance: d.Importance, Level: d.Level,
		MinPrice: d.MinPrice, MaxPrice: d.MaxPrice,
	}
}

// Terms returns the words that must all occur in a request.
func (d WatchDraft) Terms() []string { return d.filter().Words() }

func (d WatchDraft) clean(items *items.ItemIndex, forms core.TextForms) WatchDraft {
	f := d.filter().clean(forms)
	d.Text, d.Categories = f.Text, f.Categories
	d.Name, d.Kind = forms.Line(d.Name), forms.Line(d.Kind)
	d.Kind = cmp.Or(items.KindOf(d.Kind), d.Kind)
	d.Items = slices.Compact(slices.Sorted(slices.Values(d.Items)))
	d.Importance = slices.Compact(slices.Sorted(slices.Values(d.Importance)))
	d.Pause = d.Pause.Truncate(time.Minute)
	if d.Way == "" {
		d.Way = WayDirect
	}
	if d.Name == "" {
		d.Name = d.describe(items)
	}
	return d
}

// describe returns a name for a watch, made from its fields.
func (d WatchDraft) describe(items *items.ItemIndex) string {
	var names []string
	for _, id := range d.Items {
		if item, known := items.Item(id); known {
			names = append(names, item.Name)
		}
	}
	for _, part := range append([]string{d.Kind, d.Text}, asTexts(d.Categories)...) {
		if part != "" {
			names = append(names, part)
		}
	}
	if len(names) == 0 && d.ForMe {
		names = []string{"For me"}
	}
	name := []rune(strings.Join(names, ", "))
	if len(name) > core.MaxSearchName {
		return string(name[:core.MaxSearchName-1]) + "…"
	}
	return string(name)
}

func asTexts[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return texts
}

func (d WatchDraft) validate(game game.Game, items *items.ItemIndex) error {
	var c core.Checks
	narrow := len(d.Items) > 0 || d.Kind != "" || len(d.Categories) > 0 || len(d.Terms()) > 0 || d.ForMe
	c.That(narrow, "q", core.NewText("watch_of_everything",
		"Say what to watch: an item, a profession or a word"))
	c.That(core.Within(d.Name, core.MaxSearchName), "name",
		core.TooLong("watch_name_too_long", "Name", core.MaxSearchName))
	c.That(core.Within(d.Kind, core.MaxItemName), "kind",
		core.TooLong("item_kind_too_long", "Kind", core.MaxItemName))
	c.That(d.Kind == "" || items.KindOf(d.Kind) != "", "kind",
		core.NewText("watch_kind_unknown", "There is no such kind of items"))
	c.That(len(d.Items) <= core.MaxWatchItems, "items",
		core.NewText("watch_items_full", "One watch has room for %d items", core.MaxWatchItems))
	for _, id := range d.Items {
		item, known := items.Item(id)
		c.That(known && item.Known(), "items", core.NewText("watch_item_unknown", "There is no such item"))
	}
	d.filter().check(&c, game)
	c.That(0 <= d.MinQuantity && d.MinQuantity <= core.MaxQuantity, "minQuantity",
		core.NewText("min_quantity_range", "Least quantity must be between 1 and %d", core.MaxQuantity))
	c.That(slices.Contains(Ways, d.Way), "way",
		core.NewText("way_unknown", "Way must be direct, digest or inbox"))
	c.That(0 <= d.Pause && d.Pause <= core.MaxWatchPause, "pause",
		core.NewText("watch_pause_range", "Pause must not be longer than a day"))
	return c.Err()
}

// How many letters of a word are a key.
const keyLetters = 3

// Keys returns the index keys of the watch: a request that fits has at least one of them, see
// WatchedOrder.Keys. A watch uses the narrowest keys possible, so that few watches are compared with a
// request.
func (d WatchDraft) Keys(forms core.TextForms, game game.Game) []string {
	var keys []string
	switch longest := longest(d.Terms()); {
	case len(d.Items) > 0:
		for _, id := range d.Items {
			keys = append(keys, itemWatchKey(id))
		}
	case d.Kind != "":
		keys = append(keys, kindWatchKey(forms, d.Kind))
	case utf8.RuneCountInString(longest) >= keyLetters:
		keys = append(keys, "word:"+string([]rune(longest)[:keyLetters]))
		for _, category := range game.Categories() {
			if names(longest, category) {
				keys = append(keys, categoryWatchKey(category))
			}
		}
	case len(d.Categories) > 0:
		for _, category := range d.Categories {
			keys = append(keys, categoryWatchKey(category))
		}
	default:
		keys = append(keys, anyWatchKey)
	}
	return keys
}

const anyWatchKey = "any"

func itemWatchKey(id core.ItemID) string { return fmt.Sprintf("item:%d", id) }

func kindWatchKey(forms core.TextForms, kind string) string { return "kind:" + forms.FoldItem(kind) }

func categoryWatchKey(category game.Category) string { return "category:" + string(category) }

func longest(words []string) (longest string) {
	for _, word := range words {
		if utf8.RuneCountInString(word) > utf8.RuneCountInString(longest) {
			longest = word
		}
	}
	return longest
}

// WatchedOrder is a request as watches are compared with it.
type WatchedOrder struct {
	trade.Order
	Items []core.ItemID // that its name leads to: an item and the items merged into it
	Kind  string        // of the item
}

// asWatched returns the request as watches are compared with it.
func asWatched(x *items.ItemIndex, o trade.Order) WatchedOrder {
	w := WatchedOrder{Order: o}
	item, known := x.Named(o.ItemName)
	if !known {
		return w
	}
	w.Kind = item.Kind
	for at := range x.Items {
		if x.Items[at].ID == item.ID {
			w.Items = append(w.Items, item.ID)
		} else if x.Items[at].State == items.ItemMerged {
			if to, known := x.Target(at); known && x.Items[to].ID == item.ID {
				w.Items = append(w.Items, x.Items[at].ID)
			}
		}
	}
	return w
}

// Content returns the texts in which the words of a watch are looked for, in lower case.
func (o WatchedOrder) Content() string {
	return strings.ToLower(o.ItemName + " " + o.Description + "\n" + o.BuyerContact + " " + o.InGameName)
}

// CategoryWords returns the words of the name of the request's profession, in lower case.
func (o WatchedOrder) CategoryWords() []string {
	return strings.Fields(strings.ToLower(string(o.Category)))
}

// Keys returns the index keys under which watches can match the request.
func (o WatchedOrder) Keys(forms core.TextForms) []string {
	keys := []string{anyWatchKey, categoryWatchKey(o.Category)}
	for _, id := range o.Items {
		keys = append(keys, itemWatchKey(id))
	}
	if o.Kind != "" {
		keys = append(keys, kindWatchKey(forms, o.Kind))
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

// Fits reports whether a request fits the watch of a user with the skills. The query Watchers asks the same
// of the database.
func (d WatchDraft) Fits(o WatchedOrder, skills []people.Skill) bool {
	switch {
	case len(d.Items) > 0 && !slices.ContainsFunc(d.Items,
		func(id core.ItemID) bool { return slices.Contains(o.Items, id) }),
		d.Kind != "" && d.Kind != o.Kind,
		len(d.Categories) > 0 && !slices.Contains(d.Categories, o.Category),
		len(d.Importance) > 0 && !slices.Contains(d.Importance, o.Importance),
		d.Level > 0 && o.LevelRequired() > d.Level,
		o.MaxPrice < d.MinPrice, d.MaxPrice > 0 && o.MaxPrice > d.MaxPrice,
		o.Quantity < d.MinQuantity,
		d.ForMe && !CanFill(skills, o.Order):
		return false
	}
	content := o.Content()
	for _, term := range d.Terms() {
		if !strings.Contains(content, term) && !names(term, o.Category) {
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
