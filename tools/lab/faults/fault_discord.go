//go:build unix

package main

import (
	"net/http"
	"time"

	"tradepost/bot/discordtest"
)

// everything matches whatever is asked of Discord's interface.
const everything = "* /**"

// afterOutage is how long deliveries may be pending after an outage: the pause between two attempts grows
// to a minute.
const afterOutage = 2 * time.Minute

// outage makes Discord fail in some way for a while, under load.
func outage(way func(i int) *discordtest.Fault) func(*scene, int, time.Duration) time.Duration {
	return func(s *scene, i int, lasts time.Duration) time.Duration {
		s.sometimesLater(i)
		stopOffers := s.load(offersASecond(lasts))
		stopTrading, waitForTraders := s.trading(lasts)
		out := s.discord.Fail(everything, discordtest.Always, way(i))
		s.rest(lasts)
		out.WaitHits(s, 1)
		stopTrading()
		back := time.Now()
		out.Lift()
		stopOffers()
		took := s.since(back)
		waitForTraders()
		return took
	}
}

// always is a failure that is the same in every round.
func always(way func() *discordtest.Fault) func(int) *discordtest.Fault {
	return func(int) *discordtest.Fault { return way() }
}

var discordFaults = []fault{
	{
		name:  "Discord answers 500, 502, 503 or 504",
		note:  "another one in each round",
		takes: afterOutage,
		lasting: outage(func(i int) *discordtest.Fault {
			statuses := []int{500, 502, 503, 504}
			return discordtest.Outage(statuses[i%len(statuses)])
		}),
	},
	{
		name: "Discord takes requests and does not answer", rare: 2, takes: afterOutage,
		lasting: outage(always(discordtest.Hanging)),
	},
	{
		name: "Discord out for two minutes", rare: 100, takes: afterOutage + 2*time.Minute,
		note: "the pause between two attempts has grown to a minute by then",
		round: func(s *scene, i int) time.Duration {
			return outage(always(func() *discordtest.Fault { return discordtest.Outage(503) }))(s, i,
				2*time.Minute)
		},
	},
	{
		name: "a proxy before Discord answers with pages of 502", rare: 2, takes: afterOutage,
		lasting: outage(always(func() *discordtest.Fault {
			return discordtest.Answering(http.StatusBadGateway, "<html><body>cloudflare</body></html>")
		})),
	},
	{
		name: "every answer of Discord is lost", rare: 2, takes: afterOutage,
		note:    "everything happens, and nothing is known of it",
		lasting: outage(always(discordtest.Losing)),
	},
	{
		name: "half of every answer of Discord arrives", rare: 2, takes: afterOutage,
		lasting: outage(always(discordtest.Cutting)),
	},
	{
		name: "Discord answers after two seconds", rare: 2, takes: afterOutage,
		lasting: outage(always(func() *discordtest.Fault { return discordtest.Delaying(2 * time.Second) })),
	},
	{
		name: "429 for everything (global)", rare: 2, takes: afterOutage, counts: true,
		note: "once, and it asks to wait for as long as it lasts; meanwhile nothing is asked",
		lasting: func(s *scene, i int, lasts time.Duration) time.Duration {
			s.laterThatDay()
			s.discord.Fail(everything, 1, discordtest.RateLimiting(lasts, "global"))
			began := time.Now()
			s.offers(2)
			took := s.since(began)
			if took < lasts {
				s.Errorf("the message was sent after %s, though Discord asked for %s", took, lasts)
			}
			return max(0, took-lasts)
		},
	},
	{
		name: "the answer to a message is lost, three times", rare: 2,
		round: func(s *scene, i int) time.Duration {
			lost := s.strike(i, 3*len(s.owners), discordtest.Losing())
			began := time.Now()
			s.offers(3)
			lost.WaitHits(s, 3*len(s.owners))
			return s.since(began)
		},
	},
	{
		name: "half of the answer to a message arrives, three times", rare: 2,
		round: func(s *scene, i int) time.Duration {
			half := s.strike(i, 3*len(s.owners), discordtest.Cutting())
			began := time.Now()
			s.offers(3)
			half.WaitHits(s, 3*len(s.owners))
			return s.since(began)
		},
	},
	{
		name: "429 for one reader; another's message is not held up",
		note: "one channel must wait a second; back is the time until the other reader is notified",
		most: time.Second,
		round: func(s *scene, i int) time.Duration {
			s.laterThatDay()
			s.offers(1) // both have a channel
			s.settled()
			s.laterThatDay()
			busy, free := s.owners[i%2], s.owners[1-i%2]
			limited := s.discord.Fail("POST /channels/"+s.channelOf(busy)+"/messages", 2,
				discordtest.RateLimiting(time.Second, "user"))
			s.offersTo(busy)
			limited.WaitHits(s, 1)
			began := time.Now()
			s.offersTo(free)
			s.toldAll(free)
			took := time.Since(began)
			limited.WaitHits(s, 2)
			return took
		},
	},
	{
		name: "429 from the wall before Discord (a page of HTML)",
		note: "nothing is asked for a long time; back is counted from the restart that ends the pause",
		rare: 10, counts: true,
		round: func(s *scene, i int) time.Duration {
			s.laterThatDay()
			wall := s.discord.Fail(everything, discordtest.Always, discordtest.Banning(time.Second))
			s.offers(2)
			wall.WaitHits(s, 1)
			s.rest(3 * time.Second)
			s.offers(2)
			s.rest(time.Second)
			if n := wall.Hits(); n > 2*len(s.owners) {
				s.Errorf("the wall was asked %d times", n)
			}
			s.programs[0].kill()
			wall.Lift()
			return s.since(s.restart(s.programs[0]))
		},
	},
}

// channelOf is the channel in which an owner is written to.
func (s *scene) channelOf(o *owner) (id string) {
	err := s.db.QueryRow(s.ctx, "select channel_id from mailboxes join users on id = user_id where username = $1", o.Username()).Scan(&id)
	s.must(err)
	if id == "" {
		s.Fatalf("%s has never been written to", o.Username())
	}
	return id
}

// toldAll waits until nothing is pending for an owner.
func (s *scene) toldAll(o *owner) {
	for {
		var pending int
		err := s.db.QueryRow(s.ctx, `select count(*) from notices join users on users.id = user_id
			where username = $1 and state = 'pending'`, o.Username()).Scan(&pending)
		s.must(err)
		if pending == 0 {
			return
		}
		s.rest(5 * time.Millisecond) // the database does not tell; this asks it again
	}
}
