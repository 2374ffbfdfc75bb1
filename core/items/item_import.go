package items

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

// Limits of a catalogue.
const (
	MaxItems           = 50_000
	maxItemFacts       = 100 // characters of a kind or region
	maxItemProfessions = 8
	maxItemAliases     = 20
	maxItemLevel       = 100_000 // of another game; levels above MaxLevel are shown and never proposed
	maxItemLink        = 300
	maxFileKey         = 64
)

// itemColumns are the columns that a file may have. Only name must be there.
var itemColumns = []string{
	"name", "kind", "region", "made_by", "made_at_level", "used_by", "used_at_level", "tradeable", "link",
	"aliases", "id", "formerly",
}

// Row is one item of a file.
type Row struct {
	Line     int
	Item     Item // without numbers
	Aliases  []string
	Formerly string // the name that the item had before
}

// ImportError describes a mistake in a file of items and its place.
type ImportError struct {
	Line   int
	Column string // empty for the whole line
	Reason string
}

func (e *ImportError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d, column %s: %s", e.Line, e.Column, e.Reason)
}

// ReadRows reads a file of items: CSV with a header that names the columns, in any order. Its error names
// line and column.
func ReadRows(data []byte, forms core.TextForms) ([]Row, error) {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	reader.FieldsPerRecord = -1 // compared below, for an error that names the columns
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, &ImportError{1, "", "the file is empty: want a header with the columns, " +
			"such as name,kind,made_by"}
	}
	if err != nil {
		return nil, describeCSVError(err)
	}
	for i, column := range header {
		header[i] = strings.ToLower(strings.TrimSpace(column))
		if !slices.Contains(itemColumns, header[i]) {
			return nil, &ImportError{1, column,
				"no such column: want some of " + strings.Join(itemColumns, ", ")}
		}
		if slices.Contains(header[:i], header[i]) {
			return nil, &ImportError{1, column, "the column is there twice"}
		}
	}
	if !slices.Contains(header, "name") {
		return nil, &ImportError{1, "name", "the column is missing"}
	}
	var rows []Row
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, checkItemRows(rows, forms)
		}
		if err != nil {
			return nil, describeCSVError(err)
		}
		line, _ := reader.FieldPos(0)
		if len(record) != len(header) {
			return nil, &ImportError{line, "",
				fmt.Sprintf("it has %d columns, and the header has %d", len(record), len(header))}
		}
		if len(rows) == MaxItems {
			return nil, &ImportError{line, "", fmt.Sprintf("a catalogue has %d items at most", MaxItems)}
		}
		row, err := readItemRow(line, header, record, forms)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
}

func describeCSVError(err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return &ImportError{wrong.Line, "", wrong.Err.Error()}
	}
	return err
}

func readItemRow(line int, header, record []string, forms core.TextForms) (Row, error) {
	row := Row{Line: line, Item: Item{State: Listed, FromFile: true}}
	for i, column := range header {
		text := forms.Line(record[i])
		if wrong := row.set(column, text); wrong != "" {
			return row, &ImportError{line, column, wrong}
		}
	}
	return row, nil
}

// set reads one column. It returns a description of the mistake, empty for none.
func (r *Row) set(column, text string) (wrong string) {
	tooLong := func(limit int) string {
		if !core.Within(text, limit) {
			return fmt.Sprintf("%q has more than %d characters", text, limit)
		}
		return ""
	}
	item := &r.Item
	switch column {
	case "name":
		item.Name, wrong = text, tooLong(core.MaxItemName)
		if text == "" {
			wrong = "it is empty"
		}
	case "kind":
		item.Kind, wrong = text, tooLong(maxItemFacts)
	case "region":
		item.Region, wrong = text, tooLong(maxItemFacts)
	case "made_by":
		item.MadeBy, wrong = readProfessions(text)
	case "used_by":
		item.UsedBy, wrong = readProfessions(text)
	case "made_at_level":
		item.MadeAt, wrong = readItemLevel(text)
	case "used_at_level":
		item.UsedAt, wrong = readItemLevel(text)
	case "tradeable":
		item.Tradeable, wrong = readTradeable(text)
	case "link":
		item.Link, wrong = text, tooLong(maxItemLink)
		if link, err := url.Parse(text); text != "" &&
			(err != nil || link.Scheme != "https" || link.Host == "" || link.User != nil) {
			wrong = fmt.Sprintf("%q is no address that begins with https://", text)
		}
	case "aliases":
		r.Aliases = parts(text)
		if len(r.Aliases) > maxItemAliases {
			wrong = fmt.Sprintf("an item has %d aliases at most", maxItemAliases)
		}
		for _, alias := range r.Aliases {
			if !core.Within(alias, core.MaxItemName) {
				wrong = fmt.Sprintf("%q has more than %d characters", alias, core.MaxItemName)
			}
		}
	case "id":
		item.FileKey, wrong = text, tooLong(maxFileKey)
	case "formerly":
		r.Formerly = text
	}
	return wrong
}

// parts splits a list of words in one column, separated by semicolons.
func parts(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func readProfessions(text string) (professions []game.Category, wrong string) {
	for _, name := range parts(text) {
		if !core.Within(name, game.MaxGameName) {
			return nil, fmt.Sprintf("%q has more than %d characters", name, game.MaxGameName)
		}
		professions = append(professions, game.Category(name))
	}
	if len(professions) > maxItemProfessions {
		return nil, fmt.Sprintf("there are %d professions, and %d are allowed", len(professions),
			maxItemProfessions)
	}
	return professions, ""
}

func readItemLevel(text string) (level *int, wrong string) {
	if text == "" {
		return nil, ""
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxItemLevel {
		return nil, fmt.Sprintf("%q is no level: want a number from 0 to %d, or nothing", text, maxItemLevel)
	}
	return &n, ""
}

func readTradeable(text string) (tradeable *bool, wrong string) {
	switch strings.ToLower(text) {
	case "":
		return nil, ""
	case "yes", "no":
		yes := strings.EqualFold(text, "yes")
		return &yes, ""
	}
	return nil, fmt.Sprintf("%q is none of yes and no; leave it empty where it is not known", text)
}

// checkItemRows returns an error where a name, an alias or an id is there twice.
func checkItemRows(rows []Row, forms core.TextForms) error {
	names, keys := map[string]int{}, map[string]int{}
	for _, row := range rows {
		key := forms.FoldItem(row.Item.Name)
		if first, taken := names[key]; taken {
			return &ImportError{row.Line, "name",
				fmt.Sprintf("%q is the name in line %d already", row.Item.Name, first)}
		}
		names[key] = row.Line
		if row.Item.FileKey == "" {
			continue
		}
		if first, taken := keys[row.Item.FileKey]; taken {
			return &ImportError{row.Line, "id",
				fmt.Sprintf("%q is the id in line %d already", row.Item.FileKey, first)}
		}
		keys[row.Item.FileKey] = row.Line
	}
	for _, row := range rows {
		for _, alias := range row.Aliases {
			key := forms.FoldItem(alias)
			if first, taken := names[key]; taken && first != row.Line {
				return &ImportError{row.Line, "aliases",
					fmt.Sprintf("%q is a name in line %d already", alias, first)}
			}
			names[key] = row.Line
		}
	}
	return nil
}

// Import lists the changes that an import makes to a catalogue.
type Import struct {
	Changed []Item // to be saved; items without an ID are new

	Added, Updated, Renamed, Gone, Back int
	Unchanged                           int
}

// PlanImport plans the changes that a file makes to the existing items. An item that the file no longer has
// is marked as gone and stays. An item keeps its ID under a new name where the file gives its ID or its
// former name. Its error names line and column.
func PlanImport(items []Item, rows []Row, forms core.TextForms, now time.Time) (Import, error) {
	p := newItemPlan(items, forms)
	for _, row := range rows {
		if err := p.place(row); err != nil {
			return Import{}, err
		}
	}
	for _, row := range rows {
		p.takeNames(row)
	}
	return p.result(items, now), nil
}

// itemPlan is a catalogue while a file is imported.
type itemPlan struct {
	forms   core.TextForms
	items   []Item // the existing ones, then the new ones
	before  int
	named   map[string]int  // by the key of its own name
	aliased map[string]int  // by the keys of all its names
	filed   map[string]int  // by its id in files
	rowOf   map[int]Row     // by place in items
	places  map[int]int     // by line
	ownKeys map[string]bool // of the names of the rows
}

func newItemPlan(items []Item, forms core.TextForms) *itemPlan {
	p := &itemPlan{
		forms: forms, items: slices.Clone(items), before: len(items),
		named: map[string]int{}, aliased: map[string]int{}, filed: map[string]int{}, rowOf: map[int]Row{},
		places:  map[int]int{},
		ownKeys: map[string]bool{},
	}
	for at, item := range items {
		p.named[forms.FoldItem(item.Name)] = at
		for _, name := range item.Names {
			p.aliased[name.Key] = at
		}
		if item.FileKey != "" {
			p.filed[item.FileKey] = at
		}
	}
	return p
}

// place finds the item that a row is about, or adds one.
func (p *itemPlan) place(row Row) error {
	at, found := p.filed[row.Item.FileKey] // none has the empty one
	column := "id"
	if !found && row.Formerly != "" {
		at, found = p.aliased[p.forms.FoldItem(row.Formerly)]
		column = "formerly"
	}
	if !found {
		at, found = p.named[p.forms.FoldItem(row.Item.Name)]
		column = "name"
	}
	if !found {
		at = len(p.items)
		p.items = append(p.items, Item{State: Listed})
	}
	if other, taken := p.rowOf[at]; taken {
		return &ImportError{row.Line, column, fmt.Sprintf("it means the same item as line %d", other.Line)}
	}
	p.rowOf[at], p.places[row.Line] = row, at
	p.ownKeys[p.forms.FoldItem(row.Item.Name)] = true
	return nil
}

// takeNames gives an item the facts and the names of its row. A name that was an alias of another item is
// that item's no longer.
func (p *itemPlan) takeNames(row Row) {
	at := p.places[row.Line]
	before := p.items[at]
	item := row.Item
	item.ID, item.MergedInto = before.ID, before.MergedInto
	if item.State = Listed; before.State == Merged {
		item.State = Merged // a moderator's decision stays
	}
	if item.FileKey == "" {
		item.FileKey = before.FileKey
	}
	own := p.forms.FoldItem(item.Name)
	item.Names = []Name{{own, item.Name}}
	add := func(name Name) {
		has := slices.ContainsFunc(item.Names, func(n Name) bool { return n.Key == name.Key })
		if name.Key != "" && !has && !p.ownKeys[name.Key] {
			item.Names = append(item.Names, name)
		}
	}
	for _, alias := range row.Aliases {
		add(Name{p.forms.FoldItem(alias), alias})
	}
	for _, name := range before.Names { // also its former names
		add(name)
	}
	p.items[at] = item
	for _, name := range item.Names {
		p.release(name.Key, at)
		p.aliased[name.Key] = at
	}
}

// release takes a name from the item that has it, unless it is the one at a place.
func (p *itemPlan) release(key string, at int) {
	other, taken := p.aliased[key]
	if !taken || other == at {
		return
	}
	names := slices.DeleteFunc(slices.Clone(p.items[other].Names),
		func(n Name) bool { return n.Key == key })
	p.items[other].Names = names
	if len(names) == 0 && p.items[other].State == Provisional {
		p.items[other].State = Ignored // the file decides its state
	}
}

func (p *itemPlan) result(before []Item, now time.Time) Import {
	var done Import
	for at, item := range p.items {
		_, listed := p.rowOf[at]
		if !listed && at < p.before && item.FromFile && !item.Gone() {
			item.GoneAt = now
			done.Gone++
		}
		switch {
		case at >= p.before:
			done.Added++
		case item.equal(before[at]):
			done.Unchanged++
			continue
		case before[at].Gone() && !item.Gone():
			done.Back++
		case item.Gone() && !before[at].Gone():
		case item.Name != before[at].Name:
			done.Renamed++
		default:
			done.Updated++
		}
		done.Changed = append(done.Changed, item)
	}
	return done
}
