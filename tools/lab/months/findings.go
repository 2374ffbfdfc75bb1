package months

import (
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/sql/waits"
)

// excuse has lateness count from a while after now on.
func (w *world) excuse(wait time.Duration) {
	if at := time.Now().Add(wait); at.After(w.excused) {
		w.excused = at
	}
	w.lookAt(wait)
}

// mayBeLate reports whether nothing can be delivered to a reader now.
func (w *world) mayBeLate(reader core.UserID) bool {
	return time.Now().Before(w.excused) || len(w.processes) == 0 || w.down || w.failing == reader ||
		time.Now().Before(w.limited)
}

// lookAt has the check look again after a while at the latest.
func (w *world) lookAt(wait time.Duration) {
	if at := time.Now().Add(max(wait, time.Second)); at.Before(w.checkAt) {
		w.checkAt = at
	}
}

// check finds notices that are late (I13) and jobs that wait for longer than they ever have to (I15).
func (w *world) check() {
	now := w.now()
	w.checkAt = time.Now().Add(core.Day)
	for _, r := range w.readers {
		b := w.store.boxes[r.user]
		for _, n := range b.waiting {
			since, owed := b.OwedSince(n.Notice, now)
			switch {
			case w.mayBeLate(r.user):
				w.lookAt(max(time.Until(w.excused), time.Until(w.limited), 0) + core.LateAfter)
				continue
			case !owed:
				w.lookAt(max(b.Wait(n.Notice, now), b.LimitedUntil.Sub(now)) + core.LateAfter)
				continue
			}
			from := time.Now().Add(-now.Sub(since))
			for _, at := range []time.Time{w.excused, w.unknown[r.user]} {
				if at.After(from) {
					from = at
				}
			}
			late := time.Since(from)
			if late <= core.LateAfter {
				w.lookAt(core.LateAfter - late + time.Millisecond)
			} else if !w.late[n.ID] {
				w.late[n.ID] = true
				w.found("late: notice %d (%s) to %d could be sent for %s", n.ID, n.Kind, n.User, late)
			}
		}
	}
	if len(w.processes) == 0 || time.Now().Before(w.excused) || time.Since(w.jobsChecked) < time.Hour {
		return
	}
	w.jobsChecked = time.Now()
	for _, j := range w.store.jobs {
		n := w.store.notice(j.Notice)
		wait, longest := j.At.Sub(now), w.store.boxes[n.User].LongestWait(n.Notice, now)
		if j.State != Running && wait > longest+waits.Slack {
			w.found("ahead: the job of notice %d waits %s, and may %s", n.ID, wait, longest)
		}
	}
}

// begins looks at a message that is about to be sent for the first time: what passed an older notice (I14),
// pings in quiet hours, or goes beyond the quota of its reader.
func (w *world) begins(m *message) {
	b := w.store.boxes[m.reader]
	if m.kind == notify.NoticeTest {
		return
	}
	w.result.Messages++
	if m.kind == notify.NoticeDigest {
		w.result.Digests++
	}
	if until, quiet := b.Settings.Quiet(m.started); quiet {
		w.found("quiet: message %d (%s) to %d in quiet hours that end at %s, with %s", m.id, m.kind, m.reader, until,
			m.notices[0].Kind)
	}
	if most := w.quotas.DMReader; m.kind != notify.NoticeDigest && most.Limit > 0 {
		within := 0
		for _, other := range w.store.sent {
			if other.reader == m.reader && other.kind != notify.NoticeDigest && !other.started.After(m.started) &&
				m.started.Sub(other.started) < most.Per {
				within++
			}
		}
		if within > most.Limit {
			w.found("quota: message %d to %d is number %d within %s", m.id, m.reader, within, most.Per)
		}
	}
	var told []notify.Notice
	for _, n := range m.notices {
		told = append(told, n.Notice)
	}
	first := notify.First(told)
	for _, n := range b.waiting {
		ready := n.CreatedAt
		if n.HoldUntil.After(ready) {
			ready = n.HoldUntil
		}
		if n.message == nil && n.Kind != notify.NoticeTest && ready.Add(notify.DeliveryLease).Before(m.started) &&
			time.Since(w.made[n.ID]) > notify.DeliveryLease && olderThan(n.Notice, first) {
			w.found("order: notice %d (%s) to %d was passed by message %d of notice %d (%s)",
				n.ID, n.Kind, n.User, m.id, first.ID, first.Kind)
			return
		}
	}
}

// olderThan is the order of I14, written a second time: trades before alerts, and the oldest first.
func olderThan(n, first notify.Notice) bool {
	alert, firstAlert := n.Kind == notify.NoticeRequestWatched, first.Kind == notify.NoticeRequestWatched
	if alert == firstAlert {
		return n.ID < first.ID
	}
	return firstAlert
}

// said notes that a message has the words of a notice.
func (w *world) said(n notify.Notice, in *posted) {
	w.words[n.ID] = append(w.words[n.ID], in.number)
	if len(w.words[n.ID]) > 1 {
		w.found("double: notice %d (%s) to %d is in messages %v", n.ID, n.Kind, n.User, w.words[n.ID])
	}
}

// ends looks at how a notice ended.
func (w *world) ends(n notify.Notice) {
	w.result.Ended[n.State]++
	if n.State == notify.NoticeExpired && time.Since(w.made[n.ID]) > notify.NoticeLifetime-time.Hour {
		w.found("starved: notice %d (%s) to %d expired", n.ID, n.Kind, n.User)
	} else if n.State == notify.NoticeExpired && n.Kind != notify.NoticeOfferReceived &&
		n.Kind != notify.NoticeRequestWatched {
		w.found("expired: notice %d (%s) to %d after %s", n.ID, n.Kind, n.User, time.Since(w.made[n.ID]))
	}
}

// finish looks at what a month left behind, once everything that waits had the time to end.
func (w *world) finish() {
	for _, r := range w.readers {
		for _, n := range w.store.boxes[r.user].waiting {
			w.found("starved: notice %d (%s) to %d never ended", n.ID, n.Kind, n.User)
		}
	}
	for _, n := range w.store.notices {
		if n.State == notify.NoticeDelivered && n.Reason == "" && len(w.words[n.ID]) == 0 {
			w.found("lost: notice %d (%s) to %d counts as delivered and is in no message", n.ID, n.Kind, n.User)
		}
	}
	w.result.Notices, w.result.Requests = len(w.store.notices), w.requests
	slices.Sort(w.result.Findings)
}
