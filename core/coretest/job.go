package coretest

import (
	"cmp"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// Job is the place of a notice in the queue, whose order River keeps in PostgreSQL. The job that comes first
// asks for its reader's turn, and whichever notice is first in the reader's line is sent.
type Job struct {
	Notice   core.NoticeID
	Priority notify.Priority
	At       time.Time // it does not run before
}

// NewJob returns the job of a new notice. others is set when its reader has pending notices already.
func NewJob(n notify.Notice, others bool, now time.Time) Job {
	j := Job{Notice: n.ID, Priority: notify.Alone, At: now}
	if others {
		j.Priority = notify.Another
	}
	if n.HoldUntil.After(now) {
		j.At = n.HoldUntil
	}
	return j
}

// Due reports whether a job may run.
func (j Job) Due(now time.Time) bool { return !j.At.After(now) }

// Passed returns the job as new ones pass it, once it could have run for notify.FreshFor.
func (j Job) Passed(now time.Time) Job {
	if j.At.Before(now.Add(-notify.FreshFor)) {
		j.Priority = notify.Waiting
	}
	return j
}

// Compare orders jobs that are due. Equal ones run in the order in which they were added.
func (j Job) Compare(other Job) int {
	return cmp.Or(cmp.Compare(j.Priority, other.Priority), j.At.Compare(other.At))
}
