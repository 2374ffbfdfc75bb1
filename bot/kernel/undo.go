package kernel

import (
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	msg "tradepost/core/text"
)

// undoActions name the buttons that undo an act in custom ids. They never change: messages keep them.
var undoActions = map[core.UndoKind]string{
	core.UndoSale: "undo-sale", core.UndoOffer: "undo-offer", core.UndoClose: "undo-close",
	core.UndoWord: "take-back", core.UndoRemoval: "undo",
}

// UndoID returns the custom id of the button that undoes an act by its number. The view of the message may
// follow the number.
func UndoID(kind core.UndoKind, number any, view ...any) discord.CustomID {
	return discord.NewCustomID(undoActions[kind], append([]any{number}, view...)...)
}

// Undoable adds a button to a message that undoes its last action. Other buttons about that action follow it.
func (r *Reply) Undoable(t Translator, id discord.CustomID, more ...discordgo.MessageComponent) {
	undo := Button(id, discordgo.SecondaryButton, t.Plain(msg.UndoTrade))
	r.Rows = slices.Insert(r.Rows, 0, Row(append([]discordgo.MessageComponent{undo}, more...)...))
}
