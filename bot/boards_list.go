package bot

import (
	"context"
	"strings"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// boardList shows the boards of the server, and what each is for.
func (b channelsBot) boardList(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	boards, err := b.boards.Boards(ctx)
	if err != nil {
		return Reply{}, err
	}
	var list discord.Markdown
	for _, board := range boards {
		if board.GuildID != in.i.GuildID {
			continue
		}
		line := "- " + mentionChannel(board.ChannelID) + " · " + boardFilter(in.tr, board.Filter)
		if board.Problem != "" {
			line += "\n  ⚠️ " + discord.Escape(in.tr.stored(board.Problem, cannotPostHere, tagNeeded))
		}
		list = joined(list, line)
	}
	if list == "" {
		return b.offerReturn(ctx, in, private(in.tr.text(msg.BoardListEmpty)))
	}
	s, on, err := b.pingServer(ctx, in.i.GuildID)
	if err != nil {
		return Reply{}, err
	}
	if on {
		line := in.tr.text(msg.PingsListed, listed(in.tr, s.Works(core.PingedCategories(b.game, boards, s.GuildID))), int(s.Pause.Minutes()))
		if s.Problem != "" {
			line += "\n  ⚠️ " + discord.Escape(in.tr.stored(s.Problem, pingsNeedRoles, pingRoleAbove, pingsNotMentioned, tooManyRoles, cannotPostHere))
		}
		list = joined(list, line)
	}
	return b.offerReturn(ctx, in, Reply{cards: []*discord.Card{{
		Title: string(in.tr.text(msg.BoardListTitle)), Color: colourUsual, Description: string(discord.ClipMarkdown(list, discord.MaxCardText)),
	}}})
}

// boardFilter says which requests a board shows.
func boardFilter(t translator, f core.BoardFilter) discord.Markdown {
	var parts []string
	if len(f.Categories) == 0 {
		parts = append(parts, string(t.text(msg.BoardEverything)))
	} else {
		names := make([]string, len(f.Categories))
		for i, c := range f.Categories {
			names[i] = string(discord.Escape(t.category(c)))
		}
		parts = append(parts, strings.Join(names, ", "))
	}
	if f.MinPrice > 0 {
		parts = append(parts, string(t.text(msg.BoardFromPrice, t.coins(f.MinPrice))))
	}
	switch {
	case f.LevelFrom > 1 && f.LevelTo > 0:
		parts = append(parts, string(t.text(msg.BoardLevels, f.LevelFrom, f.LevelTo)))
	case f.LevelFrom > 1:
		parts = append(parts, string(t.text(msg.LevelFrom, f.LevelFrom)))
	case f.LevelTo > 0:
		parts = append(parts, string(t.text(msg.BoardLevelTo, f.LevelTo)))
	}
	return discord.Markdown(strings.Join(parts, " · "))
}

// suggestCategories completes a profession by its name in the user's language or in English.
func (b channelsBot) suggestCategories(_ context.Context, in Input) ([]*choice, error) {
	var choices []*choice
	for _, c := range b.game.Categories() {
		name := in.tr.category(c)
		if containsWords(name+" "+string(c), in.text(in.focused)) {
			choices = append(choices, &choice{Name: name, Value: string(c)})
		}
	}
	return choices, nil
}
