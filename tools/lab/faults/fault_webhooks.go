//go:build unix

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// What is played in rounds: the owners have webhooks, and hear of offers from visitors.
const (
	eventsEach       = 5
	webhookWaits     = 20 * time.Second // the pause after an attempt that failed, and more
	webhookFaultRare = 2
)

// webhookFaults kill something at each step between an offer and the event to a webhook of its buyer, another
// step in each round.
var webhookFaults = []fault{
	{
		name: "the program killed -9 between an offer and its event", rare: webhookFaultRare,
		takes: afterOutage + webhookWaits,
		note:  "offers to two people with webhooks, at every step in turn",
		round: killedWhileTelling((*scene).killProgram),
	},
	{
		name: "PostgreSQL killed -9 between an offer and its event", rare: webhookFaultRare,
		takes: afterOutage + webhookWaits, server: true,
		note:  "offers to two people with webhooks, at every step in turn",
		round: killedWhileTelling((*scene).killPostgreSQL),
	},
	{
		name: "the receiver of a webhook is gone", takes: webhookWaits,
		note: "offers to two people with webhooks, one of whose receivers fails in turn: closed connections, 503, 429, no answer",
		lasting: func(s *scene, i int, lasts time.Duration) time.Duration {
			s.makeWebhooks()
			failing := s.receivers[i%len(s.receivers)]
			failing.fail(receiverFails[(i+int(s.ground.seed%4))%len(receiverFails)])
			s.offerWithEvents()
			s.rest(lasts)
			failing.fail(nil)
			back := time.Now()
			s.eventsArrive("the receiver is back")
			return s.since(back)
		},
	},
}

// receiverFails are ways in which a receiver fails.
var receiverFails = []http.HandlerFunc{
	func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	},
	func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
}

var webhookSteps = []step{
	{name: "before an offer is committed", hold: gateAt(gateEvent)},
	{name: "after the offers are acknowledged", after: true},
	{name: "before a webhook is claimed", hold: gateAt(gateEventClaim)},
	{name: "before a receiver has the event", hold: (*scene).holdReceiver},
	{name: "before a receiver's answer is there", hold: (*scene).holdAnswer},
	{name: "before it is stored that the event was sent", hold: gateAt(gateEventSettle)},
}

// killedWhileTelling has visitors offer to people with webhooks, and kills something when the program has come
// to a step. It returns how long it took from its return until every receiver had every event.
func killedWhileTelling(kill func(*scene) (revive func())) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.makeWebhooks()
		s.setGates()
		at := stepOf(webhookSteps, s, i)
		back := s.killedAt(at, kill, s.offerWithEvents)
		s.eventsArrive(at.name)
		return s.since(back)
	}
}

// receiver is a program that takes the events of one person.
type receiver struct {
	server *httptest.Server
	secret []byte

	mu      sync.Mutex
	fails   http.HandlerFunc // answers instead; nil for not at all
	before  chan struct{}    // closed once the events may be taken
	answers chan struct{}    // closed once answers may go
	asked   int
	owed    map[int64]bool   // offers, by whether their event has come
	ids     map[int64]string // the id that an offer's event had
	again   int              // events that came more than once
	broken  []error
}

// makeWebhooks gives each owner a webhook, at first.
func (s *scene) makeWebhooks() {
	for len(s.receivers) < len(s.owners) {
		r := &receiver{owed: map[int64]bool{}, ids: map[int64]string{}}
		r.server = httptest.NewServer(r)
		s.receivers = append(s.receivers, r)
		var made struct{ Secret string }
		s.mustWrite(write{op: opAddWebhook, actor: s.owners[len(s.receivers)-1].person, method: http.MethodPost,
			path: "/api/me/webhooks",
			body: map[string]any{"url": r.server.URL, "types": []string{"offer.received"}}}, &made)
		secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(made.Secret, "whsec_"))
		s.must(err)
		r.mu.Lock()
		r.secret = secret
		r.mu.Unlock()
	}
	s.until(patience, "both pings are answered", func() bool {
		var on int
		err := s.db.QueryRow(s.ctx, "select count(*) from webhooks where state = 'on'").Scan(&on)
		return err == nil && on == len(s.owners)
	})
}

// ServeHTTP takes an event as the specification of Standard Webhooks says, in code of its own.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	r.asked++
	fails, before, answers, secret := r.fails, r.before, r.answers, r.secret
	r.mu.Unlock()
	// Whole, so that the end of a connection shows while nothing is answered.
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the program was killed
	}
	if fails != nil {
		fails(w, request)
		return
	}
	if before != nil {
		select {
		case <-before:
		case <-request.Context().Done():
			return
		}
	}
	if len(secret) > 0 { // a ping may be faster than the answer with the secret
		id, at := request.Header.Get("webhook-id"), request.Header.Get("webhook-timestamp")
		mac := hmac.New(sha256.New, secret)
		fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); request.Header.Get("webhook-signature") != want {
			r.complain(fmt.Errorf("the signature of %s is wrong", id))
		}
		r.took(id, body)
	}
	if answers != nil {
		select {
		case <-answers:
		case <-request.Context().Done():
		}
	}
}

func (r *receiver) took(id string, body []byte) {
	var event struct {
		Type string
		Data struct{ OfferID int64 }
	}
	if err := json.Unmarshal(body, &event); err != nil {
		r.complain(err)
		return
	}
	if event.Type == "ping" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	offer := event.Data.OfferID
	switch before, known := r.ids[offer]; {
	case !known:
		r.ids[offer], r.owed[offer] = id, true
	case before == id:
		r.again++
	default:
		r.broken = append(r.broken, fmt.Errorf("the event of offer %d came as %s and as %s", offer, before, id))
	}
}

func (r *receiver) complain(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = append(r.broken, err)
}

// fail has the receiver fail in a way; nil for no longer.
func (r *receiver) fail(way http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fails = way
}

// holdReceiver holds the next events before they are taken.
func (s *scene) holdReceiver() held {
	return s.holdReceivers(func(r *receiver, until chan struct{}) { r.before = until })
}

// holdAnswer holds the answers to the next events.
func (s *scene) holdAnswer() held {
	return s.holdReceivers(func(r *receiver, until chan struct{}) { r.answers = until })
}

func (s *scene) holdReceivers(hold func(r *receiver, until chan struct{})) held {
	until := make(chan struct{})
	for _, r := range s.receivers {
		r.mu.Lock()
		hold(r, until)
		r.asked = 0
		r.mu.Unlock()
	}
	return held{
		reached: func() {
			s.until(patience, "an event is sent", func() bool {
				asked := 0
				for _, r := range s.receivers {
					r.mu.Lock()
					asked += r.asked
					r.mu.Unlock()
				}
				return asked > 0
			})
		},
		release: func() {
			close(until)
			for _, r := range s.receivers {
				r.mu.Lock()
				hold(r, nil)
				r.mu.Unlock()
			}
		},
	}
}

// offerWithEvents has visitors offer to the owners, which owes a notice and an event each.
func (s *scene) offerWithEvents() {
	for range eventsEach {
		for i, to := range s.owners {
			n := visitors.Add(1)
			name := newName(n)
			var made struct{ Offer struct{ ID int64 } }
			s.mustWrite(write{op: opOffer, address: from(n), order: to.order, name: name, quantity: 1}, &made)
			s.owe(name, to.Username())
			r := s.receivers[i]
			r.mu.Lock()
			if !r.owed[made.Offer.ID] { // its event may have come before the answer
				r.owed[made.Offer.ID] = false
			}
			r.mu.Unlock()
		}
	}
}

// eventsArrive waits until every receiver has every event and no event waits. The lease of a program that was
// killed is over at once, as after its 45 s.
func (s *scene) eventsArrive(when string) {
	s.until(patience, "the leases are over", func() bool {
		_, err := s.db.Exec(s.ctx, "update webhooks set busy_until = now() where busy_until > now()")
		return err == nil
	})
	s.until(patience, "every receiver has every event, "+when, func() bool {
		var waiting int
		err := s.db.QueryRow(s.ctx, "select count(*) from webhook_deliveries where due_at is not null").Scan(&waiting)
		return err == nil && waiting == 0
	})
	events, again := 0, 0
	for _, r := range s.receivers {
		r.mu.Lock()
		for offer, came := range r.owed {
			if events++; !came {
				s.Errorf("the event of offer %d is lost, %s", offer, when)
			}
		}
		for _, err := range r.broken {
			s.Errorf("%s: %w", when, err)
		}
		again += r.again
		r.mu.Unlock()
	}
	s.remark = fmt.Sprintf("%d events, %d sent again with the same id", events, again)
}
