package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// When people play, and when two of them do at once.

const (
	sessionLasts = 90 * time.Minute
	regular      = 0.5              // so many sessions begin near the hour that a person usually plays at
	around       = time.Hour        // by so much they differ from it (standard deviation)
	meetingTakes = 10 * time.Minute // so long two have to play at once to hand something over
	keepsTime    = 0.8              // how likely a person comes at a time that two agreed on
	freeFrom     = 17               // in one's own time; two agree on a time from then until midnight
	agreesAhead  = time.Hour        // at least
)

// session is a time in which a person plays.
type session struct{ from, to time.Time }

// usualTime draws the time of their own day at which a person usually begins to play. It is the first that
// their sessions are drawn from.
func usualTime(random *rand.Rand) time.Duration { return hourOfDay(random) }

// sessionsOf draws when a person who lives in a zone plays, so often a day. Sessions that touch are one.
func sessionsOf(random *rand.Rand, begin time.Time, days int, aDay float64, zone int) []session {
	var all []session
	usual := usualTime(random)
	for day := range days {
		for range times(random, aDay) {
			at, near := hourOfDay(random), random.NormFloat64()
			if random.Float64() < regular {
				at = usual + time.Duration(near*float64(around))
			}
			from := begin.AddDate(0, 0, day).Add(at - time.Duration(zone)*time.Hour)
			all = append(all, session{from, from.Add(sessionLasts)})
		}
	}
	slices.SortFunc(all, func(a, b session) int { return a.from.Compare(b.from) })
	var merged []session
	for _, s := range all {
		if n := len(merged); n > 0 && !s.from.After(merged[n-1].to) {
			merged[n-1].to = s.to
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// meeting returns when two people have met who both play at once, after a time. It reports false when they
// never do.
func meeting(a, b []session, after time.Time) (time.Time, bool) {
	for len(a) > 0 && len(b) > 0 {
		from, to := latest(a[0].from, b[0].from), a[0].to
		if b[0].to.Before(to) {
			to = b[0].to
		}
		if met := latest(from, after).Add(meetingTakes); !met.After(to) {
			return met, true
		}
		if a[0].to.Before(b[0].to) {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return time.Time{}, false
}

// agreedTime returns the next half hour at which two people who live in these zones have time for the game.
func agreedTime(a, b int, after time.Time) time.Time {
	free := func(at time.Time, zone int) bool {
		return at.Add(time.Duration(zone)*time.Hour).Hour() >= freeFrom
	}
	const step = 30 * time.Minute
	at := after.Add(agreesAhead).Truncate(step).Add(step)
	for range 48 { // the half hours of a day
		if free(at, a) && free(at, b) {
			return at
		}
		at = at.Add(step)
	}
	return at // they have no such hour: a day later
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
