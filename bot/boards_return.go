package bot

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// offerReturn adds to an answer about boards what the server had before the bot was removed from it, with a button that brings it back.
func (b channelsBot) offerReturn(ctx context.Context, in Input, reply Reply) (Reply, error) {
	ended, boards, err := b.endedServer(ctx, in)
	if err != nil || len(boards) == 0 && ended.Pings == nil {
		return reply, err
	}
	text := in.tr.text(msg.BoardsReturn)
	for _, board := range boards {
		text = joined(text, "- "+mentionChannel(board.ChannelID)+" · "+boardFilter(in.tr, board.Filter))
	}
	if ended.Pings != nil {
		text = joined(text, "- "+in.tr.text(msg.PingsReturn))
	}
	text = joined(text, in.tr.text(msg.BoardsReturnUntil, moment(ended.ReturnsUntil())))
	reply.text = joined(reply.text, text)
	reply.rows = append(reply.rows, row(button(discord.NewCustomID("return-boards"), discordgo.PrimaryButton, in.tr.plain(msg.BoardsReturnButton))))
	return reply, nil
}

// endedServer returns what the server of an interaction had, and those of its boards whose channel has no other board now.
func (b channelsBot) endedServer(ctx context.Context, in Input) (core.EndedServer, []core.Board, error) {
	ended, err := b.boards.EndedServer(ctx, in.i.GuildID, b.now().Add(-core.BoardsReturnFor))
	if err != nil || len(ended.Boards) == 0 {
		return ended, nil, err
	}
	present, err := b.boards.Boards(ctx)
	gone := slices.DeleteFunc(slices.Clone(ended.Boards), func(old core.Board) bool {
		return slices.ContainsFunc(present, func(board core.Board) bool { return board.ChannelID == old.ChannelID })
	})
	return ended, gone, err
}

// returnBoards brings back what a server had. Cut short, it can be done again: what is there stays.
func (b channelsBot) returnBoards(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	ended, boards, err := b.endedServer(ctx, in)
	if err != nil {
		return Reply{}, err
	}
	if len(boards) == 0 && ended.Pings == nil {
		return Reply{text: in.tr.text(msg.NothingReturns), redraw: true}, nil
	}
	var text discord.Markdown
	for _, board := range boards {
		board.CreatedBy, board.CreatedAt, board.Opened = in.Actor.UserID, b.now(), core.MaxBoardOpened
		if err := b.boards.SaveBoard(ctx, board); err != nil {
			return Reply{}, err
		}
		text = joined(text, "- "+mentionChannel(board.ChannelID)+" · "+boardFilter(in.tr, board.Filter))
	}
	if err := b.returnPings(ctx, ended.Pings); err != nil {
		return Reply{}, err
	}
	if err := b.boards.ForgetEndedServer(ctx, in.i.GuildID); err != nil {
		return Reply{}, err
	}
	b.wakeSync()
	return Reply{text: joined(in.tr.text(msg.BoardsReturned), text), redraw: true}, nil
}

// returnPings turns pings on again with the roles that there were, unless they are on.
func (b channelsBot) returnPings(ctx context.Context, s *core.PingServer) error {
	if s == nil {
		return nil
	}
	if _, on, err := b.pingServer(ctx, s.GuildID); err != nil || on {
		return err
	}
	s.CreatedAt = b.now() // what was posted meanwhile pings nobody
	if err := b.pings.SavePingServer(ctx, *s); err != nil {
		return err
	}
	for _, r := range s.Roles {
		if r.RoleID == "" || r.Gone {
			continue
		}
		if err := b.pings.StartPingRole(ctx, s.GuildID, r.Category, b.now()); err != nil {
			return err
		}
		if err := b.pings.SavePingRole(ctx, s.GuildID, r); err != nil {
			return err
		}
	}
	return nil
}
