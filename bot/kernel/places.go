package kernel

import (
	"context"

	"tradepost/core"
)

// Places stores where orders were posted.
type Places interface {
	// SaveOrderPlaces stores in which channel of a server orders were posted.
	SaveOrderPlaces(ctx context.Context, orders []core.OrderID, p core.ThreadPlace) error
}

// NotePlace stores where orders were posted, so that their trades can have threads there. They are worth posting without.
func (k *Kernel) NotePlace(ctx context.Context, in Input, orders ...core.OrderID) {
	if !k.Features.Threads || in.Interaction.GuildID == "" || len(orders) == 0 {
		return
	}
	place := core.ThreadPlace{GuildID: in.Interaction.GuildID, ChannelID: in.Interaction.ChannelID, Locale: in.Interaction.GuildLanguage()}
	if err := k.Places.SaveOrderPlaces(ctx, orders, place); err != nil {
		k.Log.Warn("place of a request not noted", "orders", orders, "error", err)
	}
}
