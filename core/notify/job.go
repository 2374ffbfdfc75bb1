package notify

import "time"

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
