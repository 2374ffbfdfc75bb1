//go:build unix

package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/bot/discordtest"
)

// step is a moment between a write and what others hear of it. hold has the program wait there, so that the
// other steps wait, too.
type step struct {
	name  string
	hold  func(s *scene) held // nil for not at all
	after bool                // it comes after the writes are acknowledged
}

// held is what makes the program wait at a step.
type held struct {
	reached func() // returns when the program waits
	release func() // lets it go on, if it is still there
}

// stepOf returns the step of a round: each has its turn.
func stepOf(steps []step, s *scene, round int) step {
	return steps[(uint64(round)+s.ground.seed)%uint64(len(steps))]
}

// killedAt has somebody write, kills something when the program has come to a step, and returns when that was
// back and the writes were acknowledged: the time of the first.
func (s *scene) killedAt(at step, kill func(*scene) (revive func()), write func()) (back time.Time) {
	held := held{reached: func() {}, release: func() {}}
	if at.hold != nil {
		held = at.hold(s)
	}
	written := s.meanwhile(write)
	if at.after {
		written()
		written = func() {}
	}
	held.reached()
	revive := kill(s)
	held.release()
	revive()
	back = time.Now()
	written()
	return back
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

// Gates are locks that a transaction of the program waits for.
const (
	gatePost = 7700 + iota
	gateAlert
	gatePlan
	gateSettle
	gateEvent
	gateEventClaim
	gateEventSettle
)

// gates have the transactions of each step wait for its lock, which nobody holds but while the step is
// played.
var gates = []string{
	`create or replace function gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return null; end $$`,
	"create or replace trigger gate_post after insert on alert_rounds for each statement execute function gate('" +
		strconv.Itoa(gatePost) + "')",
	"create or replace trigger gate_alert after insert on notices for each statement execute function gate('" +
		strconv.Itoa(gateAlert) + "')",
	"create or replace trigger gate_plan after insert on deliveries for each statement execute function gate('" +
		strconv.Itoa(gatePlan) + "')",
	"create or replace trigger gate_settle after update on notices for each row when (new.state <> old.state) execute function gate('" + strconv.Itoa(gateSettle) + "')",
	"create or replace trigger gate_event after insert on webhook_deliveries for each statement execute function gate('" +
		strconv.Itoa(gateEvent) + "')",
	"create or replace trigger gate_event_claim after update on webhooks for each row when (new.busy_until is not null) " +
		"execute function gate('" + strconv.Itoa(gateEventClaim) + "')",
	"create or replace trigger gate_event_settle after update on webhook_deliveries for each row when (new.attempts <> old.attempts) " +
		"execute function gate('" + strconv.Itoa(gateEventSettle) + "')",
}

// setGates makes the gates, which stand open, at first.
func (s *scene) setGates() {
	if s.gated {
		return
	}
	for _, statement := range gates {
		s.inDatabase(statement)
	}
	s.gated = true
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
