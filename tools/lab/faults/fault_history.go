//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/bot/discordtest"
)

// shown is within which a write must be seen at another replica.
const shown = 5 * time.Second

// historyFaults are misfortunes that only a comparison of answers and rows brings to light.
var historyFaults = []fault{
	{
		name: "20,000 operations of all kinds under faults", rare: 100, counts: true, takes: chapterLimit,
		note: "a slice of make histories; each request's history is explained by an order of events",
		round: func(s *scene, i int) time.Duration {
			h := newHistories(s.ground, chapterOf, s.ground.seed+uint64(i))
			h.most = 1
			s.must(h.play(s.ctx))
			s.remark = h.progress()
			return 0
		},
	},
	{
		name: "COMMIT is lost before it arrives", most: databaseBack, counts: true,
		note:  "the program asks for the commit status, and repeats the write; no request may fail",
		round: losingCommits(lossBefore),
	},
	{
		name: "COMMIT is carried out and its answer lost", most: databaseBack, counts: true,
		note:  "the program asks for the commit status; no request may fail",
		round: losingCommits(lossAfter),
	},
	{
		name: "PostgreSQL crashes with a COMMIT on its way", server: true, rare: 5, counts: true,
		note:  "and gives the transaction's number to another one, which commits",
		round: func(s *scene, _ int) time.Duration { return s.crashOnCommit() },
	},
	{
		name: "the same key from six connections at once",
		note: "offers, accepts, sales and what a side of a handover says; all six get one answer",
		round: func(s *scene, _ int) time.Duration {
			began := time.Now()
			for range 4 {
				s.sameKeyAtOnce()
			}
			return s.since(began)
		},
	},
	{
		name: "interactions delivered twice", counts: true,
		note: "accepts with a button and by command, a sale; each counts once",
		round: func(s *scene, _ int) time.Duration {
			began := time.Now()
			s.deliveredTwice()
			return s.since(began)
		},
	},
	{
		name: "no connections while a message is in its hands", most: databaseBack, rare: 10,
		note: "for longer than one attempt to note it takes",
		round: func(s *scene, _ int) time.Duration {
			s.laterThatDay()
			late := s.discord.Fail(newMessage, len(s.owners), discordtest.Delaying(time.Second))
			s.offers(1)
			late.WaitHits(s, len(s.owners))
			s.asAdmin("alter database " + s.database + " with connection limit 0")
			s.cutAll()
			s.rest(14 * time.Second)
			s.asAdmin("alter database " + s.database + " with connection limit -1")
			back := time.Now()
			s.settledWithin(3 * databaseBack)
			return time.Since(back)
		},
	},
	{
		name: "killed -9 with messages in its hands, back at once", most: 20 * time.Second, rare: 4,
		note: "what the dead process had reserved is free again before the reservation ends",
		round: func(s *scene, i int) time.Duration {
			held := s.strike(i, len(s.owners), discordtest.Holding())
			s.offers(1)
			held.WaitHits(s, len(s.owners))
			s.programs[0].kill()
			held.Lift()
			back := s.restart(s.programs[0])
			s.settledWithin(25 * time.Second)
			return time.Since(back)
		},
	},
	{
		name: "requests expire with offers of users on them", rare: 4,
		note:  "each seller is notified; back is the time from the program's start",
		round: func(s *scene, _ int) time.Duration { return s.expire() },
	},
	{
		name: "a list cached at one replica, written at the other", programs: both, most: shown,
		note:  "the page and its list follow within seconds",
		round: func(s *scene, _ int) time.Duration { return s.shownAtTheOther() },
	},
	{
		name: "two replicas and one connection to the gateway", programs: both, rare: 4,
		note: "only one of them is connected, also after the other was started again",
		round: func(s *scene, i int) time.Duration {
			began := time.Now()
			s.oneHolder()
			p := s.programs[i%2]
			p.kill()
			s.restart(p)
			s.discord.WaitForBot(s)
			s.oneHolder()
			s.offers(1)
			return s.since(began)
		},
	},
}

// through has the program reach PostgreSQL by way of a commitProxy. done ends that: the next scene finds
// the program running.
func (s *scene) through() (proxy *commitProxy, done func()) { return s.throughOf(s.programs[0]) }

// throughOf is through for one of several programs.
func (s *scene) throughOf(p *program) (proxy *commitProxy, done func()) {
	dsn := p.setting("DATABASE_URL")
	proxy, through, err := newCommitProxy(dsn)
	s.must(err)
	p.kill()
	p.set("DATABASE_URL", through)
	s.restart(p)
	return proxy, func() {
		p.kill()
		proxy.close()
		p.set("DATABASE_URL", dsn)
		if err := s.try(func() { s.restart(p) }); err != nil {
			s.complain(err)
		}
	}
}

// setting is the last value of one of the program's settings.
func (p *program) setting(name string) (value string) {
	for _, line := range p.env {
		if text, found := strings.CutPrefix(line, name+"="); found {
			value = text
		}
	}
	return value
}

// set changes a setting for the next start.
func (p *program) set(name, value string) { p.env = append(p.env, name+"="+value) }

// losingCommits loses the COMMIT of an offer, an accept, a sale, and what both sides of a handover say.
func losingCommits(how loss) func(*scene, int) time.Duration {
	return func(s *scene, _ int) time.Duration {
		a := s.agree()
		proxy, done := s.through()
		defer done()
		s.strict.Store(true)
		var slowest time.Duration
		lose := func(do func()) {
			hit := proxy.arm(how)
			began := time.Now()
			do()
			slowest = max(slowest, time.Since(began))
			select {
			case <-hit:
			default:
				s.Errorf("no COMMIT was lost")
			}
		}
		o := s.owners[0]
		n := visitors.Add(1)
		var made struct{ Offer struct{ ID int64 } }
		lose(func() {
			s.mustWrite(write{op: opOffer, address: from(n), order: o.order, name: newName(n),
				quantity: 5}, &made)
		})
		s.owe(newName(n), o.Username())
		lose(func() {
			s.mustWrite(write{op: opAccept, actor: o.person, offer: made.Offer.ID,
				quantity: 2}, nil)
		})
		lose(func() {
			s.mustWrite(write{op: opSell, actor: o.person, order: o.order, quantity: 3,
				name: newName(visitors.Add(1))}, nil)
		})
		lose(func() { s.mustWrite(write{op: opSay, actor: s.hazel, sales: a.sales, word: "met"}, nil) })
		lose(func() {
			s.mustWrite(write{op: opSay, actor: a.seller, sales: a.sales[:1],
				word: "not_met"}, nil)
		})
		s.settled()
		s.strict.Store(false)
		return slowest
	}
}

// crashOnCommit crashes the server before it has written any part of a transaction whose COMMIT is
// in transit. Its number is given out again before the program can ask about it.
func (s *scene) crashOnCommit() time.Duration {
	proxy, done := s.through()
	defer done()
	s.settled()
	// else the first part of the transaction is on disk by then
	s.asAdmin("alter system set wal_writer_delay = '10s'")
	s.asAdmin("select pg_reload_conf()")
	o := s.owners[0]
	hit := proxy.arm(lossHeld)
	n := visitors.Add(1)
	written := s.meanwhile(func() {
		s.mustWrite(write{op: opOffer, address: from(n), order: o.order, name: newName(n), quantity: 1}, nil)
	})
	select {
	case <-hit:
	case <-s.ctx.Done():
		s.Fatalf("no COMMIT was held")
	}
	began := time.Now()
	proxy.shut()
	s.must(s.server.Kill(s.ctx))
	proxy.cutAll()
	s.must(s.server.Ready(s.ctx))
	s.giveNumbers(200)
	proxy.reopen()
	written()
	s.owe(newName(n), o.Username())
	took := s.since(began)
	s.asAdmin("alter system reset wal_writer_delay")
	s.asAdmin("select pg_reload_conf()")
	return took
}

// giveNumbers has the server give out the numbers of so many transactions, all of them committed. The
// pool's connections are cut by now.
func (s *scene) giveNumbers(n int) {
	conn, err := pgx.Connect(s.ctx, s.server.DSN(s.database))
	s.must(err)
	defer conn.Close(context.WithoutCancel(s.ctx))
	_, err = conn.Exec(s.ctx,
		fmt.Sprintf("do $$ begin for i in 1..%d loop perform pg_current_xact_id(); commit; end loop; end $$",
			n))
	s.must(err)
}

// sameKeyAtOnce sends an offer, an accept and a sale from six connections at once, each under one key.
func (s *scene) sameKeyAtOnce() {
	o, a := s.owners[0], s.agree()
	n := visitors.Add(1)
	var made struct{ Offer struct{ ID int64 } }
	data := s.atOnce(write{op: opOffer, address: from(n), order: o.order, name: newName(n), quantity: 9})
	s.must(json.Unmarshal(data, &made))
	s.owe(newName(n), o.Username())
	s.atOnce(write{op: opAccept, actor: o.person, offer: made.Offer.ID, quantity: 1})
	s.atOnce(write{op: opSell, actor: o.person, order: o.order, quantity: 1, name: newName(visitors.Add(1))})
	s.atOnce(write{op: opSay, actor: s.hazel, sales: a.sales, word: "not_met"})
}

// privateLink is a visitor's link in an answer: only the first answer under a short key has one (decision
// 61).
var privateLink = regexp.MustCompile(`"link":(null|"[^"]*")`)

// atOnce sends a write six times at once and returns the answer, which must be the same each time but for a
// private link.
func (s *scene) atOnce(w write) []byte {
	w.adapter, w.key = overHTTP, fmt.Sprintf("at-once-%d", visitors.Add(1))
	method, path, body := w.request()
	data, err := json.Marshal(body)
	s.must(err)
	outcomes := make([]outcome, 6)
	var sending sync.WaitGroup
	began := time.Now()
	for i := range outcomes {
		sending.Go(func() {
			outcomes[i] = s.attempt(s.ctx, w, method, "http://"+s.page(i).address+path,
				data)
		})
	}
	sending.Wait()
	same := func(a, b outcome) bool {
		return string(privateLink.ReplaceAll(a.answer, nil)) == string(privateLink.ReplaceAll(b.answer, nil))
	}
	for _, o := range outcomes {
		if o.certainty != acknowledged || !same(o, outcomes[0]) {
			s.Errorf("%s under one key: one answer is %s, another %s", w.op, outcomes[0], o)
		}
	}
	s.wrote(w, outcomes[0], began, time.Now())
	return outcomes[0].answer
}

// deliveredTwice has the gateway deliver interactions twice: an accept with a button, one by command, a
// logged sale.
func (s *scene) deliveredTwice() {
	o := s.owners[0]
	n := visitors.Add(1)
	var made struct{ Offer struct{ ID int64 } }
	s.mustWrite(write{op: opOffer, address: from(n), order: o.order, name: newName(n), quantity: 9}, &made)
	s.owe(newName(n), o.Username())
	s.settled()
	for _, w := range []write{
		{op: opAccept, offer: made.Offer.ID, quantity: 2, name: newName(n), button: true},
		{op: opAccept, offer: made.Offer.ID, quantity: 3},
		{op: opSell, order: o.order, quantity: 1, name: newName(visitors.Add(1))},
	} {
		s.discord.ForgetRequests()
		answers := 2
		if w.button {
			answers = 4 // the form, and its submission
		}
		s.discord.Gateway().DuplicateNext(answers / 2)
		w.adapter, w.actor = overDiscord, o.person
		if out := s.write(w); out.certainty != acknowledged {
			s.Errorf("%s delivered twice was not acknowledged: %s", w.op, out)
		}
		s.discord.WaitRequests(s, "POST /interactions/*/*/callback", answers)
	}
}

// settledWithin waits until no notice is pending, but no longer than most.
func (s *scene) settledWithin(most time.Duration) {
	s.until(most, "no notice is pending", func() bool {
		var pending int
		err := s.db.QueryRow(s.ctx, "select count(*) from notices where state = 'pending'").Scan(&pending)
		return err == nil && pending == 0
	})
}

// until waits until something is so, and ends the round when it is not within most.
func (s *scene) until(most time.Duration, what string, so func() bool) {
	ctx, cancel := context.WithTimeout(s.ctx, most)
	defer cancel()
	for !so() {
		select {
		case <-time.After(10 * time.Millisecond): // there is no signal for it
		case <-ctx.Done():
			s.Fatalf("%s is not so after %s: %s", what, most, s.lying())
		}
	}
}

// expire expires an order with offers of two users and a visitor.
func (s *scene) expire() time.Duration {
	o := s.owners[0]
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: o.person, name: "Tin " + newName(visitors.Add(1)), quantity: 50,
		price: 20}, &posted)
	for i := range 3 {
		n := visitors.Add(1)
		w := write{op: opOffer, address: from(n), order: posted.ID, name: newName(n), quantity: 2}
		if i > 0 {
			w.actor = s.person(s.discord.NewPlayer(s, fmt.Sprintf("trader%d", n)))
		}
		s.mustWrite(w, nil)
		s.owe(newName(n), o.Username())
	}
	s.settled()
	_, err := s.programs[0].stop()
	s.must(err)
	_, err = s.db.Exec(s.ctx, `update orders set created_at = created_at - interval '400 days', updated_at = updated_at - interval '400 days',
		expires_at = now() - interval '1 second' where id = $1`, posted.ID)
	s.must(err)
	began := s.restart(s.programs[0])
	s.until(40*time.Second, "that the offers have lapsed", func() bool {
		var open int
		err := s.db.QueryRow(s.ctx, "select count(*) from offers where order_id = $1", posted.ID).Scan(&open)
		return err == nil && open == 0
	})
	return s.since(began)
}

// shownAtTheOther writes at the first replica and waits until the second shows it, to a page that is open
// and in its list.
func (s *scene) shownAtTheOther() time.Duration {
	page := s.follow(s.programs[1])
	defer page.close()
	name := "Tin " + newName(visitors.Add(1))
	first := s.listed(s.programs[1], name)
	s.turns.Store(0) // the write goes to the first
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: s.owners[0].person, name: name, quantity: 50, price: 20}, &posted)
	began := time.Now()
	if first {
		s.Errorf("the list has %q before it was posted", name)
	}
	s.until(3*shown, "that the list of the other replica has the order",
		func() bool { return s.listed(s.programs[1], name) })
	listed := time.Since(began)
	page.hearsWithin(posted.ID, 3*shown)
	s.turns.Store(0)
	s.mustWrite(write{op: opClose, actor: s.owners[0].person, order: posted.ID}, nil)
	s.until(3*shown, "that the list of the other replica no longer has the order",
		func() bool { return !s.listed(s.programs[1], name) })
	return listed
}

// listed reports whether the list of a program has an order.
func (s *scene) listed(p *program, item string) bool {
	resp, err := visitorHTTP.Get("http://" + p.address + "/api/orders")
	s.must(err)
	defer resp.Body.Close()
	var list struct{ Orders []struct{ ItemName string } }
	if resp.StatusCode != http.StatusOK {
		return false
	}
	s.must(json.NewDecoder(resp.Body).Decode(&list))
	for _, o := range list.Orders {
		if o.ItemName == item {
			return true
		}
	}
	return false
}

// hearsWithin is hears with a limit of its own.
func (p *openPage) hearsWithin(order int64, most time.Duration) {
	limit := time.After(most)
	for {
		select {
		case c := <-p.heard:
			if !c.resync && slices.Contains(c.Orders, order) {
				return
			}
		case <-limit:
			p.s.Fatalf("the page got no event of order %d within %s", order, most)
		}
	}
}

// oneHolder watches the gateway for a while: there must never be two connections.
func (s *scene) oneHolder() {
	gateway := s.discord.Gateway()
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); s.rest(10 * time.Millisecond) {
		if c := gateway.Count(); c.Ready > 1 {
			s.Fatalf("%d connections to the gateway are ready", c.Ready)
		}
	}
}
