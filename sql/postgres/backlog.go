package postgres

import (
	"context"
	"fmt"
	"time"
)

// Backlog is what of the notices has not ended.
type Backlog struct {
	Pending int           // notices
	Oldest  time.Duration // age of the oldest of them; quiet hours and an absent Discord make it grow
	// Jobs are the jobs that deliver them, by state: available, running, or scheduled for later.
	Jobs map[string]int
	// Overdue is for how long the oldest job that could run has been waiting. It grows when nobody works.
	Overdue time.Duration
}

// Backlog tells how far the delivery of notices is behind.
func (s *Store) Backlog(ctx context.Context) (Backlog, error) {
	b := Backlog{Jobs: map[string]int{"available": 0, "running": 0, "scheduled": 0}}
	var oldest float64
	err := s.pool.QueryRow(ctx, `select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)
		from notices where state = 'pending'`).Scan(&b.Pending, &oldest)
	if err != nil {
		return Backlog{}, fmt.Errorf("count pending notices: %w", err)
	}
	b.Oldest = seconds(oldest)
	rows, err := s.pool.Query(ctx, `select state::text, count(*), greatest(extract(epoch from now() - min(scheduled_at)), 0)
		from river_job where queue = $1 and state in ('available', 'running', 'scheduled', 'retryable') group by state`, noticeQueue)
	if err != nil {
		return Backlog{}, fmt.Errorf("count jobs of notices: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var (
			state   string
			count   int
			waiting float64
		)
		if err := rows.Scan(&state, &count, &waiting); err != nil {
			return Backlog{}, fmt.Errorf("count jobs of notices: %w", err)
		}
		b.Jobs[state] = count
		if state == "available" {
			b.Overdue = seconds(waiting)
		}
	}
	if err := rows.Err(); err != nil {
		return Backlog{}, fmt.Errorf("count jobs of notices: %w", err)
	}
	return b, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
