//go:build unix

package main

import (
	"math/rand/v2"
	"syscall"
	"time"

	"tradepost/bot/discordtest"
)

var processFaults = []fault{
	{
		name: "killed -9 between the commit and the message",
		note: "the offer is acknowledged, and Discord has not been reached yet",
		round: func(s *scene, i int) time.Duration {
			hanging := s.strike(i, len(s.owners), discordtest.Hanging())
			s.offers(2)
			hanging.WaitHits(s, len(s.owners))
			s.programs[0].kill()
			hanging.Lift()
			return s.since(s.restart(s.programs[0]))
		},
	},
	{
		name: "killed -9 after the message and before it was noted",
		note: "Discord has the message, and its answer is not there yet",
		round: func(s *scene, i int) time.Duration {
			held := s.strike(i, len(s.owners), discordtest.Holding())
			s.offers(2)
			held.WaitHits(s, len(s.owners))
			s.programs[0].kill()
			held.Lift()
			return s.since(s.restart(s.programs[0]))
		},
	},
	{
		name: "the same, and the nonce is forgotten when it is back",
		note: "six minutes pass before the program is started again",
		round: func(s *scene, _ int) time.Duration {
			held := s.strike(0, len(s.owners), discordtest.Holding())
			s.offers(2)
			held.WaitHits(s, len(s.owners))
			s.programs[0].kill()
			held.Lift()
			s.discord.Advance(6 * time.Minute)
			_, err := s.db.Exec(s.ctx, "update deliveries set started_at = started_at - interval '6 minutes' where message_id = ''")
			s.must(err)
			return s.since(s.restart(s.programs[0]))
		},
	},
	{
		name: "killed -9 at any moment, under load",
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			stop := s.load(40)
			stopTrading, waitForTraders := s.trading(0)
			s.rest(rand.N(300 * time.Millisecond))
			s.programs[0].kill()
			back := s.restart(s.programs[0])
			s.rest(100 * time.Millisecond)
			stopTrading()
			stop()
			took := s.since(back)
			waitForTraders()
			return took
		},
	},
	{
		name:     "the bot killed -9 before the offer's wake-up",
		note:     "the page runs in another process",
		programs: apart,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			s.programs[1].kill()
			s.offers(3)
			return s.since(s.restart(s.programs[1]))
		},
	},
	{
		name:     "the page killed -9 under load, beside a bot",
		programs: apart,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			stop := s.load(40)
			s.rest(rand.N(200 * time.Millisecond))
			s.programs[0].kill()
			back := s.restart(s.programs[0])
			s.rest(100 * time.Millisecond)
			stop()
			return s.since(back)
		},
	},
	{
		name: "asked to end (SIGTERM) under load",
		note: "back is the time until the process was gone; no request may fail that reached it",
		most: drain,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			s.strict.Store(true)
			stop := s.load(40)
			s.rest(100 * time.Millisecond)
			took, err := s.programs[0].stop()
			s.must(err)
			s.restart(s.programs[0])
			stop()
			return took
		},
	},
	{
		name: "stopped for a while (SIGSTOP) under load",
		note: "as on a machine that swaps",
		rare: 2,
		lasting: under(during(
			func(s *scene) { s.programs[0].signal(syscall.SIGSTOP) },
			func(s *scene) { s.programs[0].signal(syscall.SIGCONT) },
		)),
	},
}

// sometimesLater makes some rounds send new messages and others edit the last.
func (s *scene) sometimesLater(i int) {
	if i%2 == 0 {
		s.laterThatDay()
	}
}

// rest prolongs a fault.
func (s *scene) rest(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.ctx.Done():
		s.Fatalf("the round took too long")
	}
}
