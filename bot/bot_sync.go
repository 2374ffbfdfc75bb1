package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tradepost/bot/channels"
	"tradepost/bot/channelsync"
	"tradepost/bot/moderation"
	"tradepost/bot/trades"
	"tradepost/core"
)

// syncChannels brings the messages in channels in line with the market, every few seconds and when
// something has changed.
func (b *Bot) syncChannels(ctx context.Context) {
	s := channelsync.New(b.kernel.Discord, b.kernel.Log, b.kernel.Now, b.editEvery)
	boards := channels.NewBoardSync(b.kernel, b.store, s)
	reports, threads := moderation.NewReportLoop(b.kernel, b.store, s),
		trades.NewThreadLoop(b.kernel, b.store, s)
	tick := time.NewTicker(channelsync.PassEvery)
	defer tick.Stop()
	for {
		err := errors.Join(
			s.Pass(ctx, boards.PingLoop()), s.Pass(ctx, boards.BoardLoop()), s.Pass(ctx, boards.SharedCardLoop()),
			s.Pass(ctx, reports), s.Pass(ctx, boards.WantedLoop()), s.Pass(ctx, threads),
		)
		if err != nil && ctx.Err() == nil {
			level := slog.LevelError
			if core.KindOf(err) == core.Unavailable {
				level = slog.LevelWarn // it passes, as when the database is restarted
			}
			b.kernel.Log.Log(ctx, level, "boards: sync failed", "error", err)
		}
		select {
		case <-tick.C:
		case <-b.kernel.Wake:
		case <-ctx.Done():
			return
		}
	}
}
