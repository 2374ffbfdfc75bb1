package queue

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// whenSteady puts off periodic jobs while the clock may be wrong: they expire, remove and delete. A message
// is only sent; a notice that seems too old is left pending by the core.
type whenSteady struct{ clock Clock }

// work is River's worker middleware.
func (s whenSteady) work(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
	if wait := s.clock.Steady(); wait > 0 && job.Queue == periodicQueue {
		return river.JobSnooze(wait)
	}
	return do(ctx)
}

// neverSteps is the clock of options that name none.
type neverSteps struct{}

func (neverSteps) Steady() time.Duration { return 0 }
func (neverSteps) Steps() int64          { return 0 }
