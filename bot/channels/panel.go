package channels

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
)

// boardPanel sends the panel with its buttons, without counts, as a message that a manager can pin. Nothing
// is stored about it: its buttons answer for as long as the message is there.
func (b Channels) boardPanel(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	if !in.Interaction.BotMayPost() {
		return kernel.Reply{}, core.NewError(core.Unavailable, kernel.CannotPostHere)
	}
	t := b.Translator(in.Interaction.GuildLanguage())
	panel := kernel.Reply{Public: true, Rows: b.PanelRows(t, kernel.PanelCounts{}), Cards: []*discord.Card{{
		Title: string(t.Text(msg.PanelShared)), Color: kernel.ColourUsual,
		Description: string(t.Text(msg.PanelSharedText)),
	}}}
	nonce := discord.Clip("p"+in.Interaction.ID, maxNonce)
	if _, err := b.Discord.SendMessage(ctx, in.Interaction.ChannelID, panel.Message(), nonce); err != nil {
		b.Log.Warn("panel not sent", "channel", in.Interaction.ChannelID, "error", err)
		return kernel.Reply{}, core.NewError(core.Unavailable, kernel.CannotPostHere)
	}
	return kernel.Private(in.Tr.Text(msg.PanelSent)), nil
}

// maxNonce is Discord's limit.
const maxNonce = 25
