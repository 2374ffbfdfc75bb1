package web

import (
	"context"
	"math"
	"time"

	"tradepost/core"
)

// priceView is the JSON shape of what an item was traded for.
type priceView struct {
	Median core.Copper `json:"median" example:"1200"`
	Low    core.Copper `json:"low" doc:"10 of 100 trades were below" example:"1000"`
	High   core.Copper `json:"high" doc:"10 of 100 trades were above" example:"1500"`
	Fills  int         `json:"fills" doc:"Accepted offers that count" example:"24"`
	Pairs  int         `json:"pairs" doc:"Different pairs of traders who made them" example:"17"`
}

type priceWindowView struct {
	Days  int               `json:"days" example:"30"`
	Price orNull[priceView] `json:"price" doc:"null while there is none: it takes five accepts from three pairs"`
}

type priceDayView struct {
	Day   string            `json:"day" doc:"In UTC" example:"2026-11-22"`
	Price orNull[priceView] `json:"price" doc:"Of the seven days that end with it; null while there is none"`
	Fills int               `json:"fills" doc:"Accepted offers of the day itself that count; 0 while there is no price" example:"4"`
}

// askedView is the JSON shape of what open requests pay: no price, since nobody has traded for it.
type askedView struct {
	Requests int         `json:"requests" example:"3"`
	Low      core.Copper `json:"low" example:"900"`
	Median   core.Copper `json:"median" example:"1100"`
	High     core.Copper `json:"high" example:"1300"`
}

type itemPricesView struct {
	ItemID  core.ItemID       `json:"itemId" doc:"That of the item it was merged into" example:"12"`
	Young   bool              `json:"young" doc:"Fewer than ten traders are established, so that the trades of all count"`
	Windows []priceWindowView `json:"windows" nullable:"false" doc:"Over 7, 30 and 90 days"`
	Asked   orNull[askedView] `json:"asked" doc:"What open requests ask for now, for one; null without a request"`
	Days    []priceDayView    `json:"days,omitempty" doc:"The last 90 days, the oldest first; with step=day"`
}

func viewPrice(p *core.Price) (v orNull[priceView]) {
	if p != nil {
		v.value = &priceView{Median: p.Median, Low: p.Low, High: p.High, Fills: p.Fills, Pairs: p.Pairs}
	}
	return v
}

func (a *api) getItemPrices(ctx context.Context, in *struct {
	ByItem
	Step string `query:"step" enum:"day" doc:"day: also day by day"`
}) (*answer[itemPricesView], error) {
	if in.Step != "" && in.Step != "day" {
		return nil, core.NewFieldError("step", core.NewText("price_step", "Step must be day"))
	}
	prices, err := a.market.ItemPrices(ctx, in.ID, in.Step == "day")
	if err != nil {
		return nil, err
	}
	view := itemPricesView{ItemID: prices.Item.ID, Young: prices.Young, Windows: []priceWindowView{}}
	for _, w := range prices.Windows {
		view.Windows = append(view.Windows, priceWindowView{Days: w.Days, Price: viewPrice(w.Price)})
	}
	if asked := prices.Asked; asked.Requests > 0 {
		view.Asked.value = &askedView{Requests: asked.Requests, Low: asked.Low, Median: asked.Median, High: asked.High}
	}
	for _, d := range prices.Days {
		view.Days = append(view.Days, priceDayView{Day: d.Day.Format(time.DateOnly), Price: viewPrice(d.Price), Fills: d.Fills})
	}
	return &answer[itemPricesView]{view}, nil
}

// oddsView is the JSON shape of how many requests were filled within some days.
type oddsView struct {
	Days    int `json:"days" example:"2"`
	Filled  int `json:"filled" doc:"How many of the requests that ended were filled to 90 %; those that are open are reckoned in by Kaplan and Meier" example:"7"`
	Percent int `json:"percent" doc:"The share" example:"78"`
	Low     int `json:"low" doc:"The share lies above that, in percent, 95 times out of 100 below high" example:"45"`
	High    int `json:"high" example:"94"`
}

type oddsStepView struct {
	Price    core.Copper `json:"price" doc:"Of requests that pay this or more for one" example:"1200"`
	Requests int         `json:"requests" doc:"In the last 90 days" example:"9"`
	Ended    int         `json:"ended" doc:"Of these, filled, closed or expired: 8 at least" example:"9"`
	Within   []oddsView  `json:"within" nullable:"false" doc:"Within 2 and 7 days"`
}

type itemOddsView struct {
	ItemID core.ItemID    `json:"itemId" example:"12"`
	Of     string         `json:"of" enum:"item,kind" doc:"kind: too few requests for the item have ended, these are of its kind"`
	Steps  []oddsStepView `json:"steps" nullable:"false" doc:"By price, the lowest first; empty when too few requests have ended"`
}

func (a *api) getItemOdds(ctx context.Context, in *ByItem) (*answer[itemOddsView], error) {
	odds, err := a.market.ItemOdds(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	view := itemOddsView{ItemID: odds.Item.ID, Of: "item", Steps: []oddsStepView{}}
	if odds.OfKind {
		view.Of = "kind"
	}
	percent := func(share float64) int { return int(math.Round(share * 100)) }
	for _, s := range odds.Steps {
		step := oddsStepView{Price: s.Price, Requests: s.Requests, Ended: s.Ended}
		for _, w := range s.Within {
			step.Within = append(step.Within, oddsView{
				Days: w.Days, Filled: s.Filled(w), Percent: percent(w.Share), Low: percent(w.Low), High: percent(w.High),
			})
		}
		view.Steps = append(view.Steps, step)
	}
	return &answer[itemOddsView]{view}, nil
}

// priceRoutes are the routes of prices. Without them they are not there.
func (a *api) priceRoutes() {
	if !a.opts.Features.Prices || !a.opts.Features.Items {
		return
	}
	get(a, "/api/catalogue/{id}/prices", a.getItemPrices, "get-item-prices", "Get what an item was traded for")
	get(a, "/api/catalogue/{id}/odds", a.getItemOdds, "get-item-odds", "Get how likely requests for an item were filled, by price")
	get(a, "/api/moderation/rings", a.listRings, "list-rings", "List the accounts that are set aside")
	perform(a, "/api/moderation/rings", a.setAside, "set-aside", "Set a ring of accounts aside: their trades count for nothing")
	remove(a, "/api/moderation/rings/{id}", a.countAgain, "count-again", "Have the trades of a ring count again")
}
