package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// SaleView is the JSON shape of a sale.
type SaleView struct {
	ID           core.SaleID  `json:"id" example:"12"`
	OrderID      core.OrderID `json:"orderId" example:"7"`
	QuantitySold int          `json:"quantitySold" example:"5"`
	Notes        *string      `json:"notes" example:"Accepted offer from Fern (fern)"`
	UnitPrice    core.Copper  `json:"unitPrice" doc:"Unit price paid, in copper" example:"250"`
	CreatedAt    time.Time    `json:"createdAt"`
	Reversed     bool         `json:"reversed" doc:"It was undone, and is not part of what was sold"`

	Undo *kernel.UndoView `json:"undo,omitempty" doc:"Left out when the caller can't undo it"`
}

// ViewSale returns the shape of a sale.
func ViewSale(s trade.Sale) SaleView {
	return SaleView{
		ID: s.ID, OrderID: s.OrderID, QuantitySold: s.Quantity, Notes: kernel.TextOrNil(s.Notes),
		UnitPrice: s.UnitPrice, CreatedAt: s.CreatedAt,
		Reversed: s.Reversed,
	}
}

// viewOwnSale returns the shape of a sale for the buyer of its order.
func viewOwnSale(o trade.Order, s trade.Sale, now time.Time) SaleView {
	v := ViewSale(s)
	v.Undo = kernel.ViewUndo(o.SaleUndo(s, now), o.Owner, now)
	return v
}

// viewSold returns the shapes of a sale that was just made and of its order.
func viewSold(o trade.Order, s trade.Sale, now time.Time) (kernel.OrderView, SaleView) {
	order, sale := kernel.ViewOrder(o, now), viewOwnSale(o, s, now)
	if o.CloseReason == trade.Filled {
		order.Undo = sale.Undo
	}
	return order, sale
}

type saleListView struct {
	Sales []SaleView `json:"sales" doc:"Newest first"`
	Total int        `json:"total" doc:"Total number"`
}

// lastSales is how many sales are listed when nothing else is asked.
const lastSales = 3

type listSalesInput struct {
	kernel.OneOrder
	Limit int `query:"limit" minimum:"1" limit:"page" doc:"Defaults to 3"`
}

func (a orders) listSales(ctx context.Context, in *listSalesInput) (*kernel.Answer[saleListView], error) {
	limit, err := kernel.LimitOr(in.Limit, lastSales)
	if err != nil {
		return nil, err
	}
	order, sales, total, err := a.Market.Trade.Sales(ctx, in.By, in.ID, limit)
	if err != nil {
		return nil, err
	}
	list := saleListView{Sales: make([]SaleView, 0, len(sales)), Total: total}
	for _, s := range sales {
		list.Sales = append(list.Sales, viewOwnSale(order, s, a.Now()))
	}
	return &kernel.Answer[saleListView]{Body: list}, nil
}

type saleDraft struct {
	QuantitySold int     `json:"quantitySold" minimum:"1" doc:"At most what is left of the request" example:"5"`
	Notes        *string `json:"notes" required:"false" limit:"notes" example:"Met at the docks"`
}

type logSaleInput struct {
	kernel.ByOrder
	kernel.Keyed
	Body kernel.Sent[saleDraft]
}

type saleLoggedView struct {
	Order kernel.OrderView `json:"order"`
	Sale  SaleView         `json:"sale"`
}

func (a orders) logSale(ctx context.Context, in *logSaleInput) (*kernel.Answer[saleLoggedView], error) {
	draft := trade.SaleDraft{Quantity: in.Body.Fields.QuantitySold}
	if in.Body.Fields.Notes != nil {
		draft.Notes = *in.Body.Fields.Notes
	}
	done, err := a.Market.Trade.LogSale(ctx, in.By, in.ID, draft)
	if err != nil {
		return nil, err
	}
	var view saleLoggedView
	view.Order, view.Sale = viewSold(done.Order, done.Sale, a.Now())
	return &kernel.Answer[saleLoggedView]{Body: view}, nil
}
