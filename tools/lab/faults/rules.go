//go:build unix

package main

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/tools/lab/faults/history"
)

// Beside every fault people use the market's other rules: they undo what they did, have stock, accept
// automatically, post lists, block each other, and a moderator removes, blocks, merges and undoes that.
// history.Check compares it with what is stored.

// ruled are the people of one round of playRules, besides basil and the moderator.
type ruled struct {
	seller, stranger *person // who are new to the market
	number           int     // how many rounds there were in the scene before
}

func (s *scene) ruled() *ruled {
	r := &ruled{seller: s.newPerson("ruled"), stranger: s.newPerson("blocked"), number: s.ruledRounds}
	s.ruledRounds++
	s.signIn(s.moderator) // blocks ask for a fresh sign-in
	if s.quotas {
		s.makeOld(s.basil)
	}
	return r
}

// makeOld turns back the account of a person who posts in every round, and their posts: the quota of a first
// day would be too little for a round, and that of an hour for several.
func (s *scene) makeOld(p *person) {
	for _, turn := range []string{
		"users set created_at = created_at - interval '30 days' where id = any($1)",
		"orders set created_at = created_at - interval '1 day' where user_id = any($1)",
		"posted_lists set created_at = created_at - interval '1 day' where user_id = any($1)",
		"deleted_orders set created_at = created_at - interval '1 day' where user_id = any($1)",
	} {
		s.turnOf(turn, []*person{p})
	}
}

// playRules plays each rule once.
func (s *scene) playRules(r *ruled) {
	iron, oak := "Iron "+newName(visitors.Add(1)), "Oak "+newName(visitors.Add(1))
	stock := s.putStock(r, iron)
	var orders []int64
	for _, item := range []string{iron, oak} {
		for _, quantity := range []int{20, 21} {
			orders = append(orders, s.posts(s.basil, item, quantity))
		}
		s.posts(r.seller, item, 5)
	}
	s.undoSales(r, orders[0])
	s.undoEnds(r, orders[0])
	s.disputes(r, orders[0])
	s.standing(r, orders[1])
	s.list(r)
	s.remove(r, orders[2])
	s.blocks(r, orders[3])
	s.mustWrite(write{op: opDeleteStock, actor: r.seller, number: stock, subject: iron}, nil)
	if r.again() {
		s.mustWrite(write{op: opPutStock, actor: r.seller, subject: iron, quantity: 30, price: 4}, nil)
		iron := orders[1]
		offer := s.offersOn(r.seller, iron, 3)
		s.mustWrite(write{op: opUndoSale, actor: s.basil, order: iron, number: s.takes(offer, iron, 2)}, nil)
		s.takes(offer, iron, 1)
	}
	s.merge(r, iron, oak) // at last: what names one of them means the other since
}

// again reports whether this round repeats the step that it undid, so that both ends are played.
func (r *ruled) again() bool { return r.number%2 == 0 }

func (s *scene) posts(by *person, item string, quantity int) int64 {
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: by, name: item, quantity: quantity, price: 30}, &posted)
	return posted.ID
}

func (s *scene) offersOn(by *person, order int64, quantity int) int64 {
	var made struct{ Offer struct{ ID int64 } }
	s.mustWrite(write{op: opOffer, actor: by, order: order, name: newName(visitors.Add(1)),
		quantity: quantity}, &made)
	return made.Offer.ID
}

func (s *scene) takes(offer, order int64, quantity int) (sale int64) {
	var accepted struct{ Sale struct{ ID int64 } }
	s.mustWrite(write{op: opAccept, actor: s.basil, order: order, offer: offer, quantity: quantity},
		&accepted)
	return accepted.Sale.ID
}

// number reads a number that no answer has, as soon as it can be read.
func (s *scene) number(query string, args ...any) (n int64) {
	for {
		err := s.db.QueryRow(s.ctx, query, args...).Scan(&n)
		if err == nil {
			return n
		}
		if errors.Is(err, pgx.ErrNoRows) {
			s.Fatalf("nothing is stored: %s %v", query, args)
		}
		s.rest(20 * time.Millisecond) // PostgreSQL does not say when it is back; this asks again
	}
}

func (s *scene) user(p *person) int64 {
	return s.number("select id from users where username = $1", p.Username())
}

// putStock puts an item into the seller's stock, and corrects that. No alert is due: these have their own
// faults.
func (s *scene) putStock(r *ruled, item string) (id int64) {
	put := write{op: opPutStock, actor: r.seller, subject: item, quantity: 50, price: 3}
	s.mustWrite(put, nil)
	id = s.number("select id from stock where item_name = $1", item)
	s.mustWrite(write{op: opQuietStock, actor: r.seller, number: id}, nil)
	put.quantity = 40
	s.mustWrite(put, nil)
	return id
}

// undoSales undoes an accept of a part, one of the whole offer, and a logged sale that filled the request.
func (s *scene) undoSales(r *ruled, order int64) {
	undo := func(sale int64) {
		s.mustWrite(write{op: opUndoSale, actor: s.basil, order: order,
			number: sale}, nil)
	}
	offer := s.offersOn(r.seller, order, 6)
	undo(s.takes(offer, order, 4))
	undo(s.takes(offer, order, 6))
	s.takes(offer, order, 2)
	var sold struct{ Sale struct{ ID int64 } }
	s.mustWrite(write{op: opSell, actor: s.basil, order: order, quantity: 18,
		name: newName(visitors.Add(1))}, &sold)
	undo(sold.Sale.ID)
}

// undoEnds undoes that an offer was declined, that it was withdrawn, and that its request was closed.
func (s *scene) undoEnds(r *ruled, order int64) {
	offer := s.number("select id from offers where order_id = $1", order)
	for _, by := range []struct {
		op    op
		actor *person
	}{{opDecline, s.basil}, {opWithdraw, r.seller}} {
		s.mustWrite(write{op: by.op, actor: by.actor, order: order, offer: offer}, nil)
		s.mustWrite(write{op: opUndoOffer, actor: by.actor, order: order, offer: offer}, nil)
	}
	s.mustWrite(write{op: opClose, actor: s.basil, order: order}, nil)
	s.mustWrite(write{op: opUndoClose, actor: s.basil, order: order}, nil)
}

// standing has offers accepted automatically: the first fits, the next does not, and waits.
func (s *scene) standing(r *ruled, order int64) {
	s.mustWrite(write{op: opSetStanding, actor: s.basil, order: order, quantity: 3}, nil)
	s.mustWrite(write{op: opSetStanding, actor: s.basil, order: order, quantity: 5}, nil)
	s.offersOn(r.seller, order, 3)
	s.offersOn(r.stranger, order, 4)
	s.mustWrite(write{op: opEndStanding, actor: s.basil, order: order}, nil)
	if r.again() {
		s.mustWrite(write{op: opSetStanding, actor: s.basil, order: order, quantity: 4}, nil)
		s.offersOn(r.seller, order, 4)
	}
}

// list posts a list and offers on it.
func (s *scene) list(r *ruled) {
	name := newName(visitors.Add(1))
	var posted struct {
		ID     int64
		Orders []struct{ ID int64 }
	}
	s.mustWrite(write{op: opPostList, actor: s.basil, name: name, lines: []history.Line{
		{Item: "Ash " + name, Quantity: 8, Price: 12}, {Item: "Birch " + name, Quantity: 9, Price: 13},
	}}, &posted)
	offer := write{op: opOfferOnList, actor: r.seller, number: posted.ID, name: newName(visitors.Add(1))}
	for i, o := range posted.Orders {
		offer.lines = append(offer.lines, history.Line{Order: o.ID, Quantity: 2 + i})
	}
	s.mustWrite(offer, nil)
}

// remove has the moderator remove an offer and restore it, and then its request.
func (s *scene) remove(r *ruled, order int64) {
	restore := func(w write, action string) {
		w.op, w.actor = opUndoRemoval, s.moderator
		w.number = s.number("select max(id) from audit_entries where action = $1 and order_id = $2",
			action, order)
		s.mustWrite(w, nil)
	}
	offer := s.offersOn(r.seller, order, 7)
	s.mustWrite(write{op: opRemoveOffer, actor: s.moderator, order: order, offer: offer}, nil)
	restore(write{order: order, offer: offer}, "offer_removed")
	s.mustWrite(write{op: opRemoveOrder, actor: s.moderator, order: order}, nil)
	restore(write{order: order}, "order_removed")
	if r.again() {
		s.mustWrite(write{op: opRemoveOrder, actor: s.moderator, order: order}, nil)
	}
}

// blocks has basil block a seller, and then the moderator. Meanwhile they offer in vain.
func (s *scene) blocks(r *ruled, order int64) {
	id := s.user(r.stranger)
	blocked := r.stranger.Username()
	inVain := func() {
		w := write{adapter: overHTTP, op: opOffer, actor: r.stranger, order: order,
			name: newName(visitors.Add(1)), quantity: 1}
		if o := s.write(w); o.certainty != refused {
			s.Errorf("an offer of a blocked seller was not refused: %s", o)
		}
	}
	offer := s.offersOn(r.stranger, order, 3)
	s.mustWrite(write{op: opBlockSeller, actor: s.basil, order: order, offer: offer, subject: blocked}, nil)
	inVain()
	s.mustWrite(write{op: opUnblockSeller, actor: s.basil, number: id, subject: blocked}, nil)
	s.mustWrite(write{op: opBlockUser, actor: s.moderator, number: id, subject: blocked}, nil)
	inVain()
	s.mustWrite(write{op: opUnblockUser, actor: s.moderator, number: id, subject: blocked}, nil)
	offer = s.offersOn(r.stranger, order, 2)
	if r.again() {
		s.mustWrite(write{op: opBlockSeller, actor: s.basil, order: order, offer: offer,
			subject: blocked}, nil)
		s.mustWrite(write{op: opBlockUser, actor: s.moderator, number: id, subject: blocked}, nil)
	}
}

// merge has the moderator merge one item into another, and undo that.
func (s *scene) merge(r *ruled, item, into string) {
	const numbered = "select id from catalogue_items where name = $1"
	merge := write{op: opMergeItem, actor: s.moderator, number: s.number(numbered, item),
		into: s.number(numbered, into), subject: item, word: into}
	s.mustWrite(merge, nil)
	entry := s.number("select max(id) from audit_entries where action = 'item_merged' and item_name = $1", item)
	s.mustWrite(write{op: opUndoRemoval, actor: s.moderator, number: entry, subject: item}, nil)
	if r.again() {
		s.mustWrite(merge, nil)
	}
}

// disputes has the stranger contradict basil about two trades: for one they take their word back, and a
// moderator settles the other.
func (s *scene) disputes(r *ruled, order int64) {
	var sales []int64
	for range 2 {
		sales = append(sales, s.takes(s.offersOn(r.stranger, order, 1), order, 1))
	}
	s.mustWrite(write{op: opSay, actor: s.basil, sales: sales, word: "met"}, nil)
	s.mustWrite(write{op: opSay, actor: r.stranger, sales: sales, word: "not_met"}, nil)
	s.mustWrite(write{op: opTakeBack, actor: r.stranger, sales: sales[:1]}, nil)
	word := "met"
	if r.again() {
		word = "cancelled"
	}
	s.settle(order, sales[1], word)
}

// storedRules reads what the rules have stored.
func storedRules(ctx context.Context, tx pgx.Tx, stored *history.Stored) error {
	return errors.Join(
		collect(ctx, tx, &stored.Stock, `select u.username as owner, s.item_name as item, s.quantity, s.price
			from stock s join users u on u.id = s.user_id where s.touched_at > now() - interval '28 days' and s.item_name not like 'Crossing %' order by s.id`),
		collect(ctx, tx, &stored.Standing, `select order_id as order, from_others as limit, taken_from_others as taken, taken_from_partners as from_partners
			from standing_acceptances where ended_at is null
				and order_id not in (select id from orders where item_name like 'Crossing %') order by id`),
		collect(ctx, tx, &stored.Lists, `select l.id, u.username as owner, l.name, (select count(*) from orders o where o.list_id = l.id) as lines
			from posted_lists l join users u on u.id = l.user_id where l.name not like 'Crossing %' order by l.id`),
		collect(ctx, tx, &stored.Blocks, `select b.username as by, u.username as user
			from blocked_sellers s join users b on b.id = s.buyer_id join users u on u.id = s.seller_id
			union all select '', username from users where blocked_at is not null order by 1, 2`),
		collect(ctx, tx, &stored.Items, `select i.name, i.state, coalesce(m.name, '') as into
			from catalogue_items i left join catalogue_items m on m.id = i.merged_into order by i.id`),
		collect(ctx, tx, &stored.Log, `select a.action, coalesce(case when a.action like 'item_%' or a.action like 'user_%' then null else a.order_id end, 0) as order,
			case when a.action like 'offer_%' then coalesce(a.offer_id, 0) else 0 end as offer, coalesce(case when a.action like 'user_%' then u.username end, '') as user,
			case when a.action like 'item_%' then a.item_name else '' end as item
			from audit_entries a left join users u on u.id = a.subject_id order by a.id`),
	)
}
