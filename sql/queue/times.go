package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/internal/db"
	"tradepost/sql/waits"
)

const (
	// stepEvery is how often is asked whether the clock has stepped, which asks nothing of the database.
	stepEvery    = time.Second
	timesEvery   = time.Minute
	largeEvery   = time.Hour
	timesAtStart = 10 * time.Second // before the queue starts without
	// lateWrites is for how many ticks after a step all times are looked at each minute: what was being
	// written while the clock stepped is stored with a time of before.
	lateWrites = int(2 * timesEvery / stepEvery)
)

// times brings back stored times that are further ahead than they may be, so that nothing waits for as long
// as a clock was wrong by: at start, every minute, and after a step of the clock.
type times struct {
	pool    *pgxpool.Pool
	now     func() time.Time
	clock   Clock
	jobs    client
	brought func(column string, rows int)
	log     *slog.Logger
}

// run works until ctx ends. Start has done it once.
func (t *times) run(ctx context.Context) {
	tick := time.NewTicker(stepEvery)
	defer tick.Stop()
	ticks, steps, stepped := 0, t.clock.Steps(), -lateWrites
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		ticks++
		now := t.clock.Steps()
		if now != steps {
			stepped = ticks
			t.restartPeriodic()
		}
		extent, due := extentAt(ticks, stepped)
		if !due {
			continue
		}
		if err := t.bringBack(ctx, extent); err != nil {
			if ctx.Err() == nil {
				t.log.Warn("queue: times not brought back yet", "error", err)
			}
			continue
		}
		steps = now
	}
}

// extentAt returns which times are brought back at a tick, when the last step was seen at another or this
// one.
func extentAt(tick, stepped int) (extent waits.Extent, due bool) {
	switch {
	case tick == stepped:
		return waits.AfterStep, true
	case tick%int(timesEvery/stepEvery) != 0:
		return 0, false
	case tick%int(largeEvery/stepEvery) == 0, tick-stepped < lateWrites:
		return waits.All, true
	}
	return waits.EachMinute, true
}

func (t *times) bringBack(ctx context.Context, extent waits.Extent) error {
	found, err := waits.BringBack(ctx, t.pool, t.now, extent)
	for column, rows := range found {
		if t.brought != nil {
			t.brought(column, rows)
		}
		// The jobs that a step wakes were right, most of them.
		if column != "river_job.scheduled_at" || extent != waits.AfterStep {
			t.log.Warn("queue: brought back times that were too far ahead", "column", column, "rows", rows)
		}
	}
	if err != nil {
		return err
	}
	if found["river_job.scheduled_at"] > 0 {
		for _, queue := range queues {
			if err := db.New(t.pool).NotifyJobs(ctx, queue); err != nil {
				return fmt.Errorf("tell the workers: %w", err)
			}
		}
	}
	return nil
}

// restartPeriodic has River compute again when periodic jobs run: it keeps those times in memory, and waits
// for them.
func (t *times) restartPeriodic() {
	t.jobs.PeriodicJobs().Clear()
	t.jobs.PeriodicJobs().AddMany(periodicJobs())
}
