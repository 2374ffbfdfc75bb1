package trade_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// A side that says too early that it did not happen is asked first: before the time that both know, and where there is none within an hour.
func TestUntilWhenItIsTooEarlyToSayThatItDidNotHappen(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }
	agreed := trade.Trade{AcceptedAt: began, AgreedBy: began.Add(trade.AgreedWithin), State: trust.HandoverAgreed,
		Buyer: trade.Party{User: 1}, Seller: trade.Party{User: 2}}
	for name, tt := range map[string]struct {
		change func(*trade.Trade)
		user   core.UserID
		now    time.Time
		until  time.Time
		named  bool
	}{
		"just accepted":        {func(*trade.Trade) {}, 1, at(59), at(60), false},
		"an hour later":        {func(*trade.Trade) {}, 1, at(60), time.Time{}, false},
		"by a chosen time":     {func(h *trade.Trade) { h.AgreedBy = at(300) }, 2, at(299), at(300), true},
		"after a chosen time":  {func(h *trade.Trade) { h.AgreedBy = at(300) }, 2, at(300), time.Time{}, false},
		"at a time of both":    {func(h *trade.Trade) { h.Meets = hours.Meeting{At: at(90), Buyer: true, Seller: true} }, 1, at(89), at(90), true},
		"after a time of both": {func(h *trade.Trade) { h.Meets = hours.Meeting{At: at(90), Buyer: true, Seller: true} }, 1, at(91), time.Time{}, false},
		"at a time of one":     {func(h *trade.Trade) { h.Meets = hours.Meeting{At: at(90), Buyer: true} }, 1, at(89), time.Time{}, false},
		"the other has said so too": {func(h *trade.Trade) {
			h.AgreedBy, h.Seller.Word, h.Seller.SaidAt = at(300), trade.SaidMet, at(10)
		}, 1, at(20), time.Time{}, false},
		"for one who is no side": {func(*trade.Trade) {}, 3, at(1), time.Time{}, false},
		"once it is over":        {func(h *trade.Trade) { h.State, h.SettledAt = trust.HandoverMet, at(1) }, 1, at(2), time.Time{}, false},
	} {
		h := agreed
		tt.change(&h)
		if until, named := h.EarlyUntil(tt.user, tt.now); !until.Equal(tt.until) || named != tt.named {
			t.Errorf("%s: until %s, of an agreed time: %v; want %s, %v", name, until, named, tt.until, tt.named)
		}
	}
}
