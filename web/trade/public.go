package trade

import (
	"context"
	"slices"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

type publicOrdersView struct {
	Orders     []kernel.PublicOrderView `json:"orders" nullable:"false"`
	Total      int                      `json:"total" doc:"Total number of matches, on every page" example:"56"`
	Exact      bool                     `json:"totalIsExact" doc:"false when more match than total says: with a filter besides categories, 1,000 are counted at most" example:"true"`
	NextCursor *string                  `json:"nextCursor" doc:"Cursor of the next page, which the header Link names, too; null on the last page"`
}

// publicOrdersInput has the filters of the page but its search: that finds requests by the names of buyers.
type publicOrdersInput struct {
	kernel.IDs
	Item       string            `query:"item" limit:"itemName" doc:"The whole name of an item, in any case" example:"iron ore"`
	ItemID     core.ItemID       `query:"itemId" doc:"An item of the catalogue: requests that name it, by any of its names" example:"12"`
	Categories []game.Category   `query:"category,explode" doc:"Any of these; may be repeated"`
	Importance []game.Importance `query:"importance,explode" doc:"Any of these; may be repeated"`
	Level      int               `query:"level" minimum:"0" limit:"level" doc:"Only requests that require no more" example:"120"`
	Skills     []string          `query:"skill,explode" doc:"A level in a profession: only requests of these professions that require no more; may be repeated" example:"[\"Miner:120\"]"`
	MinPrice   core.Copper       `query:"minPrice" minimum:"0" doc:"Lowest unit price paid, in copper" example:"1000"`
	MaxPrice   core.Copper       `query:"maxPrice" minimum:"0" doc:"Highest unit price paid, in copper" example:"250000"`
	Sort       match.Sort        `query:"sort" doc:"Defaults to newest"`
	Cursor     string            `query:"cursor" doc:"nextCursor of the page before, with the same filter"`
	Limit      int               `query:"limit" minimum:"1" limit:"page" default:"60" doc:"How many on a page" example:"20"`
}

// alone reports whether nothing but ids is asked for.
func (in publicOrdersInput) alone() bool {
	return in.Item == "" && in.ItemID == 0 && len(in.Categories)+len(in.Importance)+len(in.Skills) == 0 &&
		in.Level == 0 && in.MinPrice == 0 && in.MaxPrice == 0 && in.Sort == "" && in.Cursor == "" &&
		in.Limit == core.PageSize
}

func (a orders) listPublic(
	ctx context.Context, in *publicOrdersInput,
) (*kernel.Public[publicOrdersView], error) {
	ids, asked, err := kernel.ParseIDs[core.OrderID](in.IDs)
	if err != nil {
		return nil, err
	}
	if asked {
		if !in.alone() {
			return nil, core.NewFieldError("ids", core.NewText("ids_alone"))
		}
		return a.publicByID(ctx, ids)
	}
	if err := kernel.CheckLimit(in.Limit); err != nil {
		return nil, err
	}
	after, err := match.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	filter, err := kernel.OrderFilter{Item: in.Item, ItemID: in.ItemID, Importance: in.Importance,
		Level: in.Level, Skills: in.Skills, MinPrice: in.MinPrice, MaxPrice: in.MaxPrice,
	}.Filter(in.Categories)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Match.BrowseOrders(ctx, match.OrderQuery{
		OrderFilter: filter, Sort: in.Sort, After: after, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	view := publicOrdersView{Orders: make([]kernel.PublicOrderView, len(page.Orders)), Total: page.Total,
		Exact: !page.AtLeast}
	for i, o := range page.Orders {
		view.Orders[i] = kernel.ViewPublicOrder(a.Kernel, o.Order)
	}
	out := &kernel.Public[publicOrdersView]{Body: view, Until: page.ValidUntil}
	if page.Next != nil {
		out.Next = page.Next.String()
		out.Body.NextCursor = &out.Next
	}
	return out, nil
}

// publicByID returns the open requests among some, by their numbers.
func (a orders) publicByID(
	ctx context.Context, ids []core.OrderID,
) (*kernel.Public[publicOrdersView], error) {
	open, err := a.Market.Match.OpenOrders(ctx, ids)
	if err != nil {
		return nil, core.WithMessage(core.FailedOrders, err)
	}
	slices.SortFunc(open, func(a, b trade.Order) int { return int(a.ID - b.ID) })
	out := &kernel.Public[publicOrdersView]{Body: publicOrdersView{
		Orders: make([]kernel.PublicOrderView, len(open)), Total: len(open), Exact: true}}
	for i, o := range open {
		out.Body.Orders[i] = kernel.ViewPublicOrder(a.Kernel, o)
		if out.Until.IsZero() || o.ExpiresAt.Before(out.Until) {
			out.Until = o.ExpiresAt
		}
	}
	return out, nil
}

func registerPublic(a *kernel.API, o orders) {
	kernel.GetPublic(a, kernel.PublicPrefix+"orders", kernel.StaleWithOrders, o.listPublic,
		"list-public-orders", "List open requests, for programs",
		"The open requests as everybody may see them, without contacts, in-game names and descriptions. "+
			"The page's search is missing here, since it finds requests by the names of buyers. "+
			"With `ids` the answer says which of these are still open: a number that is left out was "+
			"filled, closed, removed, or never was.")
}
