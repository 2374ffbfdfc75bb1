package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
)

type unsteady time.Duration

func (u unsteady) Steady() time.Duration { return time.Duration(u) }
func (unsteady) Steps() int64            { return 1 }

// Nothing expires and nothing is removed in the minute after a step; messages are sent.
func TestPeriodicJobsWaitUntilTheClockIsSteady(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		queue string
		wait  time.Duration
		runs  bool
	}{
		{periodicQueue, 40 * time.Second, false},
		{periodicQueue, 0, true},
		{Notices, 40 * time.Second, true},
	} {
		ran := false
		err := whenSteady{unsteady(tt.wait)}.work(t.Context(), &rivertype.JobRow{Queue: tt.queue}, func(context.Context) error {
			ran = true
			return nil
		})
		var snooze *rivertype.JobSnoozeError
		if ran != tt.runs || errors.As(err, &snooze) == tt.runs || snooze != nil && snooze.Duration != tt.wait {
			t.Errorf("%s, steady in %s: ran %t, %v", tt.queue, tt.wait, ran, err)
		}
	}
}
