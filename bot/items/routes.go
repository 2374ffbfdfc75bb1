package items

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
)

// Routes returns the package's handlers and drawers.
func (b Items) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"item look":      {Do: b.lookAtItem},
			"moderate names": {Do: b.newNames, Moderates: true},
			"moderate merge": {Do: b.mergeNamed, Moderates: true},
		},
		Components: map[string]kernel.Route{
			"names":        {Do: b.newNamesButton, Redraws: true, Moderates: true},
			"confirm-name": {Do: b.confirmName, Redraws: true, Write: kernel.PerDrawing, Moderates: true},
			"merge-name":   {Do: b.mergeName, Redraws: true, Moderates: true},
			"ignore-name":  {Do: b.ignoreName, Redraws: true, Write: kernel.PerDrawing, Moderates: true},
			"ignore-names": {Do: b.ignoreNames, Redraws: true, Write: kernel.PerDrawing, Moderates: true},
		},
		Suggestions: map[string]kernel.Suggester{
			"item look item":      b.suggestKnownItems,
			"moderate merge name": b.suggestNewNames,
			"moderate merge into": b.suggestKnownItems,
		},
		Views: map[byte]kernel.ViewDrawer{
			'n': func(ctx context.Context, in kernel.Input, after, _ int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.newNamesAfter(ctx, in, core.ItemID(after), note)
			},
		},
	}
}
