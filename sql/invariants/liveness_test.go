package invariants_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
	"tradepost/sql/queue"
)

// play is a market in which liveness is checked as if a program had delivered for long.
type play struct {
	*storetest.World
	sender *storetest.DMSender
}

func newPlay(t *testing.T) *play {
	t.Helper()
	p := &play{storetest.New(t), storetest.NewDMSender()}
	p.Market = market.New(p.Store, market.Options{Now: p.Clock.Now, Features: core.Features{Handover: true}})
	return p
}

func (p *play) check(o invariants.LivenessOptions) invariants.Liveness {
	p.T.Helper()
	o.Now, o.Handover, o.Webhooks, o.Owes = p.Clock.Now(), true, true, true
	found, err := invariants.CheckLiveness(p.T.Context(), p.Store.Pool(), o)
	storetest.Must(p.T, err)
	return found
}

// healthy fails the test when liveness is broken.
func (p *play) healthy(when string) {
	p.T.Helper()
	for _, quick := range []bool{true, false} {
		for _, v := range p.check(invariants.LivenessOptions{Quick: quick}).Violations {
			p.T.Errorf("%s: broken: %s", when, v)
		}
	}
}

// broken fails the test unless the check names a subject under an invariant.
func (p *play) broken(when, invariant, subject string) {
	p.T.Helper()
	found := p.check(invariants.LivenessOptions{})
	for _, v := range found.Violations {
		if strings.HasPrefix(v.Invariant, invariant+" ") && strings.Contains(v.Subject+": "+v.Detail, subject) {
			if found.Broken()[invariant] == 0 {
				p.T.Errorf("%s: %s is not counted", when, invariant)
			}
			return
		}
	}
	p.T.Errorf("%s: no violation of %s names %q in %v", when, invariant, subject, found.Violations)
}

// accepted has Ann accept an offer of Bob, which Bob is to be messaged about.
func (p *play) accepted() core.NoticeID {
	p.T.Helper()
	offer := p.OfferOn(p.Bob, p.Post(p.Ann), 1)
	_, err := p.Trade.AcceptOffer(p.T.Context(), p.Ann, offer.ID, 1)
	storetest.Must(p.T, err)
	p.exec("update notices set state = 'expired', settled_at = created_at where kind = 'offer_received'")
	p.exec("delete from river_job where args ->> 'notice' in (select id::text from notices where kind = 'offer_received')")
	id := core.NoticeID(p.Value("select max(id) from notices where kind = 'offer_accepted'"))
	p.exec("update river_job set scheduled_at = $2 where args ->> 'notice' = $1::text", fmt.Sprint(id), p.Clock.Now())
	return id
}

func (p *play) exec(statement string, args ...any) {
	p.T.Helper()
	storetest.Must(p.T, p.SQL(statement, args...))
}

// deliver does the job of a notice once.
func (p *play) deliver(id core.NoticeID) error {
	return p.Channels.DeliverNotice(p.T.Context(), p.sender, id)
}

// scheduled has the job of a notice wait until a time.
func (p *play) scheduled(id core.NoticeID, at time.Time) {
	p.T.Helper()
	p.exec("update river_job set state = 'scheduled', scheduled_at = $2 where args ->> 'notice' = $1::text and not args ? 'redraw'",
		fmt.Sprint(id), at)
}

func (p *play) bob() string { return fmt.Sprintf("user %d", p.Bob.UserID) }

func TestAMessageIsOwedTwoMinutesAfterItMayBeSent(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	id := p.accepted()
	p.Clock.Forward(core.LateAfter)
	p.healthy("after two minutes")
	p.Clock.Forward(time.Second)
	p.broken("after two minutes and a second", "I13", p.bob()+": notice "+fmt.Sprint(id))
	storetest.Must(t, p.deliver(id))
	p.healthy("once it is delivered")
}

// Each reader's own settings, hold and pause are waited for, and two minutes beyond.
func TestAHealthyMarketWaits(t *testing.T) {
	t.Parallel()
	noon := storetest.NewClock().Now()
	at := func(clock string) time.Time {
		found, err := time.Parse(time.DateTime, "2026-05-"+clock)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for name, tt := range map[string]struct {
		set  func(p *play, id core.NoticeID)
		job  time.Time // when its job runs; zero for free
		free time.Time // from then on the notice may be sent
	}{
		"quiet hours": {func(p *play, id core.NoticeID) {
			p.exec("update mailboxes set quiet_from = 11 * 60, quiet_to = 20 * 60, time_zone = 'Etc/GMT-2' where user_id = $1", p.Bob.UserID)
		}, time.Time{}, at("01 18:00:00")},
		"quiet hours over midnight": {func(p *play, id core.NoticeID) {
			p.exec("update mailboxes set quiet_from = 11 * 60, quiet_to = 7 * 60 where user_id = $1", p.Bob.UserID)
		}, time.Time{}, at("02 07:00:00")},
		"quiet hours that begin before it is sent": {func(p *play, id core.NoticeID) {
			p.exec("update mailboxes set quiet_from = 12 * 60 + 1, quiet_to = 13 * 60 where user_id = $1", p.Bob.UserID)
			p.Clock.Forward(time.Minute)
		}, time.Time{}, at("01 13:00:00")},
		"the daily digest and the pace of alerts": {func(p *play, id core.NoticeID) {
			p.exec("update notices set hold_until = $2 where id = $1", id, noon.Add(20*time.Hour))
		}, time.Time{}, noon.Add(20 * time.Hour)},
		"a digest that is due in quiet hours": {func(p *play, id core.NoticeID) {
			p.exec("update notices set hold_until = $2 where id = $1", id, noon.Add(10*time.Hour))
			p.exec("update mailboxes set quiet_from = 21 * 60, quiet_to = 6 * 60 where user_id = $1", p.Bob.UserID)
		}, noon.Add(10 * time.Hour), at("02 06:00:00")},
		"Discord's last Retry-After": {func(p *play, id core.NoticeID) {
			p.sender.Answer = func(channels.Delivery) error { return &channels.RetryLater{After: 30 * time.Minute} }
			if err := p.deliver(id); err == nil {
				p.T.Error("it was delivered")
			}
		}, time.Time{}, noon.Add(30 * time.Minute)},
		"a Retry-After of days": {func(p *play, id core.NoticeID) {
			p.sender.Answer = func(channels.Delivery) error { return &channels.RetryLater{After: 48 * time.Hour} }
			if err := p.deliver(id); err == nil {
				p.T.Error("it was delivered")
			}
		}, time.Time{}, noon.Add(notify.MaxRetryAfter)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlay(t)
			id := p.accepted()
			tt.set(p, id)
			if tt.job.IsZero() {
				tt.job = tt.free.Add(notify.Spread(tt.free.Sub(noon)))
			}
			p.scheduled(id, tt.job)
			p.healthy("at first")
			for p.Clock.Now().Before(tt.free.Add(-time.Hour)) {
				p.Clock.Forward(time.Hour)
				p.healthy(p.Clock.Now().String())
			}
			p.Clock.Forward(tt.free.Add(-time.Second).Sub(p.Clock.Now()))
			p.healthy("at last")
			p.Clock.Forward(time.Second + core.LateAfter)
			p.healthy("two minutes beyond")
			p.Clock.Forward(time.Second)
			p.broken("later", "I13", p.bob())
		})
	}
}

func TestAPausedMailboxIsHealthy(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	id := p.accepted()
	p.sender.Answer = func(channels.Delivery) error { return fmt.Errorf("the answer is lost") }
	for range 3 {
		if err := p.deliver(id); err == nil {
			t.Fatal("it was delivered")
		}
		p.scheduled(id, p.Clock.Now().Add(notify.MaxRetryWait))
		p.healthy("after an attempt of unknown outcome")
		p.Clock.Forward(core.LateAfter / 4)
	}
	p.Clock.Forward(core.LateAfter)
	p.broken("an outage of Discord that lasts", "I13", p.bob())
}

// The first serious fault: the newest notice of a mailbox was sent first.
func TestNewestFirstWithinAMailboxIsFound(t *testing.T) {
	t.Parallel()
	for _, sent := range []bool{false, true} {
		p := newPlay(t)
		oldest := p.accepted()
		p.Clock.Forward(time.Minute)
		newer := p.accepted()
		p.exec(`with d as (insert into deliveries (user_id, kind, message_id, started_at, sent_at)
				values ($1, 'offer_accepted', '77', $2, $2) returning id)
			update notices set state = 'delivered', settled_at = $2, delivery_id = d.id from d where notices.id = $3`,
			p.Bob.UserID, p.Clock.Now(), newer)
		p.broken("the older one waits", "I14", fmt.Sprintf("%s: notice %d", p.bob(), oldest))
		if !sent {
			continue
		}
		p.Clock.Forward(time.Second)
		storetest.Must(t, p.deliver(oldest))
		p.broken("the older one was sent later", "I14", fmt.Sprintf("%s: notice %d", p.bob(), oldest))
		p.Clock.Forward(2 * core.Day)
		if found := p.check(invariants.LivenessOptions{}).Broken()["I14"]; found != 0 {
			t.Errorf("days later %d are still named", found)
		}
	}
}

// Whichever notice asks first, and however far apart they came, messages keep their order.
func TestDeliveryKeepsTheOrderOfAMailbox(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	var ids []core.NoticeID
	for range 4 {
		ids = append(ids, p.accepted())
		p.Clock.Forward(50 * time.Second)
	}
	for i := len(ids) - 1; i >= 0; i-- {
		storetest.Must(t, p.deliver(ids[i]))
		if found := p.check(invariants.LivenessOptions{}); found.Broken()["I14"] != 0 {
			t.Errorf("after %d: %v", ids[i], found.Violations)
		}
		p.Clock.Forward(time.Second)
	}
	if found := p.check(invariants.LivenessOptions{}); len(found.Violations) > 0 || found.Pending != 0 {
		t.Errorf("%d pending, %v", found.Pending, found.Violations)
	}
}

// An offer that is gone takes no newer offers with it, past what the reader was to hear before them.
func TestANoticeThatEndsLeavesItsPlaceInLine(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	order := p.Post(p.Ann)
	gone := p.OfferOn(p.Bob, order, 1)
	storetest.Must(t, p.Trade.DeleteOffer(t.Context(), p.Bob, gone.ID))
	p.OfferOn(p.Cat, order, 1)
	p.Clock.Forward(core.LateAfter)
	for _, first := range []int{0, 1, 2} {
		storetest.Must(t, p.deliver(core.NoticeID(p.Value("select id from notices order by id limit 1 offset $1", first))))
		if found := p.check(invariants.LivenessOptions{}); found.Broken()["I14"] != 0 {
			t.Errorf("after %d: %v", first, found.Violations)
		}
		p.Clock.Forward(time.Second)
	}
	if pending := p.Value("select count(*) from notices where state = 'pending'"); pending > 0 {
		t.Errorf("%d notices are pending", pending)
	}
}

// The second serious fault: a clock that was six minutes ahead for a moment stored when messages are sent.
func TestTimesThatASteppedClockStoredAreFound(t *testing.T) {
	t.Parallel()
	const step = 6 * time.Minute
	p := newPlay(t)
	p.Clock.Forward(step)
	id := p.accepted()
	p.Clock.Forward(-step)
	row := fmt.Sprintf("notices.created_at %d", id)
	p.broken("stored while the clock was ahead", "I15", row)
	p.broken("stored while the clock was ahead", "I15", fmt.Sprintf("notice %d to %s waits", id, p.bob()))

	p = newPlay(t)
	id = p.accepted()
	p.scheduled(id, p.Clock.Now().Add(step))
	p.broken("a job of that time alone", "I15", fmt.Sprintf("notice %d to %s waits", id, p.bob()))
	p.scheduled(id, p.Clock.Now().Add(notify.MaxRetryWait))
	p.healthy("a job that waits as long as it may")

	for column, most := range map[string]time.Duration{
		"busy_until": notify.DeliveryLease, "not_before": notify.MaxRetryWait, "limited_until": notify.MaxRetryAfter,
	} {
		p.exec("update mailboxes set "+column+" = $2 where user_id = $1", p.Bob.UserID, p.Clock.Now().Add(most))
		p.healthy(column)
		p.exec("update mailboxes set "+column+" = $2 where user_id = $1", p.Bob.UserID, p.Clock.Now().Add(most+step))
		p.broken(column, "I15", fmt.Sprintf("mailboxes.%s %d", column, p.Bob.UserID))
		p.exec("update mailboxes set "+column+" = null where user_id = $1", p.Bob.UserID)
	}
}

func TestHandoversThatWereNotAskedAreFound(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	storetest.Must(t, p.deliver(p.accepted()))
	sale := p.Value("select max(sale_id) from handovers")
	p.Clock.Forward(trade.AgreedWithin + core.LateAfter)
	p.healthy("two minutes after it is due")
	p.Clock.Forward(time.Second)
	p.broken("nobody was asked", "I16", fmt.Sprintf("handover of sale %d", sale))
	p.exec("update handovers set due_at = due_at + interval '1 day'")
	p.broken("it is due too late", "I16", fmt.Sprintf("handover of sale %d", sale))
	off, err := invariants.CheckLiveness(t.Context(), p.Store.Pool(), invariants.LivenessOptions{Now: p.Clock.Now(), Owes: true})
	if storetest.Must(t, err); off.Broken()["I16"] != 0 {
		t.Errorf("without handovers: %v", off.Violations)
	}
	p.exec("update handovers set due_at = due_at - interval '1 day'")
	if _, err := p.Trade.ProcessHandovers(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	for _, reader := range []core.Actor{p.Ann, p.Bob} {
		storetest.Must(t, p.deliver(core.NoticeID(p.Value("select max(id) from notices where user_id = $1", reader.UserID))))
	}
	p.healthy("once both were asked")
}

func TestExpiriesThatWereNotToldAreFound(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	order := p.Post(p.Ann)
	subject := fmt.Sprintf("order %d: ", order.ID)
	expire := func() {
		t.Helper()
		_, _, err := p.Trade.ExpireOrders(t.Context(), 100)
		storetest.Must(t, err)
		for p.Value("select count(*) from notices where state = 'pending'") > 0 {
			storetest.Must(t, p.deliver(core.NoticeID(p.Value("select min(id) from notices where state = 'pending'"))))
		}
	}
	p.Clock.Forward(trade.OrderLifetime - trade.ExpiryWarning + core.LateAfter)
	p.healthy("two minutes after the warning is due")
	p.Clock.Forward(time.Second)
	p.broken("its buyer was not warned", "I17", subject+"expires at")
	expire()
	p.healthy("once its buyer is warned")
	p.Clock.Forward(trade.ExpiryWarning - time.Second)
	p.healthy("two minutes after it has expired")
	p.Clock.Forward(time.Second)
	p.broken("its sellers were not told", "I17", subject+"expired at")
	expire()
	p.healthy("once its end is told")
}

func TestClosingsAndOffersThatWereNotToldAreFound(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	order := p.Post(p.Ann)
	offer := p.OfferOn(p.Bob, order, 1)
	storetest.Must(t, p.deliver(core.NoticeID(p.Value("select max(id) from notices"))))
	p.exec("update offers set lapses_at = $1", p.Clock.Now())
	p.Clock.Forward(core.LateAfter + time.Second)
	p.broken("it was to lapse", "I17", fmt.Sprintf("offer %d", offer.ID))
	p.exec("update offers set lapses_at = $1", p.Clock.Now().Add(core.Day))
	_, err := p.Trade.CloseOrder(t.Context(), p.Ann, order.ID)
	storetest.Must(t, err)
	p.Clock.Forward(core.UndoWindow + core.LateAfter)
	p.healthy("two minutes after the undo")
	p.Clock.Forward(time.Second)
	p.broken("its seller was not told", "I17", fmt.Sprintf("order %d: closed", order.ID))
}

// An event is owed two minutes after it could have been sent: not while a receiver asks for a pause, a process holds
// the webhook, or the webhook is off.
func TestEventsThatWereNotSentAreFound(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	id := p.Value("insert into webhooks (user_id, market, url, types, state, secret, created_at) " +
		"values (" + fmt.Sprint(p.Bob.UserID) + ", false, 'https://r.example', '{offer.received}', 'on', 'x', now()) returning id")
	subject := fmt.Sprintf("webhook %d", id)
	for _, event := range []string{"n1", "n2"} {
		p.exec("insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at) values ($1, $2, 'offer.received', '{}', $3, $3)",
			id, event, p.Clock.Now())
	}
	p.Clock.Forward(core.LateAfter)
	p.healthy("two minutes after it is due")
	p.Clock.Forward(time.Second)
	p.broken("nobody tried it", "I18", subject+": event n1 (offer.received)")
	for _, column := range []string{"not_before", "busy_until"} {
		p.exec("update webhooks set "+column+" = $1", p.Clock.Now())
		p.healthy(column)
		p.Clock.Forward(core.LateAfter + time.Second)
		p.broken("since "+column, "I18", subject)
		p.exec("update webhooks set " + column + " = null")
	}
	p.exec("update webhook_deliveries set tried_at = $1 where event = 'n2'", p.Clock.Now())
	p.healthy("another event was just tried")
	p.exec("update webhook_deliveries set tried_at = null")
	off, err := invariants.CheckLiveness(t.Context(), p.Store.Pool(), invariants.LivenessOptions{Now: p.Clock.Now(), Owes: true})
	if storetest.Must(t, err); off.Broken()["I18"] != 0 {
		t.Errorf("without webhooks: %v", off.Violations)
	}
	p.exec("update webhooks set state = 'off'")
	p.healthy("once it is off")
}

// A market without a running bot owes nothing yet. Two minutes after its bot starts, it owes all that waited.
func TestAMarketThatDoesNotRunOwesNothingYet(t *testing.T) {
	t.Parallel()
	p := newPlay(t)
	id := p.accepted()
	p.Clock.Forward(time.Hour)
	check := func(now time.Time) invariants.Liveness {
		t.Helper()
		found, err := invariants.CheckLiveness(t.Context(), p.Store.Pool(), invariants.LivenessOptions{Now: now})
		storetest.Must(t, err)
		return found
	}
	if found := check(p.Clock.Now()); found.Owes || found.Pending != 1 || len(found.Violations) > 0 {
		t.Errorf("stopped: %+v", found)
	}
	p.scheduled(id, p.Clock.Now().Add(time.Hour))
	if found := check(p.Clock.Now()); found.Broken()["I15"] == 0 {
		t.Errorf("stopped, with a time that is ahead: %+v", found)
	}
	jobs := storetest.NewQueue(t, p.Store, queue.Options{Log: slog.New(slog.DiscardHandler)})
	storetest.Must(t, jobs.Start(t.Context()))
	p.Eventually("exists (select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted)")
	p.exec("delete from river_job")
	if found := check(time.Now().Add(core.LateAfter / 2)); found.Owes || found.Broken()["I13"] != 0 {
		t.Errorf("it has just started: %+v", found)
	}
	if found := check(time.Now().Add(core.LateAfter + time.Minute)); !found.Owes || found.Broken()["I13"] != 1 {
		t.Errorf("it runs for long: %+v", found)
	}
}
