package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tradepost/core"
)

// syncChannels brings the messages in channels in line with the market, every few seconds and when something has changed.
func (b *Bot) syncChannels(ctx context.Context) {
	s := newChannelSync(b.kernel, b.editEvery)
	boards := newBoardSync(b.kernel, b.store, s)
	reports, threads := newReportSync(b.kernel, b.store, s), newThreadSync(b.kernel, b.store, s)
	tick := time.NewTicker(passEvery)
	defer tick.Stop()
	for {
		err := errors.Join(
			boards.pingRoles(ctx), boards.all(ctx), boards.sharedCards(ctx),
			reports.reportPosts(ctx), boards.wantedReports(ctx), threads.tradeThreads(ctx),
		)
		if err != nil && ctx.Err() == nil {
			level := slog.LevelError
			if core.KindOf(err) == core.Unavailable {
				level = slog.LevelWarn // it passes, as when the database is restarted
			}
			b.kernel.log.Log(ctx, level, "boards: sync failed", "error", err)
		}
		select {
		case <-tick.C:
		case <-b.kernel.wake:
		case <-ctx.Done():
			return
		}
	}
}
