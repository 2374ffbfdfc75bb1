package bot

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/core"
)

// requestsBot posts, shows, edits and ends requests.
type requestsBot struct{ *Kernel }

func newRequestsBot(k *Kernel) requestsBot { return requestsBot{k} }

func (b requestsBot) requestsRoutes() routes {
	return routes{
		commands: map[string]route{
			"request post":   {do: b.postRequest},
			"request show":   {do: b.showRequest, public: sharing},
			"request edit":   {do: b.editRequest},
			"request close":  {do: b.closeRequest},
			"request renew":  {do: b.renewRequest},
			"request delete": {do: b.deleteRequest},
			"sales log":      {do: b.logSale},
			"sales history":  {do: b.salesHistory},
		},
		components: map[string]route{
			"post":         {do: b.post, redraws: true},
			"compose":      {do: b.compose, form: always},
			"composed":     {do: b.composed, redraws: true},
			"use-item":     {do: b.useItem, redraws: true},
			"use-maker":    {do: b.useMaker, redraws: true},
			"pick-item":    {do: b.itemPicked, redraws: true},
			"use-price":    {do: b.usePrice, redraws: true},
			"edit-price":   {do: b.editPrice, redraws: true},
			"request-item": {do: b.requestItem, form: always},
			"drop":         {do: b.drop, redraws: true},
			"open":         {do: b.openPicked},
			"look":         {do: b.lookButton},
			"show":         {do: b.showButton, redraws: true},
			"menu":         {do: b.ownerPressed, redraws: true, form: opensForm},
			"edit":         {do: b.editForm, form: always},
			"edited":       {do: b.editSubmitted, redraws: true, write: perContent},
			"close":        {do: b.closeConfirmed, redraws: true, write: perDrawing},
			"delete":       {do: b.deleteConfirmed, redraws: true},
			"renew":        {do: b.renewButton, redraws: true, write: perDrawing},
			"earn":         {do: b.earningsForm, form: always},
			"earned":       {do: b.earnings},
			"sell":         {do: b.sellForm, form: always},
			"sold":         {do: b.sellSubmitted, redraws: true},
		},
		suggestions: map[string]suggester{
			"request post item":      b.suggestItems,
			"request edit item":      b.suggestItems,
			"request post price":     b.suggestPrices,
			"request edit price":     b.suggestPrices,
			"request show request":   b.suggestAnyOrders,
			"request edit request":   b.suggestOwn(core.OpenOrders, core.ExpiredOrders),
			"request close request":  b.suggestOwn(core.OpenOrders, core.ExpiredOrders),
			"request renew request":  b.suggestOwn(core.ExpiredOrders, core.OpenOrders),
			"request delete request": b.suggestOwn(core.OpenOrders, core.ExpiredOrders, core.FulfilledOrders, core.ArchivedOrders),
			"sales log request":      b.suggestOwn(core.OpenOrders),
			"sales history request":  b.suggestOwn(core.OpenOrders, core.FulfilledOrders, core.ExpiredOrders, core.ArchivedOrders),
		},
		views: map[byte]viewDrawer{
			'o': func(ctx context.Context, in Input, id, _ int64, note discord.Markdown) (Reply, error) {
				return b.showOrder(ctx, in, core.OrderID(id), note)
			},
		},
	}
}
