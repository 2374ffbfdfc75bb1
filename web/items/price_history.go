package items

import (
	"context"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/web/kernel"
)

// publicPeriodView is the JSON shape of a price of a day or a week.
type publicPeriodView struct {
	Span          string      `json:"span" enum:"day,week" doc:"day: a day with a price of its own; week: the days of a week that have none, taken together"`
	From          string      `json:"from" format:"date" doc:"The day in UTC, or the Monday of the week" example:"2026-11-16"`
	To            string      `json:"to" format:"date" doc:"The same day, or the Sunday of the week" example:"2026-11-16"`
	Median        core.Copper `json:"median" doc:"For one, in copper" example:"1200"`
	LowerQuartile core.Copper `json:"lowerQuartile" doc:"A quarter of the trades was below" example:"1100"`
	UpperQuartile core.Copper `json:"upperQuartile" doc:"A quarter of the trades was above" example:"1350"`
	Volume        int         `json:"volume" doc:"How many were traded between people who count" example:"640"`
	Trades        int         `json:"trades" doc:"In how many accepted offers between people who count" example:"9"`
}

// publicHistoryView is the JSON shape of the prices of one item.
type publicHistoryView struct {
	ItemID   core.ItemID        `json:"itemId" example:"12"`
	ItemName string             `json:"itemName" example:"Caric Adathril Ore"`
	Periods  []publicPeriodView `json:"periods" nullable:"false" doc:"The oldest first. No trade is in two of them"`
}

// publicHistoriesView is the JSON shape of the prices of all items by day.
type publicHistoriesView struct {
	AsOf   time.Time           `json:"asOf" doc:"Only what was certain at this midnight is in it. The latest day that it can have ended a day before"`
	From   string              `json:"from" format:"date" doc:"The Monday that it begins with, at least 90 days back; later in a market with very many trades" example:"2026-08-24"`
	Young  bool                `json:"young" doc:"Too few traders are established, so that the trades of all count alike, but for those of new accounts"`
	Method string              `json:"method" format:"uri" doc:"The page that says how prices are computed" example:"https://trade.example/prices/method"`
	Items  []publicHistoryView `json:"items" nullable:"false" doc:"By itemId. An item without enough trades for a price is left out"`
}

func viewPeriod(p items.PricePeriod) publicPeriodView {
	v := publicPeriodView{
		Span: "day", From: p.From.Format(time.DateOnly), To: p.To.Add(-core.Day).Format(time.DateOnly),
		Median: p.Price.Median, LowerQuartile: p.Price.LowerQuartile, UpperQuartile: p.Price.UpperQuartile,
		Volume: p.Price.Volume, Trades: p.Price.Trades,
	}
	if p.Week() {
		v.Span = "week"
	}
	return v
}

func (a operations) readHistory(ctx context.Context, in *kernel.IDs) (publicHistoriesView, error) {
	ids, _, err := kernel.ParseIDs[core.ItemID](*in)
	if err != nil {
		return publicHistoriesView{}, err
	}
	history, err := a.Market.Items.PriceHistory(ctx, ids)
	if err != nil {
		return publicHistoriesView{}, err
	}
	view := publicHistoriesView{
		AsOf: history.AsOf, From: history.From.Format(time.DateOnly), Young: history.Young,
		Method: a.Public.String() + kernel.PriceMethodPath,
		Items:  make([]publicHistoryView, len(history.Items)),
	}
	for i, of := range history.Items {
		periods := make([]publicPeriodView, len(of.Periods))
		for j, p := range of.Periods {
			periods[j] = viewPeriod(p)
		}
		view.Items[i] = publicHistoryView{of.Item.ID, of.Item.Name, periods}
	}
	return view, nil
}

func (a operations) getPriceHistory(
	ctx context.Context, in *kernel.IDs,
) (*kernel.Public[publicHistoriesView], error) {
	view, err := a.readHistory(ctx, in)
	return &kernel.Public[publicHistoriesView]{Body: view}, err
}

// historyColumns are the heads of the table.
var historyColumns = []string{"itemId", "itemName", "span", "from", "to", "median", "lowerQuartile",
	"upperQuartile", "volume", "trades"}

func (a operations) getPriceTable(ctx context.Context, in *kernel.IDs) (*kernel.Public[kernel.Table], error) {
	view, err := a.readHistory(ctx, in)
	table := kernel.Table{historyColumns}
	for _, of := range view.Items {
		for _, p := range of.Periods {
			price := func(c core.Copper) string { return strconv.FormatInt(int64(c), 10) }
			table = append(table, []string{strconv.FormatInt(int64(of.ItemID), 10),
				kernel.NoFormula(of.ItemName), p.Span, p.From, p.To, price(p.Median), price(p.LowerQuartile),
				price(p.UpperQuartile), strconv.Itoa(p.Volume), strconv.Itoa(p.Trades)})
		}
	}
	return &kernel.Public[kernel.Table]{Body: table}, err
}

func registerPriceHistory(a *kernel.API, o operations) {
	const about = "What each item was traded for in the last 90 days: median, quartiles and volume of each " +
		"day that has enough trades for a price, of the other days of a week together where these have, " +
		"and nothing else. A day is in it from 24 hours after its end. `ids` asks for some items alone. " +
		"How it is computed is on the page that `method` names."
	const path = kernel.PublicPrefix + "prices/history"
	kernel.GetPublic(a, path, kernel.StaleWithTime, o.getPriceHistory, "get-price-history",
		"Get the prices of all items by day, for programs", about)
	kernel.GetPublicTable(a, path+".csv", kernel.StaleWithTime, o.getPriceTable, "get-price-history-csv",
		"Get the prices of all items by day as a table", about+
			" A name that a spreadsheet would take for a formula begins with an apostrophe.")
}
