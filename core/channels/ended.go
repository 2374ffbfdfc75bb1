package channels

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

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
				User: b.CreatedBy, Kind: notify.NoticeBoardEnded, Name: b.ChannelID, Message: why.String(),
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

// EndReportChannel ends that reports arrive in a channel, because it was deleted or the bot may not write
// there, and notifies the moderators. It does nothing when reports do not arrive there.
func (m *Service) EndReportChannel(ctx context.Context, channelID string, deleted bool) error {
	err := m.run.Atomically(ctx, func(tx Tx) error {
		was, err := tx.RemoveReportChannel(ctx, channelID)
		if err != nil || !was {
			return err
		}
		now, why := m.now(), reportChannelForbidden
		if deleted {
			why = reportChannelDeleted
		}
		moderators, err := tx.ModeratorsToTell(ctx, m.moderators, nil,
			now.Add(-people.ModeratorRoleRetention))
		if err != nil {
			return fmt.Errorf("find moderators to notify: %w", err)
		}
		notices := make([]notify.Notice, len(moderators))
		for i, id := range moderators {
			notices[i] = notify.Notice{
				User: id, Kind: notify.NoticeReportChannelEnded, Name: channelID, Message: why.String(),
				State: notify.NoticePending, CreatedAt: now,
			}
		}
		return notify.AddNotices(ctx, tx, notices)
	})
	if err != nil {
		return fmt.Errorf("end report channel %s: %w", channelID, err)
	}
	return nil
}
