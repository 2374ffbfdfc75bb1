package bot_test

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// world is a market on a database of its own, with a bot in a stand-in Discord.
type world struct {
	*discordtest.Discord
	t      *testing.T
	dsn    string
	store  *postgres.Store
	market *market.Market
	bot    *running
}

// The moderators: one player, and everyone with a role.
const (
	moderator     = "oldtamsin"
	moderatorRole = "912000000000000077"
)

// open opens a market for one test, with the queue that delivers its notices.
func open(t *testing.T, change ...func(*bot.Options)) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.bot = w.start(change...)
	w.WaitForBot(t)
	return w
}

func openWithoutBot(t *testing.T, opts ...discordtest.Options) *world {
	t.Helper()
	if opts == nil {
		opts = []discordtest.Options{{}}
	}
	opts[0].Patience, opts[0].Now = patience, slowClock()
	opts[0].RedirectURIs = []string{"https://market.example/auth/discord/callback"}
	w := &world{Discord: discordtest.New(t, opts...), t: t, dsn: pgtest.New(t)}
	store, err := postgres.Open(t.Context(), w.dsn, postgres.Options{MaxConns: 4, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	w.store = store
	w.market = w.marketOn(store)
	return w
}

// marketOn returns the market of the world on a store.
func (w *world) marketOn(store market.Store) *market.Market {
	return market.New(store, market.Options{
		Now: w.Now, Forms: coretest.Forms, Features: core.Features{Lists: true, Handover: true, Records: true},
		Moderators: people.Moderators{Accounts: []string{w.Player(w.t, moderator).ID()}, Roles: []string{moderatorRole}},
	})
}

// start starts a bot, and the queue whose notices it delivers.
func (w *world) start(change ...func(*bot.Options)) *running {
	w.t.Helper()
	r := start(w.t, w.Discord, w.market, append([]func(*bot.Options){func(o *bot.Options) { o.Store = w.store }}, change...)...)
	dmSender := r.DMSender()
	jobs, err := queue.New(w.store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			return w.market.Channels.DeliverNotice(ctx, dmSender, id)
		},
		Redraw: func(ctx context.Context, id core.NoticeID, except string) error {
			return w.market.Channels.RedrawNotice(ctx, dmSender, id, except)
		},
		Expire: w.market.Trade.ExpireOrders, Closings: w.market.Trade.NotifyClosings,
		Log: testLog(w.t),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := jobs.Start(context.WithoutCancel(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
	stopJobs := sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.t.Context()), coretest.Patience(10*time.Second))
		defer cancel()
		if err := jobs.Stop(ctx); err != nil {
			w.t.Errorf("stop the queue: %v", err)
		}
	})
	w.t.Cleanup(stopJobs)
	stopBot := r.stop
	r.stop = func() error { // as a program does, whose queue ends with its bot
		defer stopJobs()
		return stopBot()
	}
	return r
}

// answerTime is how long a bot may take for a first answer in a test about something else: a busy machine takes long for suggestions and
// forms, which cannot be deferred. It is less than the three seconds of the stand-in, whose clock is slow.
var answerTime = coretest.Patience(25 * time.Second)

// running is a bot at work in a test.
type running struct {
	*bot.Bot
	stop  func() error  // stops it and returns what Run returned; may be called again
	ended chan struct{} // closed when Run has returned
}

// start runs a bot for the market until the test ends.
func start(t *testing.T, standIn *discordtest.Discord, m *market.Market, change ...func(*bot.Options)) *running {
	t.Helper()
	opts := bot.Options{
		Token: standIn.Token(), Transport: standIn.Transport(), PublicURL: "https://market.example", Log: testLog(t), Now: standIn.Now, Features: core.AllFeatures(),
		AnswerTime: answerTime,
	}
	for _, c := range change {
		c(&opts)
	}
	b := bot.New(m, opts)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	var result error
	go func() {
		defer close(ended)
		result = b.Run(ctx)
	}()
	r := &running{Bot: b, ended: ended, stop: func() error {
		cancel()
		select {
		case <-ended:
			return result
		case <-time.After(coretest.Patience(20 * time.Second)):
			return errors.New("the bot does not stop")
		}
	}}
	t.Cleanup(func() {
		if err := r.stop(); err != nil && !errors.Is(err, discord.ErrToken) && !errors.Is(err, discord.ErrRefused) {
			t.Errorf("bot ended with %v", err)
		}
	})
	return r
}

// testLog shows what is logged when the test fails.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// TestMain runs more tests in parallel than there are processors: they mostly wait for I/O.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = flag.Set("test.parallel", "4")
	}
	os.Exit(m.Run())
}
