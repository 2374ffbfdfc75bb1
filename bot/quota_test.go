package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/notify"
)

// openLimited opens a market whose users have quotas.
func openLimited(t *testing.T, quotas core.Quotas) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Quotas: quotas})
	w.bot = w.start()
	w.WaitForBot(t)
	return w
}

// postUrgent posts an urgent request and returns what the bot says.
func postUrgent(who *discordtest.Player, i int) string {
	return who.Slash("request post", discordtest.Str("item", fmt.Sprint("Iron Ore ", i)), discordtest.Int("quantity", 5),
		discordtest.Str("price", "5s"), discordtest.Str("importance", "urgent")).Button("Post").Press().Text()
}

func TestOneAccountPostsFortyUrgentRequestsInDiscord(t *testing.T) {
	t.Parallel()
	w := openLimited(t, core.Quotas{OpenRequests: 60, NewRequests: core.Quota{Limit: 20, Per: time.Hour}})
	maple := w.Player(t, "maple")
	for i := range 40 {
		got := postUrgent(maple, i)
		if want := "Your request is posted"; i < core.LimitFirstDay.Limit && !strings.Contains(got, want) {
			t.Fatalf("request %d is answered %q, want %q", i, got, want)
		}
		if want := "You can post again in 24 hours."; i >= core.LimitFirstDay.Limit && got != want {
			t.Fatalf("request %d is answered %q, want %q", i, got, want)
		}
	}
	if n := len(w.openOrders()); n != core.LimitFirstDay.Limit {
		t.Errorf("%d requests are open", n)
	}
}

func TestOfferingAndWithdrawingSixtyTimesInDiscordSendsFewMessages(t *testing.T) {
	t.Parallel()
	w := openLimited(t, core.Quotas{DMPair: core.Quota{Limit: 4, Per: time.Hour}, DMReader: core.Quota{Limit: 20, Per: time.Hour}})
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	order := w.post("maple", item("Iron Ore"))
	for i := range 60 {
		sent := rowan.Slash("offer send", rowan.Pick("offer send", "request", "Iron"), discordtest.Int("quantity", 5), discordtest.Str("message", "buy now"))
		sent.Button("Withdraw").Press()
		if o := w.order("maple", order.ID); o.Offers != 0 {
			t.Fatalf("offer %d was not withdrawn", i)
		}
	}
	w.waitSettled("maple")
	if n := len(maple.DMs()); n < 1 || n > 5 {
		t.Errorf("%d direct messages reached the buyer, want at most 4 and a digest", n)
	}
}

// waitSettled waits until every notice of a user has ended.
func (w *world) waitSettled(who string) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) { // the queue sends no signal for this
		page, err := w.market.Notify.Notices(w.t.Context(), w.actor(who), 0, 500)
		if err != nil {
			w.t.Fatal(err)
		}
		pending := 0
		for _, n := range page.Notices {
			if n.State == notify.NoticePending {
				pending++
			}
		}
		if pending == 0 {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%d notices are pending", pending)
		}
	}
}
