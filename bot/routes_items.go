package bot

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/core"
)

// itemsBot shows items, and has moderators decide on new names.
type itemsBot struct{ *Kernel }

func newItemsBot(k *Kernel) itemsBot { return itemsBot{k} }

func (b itemsBot) itemsRoutes() routes {
	return routes{
		commands: map[string]route{
			"item look":      {do: b.lookAtItem},
			"moderate names": {do: b.newNames, moderates: true},
			"moderate merge": {do: b.mergeNamed, moderates: true},
		},
		components: map[string]route{
			"names":        {do: b.newNamesButton, redraws: true, moderates: true},
			"confirm-name": {do: b.confirmName, redraws: true, write: perDrawing, moderates: true},
			"merge-name":   {do: b.mergeName, redraws: true, moderates: true},
			"ignore-name":  {do: b.ignoreName, redraws: true, write: perDrawing, moderates: true},
		},
		suggestions: map[string]suggester{
			"item look item":      b.suggestKnownItems,
			"moderate merge name": b.suggestNewNames,
			"moderate merge into": b.suggestKnownItems,
		},
		views: map[byte]viewDrawer{
			'n': func(ctx context.Context, in Input, after, _ int64, note discord.Markdown) (Reply, error) {
				return b.newNamesAfter(ctx, in, core.ItemID(after), note)
			},
		},
	}
}
