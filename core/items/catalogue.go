package items

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

// LatestImport says which file of items the catalogue has. It is zero where there was none.
type LatestImport struct {
	Made    bool
	Shipped int // the version of the file that comes along; zero for a file of the operator's
}

// Index returns the index of the items, an empty one where items are off.
func (m *Service) Index(ctx context.Context) (*Index, error) {
	if !m.features.Items {
		return NewIndex(nil, nil, m.forms), nil
	}
	index, err := m.store.Items(ctx, m.forms, m.now())
	if err != nil {
		return nil, fmt.Errorf("read the items: %w", err)
	}
	return index, nil
}

// IndexOrEmpty returns the index for callers that can do without items: an empty one when the items cannot
// be read.
func (m *Service) IndexOrEmpty(ctx context.Context) *Index {
	index, err := m.Index(ctx)
	if err != nil {
		return NewIndex(nil, nil, m.forms)
	}
	return index
}

// CatalogueQuery asks for a part of the list of items.
type CatalogueQuery struct {
	Text       string
	Profession game.Category // that makes or uses it; empty for any
	Level      int           // items that take no more to make; 0 for any
	Sort       Sort          // empty for ByName
	After      string        // CataloguePage.Next of the part before; empty from the top
	Limit      int           // 1 to MaxCataloguePage; 0 for that
}

// MaxCataloguePage is how many items a part of the list has at most.
const MaxCataloguePage = 60

// CataloguePage is a part of the list of items.
type CataloguePage struct {
	Items     []Item
	Summaries []Summary // of each item
	Next      string    // empty on the last part
}

// Catalogue lists the items that the game has. Every sort is made in memory, from the index and the summaries
// of all items; it reads nothing from the database. It fails with Invalid.
func (m *Service) Catalogue(ctx context.Context, q CatalogueQuery) (CataloguePage, error) {
	if q.Limit == 0 {
		q.Limit = MaxCataloguePage
	}
	q.Text = m.forms.Line(q.Text)
	q.Sort = cmp.Or(q.Sort, ByName)
	after, ok := parseListCursor(q.After, q.Sort)
	var c core.Checks
	c.That(ok, "cursor", core.BadCursorMessage)
	c.That(slices.Contains(Sorts, q.Sort), "sort", core.NewText("item_sort_unknown"))
	c.That(core.Within(q.Text, core.MaxItemName), "q", core.TooLong("search_too_long", core.MaxItemName))
	c.That(core.Within(string(q.Profession), game.MaxGameName), "profession",
		core.TooLong("profession_too_long", game.MaxGameName))
	c.That(q.Level >= 0 && q.Level <= maxItemLevel, "level",
		core.NewText("level_range", "most", maxItemLevel))
	c.That(1 <= q.Limit && q.Limit <= MaxCataloguePage, "limit",
		core.NewText("limit_range", "most", MaxCataloguePage))
	if err := c.Err(); err != nil {
		return CataloguePage{}, err
	}
	index, err := m.Index(ctx)
	if err != nil {
		return CataloguePage{}, err
	}
	summaries := m.Summaries(ctx)
	listed := index.listed(Filter{Text: q.Text, Profession: q.Profession, Level: q.Level}, q.Sort, summaries,
		after)
	var page CataloguePage
	for _, p := range listed[:min(len(listed), q.Limit)] {
		item := index.Items[p.at].Item
		page.Items, page.Summaries = append(page.Items, item), append(page.Summaries, summaries[item.ID])
	}
	if len(listed) > q.Limit {
		page.Next = listCursor{q.Sort, listed[q.Limit-1].listPlace}.String()
	}
	return page, nil
}

// Item returns an item, or the item that it was merged into. It fails with NotFound.
func (m *Service) Item(ctx context.Context, id core.ItemID) (Item, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return Item{}, err
	}
	item, known := index.Item(id)
	if !known || !item.Known() {
		return Item{}, NotFound()
	}
	return item, nil
}

// Complete returns the items that fit the text typed so far, MaxCompletions at most. It does not query
// the database.
func (m *Service) Complete(ctx context.Context, text string) ([]Item, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return nil, err
	}
	return index.Complete(text, MaxCompletions), nil
}

// NameItem returns the item with the text as its name or alias, else an item that the text is a near miss
// of. Both may be nil.
func (m *Service) NameItem(ctx context.Context, text string) (named, near *Item, err error) {
	index, err := m.Index(ctx)
	if err != nil {
		return nil, nil, err
	}
	text = index.Meant(m.forms.Line(text))
	if item, known := index.Named(text); known {
		return &item, nil, nil
	}
	if item, known := index.Near(text); known {
		return nil, &item, nil
	}
	return nil, nil, nil
}

// nearItems limits the items offered for an unknown name.
const nearItems = 3

// Meant lists the possible meanings of a text that names no item.
type Meant struct {
	Items  []Item // the items of the kind that it names, or else a few that fit it
	OfKind bool
	Any    bool // whether there is a catalogue at all
}

// Meant returns the items that a text may mean which names none.
func (m *Service) Meant(ctx context.Context, text string) (Meant, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return Meant{}, err
	}
	text = m.forms.Line(text)
	if kind := index.KindOf(text); kind != "" {
		return Meant{Items: index.OfKind(kind, MaxCompletions), OfKind: true, Any: true}, nil
	}
	return Meant{Items: index.Complete(text, nearItems), Any: len(index.Items) > 0}, nil
}

// MeantName returns the item's name for a text that is its label, which a client may send in place of the
// name. It returns any other text as it is.
func (m *Service) MeantName(ctx context.Context, text string) string {
	return m.IndexOrEmpty(ctx).Meant(text)
}

// Import makes a file the catalogue. Items that the file no longer has are marked as gone. With dry,
// nothing is saved. It returns an *ImportError for a mistake in the file.
func (m *Service) Import(ctx context.Context, rows []Row, dry bool) (Import, error) {
	var done Import
	now := m.now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		items, latest, err := tx.LockItems(ctx)
		if err != nil {
			return fmt.Errorf("lock the items: %w", err)
		}
		if done, err = PlanImport(items, rows, m.forms, now); err != nil || dry {
			return err
		}
		if latest.Made && latest.Shipped == 0 && len(done.Changed) == 0 {
			return nil
		}
		return saveImport(ctx, tx, done, 0, now)
	})
	return done, err
}

func saveImport(ctx context.Context, tx Tx, done Import, shipped int, now time.Time) error {
	if err := tx.SaveItems(ctx, done.Changed, now); err != nil {
		return fmt.Errorf("save items: %w", err)
	}
	if err := tx.AddImport(ctx, LatestImport{Made: true, Shipped: shipped}, now); err != nil {
		return fmt.Errorf("note the import: %w", err)
	}
	return nil
}

// Seed imports the items that come along with the game, where the catalogue has none or an older
// version of them, and adds the names that the operator wants suggested. Of replicas that start at the same
// time one does it. An operator's own file stays.
func (m *Service) Seed(ctx context.Context) (added int, err error) {
	if !m.features.Items {
		return 0, nil
	}
	now := m.now()
	err = m.run.Atomically(ctx, func(tx Tx) error {
		added = 0
		items, latest, err := tx.LockItems(ctx)
		if err != nil {
			return fmt.Errorf("lock the items: %w", err)
		}
		if m.game.IsStandard() && (!latest.Made || 0 < latest.Shipped &&
			latest.Shipped < ShippedVersion) {
			done, err := PlanImport(items, Shipped(m.forms), m.forms, now)
			if err != nil {
				return err
			}
			if err := saveImport(ctx, tx, done, ShippedVersion, now); err != nil {
				return err
			}
			added = done.Added
			if items, _, err = tx.LockItems(ctx); err != nil {
				return fmt.Errorf("read the items again: %w", err)
			}
		}
		suggested := newNames(items, m.suggested, m.forms)
		added += len(suggested)
		for i := range suggested {
			suggested[i].Suggested = true
		}
		return tx.SaveItems(ctx, append(suggested, nowSuggested(items, m.suggested, m.forms)...), now)
	})
	return added, err
}

// nowSuggested marks the provisional items that the operator has added to ITEMS, and returns them.
func nowSuggested(items []Item, names []string, forms core.TextForms) (changed []Item) {
	for _, item := range items {
		is := func(name string) bool {
			return len(item.Names) > 0 && forms.FoldItem(name) == item.Names[0].Key
		}
		if item.State == Provisional && !item.Suggested && slices.ContainsFunc(names, is) {
			item.Suggested = true
			changed = append(changed, item)
		}
	}
	return changed
}

// newNames returns provisional items for the names that are no item's.
func newNames(items []Item, names []string, forms core.TextForms) []Item {
	known := map[string]bool{}
	for _, item := range items {
		for _, name := range item.Names {
			known[name.Key] = true
		}
	}
	var added []Item
	for _, name := range names {
		item := provisionalItem(forms.Line(name), forms)
		key := item.Names[0].Key
		if key != "" && core.Within(item.Name, core.MaxItemName) && !known[key] {
			known[key] = true
			added = append(added, item)
		}
	}
	return added
}

func provisionalItem(name string, forms core.TextForms) Item {
	return Item{Name: name, State: Provisional, Names: []Name{{forms.FoldItem(name), name}}}
}

// NoteName adds the name of a request that was just posted as a provisional item, when it is known to none
// and enough people ask for it.
func (m *Service) NoteName(ctx context.Context, tx Tx, known *Index, name string, now time.Time) error {
	if known.HasName(name) {
		return nil
	}
	item := provisionalItem(name, m.forms)
	if item.Names[0].Key == "" {
		return nil
	}
	requests, people, err := tx.CountNamed(ctx, name)
	if err != nil {
		return fmt.Errorf("count requests for an item: %w", err)
	}
	if requests < provisionalRequests || people < provisionalPeople {
		return nil
	}
	items, _, err := tx.LockItems(ctx)
	if err != nil {
		return fmt.Errorf("lock the items: %w", err)
	}
	if added := newNames(items, []string{name}, m.forms); len(added) > 0 {
		return tx.SaveItems(ctx, added, now)
	}
	return nil
}

// Provisional lists the items that wait for a moderator after a number (zero: from the top), the
// oldest first. It fails with Unauthenticated and Forbidden.
func (m *Service) Provisional(
	ctx context.Context, actor core.Actor, after core.ItemID, limit int,
) ([]ProvisionalItem, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	index, err := m.Index(ctx)
	if err != nil {
		return nil, err
	}
	return index.Provisional(after, limit), nil
}
