package queue_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"tradepost/sql/queue"
)

func TestAnExpiryStepThatTakesTooLongIsTriedWithFewerOrders(t *testing.T) {
	t.Parallel()
	var limits []int
	left := 30
	expire := func(ctx context.Context, limit int) (int, int, error) {
		limits = append(limits, limit)
		if limit > 25 {
			<-ctx.Done()
			return 0, 0, context.Cause(ctx)
		}
		done := min(limit, left)
		left -= done
		return done, 0, nil
	}
	log := &lines{came: make(chan string, 100)}
	work := queue.ExpireWork(expire, 50*time.Millisecond, time.Hour, slog.New(slog.NewTextHandler(log, nil)))
	if err := work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []int{100, 50, 25, 25}; !slices.Equal(limits, want) || left != 0 {
		t.Errorf("steps of %v left %d orders, want %v and none", limits, left, want)
	}
	for close(log.came); len(log.came) > 0; {
		if line := <-log.came; strings.Contains(line, "level=ERROR") {
			t.Errorf("logged %s", line)
		}
	}
}

func TestAnExpiryStepThatIsTooLongForOneOrderFails(t *testing.T) {
	t.Parallel()
	expire := func(ctx context.Context, _ int) (int, int, error) {
		<-ctx.Done()
		return 0, 0, ctx.Err()
	}
	err := queue.ExpireWork(expire, time.Millisecond, time.Hour, slog.New(slog.DiscardHandler))(t.Context())
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want one that the log shows", err)
	}
}

func TestExpiryYieldsToOtherJobsAndContinues(t *testing.T) {
	t.Parallel()
	left, turns := 100_000, 0
	expire := func(_ context.Context, limit int) (int, int, error) {
		done := min(limit, left)
		left -= done
		return done, 0, nil
	}
	work := queue.ExpireWork(expire, time.Minute, 0, slog.New(slog.DiscardHandler)) // each turn is one step
	for {
		err := work(t.Context())
		turns++
		if err == nil {
			break
		}
		if snooze := (*river.JobSnoozeError)(nil); !errors.As(err, &snooze) {
			t.Fatal(err)
		}
	}
	if left != 0 || turns != 1001 {
		t.Errorf("%d orders are left after %d turns, want none after 1,001", left, turns)
	}
}
