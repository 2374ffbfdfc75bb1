package web_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// The quotas that a market has unless its operator says otherwise.
var usualQuotas = core.Quotas{
	OpenRequests: 60, NewRequests: core.Quota{Limit: 20, Per: time.Hour}, Offers: core.Quota{Limit: 60, Per: time.Hour},
	OffersPerRequest: core.Quota{Limit: 5, Per: 24 * time.Hour}, Reports: core.Quota{Limit: 10, Per: 24 * time.Hour},
}

// wantsQuotaProblem checks that a quota refused the request, and says when one may again.
func (r *reply) wantsQuotaProblem(sentence string) {
	r.t.Helper()
	r.wantsProblem(http.StatusTooManyRequests)
	r.retryAfter(r.t)
	if problem := r.json(); problem["code"] != core.CodeQuota || !strings.HasPrefix(problem["detail"].(string), sentence) {
		r.t.Errorf("%s is refused with %v", r.asked, problem)
	}
}

func TestOneAccountPostsAHundredAndThirtyRequests(t *testing.T) {
	t.Parallel()
	s := openLimited(t, usualQuotas)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	flood := func(posted int) {
		t.Helper()
		for i := range 130 {
			r := maple.post("/api/orders", another(object{"importance": "urgent"}))
			if i < posted {
				r.wants(http.StatusCreated)
			} else {
				r.wantsQuotaProblem("You can post again in ")
			}
		}
	}
	flood(core.LimitFirstDay.Limit)
	rowan.posts() // another account
	s.clock.forward(25 * time.Hour)
	flood(20)
	if listed := s.visitor().get("/api/orders?limit=50").wants(http.StatusOK).json()["total"]; listed != float64(26) {
		t.Errorf("%v requests are open", listed)
	}
}

func TestARetryIsAnsweredThoughTheQuotaIsUsedUp(t *testing.T) {
	t.Parallel()
	s := openLimited(t, core.Quotas{NewRequests: core.Quota{Limit: 1, Per: time.Hour}})
	maple := s.signedIn("maple")
	first := another()
	want := maple.post("/api/orders", first, "Idempotency-Key", "one").wants(http.StatusCreated).at("/api/orders/", "id")
	maple.post("/api/orders", another(), "Idempotency-Key", "two").wantsQuotaProblem("You can post again in 60 minutes.")
	if got := maple.post("/api/orders", first, "Idempotency-Key", "one").wants(http.StatusCreated).at("/api/orders/", "id"); got != want {
		t.Errorf("the retry is answered with %s, want %s", got, want)
	}
	s.clock.forward(time.Hour)
	maple.post("/api/orders", first).wantsProblem(http.StatusConflict)
}

func TestAnEqualRequestNamesTheOneThatIsOpen(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	made := maple.post("/api/orders", order()).wants(http.StatusCreated).json()
	r := maple.post("/api/orders", order())
	r.wantsProblem(http.StatusConflict)
	if problem := r.json(); problem["code"] != trade.CodeDuplicate || problem["order"] != made["id"] {
		t.Errorf("refused with %v, want the id %v", problem, made["id"])
	}
}

// counting is a DM sender that counts the messages that it is given, and not their edits.
type counting struct{ sent int }

func (c *counting) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	if d.MessageID == "" {
		c.sent++
	}
	return notify.SentDM{ChannelID: "1", MessageID: fmt.Sprint(d.ID)}, nil
}

func TestOfferingAndWithdrawingSixtyTimesOnThePageSendsFewMessages(t *testing.T) {
	t.Parallel()
	s := openLimited(t, core.Quotas{DMPair: core.Quota{Limit: 4, Per: time.Hour}, DMReader: core.Quota{Limit: 20, Per: time.Hour}})
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address, mail := maple.posts(), &counting{}
	deliver := func() {
		t.Helper()
		page, err := s.market.Notify.Notices(t.Context(), maple.User.Actor(), 0, 2)
		must(t, err)
		for _, n := range page.Notices {
			if n.State == notify.NoticePending {
				must(t, s.market.Channels.DeliverNotice(t.Context(), mail, n.ID))
			}
		}
	}
	for range 60 {
		made := rowan.offers(address)
		deliver()
		rowan.delete(made).wants(http.StatusNoContent)
		deliver()
		s.clock.forward(time.Second / 2)
	}
	if mail.sent != 5 {
		t.Errorf("%d messages were sent, want 4 and a digest", mail.sent)
	}
}
