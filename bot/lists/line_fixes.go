package lists

import (
	"context"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

// listFixes adds suggestions to a preview, or to a message about errors in a list: the probable meaning of
// its lines, with a button for each. It leaves out the reason for lines with errors, since the message
// already has it.
func (b Lists) listFixes(ctx context.Context, in kernel.Input, reply *kernel.Reply, draft int64) {
	fixes, err := b.Market.Trade.ListFixes(ctx, in.Actor, in.Text("lines"))
	if err != nil {
		b.Log.Warn("lines of a list not compared with the catalogue", "error", err)
		return
	}
	var buttons []discordgo.MessageComponent
	for _, f := range fixes[:min(len(fixes), kernel.LineFixesShown)] {
		if !f.Fix.Usual {
			reply.Text = kernel.Joined(reply.Text,
				"⚠️ "+in.Tr.Text(msg.ListLineWrong, "number", f.Number,
					"problem", discord.Escape(in.Tr.Core(f.Why))))
		}
		buttons = append(buttons, in.Tr.FixButton("several-fix", draft, f.Number, f.Fix))
	}
	if len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
}

// severalFixed puts a line of a list right and shows the preview again.
func (b Lists) severalFixed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.LoadDraft(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	in.Fields = maps.Clone(d.Options)
	fixes, err := b.Market.Trade.ListFixes(ctx, in.Actor, in.Text("lines"))
	if err != nil {
		return kernel.Reply{}, err
	}
	for _, f := range fixes {
		if int64(f.Number) == in.ID.Number(1) {
			in.Fields["lines"] = game.ReplaceLine(in.Text("lines"), f.Number, f.Fix.Line(b.Game))
			break
		}
	}
	return b.severalTyped(ctx, in)
}
