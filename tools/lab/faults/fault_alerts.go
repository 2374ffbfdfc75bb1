//go:build unix

package main

import (
	"fmt"
	"time"

	"tradepost/bot/discordtest"
)

// What is played in rounds: 50 of the 100 of `make faults` post 1,000 requests against 1,000 watches.
const (
	alertWatchers   = 40
	fewWatchers     = 4 // where each fault is played once
	watchesOfOne    = 25
	watchersOfOne   = 4 // people who watch for the same word
	postsAtOnce     = 20
	alertFaultsRare = 2
)

// alertFaults kill something at each step between a post and the message to its watchers, another step in
// each round.
var alertFaults = []fault{
	{
		name: "the program killed -9 between a post and its alerts", rare: alertFaultsRare,
		takes: afterOutage,
		note:  "1,000 posts against 1,000 watches, at every step in turn",
		round: killedWhileAlerting((*scene).killProgram),
	},
	{
		name: "PostgreSQL killed -9 between a post and its alerts", rare: alertFaultsRare, takes: afterOutage,
		server: true,
		note:   "1,000 posts against 1,000 watches, at every step in turn",
		round:  killedWhileAlerting((*scene).killPostgreSQL),
	},
	{
		name: "Discord gone between a post and its alerts", rare: alertFaultsRare, takes: afterOutage,
		note:  "1,000 posts against 1,000 watches, at every step in turn; it takes no request, and the gateway is closed",
		round: killedWhileAlerting((*scene).killDiscord),
	},
}

var alertSteps = []step{
	{name: "before a post is committed", hold: gateAt(gatePost)},
	{name: "after the posts are acknowledged", after: true},
	{name: "before alerts are committed", hold: gateAt(gateAlert)},
	{name: "before a message is planned", hold: gateAt(gatePlan)},
	{name: "before Discord has the message",
		hold: func(s *scene) held { return s.strikeAlert(discordtest.Hanging()) }},
	{name: "before Discord's answer is there",
		hold: func(s *scene) held { return s.strikeAlert(discordtest.Holding()) }},
	{name: "before it is stored that the message was sent", hold: gateAt(gateSettle)},
}

// killedWhileAlerting posts requests that are watched, and kills something when the program has come to a
// step. It returns how long it took from its return until every alert had been sent.
func killedWhileAlerting(kill func(*scene) (revive func())) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.watch()
		step := stepOf(alertSteps, s, i)
		back := s.killedAt(step, kill, func() { s.postWatched(i) })
		s.until(patience, "every request has been compared with the watches, "+step.name, func() bool {
			var rounds int
			err := s.db.QueryRow(s.ctx, "select count(*) from alert_rounds where not resting").Scan(&rounds)
			return err == nil && rounds == 0
		})
		return s.since(back)
	}
}

// watch makes the watches, at first. Each word is watched by watchersOfOne people.
func (s *scene) watch() {
	if len(s.watchers) > 0 {
		return
	}
	s.setGates()
	people := alertWatchers
	if s.ground.rounds == 1 {
		people = fewWatchers
	}
	words := make([]string, people*watchesOfOne/watchersOfOne)
	for i := range words {
		words[i] = newName(visitors.Add(1))
	}
	s.watchers = map[string][]string{}
	for i := range people {
		p := s.person(s.discord.NewPlayer(s, fmt.Sprintf("watcher%d", visitors.Add(1))))
		for n := range watchesOfOne {
			word := words[(i*watchesOfOne+n)%len(words)]
			s.mustWrite(write{op: opWatch, actor: p, name: word}, nil)
			s.watchers[word] = append(s.watchers[word], p.Username())
		}
	}
	s.watched = words
}

// postWatched posts requests for words that are watched, which owes alerts to everybody who watches them.
func (s *scene) postWatched(round int) {
	for n := range postsAtOnce {
		word := s.watched[(round*postsAtOnce+n)%len(s.watched)]
		item := word + " " + newName(visitors.Add(1))
		s.mustWrite(write{op: opPost, actor: s.owners[n%len(s.owners)].person, name: item, quantity: 20,
			price: 100}, nil)
		for _, reader := range s.watchers[word] {
			s.oweAlert(item, reader)
		}
	}
}

// strikeAlert holds the next message, and all after it.
func (s *scene) strikeAlert(f *discordtest.Fault) held {
	s.discord.Fail(newMessage, discordtest.Always, f)
	return held{func() { f.WaitHits(s, 1) }, f.Lift}
}
