package bot

import (
	"testing"
	"testing/synctest"
	"time"

	"tradepost/bot/kernel"
)

func TestADeliveryLetsInteractionsGoFirstForAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &Bot{kernel: &kernel.Kernel{}}
		waits := func() time.Duration {
			began := time.Now()
			b.InteractionsFirst()
			return time.Since(began)
		}
		if wait := waits(); wait != 0 {
			t.Errorf("it waits %s for nobody", wait)
		}
		b.kernel.InFlight.Start(func() { time.Sleep(30 * time.Millisecond) })
		if wait := waits(); wait != 30*time.Millisecond {
			t.Errorf("it waits %s for an interaction of 30ms", wait)
		}
		b.kernel.InFlight.Start(func() { time.Sleep(time.Minute) })
		if wait := waits(); wait != deliveryYield {
			t.Errorf("it waits %s for one that takes long, want %s", wait, deliveryYield)
		}
		time.Sleep(time.Minute)
	})
}
