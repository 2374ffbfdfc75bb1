package match_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// usual are the quotas that decide about alerts, as they are without an operator's settings.
var usual = core.Quotas{NewRequests: core.LimitRequests.Quota, Reach: core.LimitReach.Quota}

// strangers sign up, and watch for everything of iron.
func (w *world) strangers(n int) (all []core.Actor) {
	for i := range n {
		stranger := w.SignUp(fmt.Sprintf("stranger%d", i))
		w.watches(stranger)
		all = append(all, stranger)
	}
	return all
}

// messaged returns to how many people alerts about a buyer's requests are sent as messages, and how many others have one in
// their inbox.
func (w *world) messaged(buyer core.Actor) (people, inbox int) {
	const those = "select count(distinct user_id) from notices where kind = 'request_watched' and caused_by = $1 and reason "
	return w.Value(those+"<> 'inbox'", buyer.UserID), w.Value(those+"= 'inbox'", buyer.UserID)
}

// A new account's first act was to have 120 strangers messaged with its text, by a list of 50 lines.
func TestANewAccountReachesTenPeopleADay(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Quotas: usual})
	w.strangers(40)
	var lines strings.Builder
	for i := range core.LimitFirstDay.Limit {
		fmt.Fprintf(&lines, "10 Iron Thing %d @ 5c\n", i)
	}
	_, err := w.Trade.PostList(t.Context(), w.Ann, trade.ListDraft{Name: "Iron", Text: lines.String(), BuyerContact: "ann", Category: "Miner", Importance: "medium"})
	must(t, err)
	w.alerts(w.Bob)
	if people, inbox := w.messaged(w.Ann); people != 0 || inbox != 0 {
		t.Errorf("before anybody could look at it, %d were messaged and %d told", people, inbox)
	}
	for range match.MaxWaves + 1 {
		w.Clock.Forward(match.FirstPostsWait)
		w.alerts(w.Bob)
	}
	if people, inbox := w.messaged(w.Ann); people != core.LimitReach.Limit || inbox != 30 {
		t.Errorf("%d people are messaged, and %d find something in their inbox", people, inbox)
	}
	w.CheckInvariants()

	w.Clock.Forward(core.LimitReach.Per + time.Minute)
	w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Anvil" })
	w.alerts(w.Bob)
	if today := w.Value("select count(*) from notices where item_name = 'Iron Anvil' and reason <> 'inbox'"); today != core.LimitReach.Limit {
		t.Errorf("on the next day %d are messaged", today)
	}
}

func TestALineOfAListMessagesNobodyASecondTime(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.watches(w.Bob)
	list, err := w.Trade.PostList(t.Context(), w.Ann, trade.ListDraft{Name: "Iron", Text: "10 Iron Ore @ 5c\n10 Iron Bar @ 5c", BuyerContact: "ann", Category: "Miner", Importance: "medium"})
	must(t, err)
	_, err = w.Match.AlertWatchers(t.Context(), 1)
	must(t, err)
	must(t, w.SQL("update notices set state = 'delivered', settled_at = now() where caused_by = $1", w.Ann.UserID))
	got := w.alerts(w.Bob)
	if people, inbox := w.messaged(w.Ann); len(got) != 2 || people != 1 || inbox != 1 {
		t.Errorf("%d alerts about a list of two lines: %d messaged, %d in the inbox", len(got), people, inbox)
	}

	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, list.Orders[0].ID))
	cay := w.SignUp("cay")
	w.watches(cay)
	_, err = w.Trade.PostList(t.Context(), w.Ann, trade.ListDraft{Name: "Iron", Text: "10 Iron Rod @ 5c\n10 Iron Nail @ 5c", BuyerContact: "ann", Category: "Miner", Importance: "medium"})
	must(t, err)
	if got := w.alerts(cay); len(got) != 2 || got[0].State != notify.NoticePending || got[1].State != notify.NoticePending {
		t.Errorf("what waits for the same message is %+v", got)
	}
}

func TestAReportByATraderHoldsAlertsAndARemovalEndsThem(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.watches(w.Bob)
	trader := w.SignUp("trader")
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), trader.UserID))
	order := w.Post(w.Ann)
	_, err := w.Moderation.ReportOrder(t.Context(), trader, order.ID, "An advert")
	must(t, err)
	if got := w.alerts(w.Bob); len(got) != 0 {
		t.Errorf("a reported request alerts: %+v", got)
	}
	w.Clock.Forward(match.ReportHold)
	if got := w.alerts(w.Bob); len(got) != 1 {
		t.Errorf("an hour later there are %d alerts", len(got))
	}

	dismissed := w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Nail" })
	report, err := w.Moderation.ReportOrder(t.Context(), trader, dismissed.ID, "An advert")
	must(t, err)
	w.alerts(w.Bob)
	must(t, w.Moderation.DismissReport(t.Context(), w.Moderator(), report))
	w.Clock.Forward(time.Minute)
	if got := w.alerts(w.Bob); len(got) != 2 {
		t.Errorf("once a moderator has dismissed the report there are %d alerts", len(got))
	}

	second := w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Bar" })
	_, err = w.Moderation.ReportOrder(t.Context(), trader, second.ID, "An advert")
	must(t, err)
	must(t, w.Moderation.RemoveOrder(t.Context(), w.Moderator(), second.ID, "An advert"))
	w.Clock.Forward(match.ReportHold)
	if got := w.alerts(w.Bob); len(got) != 2 {
		t.Errorf("a removed request alerts: %+v", got[0])
	}
}
