package items

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// itemIndex is the cached index of the items. After a change of an item, by this replica or another, the
// index is read again before it is used. Demand changes all the time, so it is read again in the background
// once it is demandFor old.
type itemIndex struct{ entry *cache.Entry[readItems] }

type readItems struct {
	index *items.Index
	at    time.Time
}

const (
	demandFor  = 10 * time.Minute
	demandDays = 30
)

// Items returns the index of the items.
func (s *Store) Items(ctx context.Context, forms core.TextForms, now time.Time) (*items.Index, error) {
	load := func(ctx context.Context) (readItems, time.Time, error) {
		index, err := s.readItems(ctx, forms, now)
		return readItems{index, now}, now.Add(demandFor), err
	}
	if latest, ok := s.items.entry.Unchanged(); ok {
		if now.Sub(latest.at) > demandFor {
			s.items.entry.ReloadLater(ctx, now, load) // the one in use stays when it fails
		}
		return latest.index, nil
	}
	read, err := s.items.entry.Reload(ctx, now, load)
	if latest, ok := s.items.entry.Latest(); err != nil && ok {
		return latest.index, nil
	}
	return read.index, err
}

func (s *Store) readItems(
	ctx context.Context, forms core.TextForms, now time.Time,
) (*items.Index, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (*items.Index, error) {
		index, err := allItems(ctx, q.Queries)
		if err != nil || len(index) == 0 {
			return items.NewIndex(nil, nil, forms), err
		}
		rows, err := q.ItemDemand(ctx, now.AddDate(0, 0, -demandDays))
		if err != nil {
			return nil, fmt.Errorf("read what is asked for: %w", err)
		}
		demand := make(map[string]items.Demand, len(rows))
		for _, row := range rows {
			demand[row.Name] = items.Demand{Requests: row.Orders, Trusted: row.Trusted}
		}
		return items.NewIndex(index, demand, forms), nil
	})
}

func allItems(ctx context.Context, q *db.Queries) ([]items.Item, error) {
	rows, err := q.AllItems(ctx)
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}
	names, err := q.AllItemNames(ctx)
	if err != nil {
		return nil, fmt.Errorf("read names of items: %w", err)
	}
	index, places := kernel.Convert(rows, item), make(map[core.ItemID]int, len(rows))
	for at, i := range index {
		places[i.ID] = at
	}
	for _, name := range names {
		if at, known := places[name.ItemID]; known {
			index[at].Names = append(index[at].Names, items.Name{Key: name.Key, Name: name.Name})
		}
	}
	return index, nil
}

// item translates a row. It and storedItem list its columns.
func item(r db.CatalogueItem) items.Item {
	categories := func(names []string) []game.Category {
		if len(names) == 0 {
			return nil
		}
		return kernel.Convert(names, func(name string) game.Category { return game.Category(name) })
	}
	return items.Item{
		ID: r.ID, Name: r.Name, Kind: r.Kind, Region: r.Region, MadeBy: categories(r.MadeBy),
		MadeAt: r.MadeAt,
		UsedBy: categories(r.UsedBy), UsedAt: r.UsedAt, Tradeable: r.Tradeable, Link: r.Link,
		FileKey:  kernel.OrZero(r.FileKey),
		FromFile: r.FromFile, State: r.State, MergedInto: kernel.OrZero(r.MergedInto),
		GoneAt: kernel.OrZero(r.GoneAt), Suggested: r.Suggested,
	}
}

func storedItem(i items.Item) db.CatalogueItem {
	names := kernel.Texts[game.Category]
	return db.CatalogueItem{
		ID: i.ID, Name: i.Name, Kind: i.Kind, Region: i.Region, MadeBy: names(i.MadeBy), MadeAt: i.MadeAt,
		UsedBy: names(i.UsedBy), UsedAt: i.UsedAt, Tradeable: i.Tradeable, Link: i.Link,
		FileKey:  kernel.OrNull(i.FileKey),
		FromFile: i.FromFile, State: i.State, MergedInto: kernel.OrNull(i.MergedInto),
		GoneAt: kernel.TimeOrNull(i.GoneAt), Suggested: i.Suggested,
	}
}

// LockItems returns every item, in whatever state, and the latest import.
func (t *Tx) LockItems(ctx context.Context) ([]items.Item, items.LatestImport, error) {
	if err := t.Q.LockItems(ctx); err != nil {
		return nil, items.LatestImport{}, kernel.Translate(err)
	}
	shipped, err := t.Q.LatestImport(ctx)
	latest := items.LatestImport{Made: err == nil, Shipped: shipped}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, latest, kernel.Translate(err)
	}
	items, err := allItems(ctx, t.Q)
	return items, latest, kernel.Translate(err)
}

// SaveItems stores items with their names; those without a number are new.
func (t *Tx) SaveItems(ctx context.Context, items []items.Item, now time.Time) error {
	if len(items) == 0 {
		return nil
	}
	t.NoteItems()
	added := 0
	for _, i := range items {
		if i.ID == 0 {
			added++
		}
	}
	numbers, err := t.Q.ItemNumbers(ctx, added)
	if err != nil {
		return kernel.Translate(err)
	}
	var (
		rows  []db.CatalogueItem
		ids   []int64
		names db.AddItemNamesParams
	)
	for _, i := range items {
		if i.ID == 0 {
			i.ID, numbers = core.ItemID(numbers[0]), numbers[1:]
		}
		rows, ids = append(rows, storedItem(i)), append(ids, int64(i.ID))
		for place, name := range i.Names {
			names.Keys, names.Names = append(names.Keys, name.Key), append(names.Names, name.Name)
			names.Items, names.Places = append(names.Items, int64(i.ID)), append(names.Places, place)
		}
	}
	content, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write items: %w", err)
	}
	if err := t.Q.SaveItems(ctx, now, content); err != nil {
		return kernel.Translate(err)
	}
	if err := t.Q.DeleteItemNames(ctx, ids); err != nil {
		return kernel.Translate(err)
	}
	if err := t.Q.AddItemNames(ctx, names); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.StockFollowsItems(ctx, ids))
}

// AddImport stores the latest import.
func (t *Tx) AddImport(ctx context.Context, i items.LatestImport, now time.Time) error {
	return t.Q.AddImport(ctx, now, i.Shipped)
}

// CountNamed returns how many orders name an item as a text does, and by how many people.
func (t *Tx) CountNamed(ctx context.Context, name string) (orders, people int, err error) {
	if err := t.Q.LockItemName(ctx, name); err != nil {
		return 0, 0, kernel.Translate(err)
	}
	counted, err := t.Q.CountNamed(ctx, name)
	return counted.Orders, counted.People, kernel.Translate(err)
}
