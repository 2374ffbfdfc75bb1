package channels

import (
	"context"

	"tradepost/bot/kernel"
)

// Routes returns the package's handlers and drawers.
func (b Channels) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"board here":   {Do: b.boardHere},
			"board list":   {Do: b.boardList},
			"board remove": {Do: b.boardRemove},
			"board panel":  {Do: b.boardPanel},
			"board pings":  {Do: b.boardPings},
			"board role":   {Do: b.boardRole},
			"board wanted": {Do: b.boardWanted},
		},
		Components: map[string]kernel.Route{
			"return-boards": {Do: b.returnBoards, Redraws: true, Write: kernel.PerInteraction},
			"end-role":      {Do: b.endRole, Redraws: true},
			"ping":          {Do: b.pingPressed},
			"ping-choices":  {Do: b.pingChoices},
			"ping-take":     {Do: b.pingTaken, Redraws: true},
			"ping-drop":     {Do: b.pingDropped, Redraws: true},
		},
		Suggestions: map[string]kernel.Suggester{
			"board here category-2": b.suggestCategories,
			"board here category-3": b.suggestCategories,
		},
		Answered: []func(context.Context,
			kernel.AnsweredCall){func(ctx context.Context, call kernel.AnsweredCall) {
			if call.Reply.Shares != nil {
				b.followCard(ctx, call.Log, call.In, *call.Reply.Shares)
			}
		}},
	}
}
