package bot

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// setAside sets accounts aside, which are named or mentioned.
func (b moderationBot) setAside(ctx context.Context, in Input) (Reply, error) {
	names := strings.FieldsFunc(in.text("users"), func(r rune) bool { return strings.ContainsRune(" ,;\n", r) })
	users, err := b.market.SetAside(ctx, in.Actor, names, in.text("reason"))
	if err != nil {
		return Reply{}, err
	}
	var who []discord.Markdown
	for _, u := range users {
		who = append(who, accountOf(u))
	}
	return private(in.tr.text(msg.SetAside, joinedWith(who, ", "))), nil
}

func joinedWith(parts []discord.Markdown, between discord.Markdown) (all discord.Markdown) {
	for i, part := range parts {
		if i > 0 {
			all += between
		}
		all += part
	}
	return all
}

// ringsShown is how many rings are listed: as many as a row has buttons.
const ringsShown = 5

// rings lists the accounts that are set aside, with a button each to have them count again.
func (b moderationBot) rings(ctx context.Context, in Input) (Reply, error) {
	rings, err := b.market.Rings(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	if len(rings) == 0 {
		return private(in.tr.text(msg.NoneSetAside)), nil
	}
	var text discord.Markdown
	var again []discordgo.MessageComponent
	for _, r := range rings[:min(len(rings), ringsShown)] {
		var who []discord.Markdown
		for _, u := range r.Members {
			who = append(who, mention(u.Username, core.Account{}))
		}
		text = joined(text, joined(discord.ClipMarkdown(joinedWith(who, ", "), 500)+" · "+timestamp(r.At),
			discord.ClipMarkdown(discord.Quote(discord.FirstLine(r.Reason)), 120)))
		again = append(again, button(discord.NewCustomID("count-again", int64(r.ID)), discordgo.SecondaryButton,
			cut(in.tr.plain(msg.CountAgain, r.Members[0].Username), maxButtonLabel)))
	}
	return Reply{
		cards: []*discord.Card{{Title: string(in.tr.text(msg.SetAsideTitle)), Color: colourUsual, Description: string(text)}},
		rows:  []discordgo.MessageComponent{row(again...)},
	}, nil
}

// countAgainButton has the trades of a ring count again, and lists the others.
func (b moderationBot) countAgainButton(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.CountAgain(ctx, in.Actor, core.RingID(in.id.Number(0))); err != nil {
		return Reply{}, err
	}
	reply, err := b.rings(ctx, in)
	reply.redraw = true
	if err == nil {
		reply.text = joined(in.tr.text(msg.CountedAgain), reply.text)
	}
	return reply, err
}
