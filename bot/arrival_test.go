package bot_test

import (
	"errors"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// deliver has a notice delivered once, and lets the time pass for which it has to wait.
func (w *world) deliver(dmSender channels.DMSender, id core.NoticeID) {
	w.t.Helper()
	err := w.market.Channels.DeliverNotice(w.t.Context(), dmSender, id)
	var later *channels.RetryLater
	switch {
	case errors.As(err, &later):
		w.Advance(later.After)
	case err != nil:
		w.t.Fatal(err)
	}
}

func TestAMessageThatArrivedIsDeliveredThoughEveryAnswerWasLost(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world, trade.Offer){
		"until its time is over": func(w *world, _ trade.Offer) { w.Advance(notify.NoticeLifetime) },
		"until its offer was gone": func(w *world, offer trade.Offer) {
			if err := w.market.Trade.DeleteOffer(w.t.Context(), w.actor("rowan.ashdown"), offer.ID); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		for _, arrived := range []bool{true, false} {
			t.Run(name+map[bool]string{true: ", arrived", false: ", lost"}[arrived], func(t *testing.T) {
				t.Parallel()
				w := openWithoutBot(t)
				w.t = t
				dmSender := bot.New(w.market, bot.Options{
					Token: w.Token(), Transport: w.Transport(), Log: testLog(t), Now: w.Now, Store: w.store,
				}).DMSender()
				offer := w.offer("rowan.ashdown", w.post("maple"), 20)
				page, err := w.market.Notify.Notices(t.Context(), w.actor("maple"), 0, 10)
				if err != nil {
					t.Fatal(err)
				}
				notice := page.Notices[0].ID
				fault := discordtest.Losing()
				if !arrived {
					fault = discordtest.Outage(503)
				}
				w.Fail(postMessage, 1, fault)
				w.deliver(dmSender, notice)
				w.Fail("* /channels/**", discordtest.Always, discordtest.Outage(503))
				for range 5 {
					w.deliver(dmSender, notice)
				}
				end(w, offer)
				w.Advance(time.Minute)
				w.deliver(dmSender, notice) // it cannot be looked for either
				w.LiftFaults()
				w.Advance(time.Minute)
				w.deliver(dmSender, notice)

				want, messages := notify.NoticeDelivered, 1
				if !arrived {
					want, messages = notify.NoticeExpired, 0
				}
				if page, err = w.market.Notify.Notices(t.Context(), w.actor("maple"), 0, 10); err != nil {
					t.Fatal(err)
				}
				got := page.Notices[len(page.Notices)-1]
				if got.ID != notice || got.State != want {
					t.Errorf("the notice is %s (%s), want %s", got.State, got.Reason, want)
				}
				if n := len(w.Player(t, "maple").DMs()); n != messages {
					t.Errorf("%d messages, want %d", n, messages)
				}
			})
		}
	}
}
