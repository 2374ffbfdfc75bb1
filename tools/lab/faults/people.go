//go:build unix

package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/bot/discordtest"
)

// person is a user who is signed in on the page.
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
	p := &person{Player: player, browser: &http.Client{Jar: jar, Timeout: 20 * time.Second,
		Transport: from(visitors.Add(1))}}
	s.signIn(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.people = append(s.people, p)
	return p
}

func (s *scene) owner(player *discordtest.Player) *owner {
	o := &owner{person: s.person(player)}
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: o.person, name: "Iron Ore of " + o.Username(), quantity: 1_000_000,
		price: 500}, &posted)
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

// at is a client's own address, so that no client shares the rate limits of another.
type at string

func from(n int64) at { return at(net.IPv4(10, byte(n>>16), byte(n>>8), byte(n)).String()) }

func (a at) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", string(a))
	return http.DefaultTransport.RoundTrip(r)
}

// Offers come from visitors, each from an address of their own.

var (
	visitors    atomic.Int64
	visitorHTTP = &http.Client{Timeout: 12 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
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
				for range next { // so that no reader blocks
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
			if i >= 90*len(s.owners) {
				continue // a request takes a hundred offers of visitors
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

// offer sends an offer, again until it is acknowledged. From then on a notice is expected.
func (s *scene) offer(to *owner) {
	n := visitors.Add(1)
	name := newName(n)
	s.mustWrite(write{op: opOffer, address: from(n), order: to.order, name: name, quantity: 1}, nil)
	s.owe(name, to.Username())
}

// trade has a seller who is new to the market sign in and offer two, of which the owner takes one.
// Both must get a notice.
func (s *scene) trade(with *owner) {
	n := visitors.Add(1)
	seller := s.person(s.discord.NewPlayer(s, fmt.Sprintf("trader%d", n)))
	var made struct{ Offer struct{ ID int64 } }
	s.mustWrite(write{op: opOffer, actor: seller, order: with.order, name: newName(n), quantity: 2}, &made)
	s.owe(newName(n), with.Username())
	s.mustWrite(write{op: opAccept, actor: with.person, offer: made.Offer.ID, quantity: 1}, nil)
	s.oweAccept(seller.Username())
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
