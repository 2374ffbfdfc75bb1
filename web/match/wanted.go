package match

import (
	"context"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/web/kernel"
)

// wantedView is the JSON shape of the report of unmet demand.
type wantedView struct {
	From    time.Time        `json:"from" doc:"Since when it counts; it may be some minutes old"`
	To      time.Time        `json:"to"`
	Unmet   []unmetGroupView `json:"unmet" nullable:"false" doc:"What is wanted in open requests without an offer, by profession and band of levels, the most valued first"`
	Fastest []filledItemView `json:"fastest" nullable:"false" doc:"Items whose requests were filled, the fastest first"`
	Moved   []movedPriceView `json:"moved" nullable:"false" doc:"Items whose median price has moved against the four weeks before, by the rules of prices and more than chance explains; what moved most first"`
}

type unmetGroupView struct {
	Category string          `json:"category" doc:"The profession" example:"Miner"`
	From     int             `json:"fromLevel" doc:"0 for any level" example:"101"`
	To       int             `json:"toLevel" doc:"0 for any level" example:"150"`
	Requests int             `json:"requests" example:"12"`
	Value    string          `json:"value" doc:"What all of it pays, in copper" example:"2400000"`
	Items    []unmetItemView `json:"items" nullable:"false" doc:"The most valued; three at most"`
}

type unmetItemView struct {
	Name     string      `json:"name" example:"Iron Ore"`
	ItemID   core.ItemID `json:"itemId,omitempty" doc:"Its item; left out for none" example:"12"`
	Quantity int         `json:"quantity" example:"600"`
	Value    string      `json:"value" doc:"What it pays, in copper" example:"2400000"`
}

type filledItemView struct {
	Name     string      `json:"name" example:"Iron Ore"`
	ItemID   core.ItemID `json:"itemId,omitempty" doc:"Its item; left out for none" example:"12"`
	Requests int         `json:"requests" doc:"How many were filled" example:"4"`
	Seconds  int         `json:"medianSeconds" doc:"From post to filled: half of them took no longer" example:"5400"`
}

type movedPriceView struct {
	Name    string      `json:"name" example:"Iron Ore"`
	ItemID  core.ItemID `json:"itemId,omitempty" doc:"Its item; left out for none" example:"12"`
	Before  core.Copper `json:"before" doc:"For one, in copper" example:"4000"`
	Now     core.Copper `json:"now" doc:"For one, in copper" example:"5000"`
	Percent int         `json:"percent" doc:"Below 0 when it fell" example:"25"`
}

func copperText(c core.Copper) string { return strconv.FormatInt(int64(c), 10) }

func (a operations) getWanted(ctx context.Context, _ *struct{}) (*kernel.Answer[wantedView], error) {
	w, err := a.Market.Match.Wanted(ctx)
	if err != nil {
		return nil, err
	}
	view := wantedView{From: w.From, To: w.To, Unmet: []unmetGroupView{}, Fastest: []filledItemView{},
		Moved: []movedPriceView{}}
	for _, g := range w.Unmet {
		group := unmetGroupView{Category: string(g.Category), From: g.From, To: g.To, Requests: g.Requests,
			Value: copperText(g.Value), Items: []unmetItemView{}}
		for _, i := range g.Items {
			group.Items = append(group.Items,
				unmetItemView{Name: i.Name, ItemID: i.ItemID, Quantity: i.Quantity,
					Value: copperText(i.Value)})
		}
		view.Unmet = append(view.Unmet, group)
	}
	for _, f := range w.Fastest {
		view.Fastest = append(view.Fastest,
			filledItemView{Name: f.Name, ItemID: f.ItemID, Requests: f.Requests,
				Seconds: int(f.Median / time.Second)})
	}
	for _, m := range w.Moved {
		view.Moved = append(view.Moved, movedPriceView{Name: m.Name, ItemID: m.ItemID, Before: m.Before,
			Now: m.Now, Percent: m.Percent()})
	}
	return &kernel.Answer[wantedView]{Body: view}, nil
}
