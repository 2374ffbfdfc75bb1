package bot_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// Discord takes 50 calls a second from all programs with one token.
func TestTwoBotsShareTheCallsToDiscord(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	d.SetGlobalLimit(50)
	var limited atomic.Int32
	dsn := pgtest.New(t)
	pace := postgres.Pace{Name: "discord"}
	pace.Every, pace.Burst = discord.Every(45)
	maple := d.Player(t, "maple").ID()
	var sending sync.WaitGroup
	for range 2 {
		store, err := postgres.Open(t.Context(), dsn, postgres.Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(store.Close)
		client := discord.NewClient(discord.ClientOptions{
			Token: d.Token(), Agent: "https://trade.example", Transport: d.Client().Transport, PerSecond: 45, RateLimited: func(string) { limited.Add(1) },
			Turn: func(ctx context.Context, longest time.Duration) (time.Duration, bool) {
				wait, ok, err := store.TakeTurn(ctx, pace, longest)
				return wait, ok && err == nil
			},
		})
		for range 5 {
			sending.Go(func() {
				for range 10 {
					if _, err := client.OpenDM(t.Context(), maple); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	sending.Wait()
	if n := limited.Load(); n > 0 {
		t.Errorf("Discord refused %d of 100 calls", n)
	}
}
