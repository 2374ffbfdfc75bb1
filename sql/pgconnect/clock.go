package pgconnect

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// MaxClockOffset is how far a host's clock may be off the database's before it is reported.
	MaxClockOffset = 30 * time.Second

	// SteadyAfter is for how long after a step of the clock nothing irreversible is done.
	SteadyAfter = time.Minute

	clockSamples     = 5
	clockMeasureTime = 5 * time.Second // for all samples
	clockRefreshTime = time.Second     // for which a write waits at most
	clockEvery       = time.Minute
	// clockStep is the least change between two measurements that is a step. A host's clock that has moved
	// by as much against the time that has passed is a reason to measure at once.
	clockStep = time.Second
	// clockLook is how often the host's clock is compared with the time that has passed. That asks nothing
	// of the database.
	clockLook = time.Second
)

// Host is a machine's time. Its zero value is this machine's.
type Host struct {
	// Wall is the clock that NTP and operators set.
	Wall func() time.Time
	// Elapsed is the time that has passed since a moment, by a clock that is never set. It stops while the
	// machine sleeps.
	Elapsed func() time.Duration
}

// Clock is the database's time: measured, and counted on from there by the host's monotonic clock, so that
// every replica reads the same time whatever its host's clock says, and a host's clock that is set moves
// nothing. It is safe for concurrent use.
type Clock struct {
	host  Host
	known atomic.Pointer[reading]

	steps     atomic.Int64
	steppedAt atomic.Int64  // by Elapsed
	askedAt   atomic.Int64  // by Elapsed, when Refresh was last called
	look      chan struct{} // wakes Follow
	measuring sync.Mutex

	refreshing sync.Mutex
}

// reading is a measurement, and what the host's clocks said at its moment.
type reading struct {
	database time.Time
	wall     time.Time
	elapsed  time.Duration
	measured bool // it was compared with the database
}

// NewClock returns a clock that reads the host's time until it is measured.
func NewClock(host Host) *Clock {
	if host.Wall == nil {
		host.Wall = time.Now
	}
	if host.Elapsed == nil {
		first := host.Wall()
		host.Elapsed = func() time.Duration { return host.Wall().Sub(first) }
	}
	c := &Clock{host: host, look: make(chan struct{}, 1)}
	now := host.Wall()
	c.known.Store(&reading{database: now.Round(0), wall: now.Round(0), elapsed: host.Elapsed()})
	return c
}

// Now returns the database's time, as far as it is known.
func (c *Clock) Now() time.Time {
	k, elapsed := c.known.Load(), c.host.Elapsed()
	if c.hostStepped(k, elapsed) {
		select {
		case c.look <- struct{}{}:
		default: // Follow is awake
		}
	}
	return k.at(elapsed)
}

func (k *reading) at(elapsed time.Duration) time.Time { return k.database.Add(elapsed - k.elapsed) }

// hostStepped reports whether the host's clock was set, or the machine has slept, since the last measurement.
func (c *Clock) hostStepped(k *reading, elapsed time.Duration) bool {
	return (c.host.Wall().Round(0).Sub(k.wall) - (elapsed - k.elapsed)).Abs() > clockStep
}

// Offset returns how far the database's clock is ahead of the host's.
func (c *Clock) Offset() time.Duration {
	return c.known.Load().at(c.host.Elapsed()).Sub(c.host.Wall().Round(0))
}

// Reliable reports whether the host's clock is within MaxClockOffset of the database's.
func (c *Clock) Reliable() bool { return c.Offset().Abs() <= MaxClockOffset }

// Steps counts how often the time that Now returns has stepped.
func (c *Clock) Steps() int64 { return c.steps.Load() }

// Steady returns for how long nothing irreversible should be done yet: zero once the clock has been steady
// for SteadyAfter.
func (c *Clock) Steady() (wait time.Duration) {
	k, elapsed := c.known.Load(), c.host.Elapsed()
	if c.hostStepped(k, elapsed) {
		return SteadyAfter
	}
	if c.steps.Load() == 0 {
		return 0
	}
	return max(time.Duration(c.steppedAt.Load())+SteadyAfter-elapsed, 0)
}

// database is where a Clock reads the time.
type database interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Measure reads the database's time several times and goes by the reading with the shortest round trip.
// Half of that trip is how far the reading may be wrong; a difference within that changes nothing, so that
// the clock does not jitter.
func (c *Clock) Measure(ctx context.Context, db database) error {
	ctx, cancel := context.WithTimeout(ctx, clockMeasureTime)
	defer cancel()
	return c.measure(func() (now time.Time, err error) {
		err = db.QueryRow(ctx, "select clock_timestamp()").Scan(&now)
		return now, err
	})
}

func (c *Clock) measure(databaseTime func() (time.Time, error)) error {
	c.measuring.Lock()
	defer c.measuring.Unlock()
	var best reading
	var trip time.Duration
	for i := range clockSamples {
		asked, wall := c.host.Elapsed(), c.host.Wall().Round(0)
		now, err := databaseTime()
		if err != nil {
			return fmt.Errorf("measure the clock: %w", err)
		}
		took := c.host.Elapsed() - asked
		if i == 0 || took < trip {
			trip = took
			best = reading{database: now.Add(-took / 2), wall: wall, elapsed: asked, measured: true}
		}
	}
	was := c.known.Load()
	change := best.database.Sub(was.at(best.elapsed))
	if was.measured && change.Abs() <= trip/2 {
		best.database = was.at(best.elapsed)
	}
	if was.measured && change.Abs() > clockStep+trip/2 {
		c.steppedAt.Store(int64(c.host.Elapsed()))
		c.steps.Add(1)
	}
	c.known.Store(&best)
	return nil
}

// Refresh measures the clock when a caller that is about to write should not trust it: when the host's
// clock was set, and when it was not called for a minute, in which the machine may have slept. It returns
// an error when the database does not answer; Now goes on as before.
func (c *Clock) Refresh(ctx context.Context, db database) error {
	elapsed := c.host.Elapsed()
	idle := elapsed-time.Duration(c.askedAt.Swap(int64(elapsed))) > clockEvery
	known := c.known.Load()
	if !idle && !c.hostStepped(known, elapsed) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, clockRefreshTime)
	defer cancel()
	c.refreshing.Lock()
	defer c.refreshing.Unlock()
	if c.known.Load() != known {
		return nil // another caller has measured it
	}
	return c.Measure(ctx, db)
}

// Follow keeps the clock at the database's time until ctx ends: it measures every minute, and at once when
// the host's clock has moved by more than a second against the time that has passed. It logs steps, when
// the host's clock becomes unreliable, and when it is reliable again. While the database does not answer,
// the clock counts on.
func (c *Clock) Follow(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) {
	tick := time.NewTicker(clockLook)
	defer tick.Stop()
	reliable, steps := c.Reliable(), c.Steps() // what was found at start is reported by Report
	measured := c.host.Elapsed()
	for {
		select {
		case <-tick.C:
		case <-c.look:
		case <-ctx.Done():
			return
		}
		elapsed := c.host.Elapsed()
		if elapsed-measured < clockEvery && !c.hostStepped(c.known.Load(), elapsed) {
			continue
		}
		before := c.Now()
		if err := c.Measure(ctx, pool); err != nil {
			if ctx.Err() == nil {
				log.Debug("clock: measuring failed, counting on", "error", err)
			}
			pause(ctx, clockLook)
			continue
		}
		measured = elapsed
		if now := c.Steps(); now != steps {
			steps = now
			log.Warn("clock: the database's clock has stepped", "by",
				c.Now().Sub(before).Round(time.Millisecond))
		}
		if was := reliable; was != c.Reliable() {
			reliable = !was
			c.Report(log)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Report logs how far the host's clock is off the database's: as a warning when it is too far.
func (c *Clock) Report(log *slog.Logger) {
	offset := c.Offset().Round(time.Millisecond)
	if c.Reliable() {
		log.Info("clock: follows the database", "offset", offset)
		return
	}
	log.Warn("clock: the host's clock differs from the database's, check NTP on both", "offset", offset,
		"most", MaxClockOffset)
}
