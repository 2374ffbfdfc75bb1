package seed_test

import (
	"context"
	"testing"
	"time"

	"tradepost/cmd/tradepost/seed"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/sql/invariants"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

func TestTheSeededMarketIsBelievable(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	store, err := postgres.Open(ctx, pgtest.New(t), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var players [4]seed.Player
	for i, name := range []string{"maple", "rowan", "juniper", "tamsin"} {
		players[i] = seed.Player{Profile: core.Profile{DiscordID: name, Username: name, DisplayName: name}, InGameName: name}
	}
	options := core.Options{Forms: coretest.Forms}
	posted, err := seed.Market(ctx, store, options, players, time.Now())
	if err != nil || posted < 60 {
		t.Fatalf("posted %d, %v", posted, err)
	}

	market := core.New(store, options)
	counts, err := market.CountOrders(ctx, core.OrderFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for category, n := range counts.ByCategory {
		if n < 3 {
			t.Errorf("%d requests for %s", n, category)
		}
	}
	for i := range players {
		actor := actorOf(ctx, t, market, players[i].Profile)
		got, err := market.Counts(ctx, actor)
		if err != nil || got.Active < 10 || got.Fulfilled == 0 && i < 2 {
			t.Errorf("%s has %+v, %v", players[i].Username, got, err)
		}
		if sent, err := market.SentOffers(ctx, actor, 0, 50); err != nil || len(sent) == 0 {
			t.Errorf("%s sent %d offers, %v", players[i].Username, len(sent), err)
		}
		if got.Unread > 10 {
			t.Errorf("%s has %d unread notices on the first visit", players[i].Username, got.Unread)
		}
	}
	if broken, err := invariants.Check(ctx, store.Pool()); err != nil || len(broken) > 0 {
		t.Errorf("violated invariants: %v, %v", broken, err)
	}
	if again, err := seed.Market(ctx, store, options, players, time.Now()); err != nil || again != 0 {
		t.Errorf("seeding a market that is in use posted %d, %v", again, err)
	}
}

func actorOf(ctx context.Context, t *testing.T, market *core.Market, p core.Profile) core.Actor {
	t.Helper()
	user, err := market.SignIn(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	return user.Actor()
}
