package core

import (
	"context"
	"fmt"
	"time"
)

// BoardsReturnFor is for how long a server that the bot was removed from can have its boards and pings back.
const BoardsReturnFor = 30 * 24 * time.Hour

// EndedServer is what a server had that the bot was removed from. Nobody's name or number is in it.
type EndedServer struct {
	GuildID string
	Boards  []Board
	Pings   *PingServer // nil where nothing was pinged
	EndedAt time.Time
}

// ReturnsUntil returns until when it can be had back.
func (s EndedServer) ReturnsUntil() time.Time { return s.EndedAt.Add(BoardsReturnFor) }

// Why a board ended.
var (
	boardChannelDeleted = NewText("board_ended_channel", "The channel was deleted")
	boardServerLeft     = NewText("board_ended_server", "The bot is no longer in the server")
)

// ServerLeft reports whether a NoticeBoardEnded is about a server that the bot was removed from, and not about a channel.
func ServerLeft(n Notice) bool { return n.Message == boardServerLeft.English }

// EndBoard ends a board whose channel was deleted, and notifies who made it. It does nothing when there is none.
func (m *Market) EndBoard(ctx context.Context, guildID, channelID string) error {
	return m.endBoards(ctx, guildID, boardChannelDeleted, func(tx Tx, _ time.Time) ([]Board, error) {
		return tx.EndBoard(ctx, guildID, channelID)
	})
}

// EndServer ends the boards and pings of a server that the bot was removed from, and notifies who made the boards. They can be had back
// for BoardsReturnFor.
func (m *Market) EndServer(ctx context.Context, guildID string) error {
	return m.endBoards(ctx, guildID, boardServerLeft, func(tx Tx, now time.Time) ([]Board, error) {
		return tx.EndServer(ctx, guildID, now)
	})
}

func (m *Market) endBoards(ctx context.Context, guildID string, why Text, end func(Tx, time.Time) ([]Board, error)) error {
	err := m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		boards, err := end(tx, now)
		if err != nil {
			return err
		}
		notices := make([]Notice, len(boards))
		for i, b := range boards {
			notices[i] = Notice{
				User: b.CreatedBy, Kind: NoticeBoardEnded, Name: b.ChannelID, Message: why.English, State: NoticePending, CreatedAt: now,
			}
		}
		return addNotices(ctx, tx, notices)
	})
	if err != nil {
		return fmt.Errorf("end boards of server %s: %w", guildID, err)
	}
	return nil
}
