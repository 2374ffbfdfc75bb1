package replicas

import "time"

const (
	// MaxBehind is how far a replica may be behind the primary when it is read from: what the board promises.
	MaxBehind = 250 * time.Millisecond

	// awayAfter is the time without an answer after which the primary counts as away. Replicas are then read
	// however far they are behind: that distance cannot be known, and no other server can answer.
	awayAfter = time.Second

	// standstill is for how long a replica's places stay the same until it has replayed what it can.
	standstill = 500 * time.Millisecond
)

// sample is a place that the primary had reached some time after it was asked.
type sample struct {
	asked time.Time
	at    LSN
}

// samples are the latest, the oldest first.
type samples []sample

// maxSamples are enough for MaxBehind at the pace of sampleEvery, several times over.
const maxSamples = 32

// with returns the samples with one more. A place before the last one is in the log of another primary, to
// which earlier samples say nothing.
func (s samples) with(next sample) samples {
	if len(s) > 0 && next.at < s[len(s)-1].at {
		s = nil
	}
	s = append(s, next)
	if len(s) > maxSamples {
		s = append(samples(nil), s[len(s)-maxSamples:]...)
	}
	return s
}

// current returns the time until which a replica that has replayed up to a place has everything; the zero
// time when that is before all samples.
func (s samples) current(replayed LSN) time.Time {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].at <= replayed {
			return s[i].asked
		}
	}
	return time.Time{}
}

// verdict says whether a read may go to a replica.
type verdict int

const (
	leave  verdict = iota // not to this one, for now
	askNow                // when it has got further by now, which it is asked
	use
)

// view is the known state when a read looks for a replica.
type view struct {
	now time.Time
	// when the replica was asked that answered last; zero while it does not answer, or is no replica
	answered time.Time
	replayed LSN
	still    time.Time // since when it neither receives nor replays; zero where it does, or is held back
	samples  samples
	away     bool      // the primary does not answer
	left     time.Time // when that was noticed last
	need     LSN
	needed   time.Time // since when
	known    bool      // whether need is known
}

// verdict is the rule by which a replica is read from: it has answered lately, it has everything that the
// process knows of, and it has everything that the primary had MaxBehind ago.
func (v view) verdict() verdict {
	if v.answered.IsZero() || v.now.Sub(v.answered) > MaxBehind {
		return leave
	}
	if !v.away {
		if !v.known {
			return leave
		}
		if current := v.samples.current(v.replayed); current.IsZero() || v.now.Sub(current) > MaxBehind {
			return leave
		}
	}
	if v.replayed < v.need && !v.hasAllThereIs() {
		return askNow
	}
	return use
}

// hasAllThereIs reports whether the replica has whatever can have been seen, though the place to have lies
// beyond it: where a primary was asked for its place and died, its log ended with what it had not sent yet,
// which no server has now. What a primary shows, its synchronous standbys have received, and one that
// stands still has replayed; what it has received ends within a record mostly, so the places cannot be
// compared. A place that became known since the primary went away is another one's, and will be reached.
func (v view) hasAllThereIs() bool {
	return v.away && v.needed.Before(v.left) && v.answered.After(v.left) &&
		!v.still.IsZero() && v.answered.Sub(v.still) >= standstill
}
