//go:build unix

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
)

const (
	traders          = 12 // everybody else
	tradesOfEach     = 2  // with and without the abuser, so that all of them are within the quotas
	readsOfEachTrade = 8
	readPause        = 15 * time.Millisecond // the abuser has some seconds
	// the abuser may send more offers on them than a quota of messages holds
	strangerOrders = 4
	boardChannel   = "request-board"
)

// Defaults of the settings, as docs/configuration.md has them.
const (
	defaultDMPair  = 4
	defaultReports = 10
)

// playAccount has one account do all that it may, and more, while others trade.
func playAccount(s *scene, _ int) time.Duration {
	s.owners[0].In(boardChannel).Slash("board here")
	others := make([]*person, traders)
	for i := range others {
		others[i] = s.newPerson("trader")
	}
	a := &accountAbuse{s: s, account: s.newPerson("abuser"), stranger: s.newPerson("stranger")}
	for range strangerOrders {
		a.orders = append(a.orders, s.tradeOrder(a.stranger, 1_000_000))
	}
	quiet := s.othersTrade(others)
	release := a.start()
	s.strict.Store(true)
	beside := s.othersTrade(others)
	s.strict.Store(false)
	release()
	back := s.since(time.Now())
	s.must(a.within())
	s.remark = fmt.Sprintf("p99 of everybody else: %s, and %s without it; it asked %d times, done was %d times",
		short(beside), short(quiet), a.asked.Load(), a.done.Load())
	return back
}

// newPerson is a person with a new account.
func (s *scene) newPerson(kind string) *person {
	return s.person(s.discord.NewPlayer(s, fmt.Sprintf("%s%d", kind, visitors.Add(1))))
}

// tradeOrder posts a request on the page.
func (s *scene) tradeOrder(by *person, quantity int) int64 {
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: by, name: newName(visitors.Add(1)), quantity: quantity, price: 100},
		&posted)
	return posted.ID
}

// othersTrade has each of them post a request, on which the next one offers, and accept a part of that,
// with readers between them. It returns the 99th percentile of how long each of it took.
func (s *scene) othersTrade(others []*person) time.Duration {
	var took []time.Duration
	timed := func(do func()) {
		began := time.Now()
		do()
		took = append(took, time.Since(began))
	}
	for range tradesOfEach {
		for i, buyer := range others {
			seller, name := others[(i+1)%len(others)], newName(visitors.Add(1))
			var (
				order int64
				made  struct{ Offer struct{ ID int64 } }
			)
			timed(func() { order = s.tradeOrder(buyer, 10) })
			timed(func() {
				s.mustWrite(write{op: opOffer, actor: seller, order: order, name: name, quantity: 2}, &made)
			})
			s.owe(name, buyer.Username())
			timed(func() {
				s.mustWrite(write{op: opAccept, actor: buyer, offer: made.Offer.ID, quantity: 1}, nil)
			})
			s.oweAccept(seller.Username())
			for n := range readsOfEachTrade {
				path := "/api/orders?q=" + name // nothing that is kept
				if n%2 == 0 {
					path = fmt.Sprintf("/api/orders/%d", order)
				}
				timed(func() { s.readOnce(path) })
				s.rest(readPause)
			}
		}
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// accountAbuse is one account that does all it can through both adapters.
type accountAbuse struct {
	s                 *scene
	account, stranger *person
	orders            []int64 // of the stranger
	asked, done       atomic.Int64
	rejected          sync.Map // op of a write that was rejected, and its adapter
}

// start begins the abuse. It ends when release is called, which waits for the running writes.
func (a *accountAbuse) start() (release func()) {
	stopped := make(chan struct{})
	half := len(a.orders) / 2
	var ends []func()
	for by, orders := range map[adapter][]int64{overHTTP: a.orders[:half], overDiscord: a.orders[half:]} {
		for _, does := range []func(int){
			func(int) { a.post(by) },
			func(n int) { a.offerAndWithdraw(by, orders[n%len(orders)]) },
			func(n int) { a.report(by, int64(n)) },
		} {
			ends = append(ends, a.s.meanwhile(func() {
				for n := 0; ; n++ {
					select {
					case <-stopped:
						return
					default:
						does(n)
					}
				}
			}))
		}
	}
	return func() {
		close(stopped)
		for _, ended := range ends {
			ended()
		}
	}
}

// do asks once, whatever the answer is.
func (a *accountAbuse) do(w write) outcome {
	w.actor, w.once = a.account, true
	o := a.s.write(w)
	a.asked.Add(1)
	switch o.certainty {
	case acknowledged:
		a.done.Add(1)
	case refused:
		a.rejected.Store(writeKind{w.adapter, w.op, refused}, true)
	}
	return o
}

func (a *accountAbuse) post(by adapter) {
	a.do(write{adapter: by, op: opPost, name: newName(visitors.Add(1)), quantity: 1, price: 100})
}

func (a *accountAbuse) offerAndWithdraw(by adapter, order int64) {
	name := newName(visitors.Add(1))
	sent := a.do(write{adapter: by, op: opOffer, order: order, name: name, quantity: 1})
	var offer int64
	a.s.must(a.s.db.QueryRow(a.s.ctx, "select coalesce(max(id), 0) from offers where seller_name = $1",
		name).Scan(&offer))
	if sent.certainty == acknowledged && offer != 0 {
		a.do(write{adapter: by, op: opWithdraw, offer: offer, name: name})
	}
}

// report reports one request after another: of the same, a second report is refused.
func (a *accountAbuse) report(by adapter, n int64) {
	first := a.s.owners[0].order
	var order int64
	a.s.must(a.s.db.QueryRow(a.s.ctx, `select id from orders where user_id <> (select id from users where username = $1) and id >= $2
		order by id offset $3 % (select count(*) from orders where user_id <> (select id from users where username = $1) and id >= $2) limit 1`,
		a.account.Username(), first, n).Scan(&order))
	a.do(write{adapter: by, op: opReport, order: order})
}

// within returns what is more than the quotas allow. It waits for the board to show what was posted.
func (a *accountAbuse) within() error {
	var (
		beyond                []error
		posted, open, reports int
		items                 []string
	)
	a.s.must(a.s.db.QueryRow(a.s.ctx, `select count(*), count(*) filter (where o.status = 'active'), coalesce(array_agg(o.item_name), '{}'),
			(select count(*) from reports r join users u on u.id = r.reporter_id where u.username = $1)
		from orders o join users u on u.id = o.user_id where u.username = $1`, a.account.Username()).Scan(&posted, &open, &items, &reports))
	atMost := func(what string, got, most int) {
		if got > most {
			beyond = append(beyond, fmt.Errorf("%d %s, at most %d are allowed", got, what, most))
		}
	}
	atMost("requests of one account on its first day", posted, core.LimitFirstDay.Limit)
	atMost("open requests of one account on its first day", open, core.LimitFirstDay.Limit)
	atMost("reports of one account", reports, defaultReports)
	atMost("direct messages to the stranger", len(a.s.discord.DMs(a.stranger.Username())), defaultDMPair+1)
	if posted == 0 || reports == 0 {
		beyond = append(beyond, fmt.Errorf("the account posted %d requests and %d reports: it has tried nothing", posted, reports))
	}
	for _, by := range []adapter{overHTTP, overDiscord} {
		for _, what := range []op{opPost, opOffer, opReport} {
			if _, seen := a.rejected.Load(writeKind{by, what, refused}); !seen {
				beyond = append(beyond, fmt.Errorf("no %s over %s was refused", what, by))
			}
		}
	}
	// One of its own, and the others in messages of ten. Beyond the first day's requests none is waited for.
	if posted <= core.LimitFirstDay.Limit {
		a.shown(posted)
		atMost("messages on the board about its requests", a.boardMessages(items),
			1+(max(0, posted-1)+channels.MaxBoardMessageOrders-1)/channels.MaxBoardMessageOrders)
	}
	return errors.Join(beyond...)
}

// shown waits until the board shows all its requests.
func (a *accountAbuse) shown(posted int) {
	for {
		var shown int
		a.s.must(a.s.db.QueryRow(a.s.ctx, `select count(*) from board_posts p join orders o on o.id = p.order_id join users u on u.id = o.user_id
			where u.username = $1 and p.message_id <> ''`, a.account.Username()).Scan(&shown))
		if shown == posted {
			return
		}
		a.s.rest(20 * time.Millisecond) // the board does not say when it has shown all
	}
}

// boardMessages counts the messages on the board that show one of the items.
func (a *accountAbuse) boardMessages(items []string) (n int) {
	for _, message := range a.s.owners[0].In(boardChannel).Messages() {
		shows := func(item string) bool { return strings.Contains(message.Text(), item) }
		if slices.ContainsFunc(items, shows) {
			n++
		}
	}
	return n
}
