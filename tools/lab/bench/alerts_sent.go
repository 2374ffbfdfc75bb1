package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

const (
	wavePosts   = 60
	sentFor     = 20 * time.Second
	sendMessage = "POST /channels/{channel_id}/messages"
)

// people gives users accounts at the stand-in.
func (a *alertBench) people(
	ctx context.Context, t discordtest.TB, discord *discordtest.Discord, from, many int,
) {
	names := make([]string, many)
	for i := range names {
		names[i] = fmt.Sprintf("reader%d", i)
	}
	discord.Invite(names...)
	accounts := make([]string, many)
	for i, name := range names {
		accounts[i] = discord.Player(t, name).ID()
	}
	if _, err := a.store.Pool().Exec(ctx,
		"update users set discord_id = ($1::text[])[id - $2::bigint + 1] where id >= $2 and id < $2 + cardinality($1::text[])", accounts, from); err != nil {
		t.Fatalf("give users accounts: %v", err)
	}
}

// firstWave measures from the post of a request over HTTP until those of its first wave have their message
// at the stand-in.
func (a *alertBench) firstWave(ctx context.Context) error {
	discord, env, err := standIn()
	if err != nil {
		return err
	}
	defer discord.Close()
	return play(func(t discordtest.TB) {
		a.people(ctx, t, discord, 1, a.watches/watchesEach)
		p, err := startProgram(ctx, a.binary, a.dsn, a.keepLog, env)
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer p.stop()
		discord.WaitForBot(t)
		poster, err := dial(p.address)
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer poster.close()
		posted := make([]time.Time, wavePosts)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for n := range posted {
			<-tick.C
			posted[n] = time.Now()
			body := fmt.Sprintf(`{"itemName":%q,"quantity":%d,"maxPricePerUnit":%d,"buyerContact":"player","confirmPrice":true,"category":"Miner"}`, a.items[n*37%len(a.items)].Name, 100+n, 1000+n)
			answer, err := poster.do(request("POST", "/api/orders", body,
				[]string{a.cookies[n%signedIn]}), true)
			if err != nil || answer.status != http.StatusCreated {
				t.Fatalf("post: answered %d %.200s: %v", answer.status, answer.body, err)
			}
		}
		if err := wait(ctx, 8*time.Second); err != nil {
			t.Fatalf("%v", err)
		}
		var took []time.Duration
		arrived := make([]int, wavePosts)
		for _, r := range discord.Requests(sendMessage) {
			for n := range posted {
				if bytes.Contains(r.Body, fmt.Appendf(nil, "Wanted: %d × ", 100+n)) {
					took = append(took, r.At.Sub(posted[n]))
					arrived[n]++
				}
			}
		}
		none := 0
		for _, n := range arrived {
			if n == 0 {
				none++
			}
		}
		a.foundTimes(fmt.Sprintf("post to message, first waves of %d posts, %s watches (%d without any)",
			wavePosts, count(float64(a.watches)), none), "p99 < 5 s", took, 5*time.Second)
	})
}

// waves counts the messages of each wave about a request that 5,000 watch, and how fast a program sends
// what all the others get at the end of the day.
func (a *alertBench) waves(ctx context.Context) error {
	const item = 7
	if err := a.script(ctx, fmt.Sprintf(`
analyze; -- as autovacuum does a minute later
truncate river_job; truncate notices cascade; truncate alert_rounds;
with added as (
    insert into watches (user_id, name, items, way, created_at, updated_at)
    select id, 'All of it', array[%d], 'direct', now() - interval '1 day', now() - interval '1 day' from users where id > 100 and id <= 100 + %d
    and not exists (select from watches w where w.user_id = users.id and w.items = array[%d]::bigint[]) returning id
)
insert into watch_keys (key, watch_id) select 'item:%d', id from added`, item, manyWatchers, item, item)); err != nil {
		return fmt.Errorf("add watchers: %w", err)
	}
	a.now = time.Now().UTC()
	defer func() { a.now = time.Time{} }()
	var name string
	for _, i := range a.items {
		if i.ID == item {
			name = i.Name
		}
	}
	order, err := a.market.Trade.PostOrder(ctx, core.Actor{UserID: 1},
		trade.OrderDraft{ItemName: name, Quantity: 5000, MaxPrice: 900_000, BuyerContact: "player",
			Category: "Miner"})
	if err != nil {
		return err
	}
	var waves []int
	sum := 0
	for range match.MaxWaves + 2 {
		for done := 1; done > 0; {
			if done, err = a.market.Match.AlertWatchers(ctx, 10); err != nil {
				return err
			}
		}
		var messaged int
		if err := a.store.Pool().QueryRow(ctx,
			"select count(*) from notices where order_id = $1 and hold_until is null",
			order.ID).Scan(&messaged); err != nil {
			return err
		}
		waves, sum = append(waves, messaged-sum), messaged
		a.now = a.now.Add(match.WavePause + time.Second)
	}
	var all, most int
	if err := a.store.Pool().QueryRow(ctx, "select count(*) from notices where order_id = $1",
		order.ID).Scan(&all); err != nil {
		return err
	}
	for _, n := range waves {
		most = max(most, n)
	}
	a.found(fmt.Sprintf("messages of each wave, %s watch", count(float64(all))),
		fmt.Sprintf("%d, in all %d", waves, sum), "10 a wave", float64(most), match.WaveSize)
	return a.sent(ctx)
}

// sent measures how fast the held alerts are sent that are due at once.
func (a *alertBench) sent(ctx context.Context) error {
	if err := a.script(ctx, `update notices set created_at = least(created_at, now()), hold_until = least(hold_until, now());
update river_job set scheduled_at = now(), state = 'available'`); err != nil {
		return err
	}
	discord, env, err := standIn()
	if err != nil {
		return err
	}
	defer discord.Close()
	return play(func(t discordtest.TB) {
		a.people(ctx, t, discord, 100, manyWatchers+100)
		p, err := startProgram(ctx, a.binary, a.dsn, a.keepLog, env, "--only=bot")
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer p.stop()
		discord.WaitForBot(t)
		if err := wait(ctx, sentFor); err != nil {
			t.Fatalf("%v", err)
		}
		var times []time.Time
		for _, r := range discord.Requests() {
			times = append(times, r.At)
		}
		most := inAnySecond(times)
		a.found(fmt.Sprintf("calls in any second, alerts to %s due at once", count(manyWatchers)),
			fmt.Sprintf("%d (%s messages in %s)", most, count(float64(len(discord.Requests(sendMessage)))),
				sentFor), fmt.Sprint(mostCalls), float64(most), mostCalls)
	})
}
