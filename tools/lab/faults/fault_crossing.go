//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	crossedItems    = "Crossing " // what the names of items begin with that are traded without asking
	standingBuyers  = 4
	standingSellers = 3
)

// Writes that the history doesn't compare: the round does.
const (
	opPostToCross op = "post to cross"
	opStandCross  op = "stand to cross"
	opListToCross op = "list to cross"
	opUndoCrossed op = "undo a crossed sale"
)

// crossingFaults strike while requests and listings that stand on both sides come at once.
var crossingFaults = []fault{
	{
		name: "killed -9 while requests and listings cross", programs: both,
		note: "nothing is oversold, and both sides get one notice of each trade",
		round: crossing(func(s *scene, i int) func() {
			p := s.programs[i%2]
			p.kill()
			return func() { s.restart(p) }
		}),
	},
	{
		name: "PostgreSQL killed -9 while requests and listings cross", programs: both, server: true, rare: 2,
		note:  "nothing is oversold, and both sides get one notice of each trade",
		round: crossing(func(s *scene, _ int) func() { return s.killPostgreSQL() }),
	},
	{
		name: "connections cut while requests and listings cross", programs: both,
		note: "nothing is oversold, and both sides get one notice of each trade",
		round: crossing(func(s *scene, _ int) func() {
			for range 5 {
				s.cutSome()
				s.rest(10 * time.Millisecond)
			}
			return func() {}
		}),
	},
}

// standingSide is a request or a listing that is about to stand.
type standingSide struct {
	who      *person
	id       int64
	quantity int
	price    int64
}

// crossing has buyers and sellers of one item stand at once while something is struck. When everything works
// again it undoes one trade, has all stand again, and compares what is stored.
func crossing(strike func(*scene, int) (revive func())) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		item := crossedItems + newName(visitors.Add(1))
		var buyers, sellers []standingSide
		for range standingSellers {
			l := standingSide{who: s.newPerson("stall"), quantity: 10 + rand.N(30), price: 40 + rand.Int64N(20)}
			s.mustWrite(l.lists(item, 0), nil) // it asks first
			l.id = s.number("select s.id from stock s join users u on u.id = s.user_id where u.username = $1",
				l.who.Username())
			// an alert to a request would be beside the point
			s.mustWrite(write{op: opQuietStock, actor: l.who, number: l.id}, nil)
			sellers = append(sellers, l)
		}
		for n := range standingBuyers {
			o := standingSide{who: s.newPerson("stander"), quantity: 10 + rand.N(20), price: 45 + rand.Int64N(20)}
			if n == 0 {
				o.price = 65 // so that there is a trade in each round
			}
			var posted struct{ ID int64 }
			s.mustWrite(write{op: opPostToCross, actor: o.who, method: http.MethodPost, path: "/api/orders",
				body: map[string]any{"itemName": item, "quantity": o.quantity, "maxPricePerUnit": o.price,
					"description": "Any grade", "buyerContact": o.who.Username(), "category": "Miner",
					"importance": "medium", "confirmPrice": true}}, &posted)
			o.id = posted.ID
			buyers = append(buyers, o)
		}
		plan := s.newPlan(item + " Plan")
		stand := func() {
			all := []func(){func() { s.mustWrite(plan.posts(), nil) }}
			for _, o := range buyers {
				all = append(all, func() { s.mustWrite(o.stands(), nil) })
			}
			for _, l := range sellers {
				all = append(all, func() { s.mustWrite(l.lists(item, l.quantity), nil) })
			}
			rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			s.allAtOnce(all)
		}
		stood := s.meanwhile(stand)
		s.rest(rand.N(60 * time.Millisecond))
		revive := strike(s, i)
		revive()
		back := time.Now()
		stood()
		took := s.since(back)
		s.crossed(item, sellers)
		s.planned(plan)
		s.none("requests that could have bought of a listing and did not", couldCross, item)
		s.undoCrossed(item, sellers)
		s.settled()
		s.crossed(item, sellers)
		s.planned(plan)
		s.crossingMessages(plan.item)
		s.none("requests that could have bought after an undo and did not", couldCross, item)
		return took
	}
}

// lists puts the seller's item up for sale, with so many a day that are sold without asking.
func (l standingSide) lists(item string, daily int) write {
	return write{op: opListToCross, actor: l.who, method: http.MethodPost, path: "/api/me/stock",
		body: map[string]any{"confirmPrice": true, "stock": []map[string]any{{"itemName": item,
			"quantity": l.quantity, "price": l.price, "public": true, "sellsDaily": daily}}}}
}

func (l standingSide) stands() write {
	return write{op: opStandCross, actor: l.who, method: http.MethodPut,
		path: fmt.Sprintf("/api/orders/%d/standing", l.id),
		body: map[string]any{"sellers": "anybody", "fromPartners": 0, "fromOthers": l.quantity,
			"until": time.Now().UTC().Add(standingLasts).Format(time.RFC3339)}}
}

// undoCrossed has the seller undo one trade, after which its request and its listing come again.
func (s *scene) undoCrossed(item string, sellers []standingSide) {
	var sale, listing, order int64
	err := s.db.QueryRow(s.ctx, `select u.id, u.crossed_with, u.order_id from order_updates u where u.item_name = $1
		and u.crossed_with is not null order by u.id limit 1`, item).Scan(&sale, &listing, &order)
	s.must(err)
	for i, l := range sellers {
		if l.id != listing {
			continue
		}
		s.mustWrite(write{op: opUndoCrossed, actor: l.who, method: http.MethodPost,
			path: fmt.Sprintf("/api/sales/%d/undo", sale)}, nil)
		before := int(s.number(soldUnasked, listing))
		sellers[i].quantity = int(s.number("select quantity from stock where id = $1", listing))
		if sellers[i].quantity > 0 { // else the undo has sold it to others
			s.mustWrite(sellers[i].lists(item, before+sellers[i].quantity), nil)
		}
		if n := s.number(`select count(*) from order_updates u where u.order_id = $1 and u.crossed_with = $2
			and not exists (select from sale_reversals r where r.sale_id = u.id)`, order, listing); n > 0 {
			s.Errorf("request %d and listing %d traded again after an undo", order, listing)
		}
		sellers[i].quantity += before // it has sold that, too
	}
}

// soldUnasked is how many of a listing were sold without asking.
const soldUnasked = `select coalesce(sum(u.quantity_sold), 0) from order_updates u where u.crossed_with = $1
	and not exists (select from sale_reversals r where r.sale_id = u.id)`

// couldCross finds requests of an item that could buy of a listing.
const couldCross = `select o.id from orders o join stock s on s.item_name = o.item_name
		where o.item_name = $1 and o.status = 'active' and o.sold < o.quantity and s.quantity > 0 and s.price <= o.max_price_per_unit
			and s.sells_daily > coalesce((select sum(u.quantity_sold) from order_updates u where u.crossed_with = s.id
				and not exists (select from sale_reversals r where r.sale_id = u.id)), 0)
			and not exists (select from order_updates u join sale_reversals r on r.sale_id = u.id where u.order_id = o.id and u.crossed_with = s.id)
			and exists (select from standing_acceptances a where a.order_id = o.id and a.ended_at is null and a.from_others > a.taken_from_others)`

// crossed compares what was traded of an item with what both sides have said, and with their notices.
func (s *scene) crossed(item string, sellers []standingSide) {
	for _, l := range sellers {
		sold := s.number(soldUnasked, l.id)
		left := s.number("select quantity from stock where id = $1", l.id)
		if sold > int64(l.quantity) || sold+left != int64(l.quantity) {
			s.Errorf("listing %d of %d sold %d and has %d left", l.id, l.quantity, sold, left)
		}
	}
	s.none("requests that bought more than they asked for, or have other sales", `select o.id from orders o
		left join order_updates u on u.order_id = o.id and not exists (select from sale_reversals r where r.sale_id = u.id)
		where o.item_name = $1 group by o.id having o.sold > o.quantity or o.sold <> coalesce(sum(u.quantity_sold), 0)`, item)
	s.none("trades at a price that one of the sides did not say", `select u.id from order_updates u join orders o on o.id = u.order_id
		join stock s on s.id = u.crossed_with where o.item_name = $1
			and (u.unit_price < s.price or u.unit_price > o.max_price_per_unit)`, item)
	s.none("sides that did not hear of a trade exactly once", `select u.id from order_updates u
		cross join lateral (values (u.buyer_id, 'standing_accepted'), (u.seller_id, 'listing_sold')) side (id, kind)
		where u.item_name = $1 and u.crossed_with is not null and (select count(*) from notices n where n.sale_id = u.id
			and n.user_id = side.id and n.kind in (side.kind, 'crossing_undone')) <> 1`, item)
	s.crossingMessages(item)
}

// crossingMessages compares the notices of trades that nobody was asked about with the messages.
func (s *scene) crossingMessages(item string) {
	rows, err := s.db.Query(s.ctx, `select n.id, u.username, n.state, n.reason, coalesce(d.message_id, '') from notices n
		join users u on u.id = n.user_id left join deliveries d on d.id = n.delivery_id
		where n.item_name = $1 and n.kind in ('standing_accepted', 'listing_sold', 'crossing_undone') order by n.id`, item)
	s.must(err)
	type told struct {
		ID                               int64
		Username, State, Reason, Message string
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[told])
	s.must(err)
	record := s.record()
	for _, n := range all {
		if n.State == "delivered" && len(record.only(n.Username, n.Message)) != 1 || n.State != "delivered" && n.Reason == "" {
			s.Errorf("notice %d to %s ended %s (%s), and the stand-in has no message %q", n.ID, n.Username, n.State,
				n.Reason, n.Message)
		}
	}
	if len(all) == 0 {
		s.Errorf("nobody heard of trades of %s", item)
	}
}

// none complains of rows that are not to be there.
func (s *scene) none(what, query string, args ...any) {
	rows, err := s.db.Query(s.ctx, query, args...)
	s.must(err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	s.must(err)
	if len(found) > 0 {
		s.Errorf("%s: %d", what, found)
	}
}
