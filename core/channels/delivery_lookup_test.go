package channels_test

import (
	"testing"

	"tradepost/core/channels"
	"tradepost/core/notify"
)

func TestANoticeThatItsReaderAnsweredIsNeedless(t *testing.T) {
	t.Parallel()
	late := notify.Notice{Kind: notify.NoticeOfferReceived, State: notify.NoticeExpired, Reason: "It could not be delivered in time"}
	answered, waiting, refused := late, late, late
	answered.Offer = &notify.OfferNow{Accepted: 30, Open: true}
	waiting.Offer = &notify.OfferNow{Open: true}
	refused.State, refused.Offer = notify.NoticeRefused, &notify.OfferNow{Accepted: 30}
	gone := late
	gone.Reason = "The offer was gone before its notice could be sent"
	for _, c := range []struct {
		notice notify.Notice
		want   bool
	}{{answered, true}, {gone, true}, {waiting, false}, {late, false}, {refused, false}} {
		if got := channels.Needless(c.notice); got != c.want {
			t.Errorf("%s for %q with %+v is needless: %t, want %t", c.notice.State, c.notice.Reason, c.notice.Offer, got, c.want)
		}
	}
}
