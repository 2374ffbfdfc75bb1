package match_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/moderation"
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
	return w.Value(those+"not in ('inbox', 'reach')", buyer.UserID), w.Value(those+"in ('inbox', 'reach')", buyer.UserID)
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
	if today := w.Value("select count(*) from notices where item_name = 'Iron Anvil' and reason not in ('inbox', 'reach')"); today != core.LimitReach.Limit {
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

// Each account of its own would reach ten people a day.
func TestAccountsWithoutTrustTogetherMessageNoMorePeopleThanTheyShare(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Quotas: core.Quotas{Reach: core.LimitReach.Quota}})
	w.strangers(40)
	var puppets []core.Actor
	for i := range 12 {
		puppet := w.SignUp(fmt.Sprintf("puppet%d", i))
		puppets = append(puppets, puppet)
		w.Post(puppet, func(d *trade.OrderDraft) { d.ItemName = fmt.Sprintf("Iron Thing %d", i) })
	}
	const sent = "select count(*) from notices where kind = 'request_watched' and reason not in ('inbox', 'reach')"
	var hours []int // how many were messaged by then
	for range 3 {
		for range 12 { // an hour
			var replicas sync.WaitGroup
			for range 4 {
				replicas.Go(func() {
					if _, err := w.Match.AlertWatchers(t.Context(), 100); err != nil {
						t.Error(err)
					}
				})
			}
			replicas.Wait()
			w.Clock.Forward(match.DrawPause)
		}
		hours = append(hours, w.Value(sent))
	}
	if all := w.Value(sent); all > core.LimitSharedReach.Limit || all < core.LimitSharedReach.Limit/2 {
		t.Errorf("%d people were messaged by the end of each hour, at most %d may be", hours, core.LimitSharedReach.Limit)
	}
	if w.Value("select count(*) from notices where kind = 'request_watched' and reason = 'reach'") == 0 {
		t.Error("nobody has the others in their inbox")
	}
	if n := w.Value("select count(*) from alert_rounds"); n != 0 {
		t.Errorf("%d requests still wait", n)
	}

	trader := w.SignUp("trader")
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), trader.UserID))
	w.Post(trader, func(d *trade.OrderDraft) { d.ItemName = "Iron Anvil" })
	for range match.MaxWaves + 1 {
		w.alerts(w.Bob)
		w.Clock.Forward(match.WavePause)
	}
	if people, _ := w.messaged(trader); people != 40 {
		t.Errorf("a trader's alerts message %d people, want all 40", people)
	}

	w.Clock.Forward(core.LimitSharedReach.Per)
	before := w.Value(sent)
	w.Post(puppets[0], func(d *trade.OrderDraft) { d.ItemName = "Iron Anvil" })
	w.alerts(w.Bob)
	if today := w.Value(sent) - before; today != core.LimitReach.Limit {
		t.Errorf("on the next day %d are messaged", today)
	}
	w.CheckInvariants()
}

func TestAnEditThatAlertsCountsAsAPost(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Quotas: core.Quotas{NewRequests: core.Quota{Limit: 3, Per: time.Hour}}})
	w.Clock.Forward(core.Day) // the account is no newcomer
	for _, name := range []string{"copper", "tin", "gold"} {
		w.watches(w.Bob, func(d *match.SearchDraft) { d.Text = name })
	}
	order := w.Post(w.Ann)
	rename := func(name string) {
		t.Helper()
		edited, err := w.Trade.EditOrder(t.Context(), w.Ann, order.ID, trade.OrderEdit{Version: order.Version, ItemName: &name})
		must(t, err)
		order = edited
	}
	alerted := func() int { t.Helper(); return len(w.alerts(w.Bob)) }
	rename("Copper Bar")
	if n := alerted(); n != 1 {
		t.Errorf("after the first edit there are %d alerts, want 1", n)
	}
	contact := "another contact"
	edited, err := w.Trade.EditOrder(t.Context(), w.Ann, order.ID, trade.OrderEdit{Version: order.Version, BuyerContact: &contact})
	must(t, err)
	order = edited
	second := w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Wood" })
	alerted()
	name := "Tin Bar" // with two posts and an edit before, this one is saved and alerts nobody
	if second, err = w.Trade.EditOrder(t.Context(), w.Ann, second.ID, trade.OrderEdit{Version: second.Version, ItemName: &name}); err != nil || second.ItemName != name {
		t.Fatalf("an edit beyond the quota of posts: %+v, %v", second, err)
	}
	if n := alerted(); n != 1 {
		t.Errorf("an edit beyond the quota of posts alerts: %d alerts, want 1", n)
	}
	_, err = w.Trade.PostOrder(t.Context(), w.Ann, trade.OrderDraft{ItemName: "Rope", Quantity: 1, MaxPrice: 1, BuyerContact: "ann"})
	wantKind(t, err, core.TooMany)

	w.Clock.Forward(time.Hour)
	gold := "Gold Bar"
	_, err = w.Trade.EditOrder(t.Context(), w.Ann, second.ID, trade.OrderEdit{Version: second.Version, ItemName: &gold})
	must(t, err)
	if n := alerted(); n != 2 {
		t.Errorf("an hour later there are %d alerts, want 2", n)
	}
	w.CheckInvariants()
}

func TestOneRoundAtATimeTakesSharedPlaces(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	order := w.Post(w.Ann)
	var readers []core.UserID
	for _, reader := range w.strangers(7) {
		readers = append(readers, reader.UserID)
	}
	now := w.Clock.Now()
	locked, taken := make(chan struct{}), make(chan int, 1)
	go func() {
		<-locked
		taken <- w.placesTaken(now)
	}()
	must(t, w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		if _, err := tx.LockSharedReach(t.Context(), now, now.Add(-core.Day)); err != nil {
			return err
		}
		close(locked)
		w.Eventually("select " + waits)
		return tx.TakeSharedReach(t.Context(), order.ID, readers, now, now.Add(-core.Day))
	}))
	if n := <-taken; n != 7 {
		t.Errorf("the second sees %d places taken, want 7", n)
	}
	must(t, w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		return tx.TakeSharedReach(t.Context(), order.ID, readers[:1], now.Add(core.Day), now)
	}))
	if n := w.Value("select count(*) from shared_reach"); n != 1 {
		t.Errorf("%d rows are kept of those older than a day and of now", n)
	}
}

// A message that its reader answers with an offer did not disturb them.
func TestAnOfferGivesAPlaceBack(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Quotas: core.Quotas{Reach: core.LimitReach.Quota}})
	watching := w.strangers(3)
	order := w.Post(w.Ann)
	w.alerts(watching[0])
	taken := func() int { t.Helper(); return w.placesTaken(w.Clock.Now()) }
	if n := taken(); n != 3 {
		t.Fatalf("%d places are taken by messages to three people", n)
	}
	for _, seller := range []core.Actor{watching[0], w.SignUp("passer-by")} {
		_, err := w.Trade.SendOffer(t.Context(), seller, order.ID, trade.OfferDraft{SellerName: "S", SellerContact: "s", Message: "I have it", Quantity: 1})
		must(t, err)
	}
	if n := taken(); n != 2 {
		t.Errorf("once one of the three has offered, and one who was not messaged, %d places are taken", n)
	}
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, order.ID))
	if n := taken(); n != 3 {
		t.Errorf("deleting the request leaves %d places taken, want all of them", n)
	}
	w.CheckInvariants()
}

// placesTaken returns how many of the places that accounts share are taken.
func (w *world) placesTaken(now time.Time) (n int) {
	err := w.Store.Atomically(w.T.Context(), func(tx market.Tx) error {
		shared, err := tx.LockSharedReach(w.T.Context(), now, now.Add(-core.Day))
		n = shared.Taken
		return err
	})
	if err != nil {
		w.T.Error(err)
	}
	return n
}

// One budget for alerts, offers and warnings about names: each person who is messaged counts once.
func TestOffersAndNamesCountWithAlertsAsReach(t *testing.T) {
	t.Parallel()
	quotas := usual
	quotas.Reach.Limit = 3
	w := withItems(t, market.Options{Quotas: quotas})
	w.Clock.Forward(match.FirstPostsWait)
	alerted := w.strangers(1)[0]
	w.Post(w.Bob, func(d *trade.OrderDraft) { d.ItemName = "Iron Ore" })
	w.Clock.Forward(match.FirstPostsWait)
	w.alerts(alerted)

	beyond := func(kind notify.Kind, reader core.Actor) bool {
		page, err := w.Notify.Notices(t.Context(), reader, 0, 100)
		must(t, err)
		i := slices.IndexFunc(page.Notices, func(n notify.Notice) bool { return n.Kind == kind })
		if i < 0 {
			t.Fatalf("no notice of the kind %s: %+v", kind, page.Notices)
		}
		return page.Notices[i].Reason == notify.BeyondReach
	}
	offers := func(buyer core.Actor) bool {
		t.Helper()
		order := w.Post(buyer)
		_, err := w.Trade.SendOffer(t.Context(), w.Bob, order.ID, trade.OfferDraft{SellerName: "Bob", SellerContact: "bob", Message: "I have it", Quantity: 1})
		must(t, err)
		return beyond(notify.NoticeOfferReceived, buyer)
	}
	dan, eve, fay := w.SignUp("dan"), w.SignUp("eve"), w.SignUp("fay")
	for i, buyer := range []core.Actor{alerted, dan, eve} {
		if offers(buyer) {
			t.Errorf("offer %d is beyond the reach", i)
		}
	}
	if !offers(fay) {
		t.Error("the offer to the fourth person is within the reach")
	}
	if offers(dan) {
		t.Error("another offer to a person who was messaged today is beyond the reach")
	}

	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), fay.UserID))
	must(t, w.Trust.FindTraders(t.Context()))
	_, err := w.Trust.LearnTraders(t.Context())
	must(t, err)
	w.Post(w.Bob, func(d *trade.OrderDraft) { d.BuyerContact = "faу" }) // with a Cyrillic letter
	if !beyond(notify.NoticeLookAlike, fay) {
		t.Error("the warning about a name is within the reach of the user who typed it")
	}
	w.CheckInvariants()
}

func TestAsksForListingsCountAsReach(t *testing.T) {
	t.Parallel()
	quotas := usual
	quotas.Reach.Limit = 2
	w := withItems(t, market.Options{Quotas: quotas, Features: core.EveryFeature()})
	asks := func(seller string) bool {
		t.Helper()
		user := w.SignUp(seller)
		stock, err := w.Match.SaveStock(t.Context(), user, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 5, Price: 10, Public: true}})
		must(t, err)
		_, err = w.Match.Ask(t.Context(), w.Bob, stock[0].ID, match.AskDraft{Quantity: 1})
		must(t, err)
		page, err := w.Notify.Notices(t.Context(), user, 0, 10)
		must(t, err)
		if len(page.Notices) != 1 || page.Notices[0].Kind != notify.NoticeAskReceived {
			t.Fatalf("%s has the notices %+v", seller, page.Notices)
		}
		return page.Notices[0].Reason == notify.BeyondReach
	}
	if asks("dan") || asks("eve") {
		t.Error("the asks to two people are beyond the reach")
	}
	if !asks("fay") {
		t.Error("the ask to a third person is within the reach")
	}
	order := w.Post(w.SignUp("gil"))
	_, err := w.Trade.SendOffer(t.Context(), w.Bob, order.ID, trade.OfferDraft{SellerName: "Bob", SellerContact: "bob", Message: "I have it", Quantity: 1})
	must(t, err)
	if n := w.Value("select count(*) from notices where kind = 'offer_received' and reason = 'reach'"); n != 1 {
		t.Error("an offer after these asks is within the reach")
	}
	w.CheckInvariants()
}

func TestAModeratorStopsWhatAUserMessagesOthersWith(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Quotas: usual})
	mod, ctx := w.Moderator(), t.Context()
	w.strangers(12)
	w.Clock.Forward(8 * core.Day)
	w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Ore" })
	w.alerts(w.Bob)
	w.Clock.Forward(match.WavePause)
	w.alerts(w.Bob)
	listed := func() moderation.Reaching {
		t.Helper()
		all, err := w.Moderation.Reaching(ctx, mod)
		if err != nil || len(all) > 1 {
			t.Fatalf("%+v reach many, %v", all, err)
		}
		return append(all, moderation.Reaching{})[0]
	}
	if got := listed(); got.User.ID != w.Ann.UserID || got.People != 12 || !got.StoppedAt.IsZero() {
		t.Fatalf("most people are reached by %+v", got)
	}

	must(t, w.Moderation.StopReach(ctx, mod, w.Ann.UserID))
	wantKind(t, w.Moderation.StopReach(ctx, mod, w.Ann.UserID), core.Conflict)
	wantKind(t, w.Moderation.StopReach(ctx, mod, mod.UserID), core.Forbidden)
	wantKind(t, w.Moderation.StopReach(ctx, w.Bob, w.Ann.UserID), core.Forbidden)
	wantKind(t, w.Moderation.StopReach(ctx, mod, 999), core.NotFound)
	if people, inbox := w.messaged(w.Ann); people != 0 || inbox != 12 {
		t.Errorf("after the stop %d are messaged, and %d of the 12 whose messages waited have it in their inbox", people, inbox)
	}
	if got := listed(); got.StoppedAt.IsZero() || got.People != 0 {
		t.Errorf("the stopped one is listed as %+v", got)
	}
	w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Anvil" })
	w.alerts(w.Bob)
	if n := w.Value("select count(*) from notices where item_name = 'Iron Anvil' and reason <> 'reach'"); n != 0 {
		t.Errorf("%d people are messaged about a stopped user's request", n)
	}

	must(t, w.Moderation.AllowReach(ctx, mod, w.Ann.UserID))
	wantKind(t, w.Moderation.AllowReach(ctx, mod, w.Ann.UserID), core.Conflict)
	w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Nail" })
	w.alerts(w.Bob)
	if n := w.Value("select count(*) from notices where item_name = 'Iron Nail' and reason = ''"); n == 0 {
		t.Error("an allowed user's request messages no one")
	}
	log, err := w.Moderation.AuditEntries(ctx, mod, 0, 10)
	if err != nil || len(log) != 2 || log[0].Action != core.AuditReachAllowed || log[1].Action != core.AuditReachStopped || log[1].Subject != w.Ann.UserID {
		t.Errorf("the log is %+v, %v", log, err)
	}
	w.CheckInvariants()
}
