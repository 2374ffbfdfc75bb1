//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/bot/discordtest"
)

// person is somebody who has signed in on the page.
type person struct {
	*discordtest.Player
	browser *http.Client
}

// owner is one who has posted an order that takes any number of offers.
type owner struct {
	*person
	order int64
}

func (s *scene) person(player *discordtest.Player) *person {
	jar, err := cookiejar.New(nil)
	s.must(err)
	p := &person{Player: player, browser: &http.Client{Jar: jar, Timeout: 20 * time.Second, Transport: from(visitors.Add(1))}}
	s.signIn(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.people = append(s.people, p)
	return p
}

func (s *scene) owner(player *discordtest.Player) *owner {
	o := &owner{person: s.person(player)}
	var posted struct{ ID int64 }
	s.ask(o.person, "/api/orders", map[string]any{
		"itemName": "Iron Ore of " + o.Username(), "quantity": 1_000_000, "maxPricePerUnit": 500, "description": "Any grade",
		"buyerContact": o.Username(), "category": "Miner", "importance": "medium",
	}, &posted)
	o.order = posted.ID
	return o
}

// signIn goes the way of a browser: to the page, to Discord, and back.
func (s *scene) signIn(p *person) {
	p.browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	follow := func(address string, want int) (to string) {
		resp, err := p.browser.Get(address)
		s.must(err)
		s.must(resp.Body.Close())
		if resp.StatusCode != want {
			s.Fatalf("signing in: %s answers %s", address, resp.Status)
		}
		return resp.Header.Get("Location")
	}
	discord := follow("http://"+s.programs[0].address+"/auth/discord?return=/", http.StatusFound)
	follow(p.Authorize(discord).String(), http.StatusSeeOther)
}

// at is somebody's own address, so that nobody meets the limits of another.
type at string

func from(n int64) at { return at(net.IPv4(10, byte(n>>16), byte(n>>8), byte(n)).String()) }

func (a at) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", string(a))
	return http.DefaultTransport.RoundTrip(r)
}

// ask sends a write of somebody's, again until the market can be reached, and reads the answer.
func (s *scene) ask(p *person, path string, body, answer any) {
	data := s.sendUntilAnswered(p.browser, path, body, nil)
	if answer != nil {
		s.must(json.Unmarshal(data, answer))
	}
}

// Offers come from visitors, each from an address of their own.

var (
	visitors     atomic.Int64
	visitorHTTP  = &http.Client{Timeout: 12 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	offersAtOnce = 4
)

// offers sends some offers to each owner and returns when all are acknowledged.
func (s *scene) offers(each int) {
	var to []*owner
	for range each {
		to = append(to, s.owners...)
	}
	s.offersTo(to...)
}

// offersTo sends one offer to each, and returns when all are acknowledged.
func (s *scene) offersTo(owners ...*owner) {
	var sending sync.WaitGroup
	next := make(chan *owner)
	failed := make(chan error, offersAtOnce)
	for range min(offersAtOnce, len(owners)) {
		sending.Go(func() {
			if err := s.try(func() {
				for o := range next {
					s.offer(o)
				}
			}); err != nil {
				failed <- err
				for range next { // so that nobody waits
				}
			}
		})
	}
	for _, o := range owners {
		next <- o
	}
	close(next)
	sending.Wait()
	select {
	case err := <-failed:
		s.must(err)
	default:
	}
}

// meanwhile does something at the same time. done waits for its end.
func (s *scene) meanwhile(do func()) (done func()) {
	ended := make(chan error, 1)
	go func() { ended <- s.try(do) }()
	return func() { s.must(<-ended) }
}

// load sends offers to all owners until it is stopped. stop waits for the last to be acknowledged.
func (s *scene) load(aSecond int) (stop func()) {
	var sending sync.WaitGroup
	end := make(chan struct{})
	failed := make(chan error, 1)
	tick := time.NewTicker(time.Second / time.Duration(aSecond))
	sending.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			o := s.owners[i%len(s.owners)]
			sending.Go(func() {
				if err := s.try(func() { s.offer(o) }); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			})
		}
	})
	return func() {
		tick.Stop()
		close(end)
		sending.Wait()
		select {
		case err := <-failed:
			s.must(err)
		default:
		}
	}
}

// newName is part of no other's, and nothing that a message would escape.
func newName(n int64) string { return fmt.Sprintf("Q%07dQ", n) }

// offer sends an offer, again until it is acknowledged. From then on a notice is owed.
func (s *scene) offer(to *owner) {
	n := visitors.Add(1)
	name := newName(n)
	header := http.Header{"X-Forwarded-For": {string(from(n))}}
	s.sendUntilAnswered(visitorHTTP, fmt.Sprintf("/api/orders/%d/offers", to.order), map[string]any{
		"sellerName": name, "sellerContact": "visitor", "message": "I have some", "quantityOffered": 1,
	}, header)
	s.owe(name, to.Username())
}

// trade has a seller who is new to the market sign in and offer two, of which the owner takes one. Both are owed a notice.
func (s *scene) trade(with *owner) {
	n := visitors.Add(1)
	seller := s.person(s.discord.NewPlayer(s, fmt.Sprintf("trader%d", n)))
	var made struct{ Offer struct{ ID int64 } }
	s.ask(seller, fmt.Sprintf("/api/orders/%d/offers", with.order), map[string]any{
		"sellerName": newName(n), "message": "I have two", "quantityOffered": 2,
	}, &made)
	s.owe(newName(n), with.Username())
	s.ask(with.person, fmt.Sprintf("/api/offers/%d/accept", made.Offer.ID), map[string]any{"quantity": 1}, nil)
	s.oweAccept(seller.Username())
}

// sendUntilAnswered sends a write to one program after another until one of them has done it. All attempts carry the same
// key, so it happens once.
func (s *scene) sendUntilAnswered(client *http.Client, path string, body any, header http.Header) []byte {
	data, err := json.Marshal(body)
	s.must(err)
	key := fmt.Sprintf("faults-%d", rand.Uint64())
	pause := 10 * time.Millisecond
	for turn := int(s.turns.Add(1)) - 1; ; turn++ {
		p := s.page(turn)
		answer, status, err := s.send(client, "http://"+p.address+path, data, key, header)
		switch {
		case err == nil && status < 300:
			return answer
		case err == nil && status < 500 && status != http.StatusTooManyRequests:
			s.Fatalf("%s was refused with %d: %s", path, status, answer)
		}
		s.unanswered(err, status)
		select {
		case <-time.After(pause): // as a browser's retry, only faster
			pause = min(2*pause, 500*time.Millisecond)
		case <-s.ctx.Done():
			s.Fatalf("%s was not answered in time: status %d, %v", path, status, err)
		}
	}
}

// page is one of the programs with a page, in turn.
func (s *scene) page(turn int) *program {
	var pages []*program
	for _, p := range s.programs {
		if p.address != "" {
			pages = append(pages, p)
		}
	}
	return pages[turn%len(pages)]
}

func (s *scene) send(client *http.Client, url string, body []byte, key string, header http.Header) ([]byte, int, error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodPost, url, bytes.NewReader(body))
	s.must(err)
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return answer, resp.StatusCode, err
}

// turnedAway tells whether a request never reached a program, as a load balancer would have known beforehand.
func turnedAway(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// unanswered notes a request that came to nothing.
func (s *scene) unanswered(err error, status int) {
	if s.strict.Load() && !turnedAway(err) {
		s.requestFailed(fmt.Errorf("a request failed: status %s, %w", strconv.Itoa(status), err))
	}
}
