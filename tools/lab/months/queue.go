package months

import (
	"slices"
	"time"

	"tradepost/core/notify"
	"tradepost/sql/waits"
)

const (
	// snoozeScheduled is the shortest wait for which River counts a job as scheduled.
	snoozeScheduled = 5 * time.Second
	// lookAhead is how long before its time River makes a scheduled job available, by the program's clock.
	lookAhead = 5 * time.Second
)

// Take gives the job that comes first to a process, by the server's clock as River does; nil when none is
// due.
func (m *Memory) Take(process string, server time.Time) *Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	var first *Job
	for _, j := range m.jobs {
		if j.State == Running || !j.Due(server) || j.State == Scheduled && !j.Due(m.now().Add(lookAhead)) {
			continue
		}
		j.Job = j.Passed(m.now())
		if first == nil || j.Compare(first.Job) < 0 {
			first = j
		}
	}
	if first != nil {
		first.State, first.by = Running, process
	}
	return first
}

// NextJob returns when the next job is due, given how far the server's clock is ahead and how far programs
// believe it is; false when none waits.
func (m *Memory) NextJob(ahead, known time.Duration) (at time.Time, any bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.jobs {
		due := j.At.Add(-ahead)
		if known := j.At.Add(-known - lookAhead); j.State == Scheduled && known.After(due) {
			due = known
		}
		if j.State != Running && (!any || due.Before(at)) {
			at, any = due, true
		}
	}
	return at, any
}

// End removes a job that is done.
func (m *Memory) End(done *Job) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.jobs = slices.DeleteFunc(m.jobs, func(j *Job) bool { return j == done })
}

// Snooze has a job run again after a while.
func (m *Memory) Snooze(j *Job, wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	j.State, j.At, j.by = Available, m.now().Add(wait), ""
	if wait >= snoozeScheduled {
		j.State = Scheduled
	}
}

// Rescue makes the jobs of a process that died available again, and releases its mailboxes.
func (m *Memory) Rescue(process string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.jobs {
		if j.State == Running && j.by == process {
			j.State, j.At, j.by = Available, m.now(), ""
		}
	}
	for _, b := range m.boxes {
		if b.by == process {
			b.BusyUntil, b.by = time.Time{}, ""
		}
	}
}

// Wake makes the jobs that wait for a time available now, as a process does that starts.
func (m *Memory) Wake() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.jobs {
		if j.State == Scheduled {
			j.State, j.At, j.Priority = Available, m.now(), notify.Waiting
		}
	}
}

// BringBack brings back times that lie further ahead than they may, as waits.Times says. Jobs are compared
// with the server's clock.
func (m *Memory) BringBack(extent waits.Extent, server time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range waits.Times {
		limit, to, within := t.Limits(extent)
		if !within {
			continue
		}
		for _, at := range m.times(t) {
			now := m.now()
			if t.Table == "river_job" {
				now = server
			}
			if at.Sub(now) > limit {
				*at = now.Add(to)
			}
		}
	}
	for _, j := range m.jobs {
		if j.State == Scheduled && j.Due(server) {
			j.State = Available
		}
	}
}

// times are the times that are kept of a column.
func (m *Memory) times(t waits.Time) (found []*time.Time) {
	switch t.Table {
	case "mailboxes":
		for _, b := range m.boxes {
			at := map[string]*time.Time{"busy_until": &b.BusyUntil, "not_before": &b.NotBefore,
				"limited_until": &b.LimitedUntil}[t.Column]
			if at != nil {
				found = append(found, at)
			}
		}
	case "notices":
		switch t.Column {
		case "hold_until":
			for _, b := range m.boxes {
				for _, n := range b.waiting {
					found = append(found, &n.HoldUntil)
				}
			}
		case "created_at":
			for _, n := range m.notices {
				found = append(found, &n.CreatedAt)
			}
		}
	case "deliveries":
		for _, d := range m.sent {
			at := map[string]*time.Time{"started_at": &d.started, "sent_at": &d.sent}[t.Column]
			if at != nil {
				found = append(found, at)
			}
		}
	case "river_job":
		for _, j := range m.jobs {
			if t.Column == "scheduled_at" && (t.Where == availableJobs && j.State == Available ||
				t.Where == noticeJobs && j.State == Scheduled) {
				found = append(found, &j.At)
			}
		}
	}
	return found
}

// The rows that hold something, as waits.Times names them.
const (
	availableJobs = "state = 'available'"
	noticeJobs    = "state in ('scheduled', 'retryable') and kind = 'deliver_notice'"
)
