//go:build unix

package main

import (
	"time"

	"tradepost/bot/discordtest"
)

// fault is a misfortune and how it is played.
type fault struct {
	name string
	note string
	// programs are those that run: "web", "bot", or "" for both doors in one. None stands for one with both.
	programs []string
	server   bool          // it breaks PostgreSQL for everybody, so nothing else can be played beside it
	rare     int           // played in one round of so many; 0 for in each
	most     time.Duration // within which all is well again, as promised; 0 where nothing is
	takes    time.Duration // beyond the usual patience
	// round breaks something, mends it, and returns how long it took from there until all was well again.
	round func(s *scene, i int) (back time.Duration)
}

// Faults in the order in which they are played.
var faults = concat(processFaults, replicaFaults, databaseFaults, discordFaults, answerFaults, gatewayFaults)

func concat(lists ...[]fault) (all []fault) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

var (
	both  = []string{"", ""}
	apart = []string{"web", "bot"}
)

// Requests of the bot's that carry a notice.
const (
	newMessage  = "POST /channels/{channel_id}/messages"
	editMessage = "PATCH /channels/{channel_id}/messages/{message_id}"
)

// since waits until no notice is pending and says how long ago the time was.
func (s *scene) since(mended time.Time) time.Duration {
	s.settled()
	return time.Since(mended)
}

// strike lets a fault strike the next request that carries a notice, as often as there are owners: in even rounds of a
// new message, in odd ones of the edit that gathers another offer into it.
func (s *scene) strike(i int, times int, f *discordtest.Fault) *discordtest.Fault {
	if i%2 == 0 {
		s.laterThatDay()
		return s.discord.Fail(newMessage, times, f)
	}
	s.withinTheMinute()
	return s.discord.Fail(editMessage, times, f)
}

// laterThatDay lets so much time pass that the next offer makes a new message.
func (s *scene) laterThatDay() { s.turn("sent_at = sent_at - interval '5 minutes'") }

// withinTheMinute lets the last messages be so young that the next offer is gathered into them.
func (s *scene) withinTheMinute() { s.turn("sent_at = now()") }

func (s *scene) turn(clock string) {
	_, err := s.db.Exec(s.ctx, "update deliveries set "+clock+" where message_id <> ''")
	s.must(err)
}

// restart starts a program that has ended, and returns the time at which it was started.
func (s *scene) restart(p *program) time.Time {
	began := time.Now()
	s.must(p.start())
	s.must(p.ready(s.ctx))
	return began
}
