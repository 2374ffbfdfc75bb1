package items

import (
	"context"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/web/kernel"
)

// itemView is the JSON shape of an item of the catalogue.
type itemView struct {
	ID          core.ItemID  `json:"id" doc:"Stays when the item is renamed" example:"12"`
	Name        string       `json:"name" example:"Caric Adathril Ore"`
	Kind        string       `json:"kind" doc:"What it is a variant of; empty for none" example:"Adathril Ore"`
	Region      string       `json:"region" doc:"Where it is found; empty for unknown" example:"Mine of Mantuban"`
	MadeBy      []string     `json:"madeBy" nullable:"false" doc:"Professions that make it; also some that the game does not list" example:"[\"Miner\"]"`
	MadeAtLevel *int         `json:"madeAtLevel" doc:"null for unknown" example:"180"`
	UsedBy      []string     `json:"usedBy" nullable:"false" doc:"Professions that use it" example:"[\"Blacksmith\"]"`
	UsedAtLevel *int         `json:"usedAtLevel" doc:"null for unknown" example:"178"`
	Tradeable   *bool        `json:"tradeable" doc:"null for unknown" example:"true"`
	Link        string       `json:"link" doc:"More about it; empty for none" example:""`
	Provisional bool         `json:"provisional" doc:"Known from requests only; moderators have not decided on it"`
	Gone        bool         `json:"gone" doc:"The game no longer has it"`
	Proposes    proposalView `json:"proposes" doc:"What a buyer who asks for it may want to fill in"`
	// Only completions and the list have it.
	Summary *itemSummaryView `json:"summary,omitempty" doc:"In lists: the demand for it, some minutes old"`
}

// itemSummaryView is the JSON shape of the demand for an item and its price.
type itemSummaryView struct {
	Open   int                        `json:"open" doc:"Open requests for it" example:"3"`
	Traded kernel.OrNull[core.Copper] `json:"traded" doc:"The median of the usual window of get-item-prices; null without a price, or without a trade among the latest 20,000 of the market" example:"1200"`
}

func viewSummary(s items.Summary) itemSummaryView {
	view := itemSummaryView{Open: s.Open}
	if s.Traded > 0 {
		view.Traded.Value = &s.Traded
	}
	return view
}

// proposalView is the JSON shape of the values that an item proposes for a request.
type proposalView struct {
	Category *string `json:"category" doc:"null where several professions make it, or one that the game does not list" example:"Miner"`
	Level    *int    `json:"level" minimum:"1" limit:"level" doc:"null for none" example:"180"`
}

func (a operations) viewItem(i items.Item) itemView {
	names := func(categories []game.Category) []string {
		all := make([]string, len(categories))
		for at, c := range categories {
			all[at] = string(c)
		}
		return all
	}
	proposal := i.Proposal(a.Game)
	return itemView{
		ID: i.ID, Name: i.Name, Kind: i.Kind, Region: i.Region, MadeBy: names(i.MadeBy),
		MadeAtLevel: i.MadeAt,
		UsedBy:      names(i.UsedBy), UsedAtLevel: i.UsedAt, Tradeable: i.Tradeable, Link: i.Link,
		Provisional: i.State == items.Provisional, Gone: i.Gone(),
		Proposes: proposalView{Category: kernel.TextOrNil(string(proposal.Category)), Level: proposal.Level},
	}
}

func (a operations) viewItems(items []items.Item) []itemView {
	views := make([]itemView, len(items))
	for at, i := range items {
		views[at] = a.viewItem(i)
	}
	return views
}

type cataloguePageView struct {
	Items      []itemView `json:"items" nullable:"false"`
	NextCursor *string    `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

// listItems lists the items that the game has.
func (a operations) listItems(ctx context.Context, in *struct {
	Text       string `query:"q" limit:"itemName" doc:"Words of the name, also parts of them, or beginnings of the profession that makes it, in any language; where no name has all of them, typos, missing spaces and a quantity in front are forgiven" example:"adathril"`
	Profession string `query:"profession" doc:"A profession that makes or uses the item" example:"Miner"`
	Level      int    `query:"level" minimum:"0" doc:"The caller's level: only items that take no more to make" example:"200"`
	Sort       string `query:"sort" enum:"name,open,price,profession,level" doc:"Defaults to name" example:"open"`
	Cursor     string `query:"cursor" doc:"nextCursor of the page before, with the same sort"`
	Limit      int    `query:"limit" minimum:"1" limit:"page" default:"60" doc:"How many on a page"`
}) (*kernel.Answer[cataloguePageView], error) {
	if err := kernel.CheckLimit(in.Limit); err != nil {
		return nil, err
	}
	page, err := a.Market.Items.Catalogue(ctx, items.CatalogueQuery{
		Text: in.Text, Profession: game.Category(in.Profession), Level: in.Level, Sort: items.Sort(in.Sort),
		After: in.Cursor, Limit: in.Limit,
	})
	if err != nil {
		return nil, err
	}
	view := cataloguePageView{Items: a.viewItems(page.Items), NextCursor: kernel.TextOrNil(page.Next)}
	for at, s := range page.Summaries {
		view.Items[at].Summary = new(viewSummary(s))
	}
	return &kernel.Answer[cataloguePageView]{Body: view}, nil
}

func (a operations) getItem(ctx context.Context, in *kernel.ByItem) (*kernel.Answer[itemView], error) {
	item, err := a.Market.Items.Item(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[itemView]{Body: a.viewItem(item)}, nil
}

type completionsView struct {
	Items []itemView `json:"items" nullable:"false" doc:"Items that fit what was typed so far, the best match first, 25 at most; variants of one kind come together"`
	Named *itemView  `json:"named,omitempty" doc:"The item whose name or alias the text is; left out for none"`
	Near  *itemView  `json:"near,omitempty" doc:"Where the text is no name: the item that it is a near miss of, to be offered and never taken by itself; left out for none"`
}

// completeItems completes the name of an item while it is typed.
func (a operations) completeItems(ctx context.Context, in *struct {
	Text string `query:"q" limit:"itemName" doc:"What was typed so far" example:"car"`
}) (*kernel.Answer[completionsView], error) {
	items, err := a.Market.Items.Complete(ctx, in.Text)
	if err != nil {
		return nil, err
	}
	named, near, err := a.Market.Items.NameItem(ctx, in.Text)
	if err != nil {
		return nil, err
	}
	summaries := a.Market.Items.Summaries(ctx)
	view := completionsView{Items: a.viewItems(items)}
	for at, item := range items {
		view.Items[at].Summary = new(viewSummary(summaries[item.ID]))
	}
	if named != nil {
		view.Named = new(a.viewItem(*named))
	}
	if near != nil {
		view.Near = new(a.viewItem(*near))
	}
	return &kernel.Answer[completionsView]{Body: view}, nil
}

type itemsView struct {
	Items []string `json:"items" nullable:"false" doc:"Item names, best match first" example:"[\"Iron Ore\"]"`
}

const suggestedItems = 10

// suggestItems completes the name of an item.
func (a operations) suggestItems(ctx context.Context, in *struct {
	kernel.Caller
	Text string `query:"q" doc:"Text that the names contain, also as part of a word" example:"iro"`
}) (*kernel.Answer[itemsView], error) {
	names, err := a.Market.Match.ItemNames(ctx, in.By, in.Text, suggestedItems)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[itemsView]{Body: itemsView{Items: names}}, nil
}
