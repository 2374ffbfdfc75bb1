package match

import (
	"context"

	"tradepost/core"
	"tradepost/web/kernel"
)

// forSaleView is the JSON shape of the listings of one request's item, summed up.
type forSaleView struct {
	OrderID  core.OrderID `json:"orderId" doc:"The request of the list" example:"7"`
	Quantity int          `json:"quantity" doc:"How many can be asked for, from all sellers" example:"400"`
	Lowest   core.Copper  `json:"lowest" doc:"The lowest price per unit, in copper" example:"4000"`
}

type listForSaleView struct {
	Lines []forSaleView `json:"lines" nullable:"false" doc:"Requests whose item is for sale, by number"`
}

func (a operations) getListForSale(ctx context.Context, in *struct {
	kernel.Caller
	ID core.ListID `path:"id" doc:"The list" example:"5"`
}) (*kernel.Answer[listForSaleView], error) {
	lines, err := a.Market.Match.ForSaleOnList(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	view := listForSaleView{Lines: make([]forSaleView, len(lines))}
	for i, l := range lines {
		view.Lines[i] = forSaleView{OrderID: l.Order, Quantity: l.Quantity, Lowest: l.Lowest}
	}
	return &kernel.Answer[listForSaleView]{Body: view}, nil
}
