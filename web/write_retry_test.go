package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/postgres"
	"tradepost/web"
)

// lossyStore loses the answers to its next commits.
type lossyStore struct {
	*postgres.Store
	lost   atomic.Int32 // commits that happen and lose their answer
	missed atomic.Int32 // commits that do not happen and lose their answer
	runs   atomic.Int32
}

func takeOne(n *atomic.Int32) bool { return n.Add(-1) >= 0 }

func (m *lossyStore) Atomically(ctx context.Context, do func(market.Tx) error) error {
	m.runs.Add(1)
	err := m.Store.Atomically(ctx, func(tx market.Tx) error {
		if err := do(tx); err != nil || !takeOne(&m.missed) {
			return err
		}
		return core.NewCommitUnknown() // and the transaction is rolled back
	})
	if err == nil && takeOne(&m.lost) {
		return core.NewCommitUnknown()
	}
	return err
}

const many = 1_000 // times, more often than a write is repeated

// lossy returns a site beside another, on the same database. Its commits can lose their answers.
func (s *site) lossy(change ...func(*web.Options)) (*site, *lossyStore) {
	s.t.Helper()
	m := &lossyStore{Store: s.store}
	opts := web.Options{PublicURL: s.url, Sessions: s.store.Sessions(), Dist: page, Now: s.clock.now, Log: silence}
	for _, f := range change {
		f(&opts)
	}
	door, err := web.New(s.marketOn(m, core.Quotas{}), opts)
	must(s.t, err)
	server := httptest.NewServer(door)
	s.t.Cleanup(server.Close)
	other := *s
	other.url = server.URL
	return &other, m
}

// givesUpAtOnce keeps the site from repeating a write.
func givesUpAtOnce(o *web.Options) { o.RetryTime = time.Nanosecond }

func TestAWriteWithALostAnswerIsRepeatedWithinItsRequest(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*lossyStore){
		"the write happened":         func(m *lossyStore) { m.lost.Store(2) },
		"the write did not happen":   func(m *lossyStore) { m.missed.Store(2) },
		"it happened the third time": func(m *lossyStore) { m.missed.Store(2); m.lost.Store(1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			maple := s.signedIn("maple")
			address := maple.posts()
			lossy, store := s.lossy()
			lose(store)
			send := func() *reply {
				return lossy.visitor().post(address+"/offers", offer(), "Idempotency-Key", keyNumber(1))
			}
			first := send().wants(http.StatusCreated).json()["offer"]
			if again := send().wants(http.StatusCreated).json()["offer"]; fmt.Sprint(again) != fmt.Sprint(first) {
				t.Errorf("answered %v, then %v", first, again)
			}
			if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
				t.Errorf("%v offers are open, want 1", list["total"])
			}
		})
	}
}

func TestAWriteThatStaysUnknownSaysSoAndItsKeyFindsOut(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*lossyStore, int32){
		"the write happened":       func(m *lossyStore, times int32) { m.lost.Store(times) },
		"the write did not happen": func(m *lossyStore, times int32) { m.missed.Store(times) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			maple := s.signedIn("maple")
			address := maple.posts()
			maple.post(address+"/sales", object{"quantitySold": 1}).wants(http.StatusOK)
			lossy, store := s.lossy(givesUpAtOnce)
			there := *maple
			there.s = lossy
			log := func() *reply {
				return there.post(address+"/sales", object{"quantitySold": 5}, "Idempotency-Key", "one-sale")
			}
			lose(store, many)
			wantsUnknown(t, log())
			lose(store, 0)
			if order := log().wants(http.StatusOK).json()["order"].(object); order["sold"] != 6.0 {
				t.Errorf("%v sold, want 6", order["sold"])
			}
		})
	}
}

func wantsUnknown(t *testing.T, r *reply) {
	t.Helper()
	r.wantsProblem(http.StatusServiceUnavailable)
	r.retryAfter(t)
	if got := r.json()["code"]; got != core.CodeCommitUnknown {
		t.Errorf("the code is %v, want %s", got, core.CodeCommitUnknown)
	}
}

func TestAWriteWithoutAKeyIsNotRepeated(t *testing.T) {
	t.Parallel()
	s := open(t)
	address := s.signedIn("maple").posts()
	lossy, store := s.lossy()
	store.lost.Store(many)
	wantsUnknown(t, lossy.visitor().post(address+"/offers", offer()))
	if n := store.runs.Load(); n != 1 {
		t.Errorf("it was run %d times", n)
	}
}

func TestAWriteIsNotRepeatedWhileTheProgramStops(t *testing.T) {
	t.Parallel()
	s := open(t)
	address := s.signedIn("maple").posts()
	lossy, store := s.lossy(func(o *web.Options) { o.Stopping = func() bool { return true } })
	store.lost.Store(many)
	wantsUnknown(t, lossy.visitor().post(address+"/offers", offer(), "Idempotency-Key", keyNumber(1)))
	if n := store.runs.Load(); n != 1 {
		t.Errorf("it was run %d times", n)
	}
}

func TestLeavingIsRepeatedWithoutAKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	lossy, store := s.lossy()
	there := *maple
	there.s = lossy
	store.lost.Store(2)
	there.delete("/api/me").wants(http.StatusNoContent)
	if maple.get("/api/me").json()["user"] != nil {
		t.Error("maple is still signed in")
	}
}

func TestAnswersToOffersSayWhenOneIsUnknown(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts()
	var answers []object
	for range 2 {
		sent := s.visitor().post(address+"/offers", offer()).wants(http.StatusCreated).json()["offer"].(object)
		answers = append(answers, object{"id": sent["id"], "accept": 20})
	}
	lossy, store := s.lossy(givesUpAtOnce)
	there := *maple
	there.s = lossy
	answer := func() *reply {
		return there.post("/api/offers/answer", object{"answers": answers}, "Idempotency-Key", "both")
	}
	store.lost.Store(many)
	wantsUnknown(t, answer())
	store.lost.Store(0)
	for _, o := range answer().wants(http.StatusOK).json()["outcomes"].([]any) {
		if o.(object)["accepted"] == nil {
			t.Errorf("not accepted: %v", o)
		}
	}
	if order := maple.get(address).json(); order["sold"] != 40.0 {
		t.Errorf("%v sold, want 40", order["sold"])
	}
}
