package bot_test

import (
	"context"
	"sync"
	"time"

	"tradepost/bot"
	"tradepost/core"
)

// stub is a market for tests of the connection: it knows everybody, and one command of it can be scripted.
type stub struct {
	bot.Market
	mu    sync.Mutex
	calls int
	test  func(ctx context.Context) error // what SendTestNotice does; nothing when nil
}

func (s *stub) SignIn(_ context.Context, p core.Profile) (core.User, error) {
	return core.User{ID: 1, DiscordID: p.DiscordID, Username: p.Username, DisplayName: p.DisplayName}, nil
}

// SendTestNotice is called by /notify test.
func (s *stub) SendTestNotice(ctx context.Context, _ core.Actor) error {
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	if s.test == nil {
		return nil
	}
	return s.test(ctx)
}

func (s *stub) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// noStore keeps nothing.
type noStore struct{ bot.Store }

func (noStore) StaleSharedCards(context.Context, core.HeldEdits, time.Time, time.Time, int) ([]core.SharedCard, error) {
	return nil, nil
}

func (noStore) ReportsToShow(context.Context, int) ([]core.Report, error) { return nil, nil }

func (noStore) StaleReportPosts(context.Context, core.HeldEdits, int) ([]core.ReportPost, error) {
	return nil, nil
}

func (noStore) DueWantedChannels(context.Context, time.Time) ([]core.WantedChannel, error) {
	return nil, nil
}

func (noStore) DueTradeThreads(context.Context, time.Time, int) ([]core.TradeThread, error) {
	return nil, nil
}

func (noStore) Boards(context.Context) ([]core.Board, error) { return nil, nil }

func (noStore) PingServers(context.Context) ([]core.PingServer, error) { return nil, nil }
