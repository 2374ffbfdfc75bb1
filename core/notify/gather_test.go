package notify_test

import (
	"testing"
	"time"

	"tradepost/core/notify"
)

func TestOffersAreGatheredAfterTheThirdInAnHour(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	var earlier []notify.OfferTime
	for _, tt := range []struct{ minute, held int }{
		{0, 0}, {5, 0}, {10, 0}, // one by one
		{12, 70}, {30, 70}, {69, 70}, // together, an hour after the third
		{71, 130}, {129, 130}, // within an hour of that message
		{195, 0}, {200, 0}, {201, 0}, // a quiet hour has passed
		{202, 261},
	} {
		got := notify.GatherUntil(earlier, at(tt.minute))
		if want := at(tt.held); got.IsZero() != (tt.held == 0) || !got.IsZero() && !got.Equal(want) {
			t.Errorf("after %d minutes it is held until %v, want minute %d", tt.minute, got, tt.held)
		}
		earlier = append(earlier, notify.OfferTime{At: at(tt.minute), HoldUntil: got})
	}
}
