//go:build unix

package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/bot/discordtest"
)

// What is played in rounds: 50 of the 100 of `make faults` post 1,000 requests against 1,000 watches.
const (
	alertWatchers   = 40
	fewWatchers     = 4 // where each fault is played once
	watchesOfOne    = 25
	watchersOfOne   = 4 // people who watch for the same word
	postsAtOnce     = 20
	alertFaultsRare = 2
)

// alertFaults kill something at each step between a post and the message to its watchers, another step in
// each round.
var alertFaults = []fault{
	{
		name: "the program killed -9 between a post and its alerts", rare: alertFaultsRare,
		takes: afterOutage,
		note:  "1,000 posts against 1,000 watches, at every step in turn",
		round: killedWhileAlerting((*scene).killProgram),
	},
	{
		name: "PostgreSQL killed -9 between a post and its alerts", rare: alertFaultsRare, takes: afterOutage,
		server: true,
		note:   "1,000 posts against 1,000 watches, at every step in turn",
		round:  killedWhileAlerting((*scene).killPostgreSQL),
	},
	{
		name: "Discord gone between a post and its alerts", rare: alertFaultsRare, takes: afterOutage,
		note:  "1,000 posts against 1,000 watches, at every step in turn; it takes no request, and the gateway is closed",
		round: killedWhileAlerting((*scene).killDiscord),
	},
}

// alertStep is a moment between a post and the messages about it. hold has the program wait there, so that
// the other steps wait, too.
type alertStep struct {
	name  string
	hold  func(s *scene) held // nil for not at all
	after bool                // it comes after the posts are acknowledged
}

// held is what makes the program wait at a step.
type held struct {
	reached func() // returns when the program waits
	release func() // lets it go on, if it is still there
}

var alertSteps = []alertStep{
	{name: "before a post is committed", hold: gateAt(gatePost)},
	{name: "after the posts are acknowledged", after: true},
	{name: "before alerts are committed", hold: gateAt(gateAlert)},
	{name: "before a message is planned", hold: gateAt(gatePlan)},
	{name: "before Discord has the message",
		hold: func(s *scene) held { return s.strikeAlert(discordtest.Hanging()) }},
	{name: "before Discord's answer is there",
		hold: func(s *scene) held { return s.strikeAlert(discordtest.Holding()) }},
	{name: "before it is stored that the message was sent", hold: gateAt(gateSettle)},
}

// killedWhileAlerting posts requests that are watched, and kills something when the program has come to a
// step. It returns how long it took from its return until every alert had been sent.
func killedWhileAlerting(kill func(*scene) (revive func())) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.watch()
		step := alertSteps[(uint64(i)+s.ground.seed)%uint64(len(alertSteps))]
		held := held{reached: func() {}, release: func() {}}
		if step.hold != nil {
			held = step.hold(s)
		}
		posted := s.meanwhile(func() { s.postWatched(i) })
		if step.after {
			posted()
			posted = func() {}
		}
		held.reached()
		revive := kill(s)
		held.release()
		revive()
		back := time.Now()
		posted()
		s.until(patience, "every request has been compared with the watches, "+step.name, func() bool {
			var rounds int
			err := s.db.QueryRow(s.ctx, "select count(*) from alert_rounds where not resting").Scan(&rounds)
			return err == nil && rounds == 0
		})
		return s.since(back)
	}
}

// watch makes the watches, at first. Each word is watched by watchersOfOne people.
func (s *scene) watch() {
	if len(s.watchers) > 0 {
		return
	}
	for _, statement := range gates {
		s.inDatabase(statement)
	}
	people := alertWatchers
	if s.ground.rounds == 1 {
		people = fewWatchers
	}
	words := make([]string, people*watchesOfOne/watchersOfOne)
	for i := range words {
		words[i] = newName(visitors.Add(1))
	}
	s.watchers = map[string][]string{}
	for i := range people {
		p := s.person(s.discord.NewPlayer(s, fmt.Sprintf("watcher%d", visitors.Add(1))))
		for n := range watchesOfOne {
			word := words[(i*watchesOfOne+n)%len(words)]
			s.mustWrite(write{op: opWatch, actor: p, name: word}, nil)
			s.watchers[word] = append(s.watchers[word], p.Username())
		}
	}
	s.watched = words
}

// postWatched posts requests for words that are watched, which owes alerts to everybody who watches them.
func (s *scene) postWatched(round int) {
	for n := range postsAtOnce {
		word := s.watched[(round*postsAtOnce+n)%len(s.watched)]
		item := word + " " + newName(visitors.Add(1))
		s.mustWrite(write{op: opPost, actor: s.owners[n%len(s.owners)].person, name: item, quantity: 20,
			price: 100}, nil)
		for _, reader := range s.watchers[word] {
			s.oweAlert(item, reader)
		}
	}
}

// killProgram kills the program. Reviving it starts it again.
func (s *scene) killProgram() func() {
	s.programs[0].kill()
	return func() { s.restart(s.programs[0]) }
}

// killPostgreSQL kills the server, which starts again by itself.
func (s *scene) killPostgreSQL() func() {
	s.must(s.server.Kill(s.ctx))
	return func() { s.must(s.server.Ready(s.ctx)) }
}

// killDiscord has Discord take no requests and end the gateway, for a second.
func (s *scene) killDiscord() func() {
	out := s.discord.Fail(everything, discordtest.Always,
		discordtest.Answering(http.StatusBadGateway, "<html><body>down</body></html>"))
	lift := s.discord.Gateway().Every(discordtest.CloseInstead(4000))
	s.discord.Gateway().Drop()
	return func() {
		s.rest(time.Second)
		out.Lift()
		lift()
	}
}

// strikeAlert holds the next message, and all after it.
func (s *scene) strikeAlert(f *discordtest.Fault) held {
	s.discord.Fail(newMessage, discordtest.Always, f)
	return held{func() { f.WaitHits(s, 1) }, f.Lift}
}

// Gates are locks that a transaction of the program waits for.
const (
	gatePost = 7700 + iota
	gateAlert
	gatePlan
	gateSettle
)

// gates have the transactions of each step wait for its lock, which nobody holds but while the step is
// played.
var gates = []string{
	`create function gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return null; end $$`,
	"create trigger gate_post after insert on alert_rounds for each statement execute function gate('" +
		strconv.Itoa(gatePost) + "')",
	"create trigger gate_alert after insert on notices for each statement execute function gate('" +
		strconv.Itoa(gateAlert) + "')",
	"create trigger gate_plan after insert on deliveries for each statement execute function gate('" +
		strconv.Itoa(gatePlan) + "')",
	"create trigger gate_settle after update on notices for each row when (new.state <> old.state) execute function gate('" + strconv.Itoa(gateSettle) + "')",
}

// gateAt holds the transactions of a step.
func gateAt(gate int) func(*scene) held {
	return func(s *scene) held {
		conn, err := pgx.Connect(s.ctx, s.server.DSN(s.database))
		s.must(err)
		_, err = conn.Exec(s.ctx, "select pg_advisory_lock($1)", gate)
		s.must(err)
		return held{
			reached: func() {
				s.until(patience, "a transaction has come to the gate", func() bool {
					var waits bool
					err := s.db.QueryRow(s.ctx, `select exists (select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
						and database = (select oid from pg_database where datname = current_database()))`, gate).Scan(&waits)
					return err == nil && waits
				})
			},
			// it may be gone with its server
			release: func() { _ = conn.Close(context.WithoutCancel(s.ctx)) },
		}
	}
}
