//go:build unix

package main

import (
	"context"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/bot/discordtest"
)

// databaseBack is within which all is well when PostgreSQL is up again.
const databaseBack = 5 * time.Second

// inTheMiddle breaks the database under load. The back counts from when break returned to when every offer has been taken
// and told.
func inTheMiddle(breaking func(s *scene)) func(*scene, int) time.Duration {
	return inTheMiddleOf(40, breaking)
}

// inTheMiddleOf does so under a load of so many offers a second.
func inTheMiddleOf(load int, breaking func(s *scene)) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.sometimesLater(i)
		stop := s.load(load)
		s.rest(rand.N(200 * time.Millisecond))
		breaking(s)
		up := time.Now()
		s.rest(50 * time.Millisecond)
		stop()
		return s.since(up)
	}
}

var databaseFaults = []fault{
	{
		name: "PostgreSQL restarted under load", most: databaseBack, server: true,
		round: inTheMiddle(func(s *scene) { s.must(s.server.Restart(s.ctx)) }),
	},
	{
		name: "PostgreSQL killed -9 under load", most: databaseBack, server: true,
		round: inTheMiddle(func(s *scene) {
			s.must(s.server.Kill(s.ctx))
			s.must(s.server.Ready(s.ctx))
		}),
	},
	{
		name: "PostgreSQL hangs for two seconds under load", most: databaseBack, server: true, rare: 2,
		round: inTheMiddle(func(s *scene) {
			s.must(s.server.Freeze(s.ctx))
			s.rest(2 * time.Second)
			s.server.Thaw()
		}),
	},
	{
		name: "PostgreSQL down for fifteen seconds under load", most: databaseBack, server: true, rare: 20,
		note: "150 offers wait at its end",
		round: inTheMiddleOf(10, func(s *scene) {
			s.must(s.server.Down(s.ctx))
			s.rest(15 * time.Second)
			s.must(s.server.Up(s.ctx))
		}),
	},
	{
		name: "PostgreSQL restarted under load, two replicas", most: databaseBack, server: true, programs: both,
		round: inTheMiddle(func(s *scene) { s.must(s.server.Restart(s.ctx)) }),
	},
	{
		name: "connections cut at random under load", most: databaseBack,
		round: inTheMiddle(func(s *scene) {
			for range 15 {
				s.cutSome()
				s.rest(20 * time.Millisecond)
			}
		}),
	},
	{
		name: "PostgreSQL read-only for a second under load", most: databaseBack, rare: 2,
		note: "as after a switch to a standby that is not promoted yet",
		round: inTheMiddle(func(s *scene) {
			s.asAdmin("alter database " + s.database + " set default_transaction_read_only = on")
			s.cutAll()
			s.rest(time.Second)
			s.asAdmin("alter database " + s.database + " reset default_transaction_read_only")
			s.cutAll()
		}),
	},
	{
		name: "PostgreSQL's disk is full for a second, under load", most: databaseBack, rare: 2,
		round: inTheMiddle(func(s *scene) {
			s.trouble("raise exception 'no space left on device' using errcode = 'disk_full'")
			s.rest(time.Second)
			s.noTrouble()
		}),
	},
	{
		name: "every other transaction meets a deadlock or must be repeated", most: databaseBack, rare: 2,
		note: "for a second, under load",
		round: inTheMiddle(func(s *scene) {
			s.trouble(`if random() < 0.25 then raise exception 'deadlock detected' using errcode = 'deadlock_detected'; end if;
				if random() < 0.25 then raise exception 'could not serialize' using errcode = 'serialization_failure'; end if`)
			s.rest(time.Second)
			s.noTrouble()
		}),
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
		name: "PostgreSQL out of connections for a second under load", most: databaseBack, rare: 2,
		round: inTheMiddle(func(s *scene) {
			s.asAdmin("alter database " + s.database + " with connection limit 0")
			s.cutAll()
			s.rest(time.Second)
			s.asAdmin("alter database " + s.database + " with connection limit -1")
		}),
	},
}

// trouble has every transaction that writes notices or settles them run a piece of PL/pgSQL.
func (s *scene) trouble(plpgsql string) {
	s.inDatabase(`create function trouble() returns trigger language plpgsql as $$ begin ` + plpgsql + `; return null; end $$`)
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
