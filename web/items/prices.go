package items

import (
	"cmp"
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/web/kernel"
)

// priceView is the JSON shape of the price of an item, made from its trades.
type priceView struct {
	Median core.Copper `json:"median" example:"1200"`
	Low    core.Copper `json:"low" doc:"10 of 100 trades were below" example:"1000"`
	High   core.Copper `json:"high" doc:"10 of 100 trades were above" example:"1500"`
	// The interval of the median.
	MedianFrom kernel.OrNull[core.Copper] `json:"medianFrom" doc:"The true median lies between medianFrom and medianTo 90 times of 100; null where too few trades count to say so"`
	MedianTo   kernel.OrNull[core.Copper] `json:"medianTo"`
	Fills      int                        `json:"fills" doc:"Accepted offers that the price is made of: of a pair of traders the latest, of a trader five at most" example:"17"`
	Trades     int                        `json:"trades" doc:"All accepted offers between traders who count, among them those beyond that" example:"24"`
	Circles    int                        `json:"circles" doc:"How many circles of people, who mostly trade among themselves, they come from" example:"5"`
}

type priceWindowView struct {
	Days  int                      `json:"days" example:"30"`
	Price kernel.OrNull[priceView] `json:"price" doc:"null while there is none: it takes five accepts from three pairs"`
}

type priceDayView struct {
	Day     string                   `json:"day" doc:"In UTC" example:"2026-11-22"`
	Price   kernel.OrNull[priceView] `json:"price" doc:"Of the seven days that end with it; null while there is none"`
	Fills   int                      `json:"fills" doc:"Accepted offers of the day itself between traders who count; 0 while there is no price" example:"4"`
	Singles []core.Copper            `json:"singles,omitempty" doc:"What its accepted offers paid per unit, of an item that has a price of 90 days: those that this is made of, an even part of them where there are more than 300"`
}

// askedView is the JSON shape of the amounts that open requests pay. They are no price: no trade was made for
// them.
type askedView struct {
	Buyers int         `json:"buyers" doc:"A buyer of several requests counts once, with the latest" example:"3"`
	Low    core.Copper `json:"low" example:"900"`
	Median core.Copper `json:"median" example:"1100"`
	High   core.Copper `json:"high" example:"1300"`
}

type itemPricesView struct {
	ItemID     core.ItemID              `json:"itemId" doc:"That of the item it was merged into" example:"12"`
	Young      bool                     `json:"young" doc:"Too few traders are established, so that the trades of all count alike"`
	OnTheirWay int                      `json:"onTheirWay" doc:"Trades that count once both sides have said that they met, or a day has passed where they are not asked" example:"3"`
	Windows    []priceWindowView        `json:"windows" nullable:"false" doc:"Over 7, 30 and 90 days"`
	Usual      kernel.OrNull[int]       `json:"usual" doc:"The days of the window whose median is suggested: the shortest with a narrow interval, else 90; null without a price" example:"30"`
	Asked      kernel.OrNull[askedView] `json:"asked" doc:"Asking price per unit in open requests; null without a request"`
	Days       []priceDayView           `json:"days,omitempty" doc:"The last 90 days, the oldest first; with step=day"`
}

func viewPrice(p *items.Price) (v kernel.OrNull[priceView]) {
	if p != nil {
		v.Value = &priceView{Median: p.Median, Low: p.Low, High: p.High, Fills: p.Fills, Trades: p.Trades,
			Circles: p.Circles}
		if p.MedianTo > 0 {
			v.Value.MedianFrom.Value, v.Value.MedianTo.Value = &p.MedianFrom, &p.MedianTo
		}
	}
	return v
}

func (a operations) getItemPrices(ctx context.Context, in *struct {
	kernel.ByItem
	Step string `query:"step" enum:"day" doc:"day: also day by day"`
}) (*kernel.Answer[itemPricesView], error) {
	if in.Step != "" && in.Step != "day" {
		return nil, core.NewFieldError("step", core.NewText("price_step"))
	}
	prices, err := a.Market.Items.Prices(ctx, in.ID, in.Step == "day")
	if err != nil {
		return nil, err
	}
	view := itemPricesView{ItemID: prices.Item.ID, Young: prices.Young,
		OnTheirWay: prices.OnTheirWay, Windows: []priceWindowView{}}
	for _, w := range prices.Windows {
		view.Windows = append(view.Windows, priceWindowView{Days: w.Days, Price: viewPrice(w.Price)})
	}
	if usual := prices.Usual(); usual != nil {
		view.Usual.Value = &usual.Days
	}
	if asked := prices.Asked; asked.Buyers > 0 {
		view.Asked.Value = &askedView{Buyers: asked.Buyers, Low: asked.Low, Median: asked.Median,
			High: asked.High}
	}
	for _, d := range prices.Days {
		view.Days = append(view.Days, priceDayView{Day: d.Day.Format(time.DateOnly),
			Price: viewPrice(d.Price), Fills: d.Fills, Singles: d.Singles})
	}
	return &kernel.Answer[itemPricesView]{Body: view}, nil
}

// oddsView is the JSON shape of how likely a request is filled within some days.
type oddsView struct {
	Days    int `json:"days" example:"2"`
	Percent int `json:"percent" doc:"How many of a hundred requests at the price are filled to 90 %" example:"78"`
}

type oddsStepView struct {
	Price  core.Copper `json:"price" doc:"The odds hold from this price per unit up to the next step" example:"1200"`
	Of     string      `json:"of" enum:"item,kind,market,none" doc:"Whose requests weigh in: where too few of the item are near the price those of its kind, else of the whole market; none: too few for odds"`
	Buyers int         `json:"buyers" doc:"How many buyers' requests weigh in: 5 at least" example:"9"`
	Within []oddsView  `json:"within" nullable:"false" doc:"Within 2 and 7 days; empty where of is none"`
}

// filledView is the JSON shape of how many requests at about a price were filled.
type filledView struct {
	Price  core.Copper `json:"price" example:"1200"`
	Asked  int         `json:"asked" doc:"Requests at 96 to 104 % of it, 7 to 90 days ago" example:"9"`
	Filled int         `json:"filled" doc:"How many of them were filled to 90 %" example:"5"`
}

type itemOddsView struct {
	ItemID core.ItemID                `json:"itemId" example:"12"`
	Lowest kernel.OrNull[core.Copper] `json:"lowest" doc:"The lowest price that two different pairs of traders agreed on in 90 days: below there are no odds; null where there is none"`
	Near   []filledView               `json:"near" nullable:"false" doc:"Of established traders"`
	Steps  []oddsStepView             `json:"steps" nullable:"false" doc:"By price, the lowest first; the odds never fall. Below the first there are none"`
}

func (a operations) getItemOdds(
	ctx context.Context, in *kernel.ByItem,
) (*kernel.Answer[itemOddsView], error) {
	odds, err := a.Market.Items.Odds(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	view := itemOddsView{ItemID: odds.Item.ID, Near: []filledView{}, Steps: []oddsStepView{}}
	if odds.Lowest > 0 {
		view.Lowest.Value = &odds.Lowest
	}
	for _, at := range odds.Near {
		view.Near = append(view.Near, filledView(at))
	}
	for _, s := range odds.Steps {
		step := oddsStepView{Price: s.Price, Of: cmp.Or(string(s.Of), "none"), Buyers: s.Buyers,
			Within: []oddsView{}}
		for i, days := range items.OddsDays {
			if s.Of != "" {
				step.Within = append(step.Within, oddsView{Days: days, Percent: s.Percent[i]})
			}
		}
		view.Steps = append(view.Steps, step)
	}
	return &kernel.Answer[itemOddsView]{Body: view}, nil
}
