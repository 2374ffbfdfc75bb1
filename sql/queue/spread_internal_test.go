package queue

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// A night of quiet hours is followed by half a minute in which the messages are spread, and not by an hour.
func TestANoticeIsTriedSoonAfterItMay(t *testing.T) {
	t.Parallel()
	const night = 9 * time.Hour
	w := &noticeWorker{now: time.Now, log: slog.New(slog.DiscardHandler),
		deliver: func(context.Context, core.NoticeID) error { return &channels.RetryLater{After: night} }}
	job := &river.Job[deliverNotice]{JobRow: &rivertype.JobRow{CreatedAt: time.Now()}}
	longest := time.Duration(0)
	for range 1000 {
		err := w.Work(t.Context(), job)
		var snooze *river.JobSnoozeError
		if !errors.As(err, &snooze) || snooze.Duration < night || snooze.Duration > night+notify.MaxSpread {
			t.Fatalf("tried again after %v", err)
		}
		longest = max(longest, snooze.Duration-night)
	}
	if longest < notify.MaxSpread/2 {
		t.Errorf("all come within %s", longest)
	}
}
