//go:build unix

package main

import (
	"time"

	"tradepost/bot/discordtest"
)

// gatewayBack is within which a dropped gateway is back.
const gatewayBack = 10 * time.Second

// reconnects plays something that costs the gateway connection, with an offer coming in, and says how soon
// it was back.
func reconnects(upset func(*discordtest.Gateway, int)) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.sometimesLater(i)
		gateway := s.discord.Gateway()
		before := gateway.Count()
		upset(gateway, i)
		began := time.Now()
		s.offers(1)
		s.gatewayBack(before)
		return time.Since(began)
	}
}

// gatewayBack waits until a session has begun or gone on since before.
func (s *scene) gatewayBack(before discordtest.Count) {
	s.discord.Gateway().Wait(s, "the connection to be back", func(c discordtest.Count) bool {
		return c.Identifies+c.Resumes > before.Identifies+before.Resumes && c.Ready == 1 && c.Open == 1
	})
}

// away plays a gateway that is not to be had for a while, under load. upset takes the connection away.
func away(
	upset func(*discordtest.Gateway), way discordtest.Welcome,
) func(*scene, int, time.Duration) time.Duration {
	return func(s *scene, i int, lasts time.Duration) time.Duration {
		s.sometimesLater(i)
		gateway := s.discord.Gateway()
		stopOffers := s.load(offersASecond(lasts))
		stopTrading, waitForTraders := s.trading(lasts)
		before := gateway.Count()
		lift := gateway.Every(way)
		upset(gateway)
		s.rest(lasts)
		stopTrading()
		back := time.Now()
		lift()
		stopOffers()
		s.gatewayBack(before)
		took := time.Since(back)
		waitForTraders()
		return took
	}
}

var gatewayFaults = []fault{
	{
		name: "the gateway drops the connection", most: gatewayBack,
		round: reconnects(func(g *discordtest.Gateway, _ int) { g.Drop() }),
	},
	{
		name: "the gateway asks to reconnect, or ends the session", most: gatewayBack,
		note: "op 7, op 9 of both kinds, close codes 4000, 4007 and 4009, and a resume that is refused",
		round: reconnects(func(g *discordtest.Gateway, i int) {
			ways := []func(){
				g.Reconnect, func() { g.Invalidate(true) }, func() { g.Invalidate(false) },
				func() { g.Close(4000) }, func() { g.Close(4007) }, func() { g.Close(4009) },
				func() { g.Next(discordtest.InvalidInstead); g.Drop() },
			}
			ways[i%len(ways)]()
		}),
	},
	{
		name: "the gateway refuses the first connections", most: gatewayBack,
		note: "after a drop, and when the program starts: it closes, or asks to reconnect, instead of being ready",
		rare: 2,
		round: func(s *scene, i int) time.Duration {
			gateway := s.discord.Gateway()
			before := gateway.Count()
			ways := []discordtest.Welcome{discordtest.CloseInstead(4000), discordtest.ReconnectInstead,
				discordtest.InvalidInstead}
			gateway.Next(ways[i%len(ways)])
			if i%2 == 0 {
				gateway.Drop()
			} else {
				s.programs[0].kill()
				s.restart(s.programs[0])
			}
			began := time.Now()
			s.offers(1)
			gateway.Wait(s, "the connection to be back", func(c discordtest.Count) bool {
				// When its session is invalid, the bot starts a new one on the same connection.
				return (c.Dials >= before.Dials+2 || c.Identifies > before.Identifies) && c.Ready == 1 &&
					c.Open == 1
			})
			return time.Since(began)
		},
	},
	{
		name: "the gateway falls silent (zombie)",
		note: "promised are two heartbeats, and the time that closing and a new connection take",
		most: 2*heartbeat + 3*time.Second, rare: 2,
		round: reconnects(func(g *discordtest.Gateway, _ int) { g.Silence() }),
	},
	{
		name: "the gateway refuses connections", rare: 2, takes: afterOutage,
		note:    "the pause between two attempts grows, since a day has a thousand sessions",
		lasting: away((*discordtest.Gateway).Drop, discordtest.CloseInstead(4000)),
	},
	{
		name: "the gateway is silent, also to new connections", rare: 2, takes: afterOutage,
		note:    "back is counted from when a new connection would be answered",
		lasting: away((*discordtest.Gateway).Silence, discordtest.NoHello),
	},
	{
		name: "the gateway sends events that are malformed or oversized", most: gatewayBack,
		note: "among those that are right; commands are still answered",
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			stopOffers := s.load(20)
			stopTrading, waitForTraders := s.trading(0)
			for _, frame := range discordtest.MalformedFrames() {
				s.discord.Gateway().Say(frame)
				s.rest(10 * time.Millisecond)
			}
			began := time.Now()
			stopTrading()
			stopOffers()
			waitForTraders()
			for s.write(write{adapter: overDiscord, op: opRenew, actor: s.owners[0].person,
				order: s.owners[0].order}).certainty != acknowledged {
				// the connection may have been closed; there is no event when it is back
				s.rest(10 * time.Millisecond)
			}
			return s.since(began)
		},
	},
}
