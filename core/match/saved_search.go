package match

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/trade"
)

// Bell says whether a saved search has a bell: it can notify its user of new requests that fit.
type Bell bool

// The bells.
const (
	BellOff Bell = false
	BellOn  Bell = true // a watch, in addresses and buttons of older programs
)

// Way says how a bell notifies. The inbox has every alert, whatever the way.
type Way string

// The ways.
const (
	WayDirect Way = "direct" // a direct message at once
	WayDigest Way = "digest" // one direct message a day
	WayInbox  Way = "inbox"  // the inbox only
)

// Ways lists every way.
var Ways = []Way{WayDirect, WayDigest, WayInbox}

// View says how the board shows orders.
type View string

// The views.
const (
	AnyView   View = ""
	CardsView View = "cards"
	ListView  View = "list"
)

// Views lists every view.
var Views = []View{AnyView, CardsView, ListView}

// Side is the side of the market that a saved search is for.
type Side string

// The sides.
const (
	WantedSide Side = "" // requests
	SaleSide   Side = "sale"
	EitherSide Side = "both"
)

// Sides lists every side.
var Sides = []Side{WantedSide, SaleSide, EitherSide}

// SavedSearch is a search of the board that a user has stored under a name.
type SavedSearch struct {
	ID    core.SearchID // unique among the searches with the same bell
	Owner core.UserID
	SearchDraft
	PausedAt     time.Time // of the bell; zero while it notifies
	SnoozedUntil time.Time // of the bell
	AlertedAt    time.Time // the latest alert; in the future while that is held
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Paused reports whether the bell notifies of nothing.
func (s SavedSearch) Paused() bool { return !s.PausedAt.IsZero() }

// Rings reports whether the search has a bell that is on, as users see it.
func (s SavedSearch) Rings() bool { return bool(s.Bell) && !s.Paused() }

// withBellOn returns the search as a new one with a bell.
func (s SavedSearch) withBellOn(now time.Time) SavedSearch {
	s.ID, s.Bell, s.UpdatedAt = 0, BellOn, now
	s.PausedAt, s.SnoozedUntil, s.AlertedAt = time.Time{}, time.Time{}, time.Time{}
	return s
}

// SearchDraft contains the fields of a saved search that a user fills in. A request must match all fields of
// its filter. A field that is added later needs the tag `json:",omitzero"`, as in OrderDraft.
type SearchDraft struct {
	Bell        Bell          `json:"-"` // the name of the operation has it
	Name        string        // empty for a name made from the fields; only with a bell
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
	Sort        Sort // empty for Newest
	View        View
	Texts       trade.TextFilter `json:",omitzero"` // whole texts of a request
	Side        Side             `json:",omitzero"`
}

// filter returns the part of the search that the board's filter has, too, without the user's skills.
func (d SearchDraft) filter() OrderFilter {
	return OrderFilter{
		Categories: d.Categories, Text: d.Text, Importance: d.Importance, Level: d.Level,
		MinPrice: d.MinPrice, MaxPrice: d.MaxPrice, Texts: d.Texts,
	}
}

// Terms returns the words that must all occur in a request.
func (d SearchDraft) Terms() []string { return d.filter().Words() }

func (d SearchDraft) clean(items *items.Index, forms core.TextForms) SearchDraft {
	f := d.filter().clean(forms)
	d.Text, d.Categories, d.Texts = f.Text, f.Categories, f.Texts
	d.Name, d.Kind = forms.Line(d.Name), forms.Line(d.Kind)
	d.Kind = cmp.Or(items.KindOf(d.Kind), d.Kind)
	d.Items = slices.Compact(slices.Sorted(slices.Values(d.Items)))
	d.Importance = slices.Compact(slices.Sorted(slices.Values(d.Importance)))
	d.Pause = d.Pause.Truncate(time.Minute)
	d.Way, d.Sort = cmp.Or(d.Way, WayDirect), cmp.Or(d.Sort, Newest)
	if d.Bell && d.Name == "" {
		d.Name = d.describe(items)
	}
	return d
}

// describe returns a name for a search, made from its fields.
func (d SearchDraft) describe(items *items.Index) string {
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
	for _, text := range d.Texts.Each() {
		names = append(names, text)
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

func (d SearchDraft) validate(game game.Game, items *items.Index) error {
	var c core.Checks
	if d.Bell {
		narrow := len(d.Items) > 0 || d.Kind != "" || len(d.Categories) > 0 || len(d.Terms()) > 0 ||
			d.ForMe && d.Side == WantedSide
		c.That(narrow, "q", core.NewText("watch_of_everything"))
	} else {
		c.That(d.Name != "", "name", core.NewText("search_name_required"))
	}
	c.That(core.Within(d.Name, core.MaxSearchName), "name",
		core.TooLong("search_name_too_long", core.MaxSearchName))
	c.That(core.Within(d.Kind, core.MaxItemName), "kind",
		core.TooLong("item_kind_too_long", core.MaxItemName))
	c.That(d.Kind == "" || items.KindOf(d.Kind) != "", "kind", core.NewText("watch_kind_unknown"))
	c.That(len(d.Items) <= core.MaxWatchItems, "items",
		core.NewText("watch_items_full", "limit", core.MaxWatchItems))
	for _, id := range d.Items {
		item, known := items.Item(id)
		c.That(known && item.Known(), "items", core.NewText("watch_item_unknown"))
	}
	d.filter().check(&c, game)
	c.That(0 <= d.MinQuantity && d.MinQuantity <= core.MaxQuantity, "minQuantity",
		core.NewText("min_quantity_range", "most", core.MaxQuantity))
	c.That(slices.Contains(Ways, d.Way), "way", core.NewText("way_unknown"))
	c.That(0 <= d.Pause && d.Pause <= core.MaxWatchPause, "pause", core.NewText("watch_pause_range"))
	c.That(slices.Contains(Sorts, d.Sort), "sort", unknownSort)
	c.That(slices.Contains(Views, d.View), "view", core.NewText("view_unknown"))
	c.That(slices.Contains(Sides, d.Side), "side", core.NewText("search_side_unknown"))
	return c.Err()
}

// mayBeSaved decides whether a search may be saved beside the user's others with the same bell. It returns
// Conflict.
func (s SavedSearch) mayBeSaved(others []SavedSearch) error {
	if s.Bell {
		if s.ID == 0 && len(others) >= core.MaxWatches {
			return core.LimitWatches.Over(0, "count", core.MaxWatches)
		}
		return nil
	}
	if s.ID == 0 && len(others) >= core.MaxSearches {
		return core.LimitSearches.Over(0, "count", core.MaxSearches)
	}
	for _, other := range others {
		if other.ID != s.ID && strings.EqualFold(other.Name, s.Name) {
			err := core.NewFieldError("name", core.NewText("search_name_taken"))
			err.Kind = core.Conflict
			return err
		}
	}
	return nil
}

// withBell returns the searches with a bell on or off.
func withBell(searches []SavedSearch, bell Bell) []SavedSearch {
	return slices.DeleteFunc(slices.Clone(searches), func(s SavedSearch) bool { return s.Bell != bell })
}

// either returns the name of an operation without a bell or with one.
func (b Bell) either(without, with string) string {
	if b {
		return with
	}
	return without
}

func (b Bell) notFound() error {
	if b {
		return core.NewError(core.NotFound, core.NewText("watch_gone"))
	}
	return core.NewError(core.NotFound, core.NewText("search_gone"))
}

// Older programs have searches and watches apart. The JSON in their digests and answers of writes has only
// the fields of one of them, and so has a struct that embeds a search and one of these.
type (
	withoutBell struct {
		Owner, Items, Kind, MinQuantity, Way, Pause, PausedAt, SnoozedUntil, AlertedAt struct{} `json:",omitzero"`
	}
	withoutSort struct {
		Sort, View struct{} `json:",omitzero"`
	}
)

// asked returns the draft as the digest of its write has it.
func (d SearchDraft) asked() any {
	if d.Bell {
		return struct {
			SearchDraft
			withoutSort
		}{SearchDraft: d}
	}
	return struct {
		SearchDraft
		withoutBell
	}{SearchDraft: d}
}

// MarshalJSON returns the answer of a write.
func (s SavedSearch) MarshalJSON() ([]byte, error) {
	type plain SavedSearch
	if s.Bell {
		return json.Marshal(struct {
			plain
			withoutSort
		}{plain: plain(s)})
	}
	return json.Marshal(struct {
		plain
		withoutBell
	}{plain: plain(s)})
}

// UnmarshalJSON reads the answer of a write.
func (s *SavedSearch) UnmarshalJSON(answer []byte) error {
	type plain SavedSearch
	err := json.Unmarshal(answer, (*plain)(s))
	s.Bell = s.Way != ""
	return err
}
