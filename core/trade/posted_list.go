package trade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
)

// Limits of a posted list. MaxListText is the limit of a text field in a Discord form.
const (
	MaxListLines = 50
	MaxListName  = 100
	MaxListText  = 4000
	// MaxListsShown is how many of a user's lists are listed.
	MaxListsShown = 50
)

// PostedList is several orders that their buyer posted at once, from the lines of one text.
type PostedList struct {
	ID        core.ListID
	Owner     core.UserID
	Name      string
	CreatedAt time.Time
	Orders    []Order // by number, without deleted ones
}

// ListProgress is how far the orders of a list have come.
type ListProgress struct {
	Orders int
	Done   int // of the orders: fulfilled
	Wanted int // items of all orders; of a closed one, as many as were bought
	Sold   int
}

// Percent is the share of the wanted items that was bought, rounded down.
func (p ListProgress) Percent() int {
	if p.Wanted == 0 {
		return 100
	}
	return 100 * p.Sold / p.Wanted
}

// Progress sums up the orders of the list.
func (l PostedList) Progress() ListProgress {
	var p ListProgress
	for _, o := range l.Orders {
		p.Orders++
		p.Sold += o.Sold
		if o.Status == Fulfilled {
			p.Done++
			p.Wanted += o.Sold
		} else {
			p.Wanted += o.Quantity
		}
	}
	return p
}

// ListSummary is a list without its orders.
type ListSummary struct {
	PostedList
	ListProgress ListProgress
}

// ListLine is a line of a draft with the order that it posts.
type ListLine struct {
	Number int // counted from 1, with empty lines
	Order  Order
}

// NewList returns the list that a draft posts: its name, and its orders sorted by item. It returns Invalid
// with every line that is wrong, as the field lines[N]: lines count from 1, empty ones too.
func NewList(
	draft ListDraft, owner core.UserID, index *items.Index, g game.Game, forms core.TextForms,
	now time.Time,
) (string, []ListLine, error) {
	name, c := draft.checkName(forms)
	c.That(core.Within(draft.Text, MaxListText), "text", core.TooLong("list_text_too_long", MaxListText))
	lines := game.ListLines(draft.Text)
	c.That(len(lines) > 0, "text", core.NewText("list_empty"))
	c.That(len(lines) <= MaxListLines, "text", core.NewText("list_too_many_lines", "limit", MaxListLines,
		"lines", len(lines)))
	if c.Err() != nil {
		return "", nil, c.Err()
	}
	var posted []ListLine
	for _, line := range lines {
		read, err := g.ReadListLine(line.Text)
		read.Item = index.Listed(read)
		posted = draft.add(&c, posted, PricedLine{line.Number, read}, err, owner, index, g, forms, now)
	}
	if err := c.Err(); err != nil {
		return "", nil, err
	}
	sortLines(posted)
	return name, posted, nil
}

// PricedLine is a line that was read already.
type PricedLine struct {
	Number int
	game.ListedItem
}

// newPricedList is NewList for lines that were read already, which may be none.
func newPricedList(
	draft ListDraft, lines []PricedLine, owner core.UserID, index *items.Index, g game.Game,
	forms core.TextForms, now time.Time,
) (string, []ListLine, error) {
	name, c := draft.checkName(forms)
	var posted []ListLine
	for _, line := range lines {
		posted = draft.add(&c, posted, line, nil, owner, index, g, forms, now)
	}
	sortLines(posted)
	return name, posted, c.Err()
}

// checkName returns the clean name of a list, and what is wrong with it.
func (d ListDraft) checkName(forms core.TextForms) (string, core.Checks) {
	name := forms.Line(d.Name)
	var c core.Checks
	c.That(name != "", "name", core.NewText("list_name_required"))
	c.That(core.Within(name, MaxListName), "name", core.TooLong("list_name_too_long", MaxListName))
	c.Add(forms.RefuseSuspicious(core.SuspiciousPost, core.SuspiciousField{Name: "name", After: name}))
	return name, c
}

// add adds the order of a line to those before it, or what is wrong with the line to c.
func (d ListDraft) add(
	c *core.Checks, posted []ListLine, line PricedLine, err error, owner core.UserID, index *items.Index,
	g game.Game, forms core.TextForms, now time.Time,
) []ListLine {
	field := LineField(line.Number)
	if err == nil {
		var order Order
		if order, err = NewOrder(d.order(line.ListedItem, index, g), owner, g, forms, now); err == nil {
			if same := slices.IndexFunc(posted,
				func(l ListLine) bool { return l.Order.Equal(order.OrderDraft) }); same >= 0 {
				err = core.NewFieldError(field, core.NewText("list_line_repeated",
					"line", posted[same].Number))
			} else {
				posted = append(posted, ListLine{line.Number, order})
			}
		}
	}
	addLine(c, field, err)
	return posted
}

// sortLines sorts lines by item: every writer uses the same order of rows, so that two lists with the same
// items don't wait for each other.
func sortLines(lines []ListLine) {
	slices.SortStableFunc(lines, func(a, b ListLine) int {
		return cmp.Compare(strings.ToLower(a.Order.ItemName), strings.ToLower(b.Order.ItemName))
	})
}

// Sharing returns the draft with the texts of an order that all orders of the list share.
func (d ListDraft) Sharing(texts OrderDraft) ListDraft {
	for _, f := range Fields {
		if f.List != nil {
			*f.List(&d) = *f.Draft(&texts)
		}
	}
	return d
}

// order returns the draft of the order that one line asks for.
func (d ListDraft) order(line game.ListedItem, index *items.Index, g game.Game) OrderDraft {
	order := OrderDraft{
		Quantity: line.Quantity, MaxPrice: line.Price, Importance: d.Importance, SignedInOnly: d.SignedInOnly,
		NoPrograms: d.NoPrograms,
		Category:   cmp.Or(index.CategoryOf(line.Item, g), d.Category),
	}
	for _, f := range Fields {
		if f.List != nil {
			*f.Draft(&order) = *f.List(&d)
		}
	}
	order.ItemName = line.Item
	return order
}

// shared reports whether a draft of a list has a field once for all lines.
func shared(field string) bool {
	return field == "category" || field == "importance" ||
		slices.ContainsFunc(Fields, func(f Field) bool { return f.Name == field && f.List != nil })
}

// addLine records the problems of a line: fields that all lines share under their own names, the others
// under the line's.
func addLine(c *core.Checks, field string, err error) {
	var line core.Checks
	line.Add(err)
	for _, broken := range line.Fields {
		if !shared(broken.Field) {
			broken.Field = field
		}
		c.AddField(broken)
	}
}

// ListOffer contains a seller's offers on several orders of one list.
type ListOffer struct {
	SellerName string
	Message    string
	Lines      []ListOfferLine
}

// ListOfferLine is how much of one order a seller offers.
type ListOfferLine struct {
	Order    core.OrderID
	Quantity int
}

func (o ListOffer) orderIDs() []core.OrderID {
	ids := make([]core.OrderID, len(o.Lines))
	for i, line := range o.Lines {
		ids[i] = line.Order
	}
	return ids
}

// Validate returns Invalid unless the offer names some orders of a list, each once.
func (o ListOffer) Validate() error {
	var c core.Checks
	c.That(len(o.Lines) > 0, "lines", core.NewText("list_offer_empty"))
	c.That(len(o.Lines) <= MaxListLines, "lines", core.NewText("list_too_many_lines", "limit", MaxListLines,
		"lines", len(o.Lines)))
	seen := map[core.OrderID]bool{}
	for i, line := range o.Lines {
		c.That(!seen[line.Order], LineField(i+1),
			core.NewText("list_offer_repeated"))
		seen[line.Order] = true
	}
	return c.Err()
}

// addOfferChecks records why an offer on one line can't be sent: the seller's name and message under their
// own fields.
func addOfferChecks(c *core.Checks, field string, err error) {
	var failed core.Checks
	failed.Add(err)
	for _, broken := range failed.Fields {
		if broken.Field != "sellerName" && broken.Field != "message" {
			broken.Field = field
		}
		c.AddField(broken)
	}
	if len(failed.Fields) == 0 {
		c.AddField(core.FieldOf(field, err))
	}
}

func listNotFound() error {
	return core.NewError(core.NotFound, core.NewText("list_not_found"))
}

// LineField returns the name of the field of a line, counted from 1.
func LineField(number int) string { return fmt.Sprintf("lines[%d]", number) }
