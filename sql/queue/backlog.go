package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/internal/db"
)

// Backlog describes the notices and alerts that are left to deliver.
type Backlog struct {
	Pending int           // notices
	Oldest  time.Duration // age of the oldest of them; quiet hours and an unreachable Discord make it grow
	// Jobs are the jobs that deliver them, by state: available, running, or scheduled for later.
	Jobs map[string]int
	// Overdue is for how long the oldest job that could run has been waiting. It grows while no worker runs.
	Overdue time.Duration
	Alerts  AlertsDue
}

// AlertsDue describes the requests that are still to be compared with watches and stock.
type AlertsDue struct {
	Requests int           // that are due
	Oldest   time.Duration // for how long the first of them has been
	Failing  int           // requests that failed at the last attempt; each is tried again after a pause
}

// ReadBacklog returns how far the delivery of notices is behind.
func ReadBacklog(ctx context.Context, pool *pgxpool.Pool, now time.Time) (Backlog, error) {
	queries := db.New(pool)
	pending, err := queries.PendingNotices(ctx, now)
	if err != nil {
		return Backlog{}, fmt.Errorf("count pending notices: %w", err)
	}
	jobs, err := queries.JobsByState(ctx, now, Notices)
	if err != nil {
		return Backlog{}, fmt.Errorf("count the jobs of notices: %w", err)
	}
	b := Backlog{
		Pending: int(pending.Pending), Oldest: seconds(pending.Oldest),
		Jobs: map[string]int{"available": 0, "running": 0, "scheduled": 0},
	}
	for _, row := range jobs {
		b.Jobs[row.State] = int(row.Count)
		if row.State == "available" {
			b.Overdue = seconds(row.Overdue)
		}
	}
	b.Alerts, err = ReadAlertsDue(ctx, pool, now)
	return b, err
}

// ReadAlertsDue returns how far the alerts about requests are behind.
func ReadAlertsDue(ctx context.Context, pool *pgxpool.Pool, now time.Time) (AlertsDue, error) {
	due, err := db.New(pool).AlertsDue(ctx, now)
	if err != nil {
		return AlertsDue{}, fmt.Errorf("count the alerts that are due: %w", err)
	}
	return AlertsDue{Requests: int(due.Due), Oldest: seconds(due.Oldest), Failing: int(due.Failing)}, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
