//go:build unix

package main

import (
	"fmt"
	"slices"
	"time"

	"tradepost/bot/discordtest"
)

// fault is a failure and how it is played.
type fault struct {
	name string
	note string
	// programs are those that run: "web", "bot", or "" for both adapters in one. An empty list
	// means one with both.
	programs []string
	server   bool // it breaks PostgreSQL's server, so it gets one of its own
	disk     bool // that server's data is on a small disk of its own
	proxy    bool // the programs reach PostgreSQL through a proxy
	// the programs have their quotas of one account; people in other scenes trade far more
	quotas bool
	counts bool          // it counts what Discord is asked, so handovers are not played beside it
	rare   int           // played in one round of so many; 0 for in each
	most   time.Duration // within which everything works again, as promised; 0 where nothing is
	takes  time.Duration // beyond the usual patience
	needs  func() error  // says why it cannot be played here; nil for nothing

	// round breaks something, repairs it, and returns how long it took from there until everything worked
	// again.
	round func(s *scene, i int) (back time.Duration)

	// lasting does so for a fault that lasts. It is played at every one of durations and of alsoLasts.
	lasting   func(s *scene, i int, lasts time.Duration) (back time.Duration)
	alsoLasts []time.Duration

	// Set when the faults are listed.
	family string
	lasts  time.Duration // 0 for a fault of a moment
}

// durations are how long each fault that lasts is played. The worst bug so far lived between two time limits.
var durations = []time.Duration{100 * time.Millisecond, time.Second, 6 * time.Second, 12 * time.Second,
	40 * time.Second}

// family is a group of faults of one part of the system.
type family struct {
	name   string
	faults []fault
}

// Families in the order in which they are played and shown.
var families = []family{
	{"the program", processFaults},
	{"two replicas", replicaFaults},
	{"the machine", machineFaults},
	{"the clock", clockFaults()},
	{"PostgreSQL", databaseFaults},
	{"the network to PostgreSQL", networkFaults},
	{"Discord's API", discordFaults},
	{"what Discord answers", answerFaults},
	{"Discord's gateway", gatewayFaults},
	{"answers and rows", historyFaults},
	{"handovers", handoverFaults},
	{"alerts", alertFaults},
	{"webhooks", webhookFaults},
	{"races", acceptFaults},
	{"crossing", crossingFaults},
	{"abuse", abuseFaults},
}

// everyFault returns all faults with their family. One that lasts is there once, without a duration.
func everyFault() (all []fault) {
	for _, family := range families {
		for _, f := range family.faults {
			f.family = family.name
			all = append(all, f)
		}
	}
	return all
}

// atEach returns the fault at each of its durations. A fault of a moment is returned as it is.
func (f fault) atEach() []fault {
	if f.lasting == nil {
		return []fault{f}
	}
	var all []fault
	for _, lasts := range slices.Concat(durations, f.alsoLasts) {
		all = append(all, f.at(lasts))
	}
	return all
}

// at returns a fault that lasts as one of a certain duration.
func (f fault) at(lasts time.Duration) fault {
	lasting := f.lasting
	f.lasts, f.round = lasts, func(s *scene, i int) time.Duration { return lasting(s, i, lasts) }
	return f
}

// title names a fault and its duration.
func title(name string, lasts time.Duration) string {
	if lasts == 0 {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, seconds(lasts))
}

// times says how often a fault is played: the longer it lasts, the less often, and at least once.
func (f fault) times(rounds int) int {
	return max(1, rounds/max(1, f.rare, int(2*f.lasts/time.Second)))
}

// limit is how long a round may take.
func (f fault) limit() time.Duration { return patience + f.takes + 2*f.lasts }

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
func (s *scene) since(repaired time.Time) time.Duration {
	s.settled()
	return time.Since(repaired)
}

// strike triggers a fault on the next request with a notice, as often as there are owners: in even
// rounds of a new message, in odd ones of the edit that gathers another offer into it.
func (s *scene) strike(i int, times int, f *discordtest.Fault) *discordtest.Fault {
	if i%2 == 0 {
		s.laterThatDay()
		return s.discord.Fail(newMessage, times, f)
	}
	s.withinTheMinute()
	return s.discord.Fail(editMessage, times, f)
}

// laterThatDay advances the time so far that the next offer makes a new message.
func (s *scene) laterThatDay() { s.turn("sent_at = sent_at - interval '5 minutes'") }

// withinTheMinute makes the last messages so recent that the next offer is gathered into them.
func (s *scene) withinTheMinute() { s.turn("sent_at = now()") }

func (s *scene) turn(clock string) {
	_, err := s.db.Exec(s.ctx, "update deliveries set "+clock+" where message_id <> ''")
	s.must(err)
}

// restart starts a program that has ended, as often as it takes, as a supervisor does. It returns the time
// at which it was started first.
func (s *scene) restart(p *program) time.Time {
	began := time.Now()
	for {
		s.must(p.start())
		err := p.ready(s.ctx)
		if err == nil {
			return began
		}
		if p.running() || s.ctx.Err() != nil {
			s.must(err)
		}
		s.rest(100 * time.Millisecond)
	}
}
