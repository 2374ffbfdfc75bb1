package web_test

import (
	"net/http"
	"sync"
	"testing"

	"tradepost/sql/invariants"
)

// atOnce sends the same call many times concurrently and counts the responses by status.
func atOnce(times int, call func(i int) *reply) map[int]int {
	var (
		mu      sync.Mutex
		all     sync.WaitGroup
		answers = map[int]int{}
		start   = make(chan struct{})
	)
	for i := range times {
		all.Go(func() {
			<-start
			r := call(i)
			mu.Lock()
			defer mu.Unlock()
			answers[r.status]++
		})
	}
	close(start)
	all.Wait()
	return answers
}

// Class 7: races.
func TestOfManyAcceptsAtOnceAsManySucceedAsThereAreItems(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts(object{"quantity": 5})
	made := rowan.offers(address, object{"quantityOffered": 5})
	answers := atOnce(16, func(int) *reply { return maple.post(made+"/accept", object{"quantity": 1}) })
	if answers[http.StatusOK] != 5 || answers[http.StatusOK]+answers[http.StatusNotFound]+answers[http.StatusConflict] != 16 {
		t.Errorf("answered %v", answers)
	}
	if o := maple.get(address).json(); o["sold"] != 5.0 || o["status"] != "fulfilled" {
		t.Errorf("it came to %v", o)
	}
}

func TestOfTwoEditsAtOnceOneSucceeds(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts()
	answers := atOnce(8, func(i int) *reply { return maple.patch(address, object{"version": 1, "quantity": 600 + i}) })
	if answers[http.StatusOK] != 1 || answers[http.StatusConflict] != 7 {
		t.Errorf("answered %v", answers)
	}
}

func TestConcurrentRepeatsHaveOneEffect(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for name, call := range map[string]func(int) *reply{
		"posting":  func(int) *reply { return b.maple.post("/api/orders", order(), "Idempotency-Key", "post") },
		"offering": func(int) *reply { return b.visitor.post(b.order+"/offers", offer(), "Idempotency-Key", "offer") },
		"accepting": func(int) *reply {
			return b.maple.post(b.offer+"/accept", object{"quantity": 1}, "Idempotency-Key", "accept")
		},
	} {
		b.run(name, func(t *testing.T) {
			if answers := atOnce(6, call); answers[http.StatusOK]+answers[http.StatusCreated] != 6 {
				t.Errorf("answered %v", answers)
			}
		})
	}
	o := b.maple.get(b.order).json()
	if page := b.visitor.get("/api/orders").json(); page["total"] != 2.0 || o["offerCount"] != 2.0 || o["sold"] != 1.0 {
		t.Errorf("there are %v requests, %v offers, %v sold", page["total"], o["offerCount"], o["sold"])
	}
	other := atOnce(4, func(i int) *reply {
		return b.maple.post("/api/orders", order(object{"quantity": i + 1}), "Idempotency-Key", "several")
	})
	if other[http.StatusCreated] != 1 || other[http.StatusUnprocessableEntity] != 3 {
		t.Errorf("one key with several bodies was answered %v", other)
	}
}

func TestAcceptingWhileEverythingElseHappens(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	for name, other := range map[string]func(order, offer string) *reply{
		"delete":   func(order, _ string) *reply { return maple.delete(order) },
		"close":    func(order, _ string) *reply { return maple.post(order+"/close", nil) },
		"edit":     func(order, _ string) *reply { return maple.patch(order, object{"version": 1, "quantity": 3}) },
		"withdraw": func(_, offer string) *reply { return rowan.delete(offer) },
		"decline":  func(_, offer string) *reply { return maple.delete(offer) },
		"sell":     func(order, _ string) *reply { return maple.post(order+"/sales", object{"quantitySold": 2}) },
	} {
		s.run(name, func(t *testing.T) {
			address := maple.posts(object{"quantity": 4})
			made := rowan.offers(address, object{"quantityOffered": 3})
			answers := atOnce(8, func(i int) *reply {
				if i%2 == 0 {
					return other(address, made)
				}
				return maple.post(made+"/accept", object{"quantity": 1})
			})
			for status := range answers {
				if status >= http.StatusInternalServerError {
					t.Errorf("answered %v", answers)
				}
			}
			if r := maple.get(address); r.status == http.StatusOK {
				if o := r.json(); o["sold"].(float64) > o["quantity"].(float64) {
					t.Errorf("sold %v of %v", o["sold"], o["quantity"])
				}
			}
		})
	}
	violations, err := invariants.Check(t.Context(), s.store.Pool())
	must(t, err)
	for _, v := range violations {
		t.Errorf("broken: %s", v)
	}
}
