package discordtest

import "time"

// runningTick is how often countRunning looks at the clock.
const runningTick = 20 * time.Millisecond

// mostOfALook is the most that one look at the clock counts.
const mostOfALook = 2 * runningTick

// runningTime returns how much of the time between two looks at the clock a machine has run: a look that
// comes late, because the machine had no time for the test or was paused, counts as if it had come two
// ticks after the one before.
func runningTime(passed time.Duration) time.Duration {
	return min(max(passed, 0), mostOfALook)
}

// countRunning counts for how long the machine runs. It wakes those who wait for a deadline (see
// Pending.WaitLate).
func (d *Discord) countRunning() {
	tick := time.NewTicker(runningTick)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-tick.C:
		case <-d.ctx.Done():
			return
		}
		now := time.Now()
		d.mu.Lock()
		d.ran += runningTime(now.Sub(last))
		if d.waitsLate > 0 {
			d.announce()
		}
		d.mu.Unlock()
		last = now
	}
}
