package channels

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	msg "tradepost/core/text"
)

// offerReturn adds to an answer about boards what the server had before the bot was removed from it, with a
// button that brings it back.
func (b Channels) offerReturn(
	ctx context.Context, in kernel.Input, reply kernel.Reply,
) (kernel.Reply, error) {
	ended, boards, err := b.endedServer(ctx, in)
	if err != nil || len(boards) == 0 && ended.Pings == nil {
		return reply, err
	}
	text := in.Tr.Text(msg.BoardsReturn)
	for _, board := range boards {
		text = kernel.Joined(text, "- "+kernel.MentionChannel(board.ChannelID)+" · "+shownOn(in.Tr, board))
	}
	if ended.Pings != nil {
		text = kernel.Joined(text, "- "+in.Tr.Text(msg.PingsReturn))
	}
	text = kernel.Joined(text, in.Tr.Text(msg.BoardsReturnUntil, "date", kernel.Moment(ended.ReturnsUntil())))
	reply.Text = kernel.Joined(reply.Text, text)
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("return-boards"),
		discordgo.PrimaryButton, in.Tr.Plain(msg.BoardsReturnButton))))
	return reply, nil
}

// endedServer returns the ended boards of the server of an interaction, and lists the boards with a channel
// that has no other board now.
func (b Channels) endedServer(
	ctx context.Context, in kernel.Input,
) (channels.EndedServer, []channels.Board, error) {
	ended, err := b.boards.EndedServer(ctx, in.Interaction.GuildID, b.Now().Add(-channels.BoardsReturnFor))
	if err != nil || len(ended.Boards) == 0 {
		return ended, nil, err
	}
	present, err := b.boards.Boards(ctx)
	gone := slices.DeleteFunc(slices.Clone(ended.Boards), func(old channels.Board) bool {
		return slices.ContainsFunc(present,
			func(board channels.Board) bool { return board.ChannelID == old.ChannelID })
	})
	return ended, gone, err
}

// returnBoards brings back what a server had. Cut short, it can be done again: what is there stays.
func (b Channels) returnBoards(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	ended, boards, err := b.endedServer(ctx, in)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(boards) == 0 && ended.Pings == nil {
		return kernel.Reply{Text: in.Tr.Text(msg.NothingReturns), Redraw: true}, nil
	}
	var text discord.Markdown
	for _, board := range boards {
		board.CreatedBy, board.CreatedAt, board.Opened = in.Actor.UserID, b.Now(), channels.MaxBoardOpened
		if err := b.boards.SaveBoard(ctx, board); err != nil {
			return kernel.Reply{}, err
		}
		text = kernel.Joined(text, "- "+kernel.MentionChannel(board.ChannelID)+" · "+shownOn(in.Tr, board))
	}
	if err := b.returnPings(ctx, ended.Pings); err != nil {
		return kernel.Reply{}, err
	}
	if err := b.boards.ForgetEndedServer(ctx, in.Interaction.GuildID); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return kernel.Reply{Text: kernel.Joined(in.Tr.Text(msg.BoardsReturned), text), Redraw: true}, nil
}

// returnPings turns pings on again with the roles that there were, unless they are on.
func (b Channels) returnPings(ctx context.Context, s *channels.PingServer) error {
	if s == nil {
		return nil
	}
	if _, on, err := b.pingServer(ctx, s.GuildID); err != nil || on {
		return err
	}
	s.CreatedAt = b.Now() // requests posted meanwhile ping no roles
	if err := b.pings.SavePingServer(ctx, *s); err != nil {
		return err
	}
	for _, r := range s.Roles {
		if r.RoleID == "" || r.Gone {
			continue
		}
		if err := b.pings.StartPingRole(ctx, s.GuildID, r.Category, b.Now()); err != nil {
			return err
		}
		if err := b.pings.SavePingRole(ctx, s.GuildID, r); err != nil {
			return err
		}
	}
	return nil
}
