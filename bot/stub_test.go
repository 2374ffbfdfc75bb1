package bot_test

import (
	"context"
	"sync"
	"time"

	"tradepost/bot"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// stub is the store of a market for tests of the connection: it knows everybody, and one write can be scripted.
type stub struct {
	market.Store
	mu    sync.Mutex
	calls int
	test  func(ctx context.Context) error // runs in the transaction of a test notice; nothing when nil
}

// on returns a market on a store that keeps nothing.
func on(store market.Store) *market.Market { return market.New(store, market.Options{}) }

func (s *stub) SaveUser(_ context.Context, p people.Profile, _ time.Time) (people.User, error) {
	return people.User{ID: 1, DiscordID: p.DiscordID, Username: p.Username, DisplayName: p.DisplayName}, nil
}

func (s *stub) Atomically(_ context.Context, do func(market.Tx) error) error {
	return do(stubTx{stub: s})
}

// stubTx keeps nothing.
type stubTx struct {
	market.Tx
	stub *stub
}

func (stubTx) OpenMailbox(context.Context, core.UserID) error { return nil }

func (stubTx) Claim(context.Context, core.Claim) (*core.Claim, error) { return nil, nil }

func (stubTx) SaveAnswer(context.Context, core.Claim) error { return nil }

// AddNotices is called by /notify test.
func (tx stubTx) AddNotices(ctx context.Context, _ []notify.Notice) error {
	s := tx.stub
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

func (noStore) StaleSharedCards(context.Context, channels.HeldEdits, time.Time, time.Time, int) ([]channels.SharedCard, error) {
	return nil, nil
}

func (noStore) ReportsToShow(context.Context, int) ([]moderation.Report, error) { return nil, nil }

func (noStore) StaleReportPosts(context.Context, channels.HeldEdits, int) ([]channels.ReportPost, error) {
	return nil, nil
}

func (noStore) DueWantedChannels(context.Context, time.Time) ([]channels.WantedChannel, error) {
	return nil, nil
}

func (noStore) DueTradeThreads(context.Context, time.Time, int) ([]channels.TradeThread, error) {
	return nil, nil
}

func (noStore) Boards(context.Context) ([]channels.Board, error) { return nil, nil }

func (noStore) TraderRoles(context.Context) ([]channels.TraderRole, error) { return nil, nil }

func (noStore) PingServers(context.Context) ([]channels.PingServer, error) { return nil, nil }
