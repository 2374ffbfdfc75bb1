//go:build unix

package main

import (
	"net/http"
	"time"

	"tradepost/bot/discordtest"
)

// everything matches whatever is asked of Discord's interface.
const everything = "* /**"

// outage lets Discord fail in some way for a while, with offers coming in.
func outage(lasts time.Duration, way func() *discordtest.Fault) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.sometimesLater(i)
		out := s.discord.Fail(everything, discordtest.Always, way())
		s.offers(2)
		out.WaitHits(s, 1)
		s.rest(lasts)
		s.offers(2)
		back := time.Now()
		out.Lift()
		return s.since(back)
	}
}

var discordFaults = []fault{
	{
		name: "Discord answers 500, 502, 503 and 504 in turn for a second",
		round: func(s *scene, i int) time.Duration {
			statuses := []int{500, 502, 503, 504}
			return outage(time.Second, func() *discordtest.Fault { return discordtest.Outage(statuses[i%len(statuses)]) })(s, i)
		},
	},
	{
		name:  "Discord takes requests and does not answer, for two seconds",
		rare:  2,
		round: outage(2*time.Second, discordtest.Hanging),
	},
	{
		name: "Discord out for two minutes", rare: 100, takes: 4 * time.Minute,
		note:  "the pause between two attempts has grown to a minute by then",
		round: outage(2*time.Minute, func() *discordtest.Fault { return discordtest.Outage(503) }),
	},
	{
		name: "Discord's wall answers with pages of 502 instead of JSON",
		rare: 2,
		round: outage(time.Second, func() *discordtest.Fault {
			return discordtest.Answering(http.StatusBadGateway, "<html><body>cloudflare</body></html>")
		}),
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
		note: "one channel must wait a second; back is the time until the other reader has been told",
		most: time.Second,
		round: func(s *scene, i int) time.Duration {
			s.laterThatDay()
			s.offers(1) // both have a channel
			s.settled()
			s.laterThatDay()
			busy, free := s.owners[i%2], s.owners[1-i%2]
			limited := s.discord.Fail("POST /channels/"+s.channelOf(busy)+"/messages", 2, discordtest.RateLimiting(time.Second, "user"))
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
		name: "429 for everything (global), one second",
		note: "while it lasts nothing is asked",
		rare: 2,
		round: func(s *scene, i int) time.Duration {
			s.laterThatDay()
			s.discord.Fail(everything, 1, discordtest.RateLimiting(time.Second, "global"))
			began := time.Now()
			s.offers(2)
			took := s.since(began)
			if took < time.Second {
				s.Errorf("the message was sent after %s, though Discord asked for a second", took)
			}
			return took
		},
	},
	{
		name: "429 from the wall before Discord (a page of HTML)",
		note: "nothing is asked for a long time; back is counted from the restart that ends the pause",
		rare: 10,
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
