package match

import (
	"cmp"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/plan"
	"tradepost/core/trade"
)

const (
	// MaxPlanListings is how many listings of one line are considered, the cheapest first.
	MaxPlanListings = 20
	// MaxPlanLines is how many asks and requests one plan posts.
	MaxPlanLines = 100
)

// PlanQuery asks for the cheapest way to get the items of a text.
type PlanQuery struct {
	Text    string
	Weight  plan.Weight
	Without []core.UserID // sellers that the buyer leaves out
	Edits   []PlanEdit
}

// PlanEdit changes a line of the text for one plan.
type PlanEdit struct {
	Number   int  // of the line
	Quantity *int // instead of the line's; 0 leaves the line out, nil keeps it
	Request  bool // buy none of it from listings
}

// Planned is a plan for a text: what to buy from whom, and what is left for requests.
type Planned struct {
	Lines []PlanLine
	// Weight is what one more person to meet counts, in copper.
	Weight core.Copper
}

// PlanLine is one line of the text.
type PlanLine struct {
	game.ListLine
	Why error // why the line is not understood; nil when it is

	ItemName string
	Item     core.ItemID // zero for none
	Quantity int         // 0 for a line that is left out
	Price    core.Copper // for one: as it was typed, else the usual one; zero where neither is known
	Typed    bool        // the price was typed
	Limit    core.Copper // for one: dearer listings are not bought from; zero for none

	Listings []PlanListing // the cheapest first
	Request  int           // how many are left for a request
	Odds     *items.OddsStep
}

// PlanListing is a listing that a line can be bought from.
type PlanListing struct {
	Listing
	Unasked

	Take int // how many the plan buys
}

// Unasked has the facts that decide how many a listing sells to a buyer without asking its seller.
type Unasked struct {
	Today                   int
	BuyerUndid, SellerUndid int
}

// trade returns the sale of so many of a listing without asking, and false where its seller is asked: it
// sells all of them or none.
func (u Unasked) trade(l Listing, quantity int) (cross.Trade, bool) {
	trades := cross.Decide(cross.Request, []cross.Pair{{
		Needs: quantity, Most: l.Price, Listing: l.ID, Seller: l.User, Left: l.Left(), Today: u.Today,
		Price: l.Price, Name: l.Seller.DisplayName, Contact: l.Seller.Username,
		FromOthers: quantity, UpTo: quantity, BuyerUndid: u.BuyerUndid, SellerUndid: u.SellerUndid,
	}})
	if len(trades) == 0 || trades[0].Quantity < quantity {
		return cross.Trade{}, false
	}
	return trades[0], true
}

// AtOnce reports whether what the plan buys of the listing is agreed at once.
func (l PlanListing) AtOnce() bool {
	_, unasked := l.trade(l.Listing, l.Take)
	return l.Take > 0 && unasked
}

// check returns Invalid for a text or edits that are too long, or without a line.
func (q PlanQuery) check() error {
	var c core.Checks
	c.That(core.Within(q.Text, trade.MaxListText), "text",
		core.TooLong("list_text_too_long", trade.MaxListText))
	lines := game.ListLines(q.Text)
	c.That(len(lines) > 0, "text", core.NewText("list_empty"))
	c.That(len(lines) <= trade.MaxListLines, "text", core.NewText("list_too_many_lines",
		"limit", trade.MaxListLines, "lines", len(lines)))
	return c.Err()
}

// planLines reads the lines of a text, with the edits. usual returns the usual price of an item and the
// highest that is not unusual.
func (q PlanQuery) planLines(
	index *items.Index, g game.Game, forms core.TextForms, usual func(core.ItemID) (price, high core.Copper),
) []PlanLine {
	var lines []PlanLine
	for _, text := range game.ListLines(q.Text) {
		line := PlanLine{ListLine: text}
		read, _, err := g.ReadUnpriced(text.Text)
		name := index.Meant(forms.Line(index.Listed(read)))
		if err == nil {
			err = checkPlanned(name, read, g)
		}
		if err != nil {
			line.Why = err
			lines = append(lines, line)
			continue
		}
		item, known := index.Named(name)
		line.ItemName, line.Item, line.Quantity = name, item.ID, read.Quantity
		if known {
			line.ItemName = item.Name
		}
		line.Price, line.Limit, line.Typed = read.Price, read.Price, read.Price > 0
		if !line.Typed && known {
			line.Price, line.Limit = usual(item.ID)
		}
		lines = append(lines, line)
	}
	return lines
}

// checkPlanned checks what a line asks for as a request is checked.
func checkPlanned(name string, read game.ListedItem, g game.Game) error {
	var c core.Checks
	c.That(name != "", "line", core.NewText("item_name_required"))
	c.That(core.Within(name, core.MaxItemName), "line", core.TooLong("item_name_too_long", core.MaxItemName))
	c.That(read.Quantity > 0, "line", core.NewText("quantity_not_positive"))
	c.That(read.Quantity <= core.MaxQuantity, "line",
		core.NewText("quantity_too_high", "most", core.MaxQuantity))
	c.That(read.Price <= core.MaxPrice, "line", g.TooMuchMessage())
	return c.Err()
}

// edited returns the line with its edit, if there is one. The quantity of an edit is from 0 to MaxQuantity.
func (q PlanQuery) edited(line PlanLine) (_ PlanLine, request bool) {
	for _, e := range q.Edits {
		if e.Number == line.Number {
			if e.Quantity != nil {
				line.Quantity = min(max(*e.Quantity, 0), core.MaxQuantity)
			}
			request = e.Request
		}
	}
	return line, request
}

// decide fills in what the plan buys of each listing, and what is left for requests. Two lines of one item
// share its listings: the first of them is served first.
func (q PlanQuery) decide(read []PlanLine, found map[int][]PlanListing) Planned {
	lines := slices.Clone(read)
	needs := make([]plan.Line, len(lines))
	var sources []plan.Source
	var at [][2]int // the line and the listing of each source
	seen := map[core.StockID]bool{}
	for i := range lines {
		line, request := q.edited(lines[i])
		line.Listings = slices.Clone(found[i])
		lines[i] = line
		needs[i] = plan.Line{Need: line.Quantity, Limit: line.Limit}
		for j, l := range line.Listings {
			if !request && !seen[l.ID] && !slices.Contains(q.Without, l.User) {
				seen[l.ID] = true
				sources = append(sources,
					plan.Source{Line: i, Seller: l.User, Left: l.Left(), Price: l.Price})
				at = append(at, [2]int{i, j})
			}
		}
	}
	weight := q.Weight.Of(plan.Worth(needs, sources))
	decided := plan.Decide(needs, sources, weight)
	for s, take := range decided.Take {
		lines[at[s][0]].Listings[at[s][1]].Take = take
	}
	for i, rest := range decided.Rest {
		lines[i].Request = rest
	}
	return Planned{Lines: lines, Weight: core.Copper(min(weight, 1e18))}
}

// PlanDraft is a plan that its buyer has seen, to be posted as a list.
type PlanDraft struct {
	trade.ListDraft
	Lines []PlanDraftLine
	// Replaces is a list of the buyer's whose open requests are closed; zero for none.
	Replaces core.ListID `json:",omitzero"`
}

// PlanDraftLine is an ask for a listing, or a request.
type PlanDraftLine struct {
	ItemName string
	Listing  core.StockID // zero for a request
	Quantity int
	Price    core.Copper // for one: what was seen of a listing, which may be cheaper now but not dearer
}

func (d PlanDraft) check() error {
	var c core.Checks
	c.That(len(d.Lines) > 0, "lines", core.NewText("list_empty"))
	c.That(len(d.Lines) <= MaxPlanLines, "lines", core.NewText("list_too_many_lines",
		"limit", MaxPlanLines, "lines", len(d.Lines)))
	first := map[core.StockID]int{}
	for i, line := range d.Lines {
		if line.Listing == 0 {
			continue
		}
		same, repeated := first[line.Listing]
		c.That(!repeated, trade.LineField(i+1), core.NewText("list_line_repeated", "line", same))
		first[line.Listing] = i + 1
	}
	return c.Err()
}

// asked are the places of the lines that ask for a listing, by the numbers of the listings: the order in
// which they are locked.
func (d PlanDraft) asked() (places []int, listings []core.StockID) {
	for i, line := range d.Lines {
		if line.Listing != 0 {
			places = append(places, i)
		}
	}
	slices.SortFunc(places, func(a, b int) int { return cmp.Compare(d.Lines[a].Listing, d.Lines[b].Listing) })
	for _, i := range places {
		listings = append(listings, d.Lines[i].Listing)
	}
	return places, listings
}

// requested are the requests among the lines, by their places counted from 1.
func (d PlanDraft) requested() []trade.PricedLine {
	var lines []trade.PricedLine
	for i, line := range d.Lines {
		if line.Listing == 0 {
			lines = append(lines, trade.PricedLine{Number: i + 1, ListedItem: game.ListedItem{
				Item: line.ItemName, Quantity: line.Quantity, Price: line.Price}})
		}
	}
	return lines
}

// PlanPosted is a posted plan.
type PlanPosted struct {
	List      core.ListID
	Agreed    int // asks that were agreed at once
	Asked     int // asks that wait for their sellers
	Requested int
}

// wanted decides whether a line of a plan can be asked for, and returns the draft of its request. Its price
// is the listing's, which is not above what the buyer has seen.
func (l LockedListing) wanted(
	line PlanDraftLine, by core.Actor, inGameName string, forms core.TextForms, now time.Time,
) (trade.OrderDraft, error) {
	ask := AskDraft{Quantity: line.Quantity, InGameName: inGameName, PriceSeen: l.Price}
	if l.Price > line.Price {
		ask.PriceSeen = line.Price
	}
	return l.Ask(ask, by, forms, now)
}
