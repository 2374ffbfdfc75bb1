package channels

import (
	"context"
	"strings"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// boardList shows the boards of the server, each with its filter.
func (b Channels) boardList(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	boards, err := b.boards.Boards(ctx)
	if err != nil {
		return kernel.Reply{}, err
	}
	var list discord.Markdown
	for _, board := range boards {
		if board.GuildID != in.Interaction.GuildID {
			continue
		}
		line := "- " + kernel.MentionChannel(board.ChannelID) + " · " + shownOn(in.Tr, board)
		if board.Problem != "" {
			line += "\n  ⚠️ " + discord.Escape(in.Tr.Stored(board.Problem, kernel.CannotPostHere, tagNeeded))
		}
		list = kernel.Joined(list, line)
	}
	role, gives, err := b.traderRole(ctx, in.Interaction.GuildID)
	if err != nil {
		return kernel.Reply{}, err
	}
	if gives {
		line, err := b.roleLine(ctx, in, role)
		if err != nil {
			return kernel.Reply{}, err
		}
		list = kernel.Joined(list, "- 🏅 "+line)
	}
	if list == "" {
		return b.offerReturn(ctx, in, kernel.Private(in.Tr.Text(msg.BoardListEmpty)))
	}
	s, on, err := b.pingServer(ctx, in.Interaction.GuildID)
	if err != nil {
		return kernel.Reply{}, err
	}
	if on {
		line := in.Tr.Text(msg.PingsListed,
			"categories", listed(in.Tr, s.Works(channels.PingedCategories(b.Game, boards, s.GuildID))),
			"minutes", int(s.Pause.Minutes()))
		if s.Problem != "" {
			line += "\n  ⚠️ " + discord.Escape(in.Tr.Stored(s.Problem, pingsNeedRoles, pingRoleAbove,
				pingsNotMentioned, tooManyRoles, kernel.CannotPostHere))
		}
		list = kernel.Joined(list, line)
	}
	return b.offerReturn(ctx, in, kernel.Reply{Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.BoardListTitle)), Color: kernel.ColourUsual,
		Description: string(discord.ClipMarkdown(list, discord.MaxCardText)),
	}}})
}

// shownOn describes what a board shows.
func shownOn(t kernel.Translator, b channels.Board) discord.Markdown {
	f := b.Filter
	var parts []string
	every := msg.BoardEverything
	switch b.Side {
	case match.SaleSide:
		parts, every = append(parts, string(t.Text(msg.BoardSale))), msg.BoardEveryProfession
	case match.EitherSide:
		parts, every = append(parts, string(t.Text(msg.BoardBoth))), msg.BoardEveryProfession
	}
	if len(f.Categories) == 0 {
		parts = append(parts, string(t.Text(every)))
	} else {
		names := make([]string, len(f.Categories))
		for i, c := range f.Categories {
			names[i] = string(discord.Escape(t.Category(c)))
		}
		parts = append(parts, strings.Join(names, ", "))
	}
	if f.MinPrice > 0 {
		parts = append(parts, string(t.Text(msg.BoardFromPrice, "price", t.Coins(f.MinPrice))))
	}
	switch {
	case f.LevelFrom > 1 && f.LevelTo > 0:
		parts = append(parts, string(t.Text(msg.BoardLevels, "from", f.LevelFrom, "to", f.LevelTo)))
	case f.LevelFrom > 1:
		parts = append(parts, string(t.Text(msg.LevelFrom, "level", f.LevelFrom)))
	case f.LevelTo > 0:
		parts = append(parts, string(t.Text(msg.BoardLevelTo, "level", f.LevelTo)))
	}
	return discord.Markdown(strings.Join(parts, " · "))
}

// suggestCategories completes a profession by its name in the user's language or in English.
func (b Channels) suggestCategories(_ context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	var choices []*kernel.Choice
	for _, c := range b.Game.Categories() {
		name := in.Tr.Category(c)
		if kernel.ContainsWords(name+" "+string(c), in.Text(in.Focused)) {
			choices = append(choices, &kernel.Choice{Name: name, Value: string(c)})
		}
	}
	return choices, nil
}
