package pgconnect

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// MaxClockOffset is how far a host's clock may be off the database's before it is reported.
	MaxClockOffset = 30 * time.Second

	clockSamples     = 5
	clockMeasureTime = 5 * time.Second // for all samples
	clockEvery       = time.Minute
)

// Clock is the host's clock, corrected to the database's time, so that every replica reads the same time whatever its
// host's clock says. It is safe for concurrent use.
type Clock struct {
	host   func() time.Time
	offset atomic.Int64 // what is added to the host's time, in nanoseconds
}

// NewClock returns a clock that reads the host's time until it is measured. A nil host is time.Now.
func NewClock(host func() time.Time) *Clock {
	if host == nil {
		host = time.Now
	}
	return &Clock{host: host}
}

// Now returns the database's time, as far as it is known.
func (c *Clock) Now() time.Time { return c.host().Add(c.Offset()) }

// Offset returns how far the database's clock is ahead of the host's.
func (c *Clock) Offset() time.Duration { return time.Duration(c.offset.Load()) }

// Reliable reports whether the host's clock is within MaxClockOffset of the database's.
func (c *Clock) Reliable() bool { return c.Offset().Abs() <= MaxClockOffset }

// Measure reads the database's time several times and takes the offset from the reading with the shortest round trip. Half
// of that trip is how far the reading may be wrong; an offset within that of the present one changes nothing, so that the
// clock does not jitter.
func (c *Clock) Measure(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) error {
	ctx, cancel := context.WithTimeout(ctx, clockMeasureTime)
	defer cancel()
	return c.measure(func() (now time.Time, err error) {
		err = db.QueryRow(ctx, "select clock_timestamp()").Scan(&now)
		return now, err
	})
}

func (c *Clock) measure(databaseTime func() (time.Time, error)) error {
	var best, trip time.Duration
	for i := range clockSamples {
		asked := c.host()
		now, err := databaseTime()
		if err != nil {
			return fmt.Errorf("measure the clock: %w", err)
		}
		took := c.host().Sub(asked)
		if i == 0 || took < trip {
			trip = took
			best = now.Sub(asked.Round(0).Add(took / 2)) // by wall time on both sides
		}
	}
	if (best - c.Offset()).Abs() > trip/2 {
		c.offset.Store(int64(best))
	}
	return nil
}

// Follow keeps the clock at the database's time until ctx ends: it measures the offset every minute, and logs when the
// host's clock becomes unreliable and when it is reliable again. While the database does not answer, the last offset
// stays.
func (c *Clock) Follow(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) {
	tick := time.NewTicker(clockEvery)
	defer tick.Stop()
	reliable := c.Reliable() // what was found at start is reported by Report
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if err := c.Measure(ctx, pool); err != nil {
			if ctx.Err() == nil {
				log.Debug("clock: measuring failed, keeping the last offset", "error", err)
			}
			continue
		}
		if was := reliable; was != c.Reliable() {
			reliable = !was
			c.Report(log)
		}
	}
}

// Report logs how far the host's clock is off the database's: as a warning when it is too far.
func (c *Clock) Report(log *slog.Logger) {
	offset := c.Offset().Round(time.Millisecond)
	if c.Reliable() {
		log.Info("clock: follows the database", "offset", offset)
		return
	}
	log.Warn("clock: the host's clock differs from the database's, check NTP on both", "offset", offset, "most", MaxClockOffset)
}
