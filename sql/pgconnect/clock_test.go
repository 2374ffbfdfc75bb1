package pgconnect_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

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
	c := pgconnect.NewClock(pgconnect.Host{Wall: host.Now})
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
	c := pgconnect.NewClock(pgconnect.Host{Wall: host.Now})
	skewed(t, c, host, time.Hour, trip{10 * time.Millisecond, 4 * time.Millisecond})
	if got := c.Offset(); got != time.Hour+3*time.Millisecond {
		t.Errorf("offset %s, want half of the difference of both ways more than an hour", got)
	}
}

func TestClockKeepsAnOffsetThatTheReadingCannotTellApart(t *testing.T) {
	t.Parallel()
	host := storetest.NewClock()
	c := pgconnect.NewClock(pgconnect.Host{Wall: host.Now})
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
	c := pgconnect.NewClock(pgconnect.Host{Wall: host.Now})
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
		clock := pgconnect.NewClock(pgconnect.Host{Wall: host.Now})
		skewed(t, clock, host, tt.offset, trip{})
		var log strings.Builder
		clock.Report(slog.New(slog.NewTextHandler(&log, nil)))
		if !strings.Contains(log.String(), tt.want) || !strings.Contains(log.String(), "offset="+tt.offset.String()) {
			t.Errorf("logged %q, want %s and the offset %s", log.String(), tt.want, tt.offset)
		}
	}
}

// machine is a host whose clock is set, and that sleeps: then the time that has passed does not count on.
type machine struct {
	database, wall time.Time
	elapsed        time.Duration
	asked          int
}

func newMachine() *machine {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	return &machine{database: noon, wall: noon}
}

func (m *machine) pass(d time.Duration) {
	m.database, m.wall, m.elapsed = m.database.Add(d), m.wall.Add(d), m.elapsed+d
}

func (m *machine) sleep(d time.Duration) {
	m.database, m.wall = m.database.Add(d), m.wall.Add(d)
}

func (m *machine) host() pgconnect.Host {
	return pgconnect.Host{
		Wall: func() time.Time { return m.wall }, Elapsed: func() time.Duration { return m.elapsed },
	}
}

// QueryRow answers with the database's time.
func (m *machine) QueryRow(context.Context, string, ...any) pgx.Row {
	m.asked++
	return timeRow(m.database)
}

type timeRow time.Time

func (r timeRow) Scan(into ...any) error {
	*into[0].(*time.Time) = time.Time(r)
	return nil
}

func TestStepOfTheHostsClockMovesNothing(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{2 * time.Second, 6 * time.Minute, -6 * time.Minute, 31 * 24 * time.Hour, -90 * 24 * time.Hour} {
		m := newMachine()
		c := pgconnect.NewClock(m.host())
		storetest.Must(t, c.Measure(t.Context(), m))
		m.pass(10 * time.Second)
		m.wall = m.wall.Add(step)
		if got := c.Now(); !got.Equal(m.database) {
			t.Errorf("a host's clock that was set by %s moved the time by %s", step, got.Sub(m.database))
		}
		if c.Steady() == 0 {
			t.Errorf("%s: the clock counts as steady before it was measured", step)
		}
		storetest.Must(t, c.Refresh(t.Context(), m))
		if !c.Now().Equal(m.database) || c.Steps() != 0 || c.Steady() != 0 || c.Offset() != -step {
			t.Errorf("%s: %d steps, offset %s, steady in %s", step, c.Steps(), c.Offset(), c.Steady())
		}
	}
}

func TestStepOfTheDatabasesClockIsFollowedAndCounted(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{2 * time.Second, 6 * time.Minute, -6 * time.Minute, 31 * 24 * time.Hour, -90 * 24 * time.Hour} {
		m := newMachine()
		c := pgconnect.NewClock(m.host())
		storetest.Must(t, c.Measure(t.Context(), m))
		if c.Steady() != 0 {
			t.Error("the first measurement counts as a step")
		}
		m.pass(time.Minute)
		m.database = m.database.Add(step)
		storetest.Must(t, c.Measure(t.Context(), m))
		if !c.Now().Equal(m.database) || c.Steps() != 1 || c.Steady() != pgconnect.SteadyAfter {
			t.Errorf("%s: time %s, want %s; %d steps, steady in %s", step, c.Now(), m.database, c.Steps(), c.Steady())
		}
		m.pass(pgconnect.SteadyAfter)
		if c.Steady() != 0 {
			t.Errorf("%s: steady in %s more after a minute", step, c.Steady())
		}
	}
}

func TestClockIsMeasuredBeforeTheFirstWriteAfterAnIdleMinute(t *testing.T) {
	t.Parallel()
	m := newMachine()
	c := pgconnect.NewClock(m.host())
	storetest.Must(t, c.Measure(t.Context(), m))
	refresh := func() (measured bool) {
		before := m.asked
		storetest.Must(t, c.Refresh(t.Context(), m))
		return m.asked > before
	}
	m.pass(50 * time.Second)
	if refresh() {
		t.Error("measured again within a minute")
	}
	m.pass(50 * time.Second)
	if refresh() {
		t.Error("measured again although there was a write within the last minute")
	}
	m.pass(61 * time.Second)
	if !refresh() || refresh() {
		t.Error("want one measurement after an idle minute")
	}
	m.sleep(time.Hour) // of which the monotonic clock knows nothing
	if !refresh() || !c.Now().Equal(m.database) {
		t.Errorf("after an hour of sleep the time is %s, want %s", c.Now(), m.database)
	}
	if c.Steady() == 0 {
		t.Error("the hour counts as no step")
	}
}
