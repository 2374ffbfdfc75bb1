//go:build unix

package main

import (
	"time"

	"tradepost/bot/discordtest"
)

// gatewayBack is within which a dropped gateway is back.
const gatewayBack = 10 * time.Second

// reconnects plays something that costs the gateway connection, with an offer coming in, and says how soon it was back.
func reconnects(upset func(*discordtest.Gateway, int)) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.sometimesLater(i)
		gateway := s.discord.Gateway()
		before := gateway.Count()
		upset(gateway, i)
		began := time.Now()
		s.offers(1)
		gateway.Wait(s, "the connection to be back", func(c discordtest.Count) bool {
			return c.Identifies+c.Resumes > before.Identifies+before.Resumes && c.Ready == 1 && c.Open == 1
		})
		return time.Since(began)
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
			ways := []discordtest.Welcome{discordtest.CloseInstead(4000), discordtest.ReconnectInstead, discordtest.InvalidInstead}
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
				// Told that its session is gone, the bot begins one without dialling again.
				return (c.Dials >= before.Dials+2 || c.Identifies > before.Identifies) && c.Ready == 1 && c.Open == 1
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
}
