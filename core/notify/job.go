package notify

import (
	"cmp"
	"time"

	"tradepost/core"
)

// Job is the place of a notice in the queue. The job that comes first asks for its reader's turn, and
// whichever notice is first in the reader's line is sent.
type Job struct {
	Notice   core.NoticeID
	Priority Priority
	At       time.Time // it does not run before
}

// Priority orders jobs that could run; the lowest runs first.
type Priority int16

// The priorities.
const (
	Alone   Priority = 1 // the only pending notice of its reader
	Another Priority = 2 // its reader waits for another already
	Waiting Priority = 3 // it could have run for FreshFor
)

// FreshFor is how long a job may wait before new ones come first. So a notice waits only for notices as new
// as itself, however many others are left to deliver.
const FreshFor = time.Second

// NewJob returns the job of a new notice. others is set when its reader has pending notices already.
func NewJob(n Notice, others bool, now time.Time) Job {
	j := Job{Notice: n.ID, Priority: Alone, At: now}
	if others {
		j.Priority = Another
	}
	if n.HoldUntil.After(now) {
		j.At = n.HoldUntil
	}
	return j
}

// Due reports whether a job may run.
func (j Job) Due(now time.Time) bool { return !j.At.After(now) }

// Passed returns the job as new ones pass it, once it could have run for FreshFor.
func (j Job) Passed(now time.Time) Job {
	if j.At.Before(now.Add(-FreshFor)) {
		j.Priority = Waiting
	}
	return j
}

// Compare orders jobs that are due. Equal ones run in the order in which they were added.
func (j Job) Compare(other Job) int {
	return cmp.Or(cmp.Compare(j.Priority, other.Priority), j.At.Compare(other.At))
}

// RetryIn is how long a job waits after a failure. It grows with the age of the job, from a second to
// MaxRetryWait. share, from 0 to 1, spreads jobs: after an outage not all are due at once.
func RetryIn(age time.Duration, share float64) time.Duration {
	longest := min(max(age/2, time.Second), MaxRetryWait)
	return longest/2 + time.Duration(share*float64(longest/2))
}

// SnoozeFor is how long a job waits that has to wait for something. share spreads it as for RetryIn.
func SnoozeFor(wait time.Duration, share float64) time.Duration {
	return max(wait, 0) + time.Duration(share*float64(max(Spread(wait), time.Millisecond)))
}
