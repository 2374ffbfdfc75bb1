package channels

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// BoardsReturnFor is how long a server that the bot was removed from can restore its boards and pings.
const BoardsReturnFor = 30 * 24 * time.Hour

// EndedServer stores the boards and pings of a server that the bot was removed from. It contains no user's
// name or ID.
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
	boardChannelDeleted = core.NewText("board_ended_channel", "The channel was deleted")
	boardServerLeft     = core.NewText("board_ended_server", "The bot is no longer in the server")
)

// ServerLeft reports whether a NoticeBoardEnded is about a server that the bot was removed from, and not
// about a channel.
func ServerLeft(n notify.Notice) bool { return n.Message == boardServerLeft.English }

// EndBoard ends the board of a deleted channel, and notifies its creator. It does nothing when there is
// none.
func (m *Service) EndBoard(ctx context.Context, guildID, channelID string) error {
	return m.endBoards(ctx, guildID, boardChannelDeleted, func(tx Tx, _ time.Time) ([]Board, error) {
		return tx.EndBoard(ctx, guildID, channelID)
	})
}

// EndServer ends the boards and pings of a server that the bot was removed from, and notifies the creators
// of the boards. They can be restored for BoardsReturnFor.
func (m *Service) EndServer(ctx context.Context, guildID string) error {
	return m.endBoards(ctx, guildID, boardServerLeft, func(tx Tx, now time.Time) ([]Board, error) {
		return tx.EndServer(ctx, guildID, now)
	})
}

func (m *Service) endBoards(
	ctx context.Context, guildID string, why core.Text, end func(Tx, time.Time) ([]Board, error),
) error {
	err := m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		boards, err := end(tx, now)
		if err != nil {
			return err
		}
		notices := make([]notify.Notice, len(boards))
		for i, b := range boards {
			notices[i] = notify.Notice{
				User: b.CreatedBy, Kind: notify.NoticeBoardEnded, Name: b.ChannelID, Message: why.English,
				State: notify.NoticePending, CreatedAt: now,
			}
		}
		return notify.AddNotices(ctx, tx, notices)
	})
	if err != nil {
		return fmt.Errorf("end boards of server %s: %w", guildID, err)
	}
	return nil
}
