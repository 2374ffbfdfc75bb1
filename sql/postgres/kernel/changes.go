package kernel

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/sql/internal/db"
)

// Changes collects what a transaction changes. The replicas read it after the commit, and keep their caches
// and totals by it.
type Changes struct {
	locked map[core.OrderID]core.UserID // locked orders with their owners
	wrote  bool                         // something about the locked orders

	posted    []core.OrderID
	users     []core.UserID // their lists
	signedOut []core.UserID
	items     bool
	traded    []string // names of items in trades that it makes or undoes
	trades    bool     // which trades count, of any item
	writer    core.UserID

	lists   bool // which orders a list has
	unknown bool // by how many orders is not known: everything is counted again
	moves   []Move

	// Names of items, as often as requests for them are added or removed.
	named, unnamed []string

	public []core.PublicChange // what everybody may see of it
}

// Move is one open order more or less. Totals follow from moves without counting, see keptTotals.
type Move struct {
	Category  game.Category `json:"category"`
	ExpiresAt time.Time     `json:"expires"`
	By        int           `json:"by"`
}

// NoteLocked notes that the transaction has locked an order of an owner.
func (c *Changes) NoteLocked(id core.OrderID, owner core.UserID) { c.locked[id] = owner }

// NoteWrite notes that something about the locked orders changes.
func (c *Changes) NoteWrite() { c.wrote = true }

// NotePosted notes that orders change which need not be locked.
func (c *Changes) NotePosted(ids ...core.OrderID) { c.posted = append(c.posted, ids...) }

// NoteUsers notes that the lists of users change.
func (c *Changes) NoteUsers(users ...core.UserID) { c.users = append(c.users, users...) }

// NoteSignedOut notes that sessions of a user end.
func (c *Changes) NoteSignedOut(user core.UserID) { c.signedOut = append(c.signedOut, user) }

// NoteWriter notes who writes; it is left out for a visitor, and for the program itself.
func (c *Changes) NoteWriter(user core.UserID) { c.writer = user }

// NoteItems notes that items of the catalogue change.
func (c *Changes) NoteItems() {
	c.items = true
	c.notePublic(core.PublicChange{Kind: core.PublicCatalogue})
}

// NotePublicOrders notes that orders change which everybody sees, or may see from now on.
func (c *Changes) NotePublicOrders(ids ...core.OrderID) {
	for _, id := range ids {
		c.notePublic(core.PublicChange{Kind: core.PublicOrder, ID: int64(id)})
	}
}

// NoteRules notes that the rules of the market change.
func (c *Changes) NoteRules() { c.notePublic(core.PublicChange{Kind: core.PublicRules}) }

func (c *Changes) notePublic(change core.PublicChange) {
	if !slices.Contains(c.public, change) {
		c.public = append(c.public, change)
	}
}

// NoteTrade notes that a trade of an item is made or undone. Without a name it may be of any.
func (c *Changes) NoteTrade(name string) {
	if name == "" {
		c.NoteAnyTrade()
		return
	}
	c.traded = append(c.traded, name)
}

// NoteAnyTrade notes that the trades change that count, of any item.
func (c *Changes) NoteAnyTrade() { c.trades = true }

// NoteMoves notes that lists change by these moves alone.
func (c *Changes) NoteMoves(moves ...Move) { c.moves, c.lists = append(c.moves, moves...), true }

// NoteLists notes that lists change in another way than by moves.
func (c *Changes) NoteLists() { c.lists, c.unknown = true, true }

// NoteNamed notes the names of items in requests that are added.
func (c *Changes) NoteNamed(names ...string) { c.named = append(c.named, names...) }

// NoteUnnamed notes the names of items in requests that are removed.
func (c *Changes) NoteUnnamed(names ...string) { c.unnamed = append(c.unnamed, names...) }

// change returns the changes of the transaction.
func (c *Changes) change() core.Change {
	made := core.Change{
		Orders: slices.Clone(c.posted), Lists: c.lists, Items: c.items, Traded: c.traded, AnyTraded: c.trades,
	}
	users := slices.Clone(c.users)
	if c.wrote {
		for id, owner := range c.locked {
			made.Orders = append(made.Orders, id)
			users = append(users, owner)
		}
	}
	slices.Sort(made.Orders)
	slices.Sort(users)
	made.Users, made.SignedOut = slices.Compact(users), c.signedOut
	return made
}

// counted returns the moves for the row of the change; nil when there is nothing to say.
func (c *Changes) counted() []byte {
	if !c.lists || c.unknown {
		return nil
	}
	text, _ := json.Marshal(append([]Move{}, c.moves...)) // words, times and numbers: it cannot fail
	return text
}

// saveChange stores the changes of the transaction.
func (t *Tx) saveChange(ctx context.Context) {
	t.savePublicChanges(ctx)
	c := t.change()
	if len(c.Orders)+len(c.Users)+len(c.SignedOut)+len(c.Traded) == 0 && !c.Items && !c.AnyTraded {
		return
	}
	var traded []string // null says that any may have changed
	if !c.AnyTraded {
		traded = append([]string{}, c.Traded...)
	}
	// It is buffered: its error is returned by the commit.
	_ = t.Q.NoteChange(ctx, db.NoteChangeParams{
		Orders: Raw(c.Orders), Users: Raw(c.Users), Lists: c.Lists, Counted: t.counted(),
		SignedOut: Raw(c.SignedOut), Items: c.Items,
		Traded: traded, At: t.Now(), Writer: OrNull(int64(t.writer)),
	})
}

// savePublicChanges stores what programs that follow the market read. It is buffered, as the change is.
func (t *Tx) savePublicChanges(ctx context.Context) {
	if len(t.public) == 0 {
		return
	}
	kinds, things := make([]string, len(t.public)), make([]int64, len(t.public))
	for i, c := range t.public {
		kinds[i], things[i] = string(c.Kind), c.ID
	}
	_ = t.Q.NotePublicChanges(ctx, db.NotePublicChangesParams{At: t.Now(), Kinds: kinds, Things: things})
}

// countItems keeps how many requests there are for each name. It comes last: who posts the same item keeps
// others waiting only until the commit.
func (t *Tx) countItems(ctx context.Context) {
	// They are buffered, as the change is.
	if len(t.unnamed) > 0 {
		_ = t.Q.UncountItems(ctx, t.unnamed)
	}
	if len(t.named) > 0 {
		_ = t.Q.CountItems(ctx, t.named)
	}
}
