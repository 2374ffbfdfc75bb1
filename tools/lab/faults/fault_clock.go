//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"tradepost/core/trade"
	"tradepost/sql/pgembed"
)

const (
	// clockStands is for how long a clock is wrong. The programs look at their host's clock once a second.
	clockStands = 3 * time.Second
	// steadyAgain is beyond the usual patience: after a step no periodic job runs for a minute, and
	// handovers wait for one.
	steadyAgain = 2 * time.Minute

	// knownAgain is within which everything works again: a program that starts with a wrong clock measures
	// it within a minute, and a notice that only seems too old waits for a minute.
	knownAgain = 75 * time.Second

	days = 24 * time.Hour
)

// clockSteps are by how much a clock steps: seconds to months.
var clockSteps = []time.Duration{3 * time.Second, 6 * time.Minute, 31 * days, 120 * days}

// clockFaults are steps of clocks, both ways. Handovers and rules are played after them: with a clock that
// is ahead, a session has ended and nothing can be undone any more.
func clockFaults() []fault {
	all := []fault{
		{
			name: "the clock of one replica's host steps, by seconds to months, both ways", programs: both,
			counts: true, most: knownAgain, takes: steadyAgain, rare: 10,
			note: "one step after another; back is counted from the last, when the clock is right again",
			round: func(s *scene, _ int) time.Duration {
				return s.stepped(func() {
					for _, step := range clockSteps {
						for _, ahead := range []time.Duration{step, -step} {
							s.setHosts(ahead, s.programs[1])
							s.rest(clockStands)
						}
					}
				})
			},
		},
	}
	for _, step := range clockSteps {
		for _, ahead := range []time.Duration{step, -step} {
			rare := 10 // each waits for a minute in which periodic jobs rest
			if ahead == 31*days {
				rare = 5 // the short form plays it
			}
			all = append(all, fault{
				name: "the machine's clock is " + howFar(ahead) + " for a moment", programs: both,
				counts: true, most: knownAgain, takes: steadyAgain, rare: rare,
				note: "PostgreSQL's and that of both programs",
				round: func(s *scene, _ int) time.Duration {
					s.makeSteppable()
					return s.stepped(func() {
						s.setDatabase(ahead)
						s.setHosts(ahead, s.programs...)
						s.rest(clockStands)
					})
				},
			})
		}
	}
	for _, ahead := range []time.Duration{6 * time.Minute, 31 * days} {
		all = append(all, fault{
			name: "PostgreSQL's clock is " + howFar(ahead) + " while programs start", programs: both,
			counts: true, most: knownAgain, takes: steadyAgain, rare: 10,
			note: "they measure it as they start, and take it for the truth; sessions end by it",
			round: func(s *scene, _ int) time.Duration {
				s.makeSteppable()
				return s.stepped(func() {
					s.setDatabase(ahead)
					s.restartAll()
					s.rest(clockStands)
				})
			},
		})
	}
	return all
}

// howFar says a step in words.
func howFar(ahead time.Duration) string {
	way := "ahead"
	if ahead < 0 {
		way = "behind"
	}
	if by := ahead.Abs(); by >= days {
		return fmt.Sprintf("%d days %s", by/days, way)
	}
	return fmt.Sprintf("%s %s", seconds(ahead.Abs()), way)
}

// stepped has visitors offer while a clock is wrong, sets it right, and waits until every message has
// arrived. The next writes may have to wait until the programs know the time again, and people sign in
// again.
func (s *scene) stepped(wrong func()) time.Duration {
	stop := s.load(10)
	s.rest(500 * time.Millisecond)
	wrong()
	s.setDatabase(0)
	s.setHosts(0, s.programs...)
	right := time.Now()
	s.rest(500 * time.Millisecond)
	stop()
	took := s.since(right)
	for _, p := range s.programs {
		s.until(steadyAgain, "that a program knows the time", func() bool {
			offset, err := p.metric(s.ctx, "tradepost_clock_offset_seconds")
			return err == nil && -1 < offset && offset < 1
		})
	}
	s.mu.Lock()
	people := append([]*person(nil), s.people...)
	s.mu.Unlock()
	for _, p := range people {
		s.signIn(p)
	}
	return took
}

// setHosts sets the clocks of the hosts of some programs.
func (s *scene) setHosts(ahead time.Duration, programs ...*program) {
	for _, p := range programs {
		next := p.clock + ".next"
		s.must(os.WriteFile(next, []byte(ahead.String()), 0o600))
		s.must(os.Rename(next, p.clock))
	}
}

// makeSteppable lets setDatabase set the clock that the programs read from the database.
func (s *scene) makeSteppable() {
	var done bool
	s.must(s.db.QueryRow(s.ctx, "select to_regclass('stepped.clock') is not null").Scan(&done))
	if done {
		return
	}
	conn, err := s.db.Acquire(s.ctx)
	s.must(err)
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(s.ctx, pgembed.SteppableClock).ReadAll()
	s.must(err)
	s.restartAll() // so that each of their connections reads it
}

// restartAll replaces the programs one after another.
func (s *scene) restartAll() {
	for _, p := range s.programs {
		_, err := p.stop()
		s.must(err)
		s.restart(p)
	}
}

// setDatabase sets the clock of the database, if it can be set.
func (s *scene) setDatabase(ahead time.Duration) {
	s.lapsing = s.lapsing || ahead.Abs() > trade.UnansweredFor
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	var done bool
	s.must(s.db.QueryRow(ctx, "select to_regclass('stepped.clock') is not null").Scan(&done))
	if done {
		_, err := s.db.Exec(ctx, "update stepped.clock set ahead = $1::interval", ahead)
		s.must(err)
	}
}
