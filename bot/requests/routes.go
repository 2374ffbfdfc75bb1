package requests

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
)

// Routes returns the package's handlers and drawers.
func (b Requests) Routes() kernel.Routes {
	sold := sales(b)
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"request post":   {Do: b.postRequest},
			"request show":   {Do: b.ForOpenOrder(b.showRequest), Public: sharing},
			"request edit":   {Do: b.ForOwnOrder(b.editRequest)},
			"request close":  {Do: b.ForOwnOrder(b.closeRequest)},
			"request renew":  {Do: b.ForOwnOrder(b.renewRequest)},
			"request delete": {Do: b.ForOwnOrder(b.deleteRequest)},
			"sales log":      {Do: sold.ForOwnOrder(sold.logSale)},
			"sales history":  {Do: sold.ForOwnOrder(sold.salesHistory)},
		},
		Components: map[string]kernel.Route{
			"post":           {Do: b.post, Redraws: true},
			"compose":        {Do: b.compose, Form: kernel.Always},
			kernel.PanelPost: {Do: begin, Form: kernel.Always},
			"begun":          {Do: b.begun},
			"composed":       {Do: b.composed, Redraws: true},
			"use-item":       {Do: b.useItem, Redraws: true},
			"use-maker":      {Do: b.useMaker, Redraws: true},
			"pick-item":      {Do: b.itemPicked, Redraws: true},
			"use-price":      {Do: b.usePrice, Redraws: true},
			"edit-price":     {Do: b.editPrice, Redraws: true},
			"request-item":   {Do: b.requestItem, Form: kernel.Always},
			"drop":           {Do: drop, Redraws: true},
			"open":           {Do: b.openPicked},
			"look":           {Do: b.lookButton},
			"show":           {Do: b.showButton, Redraws: true},
			"menu":           {Do: b.ownerPressed, Redraws: true, Form: opensForm},
			"edit":           {Do: b.editForm, Form: kernel.Always},
			"edited":         {Do: b.editSubmitted, Redraws: true, Write: kernel.PerContent},
			"close":          {Do: b.closeConfirmed, Redraws: true, Write: kernel.PerDrawing},
			"delete":         {Do: b.deleteConfirmed, Redraws: true},
			"renew":          {Do: b.renewButton, Redraws: true, Write: kernel.PerDrawing},
			"earn":           {Do: b.earningsForm, Form: kernel.Always},
			"earned":         {Do: b.earnings},
			"sell":           {Do: sold.sellForm, Form: kernel.Always},
			"sold":           {Do: sold.sellSubmitted, Redraws: true},
		},
		Suggestions: map[string]kernel.Suggester{
			"request post item":     b.SuggestItems,
			"request edit item":     b.SuggestItems,
			"request post price":    b.suggestPrices,
			"request edit price":    b.suggestPrices,
			"request show request":  b.SuggestAnyOrders,
			"request edit request":  b.SuggestOwn(match.OpenOrders, match.ExpiredOrders),
			"request close request": b.SuggestOwn(match.OpenOrders, match.ExpiredOrders),
			"request renew request": b.SuggestOwn(match.ExpiredOrders, match.OpenOrders),
			"request delete request": b.SuggestOwn(match.OpenOrders, match.ExpiredOrders,
				match.FulfilledOrders, match.ArchivedOrders),
			"sales log request": b.SuggestOwn(match.OpenOrders),
			"sales history request": b.SuggestOwn(match.OpenOrders, match.FulfilledOrders,
				match.ExpiredOrders, match.ArchivedOrders),
		},
		Views: map[byte]kernel.ViewDrawer{
			'o': func(ctx context.Context, in kernel.Input, id, _ int64, note discord.Markdown) (kernel.Reply,
				error) {
				return b.showOrder(ctx, in, core.OrderID(id), note)
			},
		},
	}
}
