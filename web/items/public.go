package items

import (
	"context"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/web/kernel"
)

type publicCatalogueInput struct {
	kernel.IDs
	Profession string `query:"profession" doc:"A profession that makes or uses the item" example:"Miner"`
	Level      int    `query:"level" minimum:"0" doc:"Only items that take no more to make" example:"200"`
	Cursor     string `query:"cursor" doc:"nextCursor of the page before, with the same filter"`
	Limit      int    `query:"limit" minimum:"1" limit:"page" default:"60" doc:"How many on a page" example:"20"`
}

// listPublic lists the items by name, or some of them by their numbers.
func (a operations) listPublic(
	ctx context.Context, in *publicCatalogueInput,
) (*kernel.Public[cataloguePageView], error) {
	ids, asked, err := kernel.ParseIDs[core.ItemID](in.IDs)
	if err != nil {
		return nil, err
	}
	if asked {
		if in.Profession != "" || in.Level != 0 || in.Cursor != "" || in.Limit != core.PageSize {
			return nil, core.NewFieldError("ids", core.NewText("ids_alone"))
		}
		return a.publicByID(ctx, ids)
	}
	if err := kernel.CheckLimit(in.Limit); err != nil {
		return nil, err
	}
	page, err := a.Market.Items.Catalogue(ctx, items.CatalogueQuery{
		Profession: game.Category(in.Profession), Level: in.Level, After: in.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	return &kernel.Public[cataloguePageView]{Next: page.Next, Body: cataloguePageView{
		Items: a.viewItems(page.Items), NextCursor: kernel.TextOrNil(page.Next)}}, nil
}

func (a operations) publicByID(
	ctx context.Context, ids []core.ItemID,
) (*kernel.Public[cataloguePageView], error) {
	out := &kernel.Public[cataloguePageView]{Body: cataloguePageView{Items: []itemView{}}}
	for _, id := range ids {
		item, err := a.Market.Items.Item(ctx, id)
		switch {
		case core.KindOf(err) == core.NotFound:
		case err != nil:
			return nil, err
		default:
			out.Body.Items = append(out.Body.Items, a.viewItem(item))
		}
	}
	return out, nil
}

// publicPriceView is the JSON shape of the usual price of an item.
type publicPriceView struct {
	ItemID   core.ItemID `json:"itemId" example:"12"`
	ItemName string      `json:"itemName" example:"Caric Adathril Ore"`
	Days     int         `json:"days" doc:"The price is of so many days: the shortest of 7, 30 and 90 with a certain median, else 90" example:"30"`
	Median   core.Copper `json:"median" doc:"For one, in copper" example:"1200"`
	Low      core.Copper `json:"low" doc:"10 of 100 trades were below" example:"1000"`
	High     core.Copper `json:"high" doc:"10 of 100 trades were above" example:"1500"`
	Trades   int         `json:"trades" doc:"Accepted offers of that time between traders who count" example:"24"`
}

type publicPricesView struct {
	Prices []publicPriceView `json:"prices" nullable:"false" doc:"By itemId. An item without enough trades for a price is left out"`
}

func (a operations) listPublicPrices(
	ctx context.Context, in *kernel.IDs,
) (*kernel.Public[publicPricesView], error) {
	ids, _, err := kernel.ParseIDs[core.ItemID](*in)
	if err != nil {
		return nil, err
	}
	prices, err := a.Market.Items.UsualPrices(ctx, ids)
	if err != nil {
		return nil, err
	}
	view := publicPricesView{Prices: make([]publicPriceView, len(prices))}
	for i, p := range prices {
		view.Prices[i] = publicPriceView{ItemID: p.Item.ID, ItemName: p.Item.Name, Days: p.Usual.Days,
			Median: p.Usual.Price.Median, Low: p.Usual.Price.Low, High: p.Usual.Price.High,
			Trades: p.Usual.Price.Trades}
	}
	return &kernel.Public[publicPricesView]{Body: view}, nil
}

func registerPublic(a *kernel.API, o operations) {
	kernel.GetPublic(a, kernel.PublicPrefix+"catalogue", kernel.StaleWithItems, o.listPublic,
		"list-public-items", "List the items that the game has, for programs",
		"The catalogue by name. With `ids` a number of an item that was merged into another is answered "+
			"with that one.")
	if a.Features.Prices {
		kernel.GetPublic(a, kernel.PublicPrefix+"prices", kernel.StaleWithTime, o.listPublicPrices,
			"list-public-prices", "List the usual prices of all items, for programs",
			"The price that the page suggests for each item that has one, in one answer. It is some "+
				"minutes old.")
		registerPriceHistory(a, o)
	}
}
