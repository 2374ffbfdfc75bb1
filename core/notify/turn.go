package notify

import "time"

// Before reports whether a notice comes before another one to the same reader: trades come before alerts, and
// the oldest first.
func (n Notice) Before(other Notice) bool {
	alert, otherAlert := n.Kind == NoticeRequestWatched, other.Kind == NoticeRequestWatched
	if alert != otherAlert {
		return otherAlert
	}
	return n.ID < other.ID
}

// First returns the notice that comes first in a reader's line; its ID is zero for an empty line.
func First(line []Notice) (first Notice) {
	for _, n := range line {
		if first.ID == 0 || n.Before(first) {
			first = n
		}
	}
	return first
}

// Thread says whether a notice is for the thread of its trade.
type Thread int

// Where a notice goes.
const (
	NoThread      Thread = iota // to direct messages
	ThreadAwaited               // to a thread that is being made
	ThreadMade
)

// Cause is what a notice waits for.
type Cause string

// The causes.
const (
	ForNothing    Cause = ""
	ForQuietHours Cause = "the end of its reader's quiet hours"
	ForHold       Cause = "the time until which it is held"
	ForMessage    Cause = "a message that is being sent to its reader"
	ForRetry      Cause = "the pause after an attempt of unknown outcome"
	ForThread     Cause = "the thread of its trade"
	ForClock      Cause = "a steady clock"
)

// Causes lists every cause.
var Causes = []Cause{ForNothing, ForQuietHours, ForHold, ForMessage, ForRetry, ForThread, ForClock}

// Turn is what comes of a notice that is next in line: it ends, waits, or is sent.
type Turn struct {
	State  State         // NoticePending, or how it ends without being sent
	Reason string        // why it ends
	Over   bool          // it ends at once; otherwise a message that may have arrived is looked for first
	Wait   time.Duration // until it is asked again; zero for now
	For    Cause
}

// Turn decides what comes of a notice that is next in line. steady is for how long nothing may be done that
// cannot be taken back, because the clock may be wrong.
func (b Mailbox) Turn(n Notice, thread Thread, steady time.Duration, now time.Time) (t Turn) {
	t.State, t.Reason = b.ReachedBy(thread).EndsUnsent(n, now)
	ends := t.State != NoticePending
	switch {
	case t.State == NoticeExpired && steady > 0:
		return Turn{State: NoticePending, Wait: steady, For: ForClock}
	case ends && !n.mayHaveArrived(now):
		t.Over = true
	case ends: // looking up a message does not ping the reader
		t.Wait, t.For = b.busy(now)
	default:
		t.Wait, t.For = b.waits(n, now)
		if thread == ThreadAwaited && t.Wait < BusyPoll {
			t.Wait, t.For = BusyPoll, ForThread
		}
	}
	return t
}

// ReachedBy returns the mailbox as a notice for a thread finds it: a thread reaches readers whose direct
// messages are closed.
func (b Mailbox) ReachedBy(thread Thread) Mailbox {
	if thread != NoThread {
		b.Closed = ""
	}
	return b
}

// lookupLifetime is for how long after NoticeLifetime a message is looked for that may have arrived.
const lookupLifetime = 4 * 24 * time.Hour

// mayHaveArrived reports whether a notice that is to end without being sent is worth looking for.
func (n Notice) mayHaveArrived(now time.Time) bool {
	return n.Kind != NoticeDMFailed && now.Sub(n.CreatedAt) <= n.Kind.Lifetime()+lookupLifetime
}
