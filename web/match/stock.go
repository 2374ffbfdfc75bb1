package match

import (
	"context"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

// stockDraft contains what a seller fills in of their stock.
type stockDraft struct {
	ItemName string      `json:"itemName" limit:"itemName" example:"Sturdy Hickory Log"`
	Quantity int         `json:"quantity" minimum:"1" limit:"quantity" example:"600"`
	Price    core.Copper `json:"price" minimum:"1" limit:"price" doc:"Lowest price per unit, in copper" example:"4000"`
	Note     string      `json:"note" required:"false" limit:"stockNote" doc:"Empty for none" example:"In Ravenia"`
	Public   bool        `json:"public" required:"false" doc:"Others see whose it is; else it is used for matching only"`
	Daily    int         `json:"sellsDaily" required:"false" minimum:"0" limit:"quantity" doc:"How many of public stock are sold without asking you, in any 24 hours, to requests that accept offers as they come; 0 for none" example:"200"`
	Until    *time.Time  `json:"until" required:"false" doc:"When public stock is shown no more, within the next 28 days; without a value, as long as it is there" example:"2026-05-03T20:00:00Z"`
}

// StockView is the JSON shape of an entry of one's own stock.
type StockView struct {
	ID        core.StockID  `json:"id" example:"9"`
	ItemID    *core.ItemID  `json:"itemId" doc:"The item of the catalogue; null for none" example:"12"`
	ItemName  string        `json:"itemName" example:"Sturdy Hickory Log"`
	Quantity  int           `json:"quantity" doc:"0 once all of it was accepted" example:"600"`
	Price     core.Copper   `json:"price" doc:"Lowest price per unit, in copper" example:"4000"`
	Note      string        `json:"note" doc:"Empty for none" example:"In Ravenia"`
	Public    bool          `json:"public" doc:"Others see whose it is; else it is used for matching only"`
	Until     *time.Time    `json:"until,omitempty" doc:"When it is shown no more, as its seller chose; left out for as long as it is there"`
	Daily     int           `json:"sellsDaily,omitempty" doc:"How many are sold without asking its seller, in any 24 hours; left out for none" example:"200"`
	TouchedAt time.Time     `json:"touchedAt" doc:"When its seller last said that it is there"`
	EndsAt    time.Time     `json:"endsAt" doc:"When it is gone unless they say so again"`
	Asked     bool          `json:"asked" doc:"They were asked whether it is still there"`
	Alerts    bool          `json:"alerts" doc:"Requests that fit alert its seller"`
	Snoozed   *time.Time    `json:"snoozedUntil" doc:"Alerts are held until then; null for not"`
	Category  game.Category `json:"category,omitzero" doc:"The profession that makes the item, else the game's default; left out where it was not noted" example:"Woodcutter"`
}

// ViewStock returns the shapes of a user's own stock.
func ViewStock(stock []match.Stock) []StockView {
	views := make([]StockView, len(stock))
	for i, s := range stock {
		views[i] = StockView{
			ID: s.ID, ItemID: kernel.IDOrNil(s.Item), ItemName: s.ItemName, Category: s.Category,
			Quantity: s.Quantity, Price: s.Price, Note: s.Note, Public: s.Public,
			Until: kernel.TimeOrNil(s.Until),
			Daily: s.SellsDaily, TouchedAt: s.TouchedAt, EndsAt: s.TouchedAt.Add(match.StockLifetime),
			Asked:  !s.AskedAt.IsZero(),
			Alerts: s.AlertsOffAt.IsZero(), Snoozed: kernel.TimeOrNil(s.SnoozedUntil),
		}
	}
	return views
}

type stockListView struct {
	Stock []StockView `json:"stock" nullable:"false" doc:"By name"`
}

func stockAnswer(stock []match.Stock, err error) (*kernel.Answer[stockListView], error) {
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[stockListView]{Body: stockListView{Stock: ViewStock(stock)}}, nil
}

func (a operations) listStock(ctx context.Context, in *kernel.Caller) (*kernel.Answer[stockListView], error) {
	return stockAnswer(a.Market.Match.Stock(ctx, in.By))
}

// stockDrafts lists a seller's stock, an entry for each item.
type stockDrafts struct {
	Stock        []stockDraft `json:"stock" doc:"Each replaces what the user had of its item"`
	ConfirmPrice bool         `json:"confirmPrice" required:"false" doc:"Take a price that is far from what is known; see the code price_unusual"`
}

type saveStockInput struct {
	kernel.Keyed
	Body kernel.Sent[stockDrafts]
}

func (a operations) saveStock(
	ctx context.Context, in *saveStockInput,
) (*kernel.Answer[stockListView], error) {
	in.By.PriceConfirmed = in.Body.Fields.ConfirmPrice
	drafts := make([]match.StockDraft, len(in.Body.Fields.Stock))
	for i, d := range in.Body.Fields.Stock {
		drafts[i] = match.StockDraft{ItemName: d.ItemName, Quantity: d.Quantity, Price: d.Price, Note: d.Note,
			Public: d.Public, SellsDaily: d.Daily}
		if d.Until != nil && a.Features.Listings {
			drafts[i].Until = *d.Until
		}
	}
	return stockAnswer(a.Market.Match.SaveStock(ctx, in.By, drafts))
}

// ByStock is part of everything about one entry of one's stock.
type ByStock struct {
	ID core.StockID `path:"id" doc:"The entry" example:"9"`
}

type stockWrite struct {
	ByStock
	kernel.Keyed
}

func (a operations) deleteStock(ctx context.Context, in *stockWrite) error {
	return a.Market.Match.DeleteStock(ctx, in.By, in.ID)
}

func (a operations) confirmStock(
	ctx context.Context, in *kernel.Keyed,
) (*kernel.Answer[stockListView], error) {
	if _, err := a.Market.Match.ConfirmStock(ctx, in.By); err != nil {
		return nil, err
	}
	return stockAnswer(a.Market.Match.Stock(ctx, in.By))
}

// stockLines has the lines that a seller typed or pasted.
type stockLines struct {
	Lines string `json:"lines" doc:"One line per item: its name, the quantity and your lowest price per unit" example:"Sturdy Hickory Log 600 4s"`
}

// stockLineView is a line, and what is understood of it.
type stockLineView struct {
	Number   int                               `json:"number" doc:"From 1, as it was typed" example:"1"`
	Text     string                            `json:"text" example:"Sturdy Hickory Log 600 4s"`
	Why      *string                           `json:"why" doc:"Why it is not understood; null when it is" example:"No item is called Hickry Log. Did you mean Hickory Log?"`
	ItemID   *core.ItemID                      `json:"itemId" doc:"The item of the catalogue; null for none" example:"12"`
	ItemName string                            `json:"itemName" example:"Sturdy Hickory Log"`
	Quantity int                               `json:"quantity" example:"600"`
	Price    core.Copper                       `json:"price" doc:"In copper" example:"4000"`
	Fix      kernel.OrNull[kernel.LineFixView] `json:"fix" doc:"The line as it was probably meant; null when nothing is known"`
}

type readStockView struct {
	Lines []stockLineView `json:"lines" nullable:"false" doc:"Without the empty ones; at most 100, and one that says that there are more"`
}

// readStockLines returns the stock that is recognized in lines. It saves nothing.
func (a operations) readStockLines(ctx context.Context, in *struct {
	kernel.Keyed
	Body kernel.Sent[stockLines]
}) (*kernel.Answer[readStockView], error) {
	lines, err := a.Market.Match.ReadStock(ctx, in.Body.Fields.Lines)
	if err != nil {
		return nil, err
	}
	view := readStockView{Lines: make([]stockLineView, len(lines))}
	for i, l := range lines {
		view.Lines[i] = stockLineView{
			Number: l.Number, Text: l.Text, Why: kernel.TextOrNil(l.Why.String()),
			ItemID: kernel.IDOrNil(l.Item), ItemName: l.Draft.ItemName,
			Quantity: l.Draft.Quantity, Price: l.Draft.Price,
		}
		if l.Fix != nil {
			fix := kernel.ViewLineFix(a.Game, *l.Fix)
			view.Lines[i].Fix.Value = &fix
		}
	}
	return &kernel.Answer[readStockView]{Body: view}, nil
}

// stockSumView is the JSON shape of the sum of the stock of an item. It names no sellers.
type stockSumView struct {
	Sellers  int         `json:"sellers" doc:"How many have some; without the caller, and sellers whom they have blocked" example:"4"`
	Quantity int         `json:"quantity" doc:"How many they have" example:"1200"`
	UpTo     core.Copper `json:"upTo" doc:"The highest of their lowest prices, in copper; 0 without stock" example:"5000"`
}

// sumStock returns the sum of the sellers' stock of an item, for a buyer who asks for it.
func (a operations) sumStock(ctx context.Context, in *struct {
	kernel.Caller
	ItemName string      `query:"itemName" limit:"itemName" doc:"The item, as it is typed" example:"Sturdy Hickory Log"`
	MaxPrice core.Copper `query:"maxPrice" minimum:"0" limit:"price" doc:"Only what is sold at this price or below, in copper; 0 for any" example:"5000"`
}) (*kernel.Answer[stockSumView], error) {
	sum, err := a.Market.Match.StockFor(ctx, in.By, in.ItemName, in.MaxPrice)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[stockSumView]{Body: stockSumView{Sellers: sum.SellerCount, Quantity: sum.Quantity,
		UpTo: sum.UpTo}}, nil
}

// sellerStockView is the JSON shape of public stock.
type sellerStockView struct {
	ID       core.StockID `json:"id" example:"9"`
	Seller   stockSeller  `json:"seller"`
	Quantity int          `json:"quantity" example:"600"`
	Price    core.Copper  `json:"price" doc:"Lowest price per unit, in copper" example:"4000"`
	Note     string       `json:"note" doc:"Empty for none" example:"In Ravenia"`
	Since    time.Time    `json:"since" doc:"When the seller last said that it is there"`
}

type stockSeller struct {
	ID          core.UserID `json:"id" doc:"The user's ID on this site" example:"3"`
	Username    string      `json:"username" doc:"At Discord" example:"maple"`
	DisplayName string      `json:"displayName" example:"Maple"`
}

type itemStockView struct {
	Sellers  int               `json:"sellers" doc:"How many have some, public or not" example:"4"`
	Quantity int               `json:"quantity" doc:"How many they have" example:"1200"`
	UpTo     core.Copper       `json:"upTo" doc:"The highest of their lowest prices, in copper; 0 without stock" example:"5000"`
	Public   []sellerStockView `json:"public" nullable:"false" doc:"What is public of it, the cheapest first; at most 50"`
}

type stockOfItemInput struct {
	kernel.Caller
	kernel.ByItem
}

func (a operations) getItemStock(
	ctx context.Context, in *stockOfItemInput,
) (*kernel.Answer[itemStockView], error) {
	stock, err := a.Market.Match.StockOf(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	view := itemStockView{Sellers: stock.SellerCount, Quantity: stock.Quantity, UpTo: stock.UpTo,
		Public: make([]sellerStockView, len(stock.Sellers))}
	for i, s := range stock.Sellers {
		view.Public[i] = sellerStockView{
			ID: s.ID, Quantity: s.Quantity, Price: s.Price, Note: s.Note, Since: s.TouchedAt,
			Seller: stockSeller{ID: s.User, Username: s.Seller.Username, DisplayName: s.Seller.DisplayName},
		}
	}
	return &kernel.Answer[itemStockView]{Body: view}, nil
}

// fillableView is the JSON shape of a request that the user can fill.
type fillableView struct {
	Order     kernel.OrderView `json:"order"`
	FromStock bool             `json:"fromStock" doc:"The user has it; else they can make it, by the level of the catalogue"`
	Can       int              `json:"can" doc:"How many of it" example:"600"`
	Earns     string           `json:"earns" doc:"What the user would earn, in copper" example:"2400000"`
}

type fillableListView struct {
	Fillable []fillableView `json:"fillable" nullable:"false" doc:"What one has first, then by what it earns; at most 60"`
}

func (a operations) listFillable(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[fillableListView], error) {
	orders, err := a.Market.Match.Fill(ctx, in.By)
	if err != nil {
		return nil, err
	}
	view := fillableListView{Fillable: make([]fillableView, len(orders))}
	for i, o := range orders {
		view.Fillable[i] = fillableView{
			Order: kernel.ViewOrder(o.Order, a.Now()), FromStock: o.FromStock, Can: o.Can,
			Earns: strconv.FormatInt(int64(o.Earns()), 10),
		}
	}
	return &kernel.Answer[fillableListView]{Body: view}, nil
}

type browseFillableInput struct {
	kernel.Caller
	kernel.OrderFilter
	Categories []game.Category `query:"category,explode" doc:"Any of these; may be repeated"`
	Sort       match.Sort      `query:"sort" enum:"earnings,newest,price,total,ending" default:"earnings" doc:"earnings: what one has first, then what one can make, each by what it earns"`
	Cursor     string          `query:"cursor" doc:"nextCursor of the page before"`
	Limit      int             `query:"limit" minimum:"1" limit:"page" doc:"Defaults to the maximum"`
}

// browseFillable is listOrders for what the caller can fill.
func (a operations) browseFillable(
	ctx context.Context, in *browseFillableInput,
) (*kernel.Answer[kernel.OrderPageView], error) {
	after, err := match.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	filter, err := in.Filter(in.Categories)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Match.BrowseFillable(ctx, in.By,
		match.OrderQuery{OrderFilter: filter, Sort: in.Sort, After: after, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[kernel.OrderPageView]{Body: kernel.ViewPage(page, kernel.ViewListedOrder,
		a.Now())}, nil
}
