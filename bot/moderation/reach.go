package moderation

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/moderation"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// reaching has the command and buttons by which moderators stop messages because of a user.
type reaching struct{ *kernel.Kernel }

// reachingShown limits the listed users: a row has as many buttons.
const reachingShown = 5

// reach lists the users with most people messaged by their acts today, with a button each to stop that.
func (b reaching) reach(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	all, err := b.Market.Moderation.Reaching(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(all) == 0 {
		return kernel.Private(in.Tr.Text(msg.NoneReaching)), nil
	}
	var text discord.Markdown
	var buttons []discordgo.MessageComponent
	for _, r := range all[:min(len(all), reachingShown)] {
		text = kernel.Joined(text, reachingLine(in.Tr, r))
		action, label := "stop-reach", msg.StopReach
		if !r.StoppedAt.IsZero() {
			action, label = "allow-reach", msg.AllowReach
		}
		buttons = append(buttons, kernel.Button(discord.NewCustomID(action, r.User.ID),
			discordgo.SecondaryButton,
			kernel.Cut(in.Tr.Plain(label, "user", r.User.Username), kernel.MaxButtonLabel)))
	}
	if rest := len(all) - reachingShown; rest > 0 {
		text = kernel.Joined(text, in.Tr.Text(msg.AndMore, "count", rest))
	}
	return kernel.Reply{
		Cards: []*discord.Card{{Title: string(in.Tr.Text(msg.ReachingTitle)), Color: kernel.ColourUsual,
			Description: string(text)}},
		Rows: []discordgo.MessageComponent{kernel.Row(buttons...)},
	}, nil
}

func reachingLine(t kernel.Translator, r moderation.Reaching) discord.Markdown {
	name := kernel.Mention(r.User.Username, people.Account{})
	if r.StoppedAt.IsZero() {
		return t.Text(msg.Reaching, "user", name, "people", r.People)
	}
	return t.Text(msg.ReachingStopped, "user", name, "people", r.People,
		"time", kernel.Timestamp(r.StoppedAt))
}

func (b reaching) stopReachButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.changeReach(ctx, in, b.Market.Moderation.StopReach, msg.ReachStopped)
}

func (b reaching) allowReachButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.changeReach(ctx, in, b.Market.Moderation.AllowReach, msg.ReachAllowed)
}

// changeReach changes a user's reach, and lists the users again.
func (b reaching) changeReach(
	ctx context.Context, in kernel.Input,
	change func(context.Context, core.Actor, core.UserID) error, done msg.Key,
) (kernel.Reply, error) {
	user := core.UserID(in.ID.Number(0))
	if err := change(ctx, in.Actor, user); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.reach(ctx, in)
	reply.Redraw = true
	if err == nil {
		reply.Text = kernel.Joined(in.Tr.Text(done, "user", b.Account(ctx, user).Username), reply.Text)
	}
	return reply, err
}
