package bot

import (
	"context"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// Lines of a list or of stock that a press puts right: their item is called nearly as typed, or they say no price.

// lineFixesShown is how many of them a preview has a button for.
const lineFixesShown = 5

// fixButton puts one line of a draft right.
func (t translator) fixButton(action string, draft int64, number int, fix core.LineFix) discordgo.MessageComponent {
	key := msg.FixLine
	if fix.Usual {
		key = msg.FixLineUsual
	}
	label := cut(t.plain(key, number, fix.Line(t.game)), maxButtonLabel)
	return button(discord.NewCustomID(action, draft, int64(number)), discordgo.PrimaryButton, label)
}

// listFixes adds to a preview, or to what is wrong of a list, what its lines probably meant, with a button for each. Why is left out of
// lines that are wrong, of which it is said already.
func (b listsBot) listFixes(ctx context.Context, in Input, reply *Reply, draft int64) {
	fixes, err := b.market.ListFixes(ctx, in.Actor, in.text("lines"))
	if err != nil {
		b.log.Warn("lines of a list not compared with the catalogue", "error", err)
		return
	}
	var buttons []discordgo.MessageComponent
	for _, f := range fixes[:min(len(fixes), lineFixesShown)] {
		if !f.Fix.Usual {
			reply.text = joined(reply.text, "⚠️ "+in.tr.text(msg.ListLineWrong, f.Number, discord.Escape(in.tr.core(f.Why))))
		}
		buttons = append(buttons, in.tr.fixButton("several-fix", draft, f.Number, f.Fix))
	}
	if len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
}

// severalFixed puts a line of a list right and shows the preview again.
func (b listsBot) severalFixed(ctx context.Context, in Input) (Reply, error) {
	d, err := b.loadDraft(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	in.fields = maps.Clone(d.Options)
	fixes, err := b.market.ListFixes(ctx, in.Actor, in.text("lines"))
	if err != nil {
		return Reply{}, err
	}
	for _, f := range fixes {
		if int64(f.Number) == in.id.Number(1) {
			in.fields["lines"] = core.ReplaceLine(in.text("lines"), f.Number, f.Fix.Line(b.game))
			break
		}
	}
	return b.severalTyped(ctx, in)
}

// stockFixed puts a line of stock right and shows the preview again.
func (b matchBot) stockFixed(ctx context.Context, in Input) (Reply, error) {
	d, err := b.loadDraft(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	in.fields = maps.Clone(d.Options)
	lines, err := b.market.ReadStock(ctx, in.text("lines"))
	if err != nil {
		return Reply{}, err
	}
	for _, l := range lines {
		if int64(l.Number) == in.id.Number(1) && l.Fix != nil {
			in.fields["lines"] = core.ReplaceLine(in.text("lines"), l.Number, l.Fix.Line(b.game))
			break
		}
	}
	reply, err := b.stockRead(ctx, in)
	reply.redraw = true
	return reply, err
}
