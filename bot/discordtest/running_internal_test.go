package discordtest

import (
	"testing"
	"time"
)

func TestTimeInWhichTheMachineStallsDoesNotCount(t *testing.T) {
	t.Parallel()
	for passed, want := range map[time.Duration]time.Duration{
		runningTick: runningTick, 2 * runningTick: 2 * runningTick, 5 * time.Second: 2 * runningTick, time.Millisecond: time.Millisecond, -time.Hour: 0,
	} {
		if got := runningTime(passed); got != want {
			t.Errorf("%s count as %s, want %s", passed, got, want)
		}
	}
}
