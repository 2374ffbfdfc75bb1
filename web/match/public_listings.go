package match

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

// publicListingView is the JSON shape of stock that is for sale, for programs. It has nothing about its
// seller, and nothing that they wrote but the name of the item: a note may name a person as well as a name
// does.
type publicListingView struct {
	ID         core.StockID  `json:"id" example:"9"`
	URL        string        `json:"url" format:"uri" doc:"The page where people ask for it" example:"https://trade.example/items/12"`
	ItemName   string        `json:"itemName" doc:"As the seller typed it" example:"Sturdy Hickory Log"`
	ItemID     core.ItemID   `json:"itemId,omitempty" doc:"The item of the catalogue that itemName names; left out for none" example:"12"`
	Category   game.Category `json:"category" doc:"The profession that makes the item, else the game's default"`
	Quantity   int           `json:"quantity" doc:"How many are listed; what was sold is not among them" example:"600"`
	Left       int           `json:"left" doc:"How many can be asked for: what is listed, less what is in open asks" example:"400"`
	Price      core.Copper   `json:"price" doc:"Price per unit, in copper" example:"4000"`
	TotalValue string        `json:"totalValue" pattern:"^[0-9]+$" doc:"The price of all that can be asked for, in copper" example:"1600000"`
	Since      time.Time     `json:"since" doc:"When the seller last said that it is there"`
	Until      time.Time     `json:"until" doc:"When it is listed no more, unless the seller says again that it is there"`
}

func (a operations) viewPublicListing(l match.Listing) publicListingView {
	page := "/?" + url.Values{"side": {"sale"}, "q": {l.ItemName}}.Encode()
	if l.Item != 0 {
		page = fmt.Sprintf("/items/%d", l.Item)
	}
	return publicListingView{
		ID: l.ID, URL: a.Public.String() + page, ItemName: l.ItemName, ItemID: l.Item,
		Category: orDefault(l.Category, a.Game), Quantity: l.Quantity, Left: l.Left(), Price: l.Price,
		TotalValue: strconv.FormatInt(int64(l.TotalValue()), 10), Since: l.TouchedAt, Until: l.ListedUntil(),
	}
}

type publicListingsView struct {
	Listings   []publicListingView `json:"listings" nullable:"false"`
	Total      int                 `json:"total" doc:"How many match on all pages" example:"56"`
	Exact      bool                `json:"totalIsExact" doc:"false when more match than total says: 1,000 are counted at most" example:"true"`
	NextCursor *string             `json:"nextCursor" doc:"Cursor of the next page, which the header Link names, too; null on the last page"`
}

// publicListingsInput has the filters of the page but its search: that finds words in notes, too.
type publicListingsInput struct {
	kernel.IDs
	Categories []game.Category `query:"category,explode" doc:"Any of these; may be repeated"`
	ItemID     core.ItemID     `query:"itemId" doc:"An item of the catalogue, by any of its names" example:"12"`
	MaxPrice   core.Copper     `query:"maxPrice" minimum:"0" doc:"Highest price per unit, in copper" example:"5000"`
	Sort       string          `query:"sort" enum:"newest,cheapest" default:"newest" doc:"newest: what its seller last said is there; cheapest: the lowest price per unit first"`
	Cursor     string          `query:"cursor" doc:"nextCursor of the page before, with the same filter"`
	Limit      int             `query:"limit" minimum:"1" limit:"page" default:"60" doc:"How many on a page" example:"20"`
}

// alone reports whether nothing but ids is asked for.
func (in *publicListingsInput) alone() bool {
	return len(in.Categories) == 0 && in.ItemID == 0 && in.MaxPrice == 0 && in.Sort == string(match.Newest) &&
		in.Cursor == "" && in.Limit == core.PageSize
}

func (a operations) listPublicListings(
	ctx context.Context, in *publicListingsInput,
) (*kernel.Public[publicListingsView], error) {
	ids, asked, err := kernel.ParseIDs[core.StockID](in.IDs)
	if err != nil {
		return nil, err
	}
	if asked && !in.alone() {
		return nil, core.NewFieldError("ids", core.NewText("ids_alone"))
	}
	if err := kernel.CheckLimit(in.Limit); err != nil {
		return nil, err
	}
	after, err := match.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	// No actor: what a reader's own blocks leave out is in the answer that everyone gets.
	page, err := a.Market.Match.Listings(ctx, core.Actor{}, match.ListingQuery{
		ListingFilter: match.ListingFilter{Categories: in.Categories, ItemID: in.ItemID,
			MaxPrice: in.MaxPrice, IDs: ids},
		Sort: match.Sort(in.Sort), After: after, Limit: in.Limit,
	})
	if err != nil {
		return nil, err
	}
	view := publicListingsView{Listings: make([]publicListingView, len(page.Listings)), Total: page.Total,
		Exact: !page.AtLeast}
	for i, l := range page.Listings {
		view.Listings[i] = a.viewPublicListing(l)
	}
	out := &kernel.Public[publicListingsView]{Body: view}
	if page.Next != nil {
		out.Next = page.Next.String()
		out.Body.NextCursor = &out.Next
	}
	return out, nil
}

func registerPublicListings(a *kernel.API, o operations) {
	kernel.GetPublic(a, kernel.PublicPrefix+"listings", kernel.StaleWithTime, o.listPublicListings,
		"list-public-listings", "List what is for sale, for programs",
		"What sellers show for sale, without their names and notes. Asks are seen by their seller alone: "+
			"they lower `left`, and are in no public answer. The page's search is missing here, since it "+
			"looks into notes. With `ids` the answer says which of these are still for sale: a number that "+
			"is left out was sold, taken off or ran out, or never was.")
}
