package moderation

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// vouching has the commands and buttons by which moderators vouch for users.
type vouching struct{ *kernel.Kernel }

// vouch vouches for the buyer of the named request. Without a request it lists candidates.
func (b vouching) vouch(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if in.Text("request") == "" {
		return b.candidates(ctx, in, "")
	}
	return b.ForOpenOrder(b.vouchNamed)(ctx, in)
}

// vouchButton vouches for the buyer of the request that is shown, or for a candidate in the list.
func (b vouching) vouchButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Trust.Vouch(ctx, in.Actor, core.UserID(in.ID.Number(0))); err != nil {
		return kernel.Reply{}, err
	}
	return b.Redraw(ctx, in, in.ID.Word(1), in.Tr.Text(msg.Vouched))
}

func (b vouching) vouchNamed(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	if err := b.Market.Trust.Vouch(ctx, in.Actor, o.Owner); err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Private(in.Tr.Text(msg.Vouched)), nil
}

const (
	candidatesView = "y0"
	// candidatesShown is as many as a row has buttons.
	candidatesShown = 5
)

// candidates lists the people moderators could vouch for while the market is young, with a button each.
func (b vouching) candidates(
	ctx context.Context, in kernel.Input, note discord.Markdown,
) (kernel.Reply, error) {
	list, err := b.Market.Trust.VouchList(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if !list.Young {
		return kernel.Private(kernel.Joined(note, in.Tr.Text(msg.MarketGrown))), nil
	}
	text := in.Tr.Text(msg.MarketYoung, "known", list.Trusted, "knownWanted", list.TrustedWanted(),
		"circles", list.Circles, "circlesWanted", trust.CirclesWanted)
	if len(list.Candidates) == 0 {
		text = kernel.Joined(text, in.Tr.Text(msg.NoCandidates))
	}
	var buttons []discordgo.MessageComponent
	for _, c := range list.Candidates[:min(len(list.Candidates), candidatesShown)] {
		name := kernel.Mention(c.User.Username, people.Account{})
		line := in.Tr.Text(msg.Candidate, "user", name, "partners", c.Partners, "apart", c.Apart,
			"time", kernel.Timestamp(c.Since))
		if made := people.AccountMade(c.User.DiscordID); !made.IsZero() {
			line += in.Tr.Text(msg.CandidateAccount, "time", kernel.Timestamp(made))
		}
		text = kernel.Joined(text, line)
		buttons = append(buttons, kernel.Button(discord.NewCustomID("vouch", c.User.ID, candidatesView),
			discordgo.SecondaryButton,
			kernel.Cut(in.Tr.Plain(msg.VouchFor, "user", c.User.Username), kernel.MaxButtonLabel)))
	}
	reply := kernel.Reply{Text: note, Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.YoungMarketTitle)), Color: kernel.ColourUsual, Description: string(text),
	}}}
	if len(buttons) > 0 {
		reply.Rows = []discordgo.MessageComponent{kernel.Row(buttons...)}
	}
	return reply, nil
}
