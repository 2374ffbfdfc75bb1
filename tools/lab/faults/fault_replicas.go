//go:build unix

package main

import (
	"math/rand/v2"
	"syscall"
	"time"

	"tradepost/bot/discordtest"
)

// takeover is within which another replica has the gateway when its holder is gone.
const takeover = 15 * time.Second

var replicaFaults = []fault{
	{
		name:     "one of two replicas killed -9 under load",
		note:     "offers and accepts; the other delivers what both have acknowledged",
		programs: both,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			stop := s.load(40)
			stopTrading, waitForTraders := s.trading(0)
			s.trade(s.owners[i%2])
			trading := s.meanwhile(func() { s.trade(s.owners[1-i%2]) })
			s.rest(rand.N(100 * time.Millisecond))
			killed := s.programs[1] // the first is where people sign in
			killed.kill()
			back := time.Now()
			s.rest(200 * time.Millisecond)
			stopTrading()
			stop()
			trading()
			took := s.since(back)
			waitForTraders()
			s.restart(killed)
			return took
		},
	},
	{
		name:     "one of two killed -9 with a message in its hands",
		note:     "whichever has it; the other takes it over",
		programs: both,
		round: func(s *scene, i int) time.Duration {
			held := s.strike(i, 1, discordtest.Holding())
			s.offersTo(s.owners[0])
			held.WaitHits(s, 1)
			// Which of them holds it cannot be seen from outside: one is killed, then started again, then
			// the other.
			back := time.Now()
			for _, p := range s.programs {
				p.kill()
				s.restart(p)
			}
			held.Lift()
			return s.since(back)
		},
	},
	{
		name:     "two replicas replaced one after another (SIGTERM) under load",
		note:     "back is the longer time until a process was gone; no request may fail that reached it",
		programs: both,
		most:     drain,
		rare:     2,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			s.strict.Store(true)
			stop := s.load(10) // a hand-over takes seconds, and a request a hundred offers of visitors
			var longest time.Duration
			for _, p := range s.programs {
				s.rest(50 * time.Millisecond)
				took, err := p.stop()
				s.must(err)
				longest = max(longest, took)
				s.restart(p)
			}
			stop()
			return longest
		},
	},
	{
		name:     "the holder of the gateway killed -9",
		note:     "back is the time until the other one was ready at the gateway",
		programs: both,
		most:     takeover,
		rare:     2,
		round: func(s *scene, _ int) time.Duration {
			return s.gatewayTaken(func(holder *program) (repair func()) {
				holder.kill()
				return func() { s.restart(holder) }
			})
		},
	},
	{
		name:     "one of two replicas stopped (SIGSTOP) under load",
		note:     "in even rounds the first, in odd ones the second; requests that it has time out and are repeated at the other",
		programs: both,
		rare:     2,
		lasting: func(s *scene, i int, lasts time.Duration) time.Duration {
			p := s.programs[i%2]
			return under(during(
				func(*scene) { p.signal(syscall.SIGSTOP) },
				func(*scene) { p.signal(syscall.SIGCONT) },
			))(s, i, lasts)
		},
	},
	{
		name:     "the holder of the gateway hangs (SIGSTOP)",
		note:     "back is the time until the other one was ready at the gateway",
		programs: both,
		most:     takeover,
		rare:     20,
		round: func(s *scene, _ int) time.Duration {
			return s.gatewayTaken(func(holder *program) (repair func()) {
				holder.signal(syscall.SIGSTOP)
				return func() {
					holder.signal(syscall.SIGCONT)
					s.discord.Gateway().Wait(s, "one holder alone",
						func(c discordtest.Count) bool { return c.Ready == 1 })
				}
			})
		},
	},
	{
		name:     "a page open at one replica, an offer at the other",
		note:     "back is the time until the page has heard of it; in odd rounds PostgreSQL restarts in between",
		programs: both,
		server:   true,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			page := s.follow(s.programs[1])
			defer page.close()
			if i%2 == 1 {
				s.must(s.server.Restart(s.ctx))
			}
			s.turns.Store(0) // the offer goes to the first
			s.offersTo(s.owners[0])
			sent := time.Now()
			page.hears(s.owners[0].order)
			return time.Since(sent)
		},
	},
}

// holder is the program with the gateway lock.
func (s *scene) holder() *program {
	for {
		for _, p := range s.programs {
			ready, err := p.metric(s.ctx, `tradepost_discord_gateway{state="ready"}`)
			if err == nil && ready == 1 {
				return p
			}
		}
		s.rest(10 * time.Millisecond) // there is no event; poll them
	}
}

// gatewayTaken takes the holder of the gateway out, waits until another has it, and repairs the holder.
// Offers come in meanwhile.
func (s *scene) gatewayTaken(out func(holder *program) (repair func())) time.Duration {
	gateway := s.discord.Gateway()
	before := gateway.Count()
	holder := s.holder()
	repair := out(holder)
	gone := time.Now()
	stop := s.load(5)
	// The other one resumes its session if it has held the gateway before.
	gateway.Wait(s, "another holder", func(c discordtest.Count) bool {
		return c.Identifies+c.Resumes > before.Identifies+before.Resumes && c.Ready > 0
	})
	took := time.Since(gone)
	repair()
	stop()
	return took
}
