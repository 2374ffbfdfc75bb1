package match

import (
	"context"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// listingView is the JSON shape of stock that is for sale.
type listingView struct {
	ID         core.StockID  `json:"id" example:"9"`
	Seller     stockSeller   `json:"seller"`
	ItemName   string        `json:"itemName" example:"Sturdy Hickory Log"`
	ItemID     *core.ItemID  `json:"itemId" doc:"The item of the catalogue; null for none" example:"12"`
	Category   game.Category `json:"category" doc:"The profession that makes the item, else the game's default"`
	Quantity   int           `json:"quantity" doc:"How many are listed; what was sold is not among them" example:"600"`
	Left       int           `json:"left" doc:"How many can be asked for: what is listed, less what is in open asks" example:"400"`
	Price      core.Copper   `json:"price" doc:"Price per unit, in copper" example:"4000"`
	TotalValue string        `json:"totalValue" pattern:"^[0-9]+$" doc:"The price of all that can be asked for, in copper" example:"1600000"`
	Note       string        `json:"note" doc:"Empty for none" example:"In Ravenia"`
	Daily      int           `json:"sellsDaily,omitempty" doc:"How many are sold without asking the seller, in any 24 hours, by plans and to requests that accept offers as they come; left out for none" example:"200"`
	Since      time.Time     `json:"since" doc:"When the seller last said that it is there"`
	Until      time.Time     `json:"until" doc:"When it is listed no more, unless the seller says again that it is there"`
}

func (a operations) viewListing(l match.Listing) listingView {
	if !a.Features.Crossing {
		l.SellsDaily = 0 // from when it was on
	}
	return listingView{
		ID: l.ID, Seller: viewSeller(l.User, l.Seller), ItemName: l.ItemName, ItemID: kernel.IDOrNil(l.Item),
		Category: orDefault(l.Category, a.Game), Quantity: l.Quantity, Left: l.Left(), Price: l.Price,
		TotalValue: strconv.FormatInt(int64(l.TotalValue()), 10), Note: l.Note,
		Daily: l.SellsDaily, Since: l.TouchedAt, Until: l.ListedUntil(),
	}
}

// orDefault returns the category, or the game's default where none is known.
func orDefault(c game.Category, g game.Game) game.Category {
	if !g.HasCategory(c) {
		return g.Default
	}
	return c
}

func viewSeller(id core.UserID, account people.Account) stockSeller {
	return stockSeller{ID: id, Username: account.Username, DisplayName: account.DisplayName}
}

type listingPageView struct {
	Listings   []listingView `json:"listings" nullable:"false"`
	Total      int           `json:"total" doc:"How many match on all pages"`
	Exact      bool          `json:"totalIsExact" doc:"false when more match than total says: 1,000 are counted at most"`
	NextCursor *string       `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

type listingsInput struct {
	kernel.Caller
	Text       string          `query:"q" limit:"itemName" doc:"Words that must all occur in the item's name or the note" example:"hickory"`
	Categories []game.Category `query:"category,explode" doc:"Any of these; may be repeated"`
	ItemID     core.ItemID     `query:"itemId" doc:"An item of the catalogue, by any of its names" example:"12"`
	MaxPrice   core.Copper     `query:"maxPrice" minimum:"0" doc:"Highest price per unit, in copper"`
	Sort       string          `query:"sort" enum:"newest,cheapest" default:"newest" doc:"newest: what its seller last said is there; cheapest: the lowest price per unit first"`
	Cursor     string          `query:"cursor" doc:"nextCursor of the page before"`
	Limit      int             `query:"limit" minimum:"1" limit:"page" doc:"Defaults to the maximum"`
}

func (a operations) listListings(
	ctx context.Context, in *listingsInput,
) (*kernel.Answer[listingPageView], error) {
	after, err := match.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Match.Listings(ctx, in.By, match.ListingQuery{
		ListingFilter: match.ListingFilter{Categories: in.Categories, Text: in.Text, ItemID: in.ItemID,
			MaxPrice: in.MaxPrice},
		Sort: match.Sort(in.Sort), After: after, Limit: in.Limit,
	})
	if err != nil {
		return nil, err
	}
	view := listingPageView{Listings: make([]listingView, len(page.Listings)), Total: page.Total,
		Exact: !page.AtLeast}
	for i, l := range page.Listings {
		view.Listings[i] = a.viewListing(l)
	}
	if page.Next != nil {
		view.NextCursor = new(page.Next.String())
	}
	return &kernel.Answer[listingPageView]{Body: view}, nil
}

// askView is the JSON shape of an open ask, for its buyer and its seller.
type askView struct {
	ID        core.OrderID `json:"id" doc:"The request that asks" example:"7"`
	ListingID core.StockID `json:"listingId" example:"9"`
	ItemName  string       `json:"itemName" example:"Sturdy Hickory Log"`
	Quantity  int          `json:"quantity" example:"200"`
	Price     core.Copper  `json:"price" doc:"Price per unit, in copper" example:"4000"`
	Buyer     stockSeller  `json:"buyer"`
	IGN       *string      `json:"ign" doc:"The buyer's in-game name; null for none" example:"Maple"`
	Seller    stockSeller  `json:"seller"`
	CreatedAt time.Time    `json:"createdAt"`
	EndsAt    time.Time    `json:"endsAt" doc:"When it ends unless the seller has answered"`
}

func viewAsks(asks []match.Ask) []askView {
	views := make([]askView, len(asks))
	for i, o := range asks {
		views[i] = askView{
			ID: o.ID, ListingID: o.Listing, ItemName: o.ItemName, Quantity: o.Remaining(), Price: o.MaxPrice,
			Buyer: viewSeller(o.Owner, o.Buyer), IGN: kernel.TextOrNil(o.InGameName),
			Seller: viewSeller(o.Of, o.Seller), CreatedAt: o.CreatedAt, EndsAt: o.ExpiresAt,
		}
	}
	return views
}

// ownListingView is the JSON shape of a listing for its seller.
type ownListingView struct {
	ID       core.StockID `json:"id" example:"9"`
	ItemName string       `json:"itemName" example:"Sturdy Hickory Log"`
	Quantity int          `json:"quantity" example:"600"`
	Price    core.Copper  `json:"price" doc:"Price per unit, in copper" example:"4000"`
	Listed   bool         `json:"listed" doc:"It is for sale now; else only its open asks wait"`
	Until    time.Time    `json:"until" doc:"When it is listed no more, unless the seller says again that it is there"`
	Asks     []askView    `json:"asks" nullable:"false" doc:"That wait for your answer, the oldest first"`
}

type ownListingsView struct {
	Listings []ownListingView `json:"listings" nullable:"false" doc:"By name"`
}

func (a operations) listMyListings(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[ownListingsView], error) {
	own, err := a.Market.Match.OwnListings(ctx, in.By)
	if err != nil {
		return nil, err
	}
	view := ownListingsView{Listings: make([]ownListingView, len(own))}
	for i, l := range own {
		view.Listings[i] = ownListingView{
			ID: l.ID, ItemName: l.ItemName, Quantity: l.Quantity, Price: l.Price, Listed: l.Listed(a.Now()),
			Until: l.ListedUntil(), Asks: viewAsks(l.Asks),
		}
	}
	return &kernel.Answer[ownListingsView]{Body: view}, nil
}

type asksView struct {
	Asks []askView `json:"asks" nullable:"false" doc:"The oldest first"`
}

func (a operations) listMyAsks(ctx context.Context, in *kernel.Caller) (*kernel.Answer[asksView], error) {
	asks, err := a.Market.Match.Asks(ctx, in.By)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[asksView]{Body: asksView{Asks: viewAsks(asks)}}, nil
}

// askDraft is the JSON shape of a new ask.
type askDraft struct {
	Quantity int         `json:"quantity" minimum:"1" limit:"quantity" doc:"At most what is left of the listing" example:"200"`
	Price    core.Copper `json:"price" required:"false" minimum:"0" limit:"price" doc:"The price per unit that you saw, in copper; the response is 409 when it is another one now. Without a value, any price" example:"4000"`
	IGN      *string     `json:"ign" required:"false" limit:"inGameName" doc:"In-game name" example:"Maple"`
}

func (a operations) askForListing(ctx context.Context, in *struct {
	ByStock
	kernel.Keyed
	Body kernel.Sent[askDraft]
}) (*kernel.Answer[kernel.OrderView], error) {
	draft := match.AskDraft{Quantity: in.Body.Fields.Quantity, PriceSeen: in.Body.Fields.Price}
	if ign := in.Body.Fields.IGN; ign != nil {
		draft.InGameName = *ign
	}
	order, err := a.Market.Match.Ask(ctx, in.By, in.ID, draft)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[kernel.OrderView]{
		Body: kernel.ViewOwnOrder(trade.ListedOrder{Order: order}, a.Now()),
	}, nil
}

// askAnswer is the JSON shape of a seller's answer.
type askAnswer struct {
	Accept  int    `json:"accept" minimum:"0" limit:"quantity" doc:"How many you sell, at most what is asked for; 0 says no" example:"200"`
	Message string `json:"message" required:"false" limit:"message" doc:"To the buyer, with a yes; without a value, the usual one" example:"Tonight at the docks"`
}

// askAnswered is the JSON shape of the result of an answer.
type askAnswered struct {
	Accepted int          `json:"accepted" doc:"How many were sold; 0 after a no" example:"200"`
	SaleID   *core.SaleID `json:"saleId" doc:"The trade; null after a no" example:"31"`
}

func (a operations) answerAsk(ctx context.Context, in *struct {
	kernel.ByOrder
	kernel.Keyed
	Body kernel.Sent[askAnswer]
}) (*kernel.Answer[askAnswered], error) {
	done, err := a.Market.Match.AnswerAsk(ctx, in.By, in.ID,
		match.AskAnswer{Accept: in.Body.Fields.Accept, Message: in.Body.Fields.Message})
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[askAnswered]{Body: askAnswered{Accepted: done.Sale.Quantity,
		SaleID: kernel.IDOrNil(done.Sale.ID)}}, nil
}

// registerListings adds the operations of listings. Without listings they, and the properties that they add
// to others, are not there.
func registerListings(a *kernel.API, o operations) {
	if !a.Features.Crossing {
		a.Amend(func() {
			a.LeaveOut("StockDraft", "sellsDaily")
			a.LeaveOut("Stock", "sellsDaily")
			a.LeaveOut("Listing", "sellsDaily")
			a.LeaveOut("Receipt", "crossed")
			a.LeaveOut("OrderDraft", "standing")
			a.LeaveOutValues("NoticeKind", func(kind string) bool {
				return kind == string(notify.NoticeListingSold) || kind == string(notify.NoticeCrossingUndone)
			})
		})
	}
	if !a.Features.Listings {
		a.Amend(func() {
			a.LeaveOut("Order", "listingId")
			a.LeaveOut("StockDraft", "until")
			a.LeaveOut("Stock", "until")
			a.LeaveOut("Notice", "listingId")
			for _, schema := range []string{"Saved", "Search", "SearchDraft", "Watch", "WatchDraft"} {
				a.LeaveOut(schema, "side")
			}
			a.LeaveOutValues("NoticeKind", func(kind string) bool {
				return kind == string(notify.NoticeAskReceived) || kind == string(notify.NoticeAskAccepted) ||
					kind == string(notify.NoticeAskEnded) || kind == string(notify.NoticeListingRemoved) ||
					kind == string(notify.NoticeListingRestored)
			})
		})
		return
	}
	registerPublicListings(a, o)
	kernel.Get(a, "/api/listings", o.listListings, "list-listings", "List what is for sale")
	if a.Features.Lists {
		kernel.Get(a, "/api/lists/{id}/for-sale", o.getListForSale, "get-list-for-sale",
			"Get what is for sale of the items of a list's requests")
		kernel.Post(a, "/api/lists/plan", o.planList, "plan-list",
			"Plan the cheapest way to get the items of a text; nothing is posted")
		kernel.Create(a, "/api/lists/planned", o.postPlan, "post-plan",
			"Post a plan as one list: asks for listings and requests, all of them or none")
	}
	kernel.Create(a, "/api/listings/{id}/asks", o.askForListing, "ask-for-listing",
		"Ask a seller for some of what they have for sale; only they see the request, and have 48 hours to "+
			"answer")
	kernel.Get(a, "/api/me/listings", o.listMyListings, "list-my-listings",
		"List what you have for sale, and who asks for it")
	kernel.Get(a, "/api/me/asks", o.listMyAsks, "list-my-asks",
		"List what you have asked sellers for and wait to hear of")
	kernel.Post(a, "/api/me/asks/{id}/answer", o.answerAsk, "answer-ask",
		"Say yes to an ask for what you have for sale, to all of it or fewer, or no")
}
