package panel

import (
	"context"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
)

// Routes returns the package's handlers and drawers.
func (b Panel) Routes() kernel.Routes {
	routes := kernel.Routes{
		Commands: map[string]kernel.Route{"market": {Do: b.market}},
		Views: map[byte]kernel.ViewDrawer{
			kernel.PanelView[0]: func(ctx context.Context, in kernel.Input, _, _ int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.panel(ctx, in, note)
			},
		},
	}
	for _, name := range commands.Moved {
		routes.Commands[name] = kernel.Route{Do: movedTo(places[name])}
	}
	return routes
}
