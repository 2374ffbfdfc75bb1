package moderation

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/people"
)

// setAside sets accounts aside, which are named or mentioned.
func (b Moderation) setAside(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	names := strings.FieldsFunc(in.Text("users"),
		func(r rune) bool { return strings.ContainsRune(" ,;\n", r) })
	users, err := b.Market.Trust.SetAside(ctx, in.Actor, names, in.Text("reason"))
	if err != nil {
		return kernel.Reply{}, err
	}
	var who []discord.Markdown
	for _, u := range users {
		who = append(who, accountOf(u))
	}
	return kernel.Private(in.Tr.Text(msg.SetAside, kernel.JoinedWith(who, ", "))), nil
}

// ringsShown limits the listed rings: a row has as many buttons.
const ringsShown = 5

// rings lists the accounts that are set aside, with a button each to have them count again.
func (b Moderation) rings(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	rings, err := b.Market.Trust.Rings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(rings) == 0 {
		return kernel.Private(in.Tr.Text(msg.NoneSetAside)), nil
	}
	var text discord.Markdown
	var again []discordgo.MessageComponent
	for _, r := range rings[:min(len(rings), ringsShown)] {
		var who []discord.Markdown
		for _, u := range r.Members {
			who = append(who, kernel.Mention(u.Username, people.Account{}))
		}
		text = kernel.Joined(text, kernel.Joined(discord.ClipMarkdown(kernel.JoinedWith(who, ", "), 500)+
			" · "+kernel.Timestamp(r.At),
			discord.ClipMarkdown(discord.Quote(discord.FirstLine(r.Reason)), 120)))
		again = append(again, kernel.Button(discord.NewCustomID("count-again", int64(r.ID)),
			discordgo.SecondaryButton,
			kernel.Cut(in.Tr.Plain(msg.CountAgain, r.Members[0].Username), kernel.MaxButtonLabel)))
	}
	return kernel.Reply{
		Cards: []*discord.Card{{Title: string(in.Tr.Text(msg.SetAsideTitle)), Color: kernel.ColourUsual,
			Description: string(text)}},
		Rows: []discordgo.MessageComponent{kernel.Row(again...)},
	}, nil
}

// countAgainButton has the trades of a ring count again, and lists the others.
func (b Moderation) countAgainButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Trust.CountAgain(ctx, in.Actor, core.RingID(in.ID.Number(0))); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.rings(ctx, in)
	reply.Redraw = true
	if err == nil {
		reply.Text = kernel.Joined(in.Tr.Text(msg.CountedAgain), reply.Text)
	}
	return reply, err
}
