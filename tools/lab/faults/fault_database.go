//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/bot/discordtest"
)

// databaseBack is within which all is well when PostgreSQL is up again.
const databaseBack = 5 * time.Second

// under breaks something under load, for a while. The back counts from when breaking returned to when every
// offer has been acknowledged and delivered.
func under(breaking func(s *scene, lasts time.Duration)) func(*scene, int, time.Duration) time.Duration {
	return func(s *scene, i int, lasts time.Duration) time.Duration {
		s.sometimesLater(i)
		stopOffers := s.load(offersASecond(lasts))
		stopTrading, waitForTraders := s.trading(lasts)
		s.rest(rand.N(200 * time.Millisecond))
		breaking(s, lasts)
		up := time.Now()
		s.rest(50 * time.Millisecond)
		stopTrading()
		stopOffers()
		took := s.since(up)
		waitForTraders() // in Discord they wait longer than anything promised
		s.connectionsWork()
		return took
	}
}

// connectionsWork checks that every connection that visitors have kept open still works: each program must
// answer a number of requests at once, all of them well.
func (s *scene) connectionsWork() {
	const atOnce = 48
	for _, p := range s.programs {
		if p.address == "" {
			continue
		}
		for end := time.Now().Add(2 * databaseBack); ; s.rest(50 * time.Millisecond) {
			failed := make(chan error, atOnce)
			for range atOnce {
				go func() { failed <- s.probe(p) }()
			}
			var all []error
			for range atOnce {
				all = append(all, <-failed)
			}
			err := errors.Join(all...)
			if err == nil {
				break
			}
			if time.Now().After(end) {
				s.Errorf("connections stay broken: %v", err)
				break
			}
		}
	}
}

// probe asks a program whether it is ready, on one of the visitors' connections.
func (s *scene) probe(p *program) error {
	resp, err := visitorHTTP.Get("http://" + p.address + "/readyz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("/readyz: %s", resp.Status)
	}
	return nil
}

// underLoad is a fault of a moment.
func underLoad(breaking func(s *scene)) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		return under(func(s *scene, _ time.Duration) { breaking(s) })(s, i, 0)
	}
}

// offersASecond is how many offers come in while a fault lasts: a request takes a hundred offers of
// visitors, and there are two.
func offersASecond(lasts time.Duration) int {
	return min(40, int(160/(lasts+time.Second).Seconds()))
}

// during has something be so for a while.
func during(begin, end func(s *scene)) func(*scene, time.Duration) {
	return func(s *scene, lasts time.Duration) {
		begin(s)
		s.rest(lasts)
		end(s)
	}
}

var databaseFaults = []fault{
	{
		name: "PostgreSQL restarted under load", most: databaseBack, server: true,
		round: underLoad(func(s *scene) { s.must(s.server.Restart(s.ctx)) }),
	},
	{
		name: "PostgreSQL killed -9 under load", most: databaseBack, server: true,
		round: underLoad(func(s *scene) {
			s.must(s.server.Kill(s.ctx))
			s.must(s.server.Ready(s.ctx))
		}),
	},
	{
		name: "PostgreSQL hangs under load", most: databaseBack, server: true, rare: 2,
		lasting: under(during(func(s *scene) { s.must(s.server.Freeze(s.ctx)) },
			func(s *scene) { s.server.Thaw() })),
	},
	{
		name: "PostgreSQL down under load", most: databaseBack, server: true, rare: 2,
		lasting: under(during(func(s *scene) { s.must(s.server.Down(s.ctx)) },
			func(s *scene) { s.must(s.server.Up(s.ctx)) })),
	},
	{
		name: "PostgreSQL restarted under load, two replicas", most: databaseBack, server: true,
		programs: both,
		round:    underLoad(func(s *scene) { s.must(s.server.Restart(s.ctx)) }),
	},
	{
		name: "every request is locked by another session", most: databaseBack, rare: 2,
		note: "as by a migration or a backup that takes its time: writes wait, reads do not",
		lasting: under(func(s *scene, lasts time.Duration) {
			tx, err := s.db.Begin(s.ctx)
			s.must(err)
			_, err = tx.Exec(s.ctx, "select from orders for update")
			s.must(err)
			s.rest(lasts)
			s.must(tx.Rollback(s.ctx))
		}),
	},
	{
		name: "connections cut at random under load", most: databaseBack,
		lasting: under(func(s *scene, lasts time.Duration) {
			for end := time.Now().Add(lasts); time.Now().Before(end); s.rest(20 * time.Millisecond) {
				s.cutSome()
			}
		}),
	},
	{
		name: "PostgreSQL read-only under load", most: databaseBack, rare: 2,
		note: "as after a switch to a standby that is not promoted yet",
		lasting: under(during(
			func(s *scene) {
				s.asAdmin("alter database " + s.database + " set default_transaction_read_only = on")
				s.cutAll()
			},
			func(s *scene) {
				s.asAdmin("alter database " + s.database + " reset default_transaction_read_only")
				s.cutAll()
				s.db.Reset() // its own connections of the meantime are read-only, too
			},
		)),
	},
	{
		name: "PostgreSQL refuses to write for want of disk, under load", most: databaseBack, rare: 2,
		note: "as when a table cannot grow: statements fail, the server keeps running",
		lasting: under(during(
			func(s *scene) {
				s.trouble("raise exception 'no space left on device' using errcode = 'disk_full'")
			},
			(*scene).noTrouble,
		)),
	},
	{
		name: "PostgreSQL's disk is really full, under load", most: databaseBack, disk: true, rare: 2,
		needs: canMount,
		note:  "the log of changes cannot be written, so the server crashes and cannot start before there is room again",
		lasting: under(func(s *scene, lasts time.Duration) {
			s.must(s.disk.fill())
			s.useUpLog()
			s.rest(lasts)
			s.must(s.disk.clear())
			s.must(s.server.Ready(s.ctx))
		}),
	},
	{
		name: "every other transaction meets a deadlock or must be repeated", most: databaseBack, rare: 2,
		lasting: under(during(
			func(s *scene) {
				s.trouble(`if random() < 0.25 then raise exception 'deadlock detected' using errcode = 'deadlock_detected'; end if;
				if random() < 0.25 then raise exception 'could not serialize' using errcode = 'serialization_failure'; end if`)
			},
			(*scene).noTrouble,
		)),
	},
	{
		name: "asked to end (SIGTERM) while PostgreSQL is away", most: drain, server: true, rare: 5,
		note: "with a message in its hands; back is the time until the process was gone",
		round: func(s *scene, i int) time.Duration {
			held := s.strike(i, 1, discordtest.Holding())
			s.offersTo(s.owners[0])
			held.WaitHits(s, 1)
			s.must(s.server.Down(s.ctx))
			began := time.Now()
			s.programs[0].signal(syscall.SIGTERM)
			select {
			case <-s.programs[0].ended:
			case <-time.After(2 * drain):
				s.Errorf("the program is still there after %s", 2*drain)
				s.programs[0].kill()
			}
			took := time.Since(began)
			held.Lift()
			s.must(s.server.Up(s.ctx))
			s.restart(s.programs[0])
			return took
		},
	},
	{
		name: "PostgreSQL out of connections under load", most: databaseBack, rare: 2,
		note:      "the program's are cut, and it gets no new ones",
		alsoLasts: []time.Duration{time.Minute},
		lasting: under(during(
			func(s *scene) {
				s.asAdmin("alter database " + s.database + " with connection limit 0")
				s.cutAll()
			},
			func(s *scene) { s.asAdmin("alter database " + s.database + " with connection limit -1") },
		)),
	},
}

// useUpLog uses up what PostgreSQL has set aside for its log of changes, until it fails for want of room.
func (s *scene) useUpLog() {
	for range 50 {
		conn, err := pgx.Connect(s.ctx, s.server.DSN("postgres"))
		if err != nil {
			return
		}
		_, err = conn.Exec(s.ctx, "select pg_logical_emit_message(false, 'faults', 'text'), pg_switch_wal()")
		_ = conn.Close(context.WithoutCancel(s.ctx)) // it may be gone already
		if err != nil {
			return
		}
	}
	s.Errorf("PostgreSQL still writes, though its disk is full")
}

// trouble has every transaction that writes notices or settles them run a piece of PL/pgSQL.
func (s *scene) trouble(plpgsql string) {
	s.inDatabase(`create function trouble() returns trigger language plpgsql as $$ begin ` + plpgsql +
		`; return null; end $$`)
	s.inDatabase("create trigger trouble after insert or update on notices for each statement execute function trouble()")
}

func (s *scene) noTrouble() {
	s.inDatabase("drop trigger trouble on notices")
	s.inDatabase("drop function trouble")
}

// inDatabase runs a statement in the database of the programs.
func (s *scene) inDatabase(statement string) {
	_, err := s.db.Exec(s.ctx, statement)
	s.must(err)
}

// ofPrograms are the connections of the programs.
const ofPrograms = "from pg_stat_activity where datname = $1 and application_name like 'tradepost%'"

// cutSome cuts about half of the programs' connections.
func (s *scene) cutSome() {
	s.cut("select pg_terminate_backend(pid) " + ofPrograms + " and random() < 0.5")
}

func (s *scene) cutAll() { s.cut("select pg_terminate_backend(pid) " + ofPrograms) }

func (s *scene) cut(query string) { s.asAdmin(query, s.database) }

func (s *scene) asAdmin(statement string, args ...any) {
	conn, err := pgx.Connect(s.ctx, s.server.DSN("postgres"))
	s.must(err)
	defer conn.Close(context.WithoutCancel(s.ctx))
	_, err = conn.Exec(s.ctx, statement, args...)
	s.must(err)
}
