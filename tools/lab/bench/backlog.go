package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/people"
)

const (
	backlogJobs    = 34_000
	backlogReaders = 200
	backlogFor     = 10 * time.Second
	backlogDrain   = 5 * time.Second
)

// measureBacklog measures what a bot does for those who wait for it while it has a backlog of notices to
// deliver: answers to commands, 50 a second whether or not earlier ones were answered, and a new notice
// each second.
func (b *bench) measureBacklog(ctx context.Context) error {
	for _, kind := range []struct{ what, muted string }{{"that nobody may receive", "{offer_accepted}"},
		{"for 200 readers", "{}"}} {
		name := fmt.Sprintf("commands, with %s notices waiting %s", count(backlogJobs), kind.what)
		if !b.wanted(name) {
			continue
		}
		if err := b.measureBacklogOf(ctx, name, kind.muted); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (b *bench) measureBacklogOf(ctx context.Context, name, muted string) error {
	discord, env, err := standIn()
	if err != nil {
		return err
	}
	defer discord.Close()
	return play(func(t discordtest.TB) {
		var accounts []string
		for i := range backlogReaders {
			discord.Invite(fmt.Sprintf("reader%d", i))
			accounts = append(accounts, discord.Player(t, fmt.Sprintf("reader%d", i)).ID())
		}
		fresh := make([]*discordtest.Player, int(backlogFor.Seconds()))
		ids := make([]core.UserID, len(fresh))
		market := market.New(b.store, market.Options{})
		for i := range fresh {
			discord.Invite(fmt.Sprintf("fresh%d", i))
			fresh[i] = discord.Player(t, fmt.Sprintf("fresh%d", i))
			user, err := market.People.SignIn(ctx,
				people.Profile{DiscordID: fresh[i].ID(), Username: fresh[i].Username()})
			if err != nil {
				t.Fatalf("sign in: %v", err)
			}
			ids[i] = user.ID
		}
		if _, err := b.store.Pool().Exec(ctx, backlogOf, accounts, muted, backlogJobs); err != nil {
			t.Fatalf("make a backlog: %v", err)
		}
		defer func() {
			if _, err := b.store.Pool().Exec(ctx,
				"update notices set state = 'expired', settled_at = now() where state = 'pending'"); err != nil {
				t.Errorf("end the backlog: %v", err)
			}
		}()
		p, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, env, "--only=bot")
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer p.stop()
		discord.WaitForBot(t)
		asker := discord.Player(t, "maple")
		var mu sync.Mutex
		var answers, arrivals []time.Duration
		unanswered, late := 0, 0
		var work sync.WaitGroup
		timed := func(into *[]time.Duration, lost *int, do func(t discordtest.TB)) {
			work.Go(func() {
				began := time.Now()
				err := play(do)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					*lost++
				}
				*into = append(*into, time.Since(began))
			})
		}
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for n := range int(backlogFor / (20 * time.Millisecond)) {
			<-tick.C
			timed(&answers, &unanswered, func(t discordtest.TB) { asker.With(t).Slash("request browse") })
			if n%50 == 0 {
				i := n / 50
				timed(&arrivals, &late, func(t discordtest.TB) {
					if err := market.Notify.SendTest(ctx, core.Actor{UserID: ids[i]}); err != nil {
						t.Fatalf("%v", err)
					}
					fresh[i].With(t).NextDM()
				})
			}
		}
		work.Wait()
		var left [2]int
		for i := range left {
			if err := b.store.Pool().QueryRow(ctx,
				"select count(*) from notices where state = 'pending'").Scan(&left[i]); err != nil {
				t.Fatalf("%v", err)
			}
			if i == 0 {
				time.Sleep(backlogDrain)
			}
		}
		p99 := percentile(answers, 0.99)
		b.add(row{
			size: b.size, name: name, queries: -1, value: p99.Seconds() * 1000, most: 100,
			ours: measured{p50: percentile(answers, 0.5), p99: p99},
			figure: fmt.Sprintf("%s; %d of %d not answered; a new notice within %s (%d of %d later than 10 s); %s still wait, and end at %.0f a second when nobody asks", short(p99), unanswered, len(answers),
				short(percentile(arrivals, 1)), late, len(arrivals), count(float64(left[0])),
				float64(left[0]-left[1])/backlogDrain.Seconds()),
		})
	})
}

// backlogOf makes notices that wait for their readers, as a program leaves them that has no bot.
const backlogOf = `
with readers as (
    update users set discord_id = ($1::text[])[users.id - 40] from mailboxes
    where users.id between 41 and 40 + cardinality($1::text[]) and mailboxes.user_id = users.id returning users.id
), boxes as (
    update mailboxes set muted = $2::text[], closed = '', closed_at = null from readers where user_id = readers.id returning user_id
), added as (
    insert into notices (user_id, kind, item_name, quantity, price_per_unit, name, contact, message, state, reason, created_at)
    select 41 + n % (select count(*) from boxes), 'offer_accepted', 'Endless Rope', 1, 1, 'Buyer', 'buyer', '', 'pending', '', now() - interval '1 minute'
    from generate_series(1, $3::int) n returning id
)
insert into river_job (args, kind, max_attempts, queue, state, scheduled_at)
select jsonb_build_object('notice', id), 'deliver_notice', 1000, 'notices', 'available', now() - interval '1 minute' from added`
