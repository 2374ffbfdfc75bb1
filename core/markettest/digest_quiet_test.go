package markettest

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

func TestATestInQuietHoursTakesNothingAlong(t *testing.T) {
	t.Parallel()
	o := newFixture(t, limitTo(core.Quotas{DMReader: core.Quota{Limit: 1, Per: 24 * time.Hour}}))
	order := o.post(o.ann)
	o.offer(o.bob, order)
	o.newMessages(o.ann)
	_, err := o.Notify.SetSettings(t.Context(), o.ann, notify.Settings{QuietFrom: 11 * 60, QuietTo: 13*60 + 15})
	must(t, err)
	o.offer(o.cat, order)
	must(t, o.Notify.SendTest(t.Context(), o.ann))
	sent := o.newMessages(o.ann)
	if len(sent) != 1 || len(sent[0].Notices) != 1 || sent[0].Kind != notify.NoticeTest {
		t.Fatalf("in quiet hours a test beyond the quota brings %+v", sent)
	}
	if waits := o.last(o.ann, notify.NoticeOfferReceived); waits.State != notify.NoticePending {
		t.Errorf("the offer is %s before the quiet hours end", waits.State)
	}
}
