package seed_test

import (
	"context"
	"testing"
	"time"

	"tradepost/cmd/tradepost/seed"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
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
		players[i] = seed.Player{Profile: people.Profile{DiscordID: name, Username: name, DisplayName: name}, InGameName: name}
	}
	options := market.Options{Forms: coretest.Forms}
	posted, err := seed.Market(ctx, store, options, players, time.Now())
	if err != nil || posted < 60 {
		t.Fatalf("posted %d, %v", posted, err)
	}

	m := market.New(store, options)
	counts, err := m.Match.CountOrders(ctx, match.OrderFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for category, n := range counts.ByCategory {
		if n < 3 {
			t.Errorf("%d requests for %s", n, category)
		}
	}
	for i := range players {
		actor := actorOf(ctx, t, m, players[i].Profile)
		got, err := m.Counts(ctx, actor)
		if err != nil || got.Active < 10 || got.Fulfilled == 0 && i < 2 {
			t.Errorf("%s has %+v, %v", players[i].Username, got, err)
		}
		if sent, err := m.Trade.SentOffers(ctx, actor, 0, 50); err != nil || len(sent) == 0 {
			t.Errorf("%s sent %d offers, %v", players[i].Username, len(sent), err)
		}
		if got.Unread > 10 {
			t.Errorf("%s has %d unread notices on the first visit", players[i].Username, got.Unread)
		}
	}
	// Every request is for an item that the game has, most of them in bulk, and what is traded often has a price and odds.
	known := market.New(store, market.Options{Forms: coretest.Forms, Features: core.AllFeatures()})
	if _, err := known.Items.Seed(ctx); err != nil {
		t.Fatal(err)
	}
	requests, bulk := 0, 0
	for query := (match.OrderQuery{Limit: 50}); ; {
		page, err := known.Match.BrowseOrders(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Orders {
			requests++
			if o.Quantity >= 100 {
				bulk++
			}
			if named, _, err := known.Items.NameItem(ctx, o.ItemName); err != nil || named == nil {
				t.Errorf("%s is no item, %v", o.ItemName, err)
			}
		}
		if query.After = page.Next; page.Next == nil {
			break
		}
	}
	if requests < 50 || bulk < requests*9/10 {
		t.Errorf("%d of %d requests are in bulk", bulk, requests)
	}
	ore, _, err := known.Items.NameItem(ctx, "Rigic Adathril Ore")
	if err != nil || ore == nil {
		t.Fatal(err)
	}
	if err := known.Trust.FindTraders(ctx); err != nil {
		t.Fatal(err)
	}
	prices, err := known.Items.Prices(ctx, ore.ID, true)
	if err != nil || prices.Young || prices.Windows[1].Price == nil || prices.Windows[2].Price == nil || prices.Asked.Buyers == 0 {
		t.Errorf("the prices of an ore are %+v, %v", prices.Windows, err)
	}
	drawn := 0
	for _, day := range prices.Days {
		if day.Price != nil {
			drawn++
		}
	}
	t.Logf("a chart of %d days", drawn)
	if odds, err := known.Items.Odds(ctx, ore.ID); err != nil || odds.Lowest == 0 || len(odds.Steps) < 3 || odds.At(prices.Windows[2].Price.Median) == nil {
		t.Errorf("the odds of an ore are %+v, %v", odds, err)
	}
	if broken, err := invariants.Check(ctx, store.Pool()); err != nil || len(broken) > 0 {
		t.Errorf("violated invariants: %v, %v", broken, err)
	}
	if again, err := seed.Market(ctx, store, options, players, time.Now()); err != nil || again != 0 {
		t.Errorf("seeding a market that is in use posted %d, %v", again, err)
	}
}

func TestANewcomerSeesBothSidesOfTheMarket(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	store, err := postgres.Open(ctx, pgtest.New(t), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var players [4]seed.Player
	for i, name := range []string{"maple", "rowan", "juniper", "tamsin"} {
		players[i] = seed.Player{Profile: people.Profile{DiscordID: name, Username: name, DisplayName: name}, InGameName: name}
	}
	options := market.Options{Forms: coretest.Forms, Features: core.Features{Listings: true, Crossing: true, Hours: true}} // as the demo has them
	if _, err := seed.Market(ctx, store, options, players, time.Now()); err != nil {
		t.Fatal(err)
	}
	for what, query := range map[string]string{
		"crossed trades with a time to meet": `select count(*) from order_updates u join handovers h on h.sale_id = u.id
			where u.crossed_with is not null and h.meet_at is not null`,
		"hours in which players play":       "select count(*) from play_hours",
		"listings that sell without asking": "select count(*) from stock where public and sells_daily > 0 and quantity > 0",
		"open requests that stand": `select count(*) from standing_acceptances s join orders o on o.id = s.order_id
			where s.ended_at is null and o.status = 'active'`,
		"asks that wait": "select count(*) from orders where listing_id is not null and status = 'active'",
	} {
		var n int
		if err := store.Pool().QueryRow(ctx, query).Scan(&n); err != nil || n == 0 {
			t.Errorf("%d %s, %v", n, what, err)
		}
	}
	if broken, err := invariants.Check(ctx, store.Pool()); err != nil || len(broken) > 0 {
		t.Errorf("violated invariants: %v, %v", broken, err)
	}
}

func actorOf(ctx context.Context, t *testing.T, market *market.Market, p people.Profile) core.Actor {
	t.Helper()
	user, err := market.People.SignIn(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	return user.Actor()
}
