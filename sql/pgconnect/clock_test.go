package pgconnect_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
)

// trip is one reading of the database's time: how long the question and the answer took.
type trip struct{ there, back time.Duration }

// skewed measures a clock whose host is behind the database by an offset, over a connection that takes these trips.
func skewed(t *testing.T, clock *pgconnect.Clock, host *storetest.Clock, offset time.Duration, trips ...trip) {
	t.Helper()
	i := 0
	storetest.Must(t, clock.MeasureWith(func() (time.Time, error) {
		trip := trips[i%len(trips)]
		i++
		host.Forward(trip.there)
		now := host.Now().Add(offset)
		host.Forward(trip.back)
		return now, nil
	}))
}

func TestClockTakesTheReadingWithTheShortestRoundTrip(t *testing.T) {
	t.Parallel()
	host := storetest.NewClock()
	c := pgconnect.NewClock(host.Now)
	const ms = time.Millisecond
	skewed(t, c, host, 5*time.Minute, trip{400 * ms, 0}, trip{2 * ms, 2 * ms}, trip{0, 90 * ms}, trip{100 * ms, 3 * ms}, trip{5 * ms, 500 * ms})
	if c.Offset() != 5*time.Minute || !c.Now().Equal(host.Now().Add(5*time.Minute)) || c.Reliable() {
		t.Errorf("offset %s, reliable: %t", c.Offset(), c.Reliable())
	}
	skewed(t, c, host, -30*time.Second, trip{2 * ms, 2 * ms})
	if c.Offset() != -30*time.Second || !c.Reliable() {
		t.Errorf("offset %s, reliable: %t", c.Offset(), c.Reliable())
	}
}

func TestClockAssumesThatBothWaysTakeEquallyLong(t *testing.T) {
	t.Parallel()
	host := storetest.NewClock()
	c := pgconnect.NewClock(host.Now)
	skewed(t, c, host, time.Hour, trip{10 * time.Millisecond, 4 * time.Millisecond})
	if got := c.Offset(); got != time.Hour+3*time.Millisecond {
		t.Errorf("offset %s, want half of the difference of both ways more than an hour", got)
	}
}

func TestClockKeepsAnOffsetThatTheReadingCannotTellApart(t *testing.T) {
	t.Parallel()
	host := storetest.NewClock()
	c := pgconnect.NewClock(host.Now)
	skewed(t, c, host, time.Minute, trip{time.Millisecond, time.Millisecond})
	skewed(t, c, host, time.Minute, trip{300 * time.Millisecond, 100 * time.Millisecond})
	if c.Offset() != time.Minute {
		t.Errorf("a slow reading moved the clock to %s", c.Offset())
	}
	skewed(t, c, host, time.Minute+time.Second, trip{300 * time.Millisecond, 100 * time.Millisecond})
	if got := c.Offset(); got != time.Minute+1100*time.Millisecond {
		t.Errorf("offset %s after the database's clock moved by a second", got)
	}
}

func TestClockKeepsItsOffsetWhileTheDatabaseDoesNotAnswer(t *testing.T) {
	t.Parallel()
	host := storetest.NewClock()
	c := pgconnect.NewClock(host.Now)
	skewed(t, c, host, time.Minute, trip{})
	gone := errors.New("gone")
	if err := c.MeasureWith(func() (time.Time, error) { return time.Time{}, gone }); !errors.Is(err, gone) || c.Offset() != time.Minute {
		t.Errorf("offset %s, error %v", c.Offset(), err)
	}
}

func TestAClockThatIsFarOffIsReported(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		offset time.Duration
		want   string
	}{
		{31 * time.Second, "level=WARN"},
		{-31 * time.Second, "level=WARN"},
		{-29 * time.Second, "level=INFO"},
	} {
		host := storetest.NewClock()
		clock := pgconnect.NewClock(host.Now)
		skewed(t, clock, host, tt.offset, trip{})
		var log strings.Builder
		clock.Report(slog.New(slog.NewTextHandler(&log, nil)))
		if !strings.Contains(log.String(), tt.want) || !strings.Contains(log.String(), "offset="+tt.offset.String()) {
			t.Errorf("logged %q, want %s and the offset %s", log.String(), tt.want, tt.offset)
		}
	}
}
