package items

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/people"
)

// MakerLevel returns the highest of the levels with which the item can be made, zero for none.
func (i Item) MakerLevel(skills []people.Skill) (level int) {
	if i.MadeAt == nil {
		return 0
	}
	for _, s := range skills {
		if s.Level >= *i.MadeAt && slices.Contains(i.MadeBy, s.Category) {
			level = max(level, s.Level)
		}
	}
	return level
}

// State says how an item came to be known.
type State string

// The states of an item.
const (
	Listed      State = "listed"      // from a file, or confirmed by a moderator
	Provisional State = "provisional" // from users' requests, or from ITEMS; moderators decide
	Ignored     State = "ignored"     // by a moderator: its name is typed text again
	Merged      State = "merged"      // by a moderator: its names are another item's
)

// States lists every state.
var States = []State{Listed, Provisional, Ignored, Merged}

// Item is something that the game has.
type Item struct {
	ID     core.ItemID
	Name   string
	Kind   string // the kind of which it is a variant; empty for none
	Region string // where it is found; empty for unknown
	MadeBy []game.Category
	MadeAt *int // the level that makes it; nil for unknown
	UsedBy []game.Category
	UsedAt *int // the level that uses it; nil for unknown

	Tradeable  *bool  // nil for unknown
	Link       string // more about it; empty for none
	FileKey    string // the number or word that a file knows it by; empty for none
	FromFile   bool   // an import that leaves it out marks it as gone
	State      State
	MergedInto core.ItemID // zero unless merged
	GoneAt     time.Time
	Suggested  bool `json:",omitzero"` // by the operator's setting ITEMS

	Names []Name // its own name first
}

// Name is a name by which an item is recognized.
type Name struct {
	Key  string // folded
	Name string // as it is written
}

// Gone reports whether the game no longer has the item.
func (i Item) Gone() bool { return !i.GoneAt.IsZero() }

// Known reports whether a request that names the item leads to it.
func (i Item) Known() bool { return i.State == Listed || i.State == Provisional }

func (i Item) equal(other Item) bool {
	same := func(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }
	sameTrade := i.Tradeable == other.Tradeable || i.Tradeable != nil && other.Tradeable != nil &&
		*i.Tradeable == *other.Tradeable
	return i.ID == other.ID && i.Name == other.Name && i.Kind == other.Kind && i.Region == other.Region &&
		i.Link == other.Link &&
		slices.Equal(i.MadeBy, other.MadeBy) && slices.Equal(i.UsedBy, other.UsedBy) &&
		same(i.MadeAt, other.MadeAt) && same(i.UsedAt, other.UsedAt) &&
		sameTrade && i.FileKey == other.FileKey && i.FromFile == other.FromFile && i.State == other.State &&
		i.MergedInto == other.MergedInto &&
		i.GoneAt.Equal(other.GoneAt) && slices.Equal(i.Names, other.Names)
}

// Proposal suggests field values to a buyer who asks for an item. None is filled in automatically.
type Proposal struct {
	Category game.Category // empty for none
	Level    *int          // nil for none
}

// Proposal returns the profession that makes an item and the level that it takes. There is no profession
// where several make the item or the game lacks it, and no level that the game does not have. A level
// without its profession is not proposed.
func (i Item) Proposal(game game.Game) Proposal {
	if len(i.MadeBy) != 1 || !game.HasCategory(i.MadeBy[0]) {
		return Proposal{}
	}
	p := Proposal{Category: i.MadeBy[0]}
	if i.MadeAt != nil && 1 <= *i.MadeAt && *i.MadeAt <= core.MaxLevel {
		p.Level = i.MadeAt
	}
	return p
}

// labelMark separates an item's name from the rest of its label.
const labelMark = " · "

// Label returns the item's name with its distinguishing details, for lists of choices: "Caric Adathril Ore ·
// Miner 180".
func (i Item) Label() string { return i.LabelIn(func(c game.Category) string { return string(c) }) }

// LabelIn is Label with professions as a language names them.
func (i Item) LabelIn(profession func(game.Category) string) string {
	var more []string
	if len(i.MadeBy) == 1 {
		more = append(more, profession(i.MadeBy[0]))
		if i.MadeAt != nil && *i.MadeAt > 0 {
			more[0] += " " + strconv.Itoa(*i.MadeAt)
		}
	} else if i.Kind != "" && i.Kind != i.Name {
		more = append(more, i.Kind)
	}
	if len(more) == 0 {
		return i.Name
	}
	return i.Name + labelMark + strings.Join(more, ", ")
}

// Slug is the item's name in an address: "caric-adathril-ore". dashboard/src/lib/items.ts does the same.
func (i Item) Slug() string {
	words := strings.FieldsFunc(strings.ToLower(i.Name),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	if len(words) == 0 {
		return "item"
	}
	return strings.Join(words, "-")
}

// NotFound returns the error for an item that is not there.
func NotFound() *core.Error {
	return core.NewError(core.NotFound, core.NewText("item_not_found"))
}
