package channels

import (
	"errors"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// Deliverer delivers notices. What it needs of the store is DeliveryTx.
type Deliverer struct {
	run      core.Runner[DeliveryTx]
	now      func() time.Time
	features core.Features
	quotas   core.Quotas
	steady   func() time.Duration
	ended    func(notify.Notice)
	mark     func(Delivery) Delivery
}

// NewDeliverer returns a deliverer. steady returns for how long nothing irreversible may be done; ended is
// called for every notice that has ended and may be nil; mark marks the names in a message.
func NewDeliverer(
	env core.Env,
	run core.Runner[DeliveryTx],
	steady func() time.Duration,
	ended func(notify.Notice),
	mark func(Delivery) Delivery,
) *Deliverer {
	return &Deliverer{
		run:      run,
		now:      env.Now,
		features: env.Features,
		quotas:   env.Quotas,
		steady:   steady,
		ended:    ended,
		mark:     mark,
	}
}

// JobWaits is how long the job of a notice waits after an attempt that returned an error, at an age of the
// job. share, from 0 to 1, spreads jobs.
func JobWaits(err error, age time.Duration, share float64) time.Duration {
	var later *RetryLater
	if errors.As(err, &later) {
		return notify.SnoozeFor(later.After, share)
	}
	return notify.RetryIn(age, share)
}
