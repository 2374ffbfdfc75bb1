package core_test

import (
	"testing"

	"tradepost/core"
)

func TestANoticeThatItsReaderAnsweredIsNeedless(t *testing.T) {
	t.Parallel()
	late := core.Notice{Kind: core.NoticeOfferReceived, State: core.NoticeExpired, Reason: "It could not be delivered in time"}
	answered, waiting, refused := late, late, late
	answered.Offer = &core.OfferNow{Accepted: 30, Open: true}
	waiting.Offer = &core.OfferNow{Open: true}
	refused.State, refused.Offer = core.NoticeRefused, &core.OfferNow{Accepted: 30}
	gone := late
	gone.Reason = "The offer was gone before its notice could be sent"
	for _, c := range []struct {
		notice core.Notice
		want   bool
	}{{answered, true}, {gone, true}, {waiting, false}, {late, false}, {refused, false}} {
		if got := core.Needless(c.notice); got != c.want {
			t.Errorf("%s for %q with %+v is needless: %t, want %t", c.notice.State, c.notice.Reason, c.notice.Offer, got, c.want)
		}
	}
}
