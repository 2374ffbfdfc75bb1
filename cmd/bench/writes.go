package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The peers of writes do by pgbench, a statement a round trip, what the program stores: the same rows in the same tables, by
// the same conditions, without the rules.
const (
	pgbenchPost = `\set user random(1, 60)
\set price random(100, 1000000)
begin;
select nextval('orders_id_seq') as id \gset
insert into orders (id, user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, created_at, updated_at, expires_at)
values (:id, :user, 'Iron Ore', 50, :price, 'For the guild hall. Meet me at the docks.', 'player', 'Miner', now(), now(), now() + interval '365 days');
insert into changes (orders, users) values (array[:id]::bigint[], array[:user]::bigint[]);
commit;
`
	pgbenchOffer = `\set order random(:first, :last)
begin;
select user_id, quantity, max_price_per_unit from orders where id = :order for update \gset
select nextval('offers_id_seq') as offer, nextval('notices_id_seq') as notice \gset
insert into offers (id, order_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at)
values (:offer, :order, 'Ropemaker', 'ropemaker', 'I have a lot of it', :max_price_per_unit, 1, now());
insert into notices (id, user_id, kind, order_id, offer_id, item_name, quantity, price_per_unit, name, contact, message, created_at)
values (:notice, :user_id, 'offer_received', :order, :offer, 'Endless Rope', 1, :max_price_per_unit, 'Ropemaker', 'ropemaker', 'I have a lot of it', now());
insert into river_job (args, kind, max_attempts, metadata, priority, queue, scheduled_at, state)
values (jsonb_build_object('notice', :notice::bigint), 'deliver_notice', 1000, '{}', 1, 'notices', now(), 'available');
insert into changes (orders, users) values (array[:order]::bigint[], array[:user_id]::bigint[]);
commit;
`
	pgbenchAccept = `\set offer random(:first, :last)
begin;
select orders.id, user_id, version, sold, quantity, seller_id, quantity_offered, price_per_unit
from orders join offers on offers.order_id = orders.id where offers.id = :offer for update of orders, offers \gset
insert into order_updates (order_id, quantity_sold, notes, unit_price, updated_by, seller_id, created_at)
values (:id, 1, 'Accepted offer from Ropemaker (ropemaker)', :price_per_unit, :user_id, :seller_id, now());
update sent_offers set accepted = accepted + 1, buyer_contact = 'player', updated_at = now() where id = :offer;
update offers set quantity_offered = :quantity_offered - 1 where id = :offer;
select nextval('notices_id_seq') as notice \gset
insert into notices (id, user_id, kind, order_id, offer_id, item_name, quantity, price_per_unit, name, contact, created_at)
values (:notice, :seller_id, 'offer_accepted', :id, :offer, 'Endless Rope', 1, :price_per_unit, '', 'player', now());
insert into river_job (args, kind, max_attempts, metadata, priority, queue, scheduled_at, state)
values (jsonb_build_object('notice', :notice::bigint), 'deliver_notice', 1000, '{}', 1, 'notices', now(), 'available');
update orders set version = :version + 1, sold = :sold + 1, progress = 100 * (:sold + 1) / :quantity, updated_at = now() where id = :id;
insert into changes (orders, users) values (array[:id]::bigint[], array[:user_id, :seller_id]::bigint[]);
commit;
`
)

// rope is an order that accepting never fills, with its offer.
type rope struct{ Order, Offer, Owner int64 }

// ropes returns those of the first users, the hot one last.
func (b *bench) ropes(ctx context.Context) ([]rope, error) {
	rows, err := b.store.Pool().Query(ctx, `
select orders.id as order, offers.id as offer, user_id as owner from orders join offers on offers.order_id = orders.id
where orders.id between $1 and $2 and offers.seller_name = 'Ropemaker' order by orders.id, offers.id`, b.size+1, b.size+513)
	if err != nil {
		return nil, err
	}
	ropes, err := pgx.CollectRows(rows, pgx.RowToStructByName[rope])
	if err == nil && len(ropes) != 513 {
		err = fmt.Errorf("the market has %d endless orders", len(ropes))
	}
	return ropes, err
}

// measureWrites measures writes through the whole program. What is stored must keep the market's promises.
func (b *bench) measureWrites(ctx context.Context) error {
	ropes, err := b.ropes(ctx)
	if err != nil {
		return err
	}
	first, hot := ropes[0], ropes[len(ropes)-1]
	byOwner := map[int64][]rope{}
	for _, r := range ropes[:len(ropes)-1] {
		byOwner[r.Owner] = append(byOwner[r.Owner], r)
	}
	accept := func(client int, r rope) ask {
		return request("POST", fmt.Sprintf("/api/offers/%d/accept", r.Offer), `{"quantity":1}`, []string{b.cookies[client]})
	}
	peer := func(script string, from, to int64) func(context.Context) (float64, error) {
		script = fmt.Sprintf("\\set first %d\n\\set last %d\n%s", from, to, script)
		return func(ctx context.Context) (float64, error) { return b.pgbench(ctx, []string{script}) }
	}
	const aStatementATrip = "pgbench, a statement a trip"
	for _, c := range []contest{
		{
			name: "posting", want: 201, costs: -1, peer: aStatementATrip, run: peer(pgbenchPost, 0, 0),
			own: func(client, n int) ask {
				return request("POST", "/api/orders", fmt.Sprintf(`{"itemName":"Iron Ore","quantity":50,"maxPricePerUnit":%d,`+
					`"description":"For the guild hall. Meet me at the docks.","buyerContact":"player","category":"Miner"}`, 100+n),
					[]string{b.cookies[client]})
			},
		},
		{
			name: "accepting, spread", costs: -1, goal: 1.3, peer: aStatementATrip, run: peer(pgbenchAccept, first.Offer, hot.Offer-1),
			own: func(client, n int) ask {
				mine := byOwner[int64(client+1)]
				return accept(client, mine[n%len(mine)])
			},
		},
		{
			name: "accepting, one hot order", costs: -1, goal: 1.3, peer: aStatementATrip, run: peer(pgbenchAccept, hot.Offer, hot.Offer),
			own: func(_, _ int) ask { return accept(int(hot.Owner)-1, hot) },
		},
		{
			name: "offering", want: 201, costs: -1, peer: aStatementATrip, run: peer(pgbenchOffer, first.Order, hot.Order-1),
			own: func(client, n int) ask {
				r := ropes[(client*64+n)%512]
				if r.Owner == int64(client+1) { // not on one's own
					r = ropes[(client*64+n+1)%512]
				}
				return request("POST", fmt.Sprintf("/api/orders/%d/offers", r.Order),
					`{"sellerName":"Ropemaker","message":"I have a lot of it","quantityOffered":1}`, []string{b.cookies[client]})
			},
		},
	} {
		if err := b.hold(ctx, c); err != nil {
			return err
		}
	}
	return b.keepsPromises(ctx)
}
