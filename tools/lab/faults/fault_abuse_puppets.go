//go:build unix

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/tools/lab/faults/history"
)

const (
	puppetsTake    = time.Minute
	forgedTimes    = 4 // the usual price, which puppets pay each other
	forgedNames    = 3
	mostDraws      = 40 // of places that accounts share; far fewer are left to make
	extraPosts     = 2  // that each tries beyond the limit of the first day
	offersOnOne    = 7  // that each tries on one request: one more than it may through each adapter
	forgedPartners = 2  // of whom each puppet buys
	extraReports   = 2  // that each tries beyond the limit of a day, one through each adapter
)

// playPuppets has accounts that were made just now do all that they may, together, in a market of honest
// people, and counts how much of it others notice.
func playPuppets(puppets int) func(*scene, int) time.Duration {
	return func(s *scene, _ int) time.Duration {
		a := &puppetAttack{s: s, market: s.honestMarket(), tried: map[op]int{}, refused: map[writeKind]int{}}
		before := a.market.figures(s)
		for range puppets {
			a.puppets = append(a.puppets, s.newPerson("puppet"))
		}
		a.act()
		a.sendAlerts()
		err := a.within(before)
		a.endWatches()
		back := s.since(time.Now())
		s.must(err)
		return back
	}
}

// puppetAttack is accounts of one person, and the market that they attack.
type puppetAttack struct {
	s           *scene
	market      *honestMarket
	puppets     []*person
	asked, done int
	trades      int        // among themselves
	reports     []int64    // requests of others that they report
	tried       map[op]int // through either adapter in turn
	refused     map[writeKind]int
}

// do asks once, whatever the answer is.
func (a *puppetAttack) do(by *person, w write) outcome {
	w.actor, w.once = by, true
	if w.adapter == "" {
		w.adapter = []adapter{overHTTP, overDiscord}[a.tried[w.op]%2]
		a.tried[w.op]++
	}
	o := a.s.write(w)
	a.asked++
	switch o.certainty {
	case acknowledged:
		a.done++
	case refused:
		a.refused[writeKind{w.adapter, w.op, refused}]++
	}
	return o
}

func typedName(n int) string { return fmt.Sprintf("%s Ore %c", forgedName, 'A'+n%forgedNames) }

func isForged(name string) bool { return strings.Contains(name, forgedName) }

// act has the puppets do what they want. Each may post or edit five times on its first day: it asks for
// something, buys three times, and posts a list or edits its request.
func (a *puppetAttack) act() {
	for n, p := range a.puppets {
		a.do(p, write{op: opPost, name: typedName(n), quantity: 20, price: honestPrice})
		if n%2 == 0 {
			a.postList(p, n)
		} else {
			a.edit(p, n, overDiscord)
		}
		a.offer(p)
	}
	for n, buyer := range a.puppets {
		for step := range min(forgedPartners, len(a.puppets)-1) {
			a.trade(buyer, a.puppets[(n+step+1)%len(a.puppets)], forgedTimes*honestPrice)
		}
		a.trade(buyer, a.puppets[(n+1)%len(a.puppets)], lowPrice)
	}
	for n, p := range a.puppets { // beyond the limit
		for extra := range extraPosts {
			a.do(p, write{op: opPost, name: typedName(n + extra), quantity: 50 + extra, price: 100})
		}
		a.postList(p, n+1)
		a.edit(p, n, overHTTP) // is saved, and alerts no one
		a.moderate(p, a.puppets[(n+1)%len(a.puppets)])
	}
	a.report()
}

// report has each puppet report requests of strangers and traders, all of them the same first ones.
func (a *puppetAttack) report() {
	rows, err := a.s.db.Query(a.s.ctx, `select id from orders where user_id = any($1) and status = 'active'
		order by id desc limit $2`, append(a.s.users(a.market.strangers), a.s.users(a.market.traders)...),
		defaultReports+extraReports)
	a.s.must(err)
	a.reports, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	a.s.must(err)
	for _, p := range a.puppets {
		for _, order := range a.reports {
			a.do(p, write{op: opReport, order: order})
		}
	}
}

// reported counts what reports of puppets did. All of them together notify a moderator of each request once,
// hide none of them, and delay no alerts.
func (a *puppetAttack) reported(most, least func(what string, got, limit int)) (reports, notices int) {
	puppets := a.s.users(a.puppets)
	for _, p := range a.puppets {
		n := int(a.last("select count(*) from reports where reporter_id = $1", a.s.user(p)))
		most("reports of "+p.Username(), n, defaultReports)
		least("reports of "+p.Username(), n, defaultReports)
		reports += n
	}
	notices = int(a.last(`select count(*) from notices where kind = 'report_received' and user_id = $1
		and order_id = any($2)`, a.s.user(a.s.moderator), a.reports))
	most("notices to the moderator about reports of puppets", notices, defaultReports)
	least("notices to the moderator about reports of puppets", notices, 1)
	most("reported requests that are hidden or over", int(a.last(
		"select count(*) from orders where id = any($1) and (hidden or status <> 'active')", a.reports)), 0)
	most("reports of puppets that delay alerts", int(a.last(
		"select count(*) from reports r join traders t on t.user_id = r.reporter_id where r.reporter_id = any($1)",
		puppets)), 0)
	return reports, notices
}

func (a *puppetAttack) postList(p *person, n int) {
	var lines []history.Line
	for i := range forgedNames {
		lines = append(lines, history.Line{Item: typedName(n + i), Quantity: 5 + i, Price: honestPrice})
	}
	a.do(p, write{adapter: overHTTP, op: opPostList, name: newName(visitors.Add(1)), lines: lines})
}

// edit pays more for what a puppet asks for, so that its watchers would be alerted again.
func (a *puppetAttack) edit(p *person, n int, by adapter) {
	order := a.last(`select coalesce(max(id), 0) from orders
		where user_id = $1 and item_name = $2 and list_id is null`, a.s.user(p), typedName(n))
	version := a.last("select coalesce(max(version), 0) from orders where id = $1", order)
	a.do(p, write{adapter: by, op: opEdit, order: order, version: int(version), quantity: 30,
		price: 2 * honestPrice})
}

// offer offers on each stranger's request and withdraws that, more often than it may.
func (a *puppetAttack) offer(p *person) {
	for _, order := range a.market.orders {
		for range offersOnOne {
			name := newName(visitors.Add(1))
			sent := a.do(p, write{op: opOffer, order: order, name: name, quantity: 1})
			if sent.certainty != acknowledged {
				continue
			}
			offer := a.last("select coalesce(max(id), 0) from offers where seller_name = $1", name)
			a.do(p, write{op: opWithdraw, offer: offer, name: name})
		}
	}
}

// trade has one puppet buy the honest item of another, and both say that they met.
func (a *puppetAttack) trade(buyer, seller *person, price int64) {
	a.do(buyer, write{adapter: overHTTP, op: opPost, name: honestItem, quantity: 10, price: price, sure: true})
	order := a.last(`select coalesce(max(id), 0) from orders
		where user_id = $1 and item_name = $2 and max_price_per_unit = $3 and sold = 0`,
		a.s.user(buyer), honestItem, price)
	if order == 0 {
		return
	}
	name := newName(visitors.Add(1))
	a.do(seller, write{op: opOffer, order: order, name: name, quantity: 10})
	offer := a.last("select coalesce(max(id), 0) from offers where seller_name = $1", name)
	a.do(buyer, write{op: opAccept, order: order, offer: offer, name: name, quantity: 10})
	sale := a.last("select coalesce(max(id), 0) from order_updates where order_id = $1", order)
	met := 0
	for _, p := range []*person{buyer, seller} {
		said := a.do(p, write{adapter: overHTTP, op: opSay, sales: []int64{sale}, word: "met"})
		if said.certainty == acknowledged {
			met++
		}
	}
	if met == 2 {
		a.trades++
	}
}

// moderate tries what moderators do: to vouch for another puppet, and to confirm a name.
func (a *puppetAttack) moderate(p, friend *person) {
	a.do(p, write{adapter: overHTTP, op: opVouch, number: a.s.user(friend), subject: friend.Username()})
	a.do(p, write{adapter: overHTTP, op: opConfirmItem, number: a.last(
		"select coalesce(max(id), 0) from catalogue_items where name like $1", forgedName+"%")})
}

func (a *puppetAttack) last(query string, args ...any) (n int64) {
	a.s.must(a.s.db.QueryRow(a.s.ctx, query, args...).Scan(&n))
	return n
}

// sendAlerts turns the clocks of the alerts about requests of puppets until all that is due is sent: the
// requests of new accounts wait for minutes, and their alerts for a draw.
func (a *puppetAttack) sendAlerts() {
	const ofPuppets = `alert_rounds set since = least(since, now() - interval '10 minutes'),
		next_wave_at = least(next_wave_at, now()), due_at = date_bin('5 minutes', now(), 'epoch')
		where not resting and order_id in (select id from orders where user_id = any($1))`
	puppets := a.s.users(a.puppets)
	count := func(which string) int64 {
		return a.last(`select count(*) from alert_rounds r join orders o on o.id = r.order_id
			where not r.resting and o.user_id = any($1)`+which, puppets)
	}
	for range mostDraws {
		if count("") == 0 {
			break
		}
		a.s.turnOf(ofPuppets, a.puppets)
		a.s.until(patience, "a draw is over", func() bool { return count(" and r.due_at <= now()") == 0 })
	}
	if left := count(""); left > 0 {
		a.s.Fatalf("alerts about %d requests of puppets still wait after %d draws", left, mostDraws)
	}
	others := append(a.s.users(a.market.watchers), a.s.users(a.market.strangers)...)
	a.s.until(patience, "what is due is sent", func() bool {
		return a.last(`select count(*) from notices
			where state = 'pending' and coalesce(hold_until, now()) <= now() and user_id = any($1)`, others) == 0
	})
}

// endWatches removes the watches: what they still owe, on other days, ends with them.
func (a *puppetAttack) endWatches() {
	for i, p := range a.market.watchers {
		a.s.mustWrite(write{op: opUnwatch, actor: p, number: a.market.watches[i]}, nil)
	}
}

// within counts what the puppets did to others, and returns what is more than they may.
func (a *puppetAttack) within(before publicFigures) error {
	s, m := a.s, a.market
	var beyond []error
	most := func(what string, got, most int) {
		if got > most {
			beyond = append(beyond, fmt.Errorf("%d %s, at most %d are allowed", got, what, most))
		}
	}
	least := func(what string, got, least int) {
		if got < least {
			beyond = append(beyond, fmt.Errorf("%d %s: it has tried too little", got, what))
		}
	}
	puppets := s.users(a.puppets)
	alerted := int(a.last(`select count(distinct user_id) from notices
		where kind = 'request_watched' and caused_by = any($1) and reason not in ('inbox', 'reach')`, puppets))
	alerts, readers := s.messages(m.watchers)
	offers, sellersHeard := s.messages(m.strangers)
	most("people messaged by alerts of puppets", max(alerted, readers), core.LimitSharedReach.Limit)
	least("people messaged by alerts of puppets", readers, 1)
	for _, p := range m.watchers {
		most("alerts to "+p.Username(), len(s.discord.DMs(p.Username())), core.LimitDMAlerts.Limit)
	}
	// Of each sender, and of all together; what is more comes in one digest.
	for _, p := range m.strangers {
		most("messages about offers of puppets to "+p.Username(), len(s.discord.DMs(p.Username())),
			min(len(a.puppets)*(defaultDMPair+1), core.LimitDMReader.Limit+1))
	}
	for _, p := range a.puppets {
		posted := int(a.last("select count(distinct coalesce(-list_id, id)) from orders where user_id = $1",
			s.user(p)))
		most("requests and lists of "+p.Username(), posted, core.LimitFirstDay.Limit)
		least("requests and lists of "+p.Username(), posted, core.LimitFirstDay.Limit-1) // and an edit
	}
	least("trades of puppets", a.trades, 3*len(a.puppets))
	for _, kind := range []writeKind{
		{overHTTP, opPost, refused}, {overDiscord, opPost, refused}, {overHTTP, opPostList, refused},
		{overHTTP, opOffer, refused}, {overDiscord, opOffer, refused},
		{overHTTP, opVouch, refused}, {overHTTP, opConfirmItem, refused},
		{overHTTP, opReport, refused}, {overDiscord, opReport, refused},
	} {
		least(fmt.Sprintf("%s over %s that was refused", kind.op, kind.adapter), a.refused[kind], 1)
	}
	reports, notices := a.reported(most, least)
	names := m.forged(s)
	most(fmt.Sprintf("names of puppets that others complete (%v)", names), len(names), 0)

	changed := m.figures(s).changed(before)
	s.runJob("find_traders")
	const aged = "set created_at = created_at - interval '8 days' where "
	s.turnOf("orders "+aged+"user_id = any($1)", a.puppets)
	s.turnOf("order_updates "+aged+"buyer_id = any($1)", a.puppets)
	s.restartAll()
	s.discord.WaitForBot(s)
	after := m.figures(s)
	changed = max(changed, after.changed(before))
	most(fmt.Sprintf("prices and odds that changed, from %v to %v", before, after), changed, 0)
	s.remark = fmt.Sprintf("%d messages to %d people, %d of them by alerts; %d names and %d prices changed for "+
		"others; %d reports, of which a moderator had %d notices; they asked %d times, done was %d times",
		alerts+offers, readers+sellersHeard, readers, len(names), changed, reports, notices, a.asked, a.done)
	return errors.Join(beyond...)
}
