//go:build unix

package main

import (
	"time"

	"tradepost/bot/discordtest"
)

// asked plays a program that is killed while both sides of an agreement are asked whether they met. What
// Discord does with the messages is in way.
func asked(way func() *discordtest.Fault) func(*scene, int) time.Duration {
	return func(s *scene, _ int) time.Duration {
		s.agree()
		s.settled()
		fault := s.discord.Fail(newMessage, 2, way())
		s.timesCome()
		fault.WaitHits(s, 2)
		s.programs[0].kill()
		fault.Lift()
		return s.since(s.restart(s.programs[0]))
	}
}

// handoverFaults are failures between the steps of a handover. Beside every other fault handovers go on, too.
var handoverFaults = []fault{
	{
		name: "killed -9 between a prompt and its message", counts: true,
		note:  "both sides were to be asked whether they met, and Discord has not been reached yet",
		round: asked(discordtest.Hanging),
	},
	{
		name: "killed -9 after a prompt and before it was noted", counts: true,
		note:  "Discord has both messages, and its answers are not there yet",
		round: asked(discordtest.Holding),
	},
	{
		name: "killed -9 with the answers of both sides on their way", counts: true,
		note: "the messages that asked them are drawn again",
		round: func(s *scene, _ int) time.Duration {
			a := s.agree()
			s.settled()
			s.timesCome()
			s.handoversProcessed()
			s.settled()
			held := s.discord.Fail(editMessage, 1, discordtest.Holding())
			said := s.meanwhile(func() {
				s.mustWrite(write{op: opSay, actor: s.hazel, sales: a.sales, word: "met"}, nil)
				s.mustWrite(write{op: opSay, actor: a.seller, sales: a.sales, word: "not_met"}, nil)
			})
			held.WaitHits(s, 1)
			s.programs[0].kill()
			held.Lift()
			back := s.restart(s.programs[0])
			said()
			return s.since(back)
		},
	},
}
