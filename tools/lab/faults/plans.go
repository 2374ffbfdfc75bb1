//go:build unix

package main

import "net/http"

// opPostPlan posts a plan. The history doesn't compare it: the round does.
const opPostPlan op = "post plan"

// What a plan of a scene asks each listing for, and requests besides.
const planAsks, planRequests = 5, 7

// buyersPlan asks for some of each of three listings, of which the first sells without asking, and requests
// more. Nobody else buys the item.
type buyersPlan struct {
	who     *person
	item    string
	sellers []standingSide
}

// newPlan has three sellers list an item, and returns a plan that is not posted yet.
func (s *scene) newPlan(item string) buyersPlan {
	p := buyersPlan{who: s.newPerson("planner"), item: item}
	for n := range 3 {
		l := standingSide{who: s.newPerson("stall"), quantity: 20, price: 50 + int64(n)}
		daily := 0
		if n == 0 {
			daily = l.quantity
		}
		s.mustWrite(l.lists(item, daily), nil)
		l.id = s.number("select s.id from stock s join users u on u.id = s.user_id where u.username = $1",
			l.who.Username())
		s.mustWrite(write{op: opQuietStock, actor: l.who, number: l.id}, nil)
		p.sellers = append(p.sellers, l)
	}
	return p
}

func (p buyersPlan) posts() write {
	lines := []map[string]any{{"itemName": p.item, "quantity": planRequests, "price": 60}}
	for _, l := range p.sellers {
		lines = append(lines, map[string]any{"itemName": p.item, "listingId": l.id, "quantity": planAsks, "price": l.price})
	}
	return write{op: opPostPlan, actor: p.who, method: http.MethodPost, path: "/api/lists/planned",
		body: map[string]any{"name": p.item, "buyerContact": p.who.Username(), "category": "Miner", "confirmPrice": true,
			"lines": lines}}
}

// planned compares a posted plan with what is stored: it is there once and as a whole, and each side heard of
// its part once.
func (s *scene) planned(p buyersPlan) {
	for what, want := range map[string]int64{
		"select count(distinct o.list_id) from orders o where o.item_name = $1":                                                                                                  1,
		"select count(*) from orders o where o.item_name = $1 and o.listing_id is null and o.status = 'active'":                                                                  1,
		"select count(*) from orders o where o.item_name = $1 and o.listing_id is not null and o.status = 'active'":                                                              2,
		"select count(*) from orders o where o.item_name = $1 and o.listing_id is not null and o.status = 'fulfilled'":                                                           1,
		"select coalesce(sum(u.quantity_sold), 0) from order_updates u where u.item_name = $1 and u.crossed_with is not null":                                                    planAsks,
		"select coalesce(sum(s.quantity), 0) from stock s where s.item_name = $1":                                                                                                3*20 - planAsks,
		"select count(*) from notices n where n.item_name = $1 and n.kind = 'ask_received'":                                                                                      2,
		"select count(*) from notices n where n.item_name = $1 and n.kind = 'listing_sold'":                                                                                      1,
		"select count(*) from notices n join users u on u.id = n.user_id where n.item_name = $1 and n.kind not in ('ask_received', 'listing_sold') and u.username like 'stall%'": 0,
	} {
		if got := s.number(what, p.item); got != want {
			s.Errorf("plan for %s: %s is %d, want %d", p.item, what, got, want)
		}
	}
}
