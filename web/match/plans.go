package match

import (
	"context"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/plan"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// planQuery is the JSON shape of a text to plan.
type planQuery struct {
	Text    string        `json:"text" maxLength:"4000" doc:"An item in each of up to 50 lines: how many, which one, and the most you pay for one; without a price, the usual one" example:"50x Iron Ore 10s\n20x Oak Log"`
	Prefer  string        `json:"prefer" required:"false" enum:"price,both,people" default:"both" doc:"What one more person to meet counts: nothing, 2 % of what the list is worth, or 10 %"`
	Without []core.UserID `json:"without" required:"false" nullable:"false" maxItems:"100" doc:"Sellers to leave out, by their user ID" example:"[7]"`
	Edits   []planEdit    `json:"edits" required:"false" nullable:"false" maxItems:"50" doc:"Changes of lines, for this plan alone"`
}

// planEdit is the JSON shape of a change of one line.
type planEdit struct {
	Number   int  `json:"number" minimum:"1" doc:"Of the line, from 1, with empty ones" example:"2"`
	Quantity *int `json:"quantity" required:"false" minimum:"0" limit:"quantity" doc:"Instead of the line's; 0 leaves the line out" example:"20"`
	Request  bool `json:"request" required:"false" doc:"Buy none of it from listings"`
}

func (q planQuery) query() match.PlanQuery {
	weights := map[string]plan.Weight{"price": plan.Cheapest, "people": plan.Fewest}
	query := match.PlanQuery{Text: q.Text, Weight: plan.Balanced, Without: q.Without}
	if weight, named := weights[q.Prefer]; named {
		query.Weight = weight
	}
	for _, e := range q.Edits {
		query.Edits = append(query.Edits, match.PlanEdit(e))
	}
	return query
}

// planListingView is the JSON shape of a listing that a line can be bought from.
type planListingView struct {
	ID     core.StockID `json:"id" example:"9"`
	Seller stockSeller  `json:"seller"`
	Left   int          `json:"left" doc:"How many can be asked for" example:"400"`
	Price  core.Copper  `json:"price" doc:"Price per unit, in copper" example:"4000"`
	Note   string       `json:"note" doc:"Empty for none" example:"In Ravenia"`
	Take   int          `json:"take" doc:"How many the plan buys; 0 for none" example:"20"`
	AtOnce bool         `json:"atOnce" doc:"The seller sells these without being asked; else they have 48 hours to answer"`
}

// planOddsView is the JSON shape of how likely the request of a line is filled.
type planOddsView struct {
	Days    int `json:"days" doc:"Within so many days" example:"7"`
	Percent int `json:"percent" doc:"How many of a hundred requests at the price are filled to 90 %" example:"78"`
}

// planLineView is the JSON shape of a line of a plan.
type planLineView struct {
	Number   int                         `json:"number" doc:"From 1, as it was typed" example:"1"`
	Text     string                      `json:"text" example:"50x Iron Ore 10s"`
	Why      *string                     `json:"why" doc:"Why the line is not understood; null when it is" example:"Write how many you need, such as 50x"`
	ItemName string                      `json:"itemName" example:"Iron Ore"`
	ItemID   *core.ItemID                `json:"itemId" doc:"The item of the catalogue; null for none" example:"12"`
	Quantity int                         `json:"quantity" doc:"0 for a line that is left out" example:"50"`
	Price    *core.Copper                `json:"price" doc:"What a request pays per unit, in copper: what was typed, else the usual price; null where there is none, and nothing can be requested" example:"10000"`
	Typed    bool                        `json:"typed" doc:"The price was typed: dearer listings are not bought from"`
	Listings []planListingView           `json:"listings" nullable:"false" doc:"Of others, the cheapest first; at most 20"`
	Request  int                         `json:"request" doc:"How many are left for a request" example:"10"`
	Odds     kernel.OrNull[planOddsView] `json:"odds" doc:"How likely a request at the price is filled; null where too little is known"`
}

type planView struct {
	Weight core.Copper    `json:"weight" doc:"What one more person to meet counts, in copper" example:"2000"`
	Lines  []planLineView `json:"lines" nullable:"false" doc:"Without empty ones"`
}

func viewPlan(p match.Planned) planView {
	view := planView{Weight: p.Weight, Lines: make([]planLineView, len(p.Lines))}
	for i, l := range p.Lines {
		line := planLineView{
			Number: l.Number, Text: l.Text, ItemName: l.ItemName, ItemID: kernel.IDOrNil(l.Item),
			Quantity: l.Quantity, Typed: l.Typed, Request: l.Request,
			Listings: make([]planListingView, len(l.Listings)),
		}
		if l.Why != nil {
			line.Why = new(core.FirstText(l.Why).String())
		}
		if l.Price > 0 {
			line.Price = &l.Price
		}
		if l.Odds != nil {
			last := len(items.OddsDays) - 1
			line.Odds.Value = &planOddsView{Days: items.OddsDays[last], Percent: l.Odds.Percent[last]}
		}
		for j, s := range l.Listings {
			line.Listings[j] = planListingView{ID: s.ID, Seller: viewSeller(s.User, s.Seller), Left: s.Left(),
				Price: s.Price, Note: s.Note, Take: s.Take, AtOnce: s.AtOnce()}
		}
		view.Lines[i] = line
	}
	return view
}

func (a operations) planList(ctx context.Context, in *struct {
	kernel.Keyed
	Body kernel.Sent[planQuery]
}) (*kernel.Answer[planView], error) {
	planned, err := a.Market.Match.Plan(ctx, in.By, in.Body.Fields.query())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[planView]{Body: viewPlan(planned)}, nil
}

// planDraft is the JSON shape of a plan to be posted.
type planDraft struct {
	Name        string `json:"name" maxLength:"100" example:"Guild hall"`
	Description string `json:"description" required:"false" limit:"description" doc:"Of every request" example:"For the new guild hall"`
	kernel.SharedTexts
	Category     game.Category   `json:"category" required:"false" doc:"Of items that the catalogue gives none"`
	Importance   game.Importance `json:"importance" required:"false" doc:"Of the requests; defaults to medium"`
	ConfirmPrice bool            `json:"confirmPrice" required:"false" doc:"Take a price that is far from what is known; see the code price_unusual"`
	Replaces     core.ListID     `json:"replaces" required:"false" doc:"A list of yours whose open requests are closed in the same moment; without a value, none" example:"4"`
	Lines        []planDraftLine `json:"lines" nullable:"false" maxItems:"100" doc:"Asks for listings, each for another one, and requests"`
}

// planDraftLine is the JSON shape of an ask or a request.
type planDraftLine struct {
	ItemName  string       `json:"itemName" limit:"itemName" example:"Iron Ore"`
	ListingID core.StockID `json:"listingId" required:"false" doc:"What is for sale that is asked for; without a value, the line is a request" example:"9"`
	Quantity  int          `json:"quantity" minimum:"1" limit:"quantity" example:"20"`
	Price     core.Copper  `json:"price" minimum:"1" limit:"price" doc:"Per unit, in copper: of a listing the price that you saw, which you never pay more than" example:"4000"`
}

func (d planDraft) draft() match.PlanDraft {
	texts := d.SharedTexts.Draft()
	texts.Description = d.Description
	draft := match.PlanDraft{ListDraft: trade.ListDraft{
		Name: d.Name, Category: d.Category, Importance: d.Importance}.Sharing(texts), Replaces: d.Replaces}
	for _, l := range d.Lines {
		draft.Lines = append(draft.Lines, match.PlanDraftLine{ItemName: l.ItemName, Listing: l.ListingID,
			Quantity: l.Quantity, Price: l.Price})
	}
	return draft
}

// planPostedView is the JSON shape of a posted plan.
type planPostedView struct {
	ListID    core.ListID `json:"listId" doc:"The list that has all of it" example:"5"`
	Agreed    int         `json:"agreed" doc:"Asks that were agreed at once" example:"2"`
	Asked     int         `json:"asked" doc:"Asks that wait for their sellers" example:"3"`
	Requested int         `json:"requested" doc:"Requests on the board" example:"1"`
}

func (a operations) postPlan(ctx context.Context, in *struct {
	kernel.Keyed
	Body kernel.Sent[planDraft]
}) (*kernel.Answer[planPostedView], error) {
	in.By.PriceConfirmed = in.Body.Fields.ConfirmPrice
	posted, err := a.Market.Match.PostPlan(ctx, in.By, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[planPostedView]{Body: planPostedView{ListID: posted.List, Agreed: posted.Agreed,
		Asked: posted.Asked, Requested: posted.Requested}}, nil
}
