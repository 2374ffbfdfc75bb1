package moderation

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trust"
)

const (
	// proposalsShown and ringsShown limit the lists: a message has 40 components, and a row five buttons.
	proposalsShown = 4
	ringsShown     = 5
	membersLength  = 500
)

// rings lists the proposed rings, each with buttons to set it aside or leave it, and then the accounts that
// are set aside, with a button each to have them count again.
func (b Moderation) rings(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	proposed, err := b.Market.Trust.ProposedRings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	rings, err := b.Market.Trust.Rings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	var reply kernel.Reply
	for _, r := range proposed[:min(len(proposed), proposalsShown)] {
		reply.Cards = append(reply.Cards, proposalCard(in.Tr, r))
	}
	if len(proposed) == 0 {
		reply.Text = in.Tr.Text(msg.NoRingFound)
	}
	if more := len(proposed) - proposalsShown; more > 0 {
		reply.Text = in.Tr.Text(msg.MoreRings, "count", more)
	}
	if len(rings) == 0 {
		reply.Text = kernel.Joined(reply.Text, in.Tr.Text(msg.NoneSetAside))
		return reply, nil
	}
	reply.Cards = append(reply.Cards, setAsideCard(in.Tr, rings[:min(len(rings), ringsShown)]))
	return reply, nil
}

func membersOf(users []people.User) discord.Markdown {
	var who []discord.Markdown
	for _, u := range users {
		who = append(who, kernel.Mention(u.Username, people.Account{}))
	}
	return discord.ClipMarkdown(kernel.JoinedWith(who, ", "), membersLength)
}

// proposalCard shows a proposed ring with its reasons.
func proposalCard(t kernel.Translator, r trust.ProposedRing) *discord.Card {
	text := kernel.Joined(membersOf(r.Members), "- "+t.Text(msg.RingInside, "percent", r.InsidePercent(),
		"trades", r.Trades))
	for _, reason := range r.Reasons() {
		switch reason {
		case trust.RingOneCopper:
			text = kernel.Joined(text, "- "+t.Text(msg.RingOneCopper, "count", r.OneCopper,
				"trades", r.Inside, "price", t.Coins(1)))
		case trust.RingSameMinute:
			text = kernel.Joined(text, "- "+t.Text(msg.RingSameMinute, "count", r.SameMinute,
				"trades", r.Inside))
		case trust.RingYoung:
			text = kernel.Joined(text, "- "+t.Text(msg.RingYoung, "count", r.Young, "accounts", r.Accounts))
		}
	}
	return &discord.Card{
		Title: string(t.Text(msg.RingProposed)), Color: kernel.ColourUsual, Description: string(text),
		Rows: []discordgo.MessageComponent{kernel.Row(
			kernel.Button(discord.NewCustomID("set-aside", int64(r.ID)), discordgo.DangerButton,
				t.Plain(msg.SetTheseAside, "count", len(r.Members))),
			kernel.Button(discord.NewCustomID("leave-ring", int64(r.ID)), discordgo.SecondaryButton,
				t.Plain(msg.LeaveRing)),
		)},
	}
}

// setAsideCard shows accounts that are set aside.
func setAsideCard(t kernel.Translator, rings []trust.Ring) *discord.Card {
	var text discord.Markdown
	var again []discordgo.MessageComponent
	for _, r := range rings {
		text = kernel.Joined(text, kernel.Joined(membersOf(r.Members)+" · "+kernel.Timestamp(r.At),
			discord.ClipMarkdown(discord.Quote(discord.FirstLine(r.Reason)), 120)))
		again = append(again, kernel.Button(discord.NewCustomID("count-again", int64(r.ID)),
			discordgo.SecondaryButton,
			kernel.Cut(t.Plain(msg.CountAgain, "user", r.Members[0].Username), kernel.MaxButtonLabel)))
	}
	return &discord.Card{Title: string(t.Text(msg.SetAsideTitle)), Color: kernel.ColourUsual,
		Description: string(text), Rows: []discordgo.MessageComponent{kernel.Row(again...)}}
}

// setAsideButton sets a proposed ring aside, and lists the others.
func (b Moderation) setAsideButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	users, err := b.Market.Trust.SetAside(ctx, in.Actor, core.ProposedRingID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	return b.ringsAfter(ctx, in, in.Tr.Text(msg.SetAside, "users", membersOf(users)))
}

// leaveRingButton decides that a proposed ring is none, and lists the others.
func (b Moderation) leaveRingButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Trust.DismissRing(ctx, in.Actor, core.ProposedRingID(in.ID.Number(0))); err != nil {
		return kernel.Reply{}, err
	}
	return b.ringsAfter(ctx, in, in.Tr.Text(msg.RingLeft))
}

// countAgainButton has the trades of a ring count again, and lists the others.
func (b Moderation) countAgainButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Trust.CountAgain(ctx, in.Actor, core.RingID(in.ID.Number(0))); err != nil {
		return kernel.Reply{}, err
	}
	return b.ringsAfter(ctx, in, in.Tr.Text(msg.CountedAgain))
}

func (b Moderation) ringsAfter(
	ctx context.Context, in kernel.Input, note discord.Markdown,
) (kernel.Reply, error) {
	reply, err := b.rings(ctx, in)
	reply.Redraw = true
	if err == nil {
		reply.Text = kernel.Joined(note, reply.Text)
	}
	return reply, err
}
