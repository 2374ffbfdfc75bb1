package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/postgres"
)

// The peers of writes do by pgbench, a statement a round trip, what the program stores: the same rows in
// the same tables, by the same conditions, without the rules.
const (
	pgbenchPost = `\set user random(1, 60)
\set price random(100, 1000000)
begin;
select nextval('orders_id_seq') as id \gset
insert into orders (id, user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, created_at, updated_at, expires_at)
values (:id, :user, 'Iron Ore', 50, :price, 'For the guild hall. Meet me at the docks.', 'player', 'Miner', now(), now(), now() + interval '365 days');
insert into changes (orders, users, lists) values (array[:id]::bigint[], array[:user]::bigint[], true);
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
insert into changes (orders, users, lists) values (array[:order]::bigint[], array[:user_id]::bigint[], false);
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
insert into changes (orders, users, lists) values (array[:id]::bigint[], array[:user_id, :seller_id]::bigint[], false);
commit;
`
)

// rope is an order that accepting never fills, with its offer.
type rope struct{ Order, Offer, Owner int64 }

// ropes returns those of the first users, the hot one last.
func (b *bench) ropes(ctx context.Context) ([]rope, error) {
	rows, err := b.store.Pool().Query(ctx, `
select distinct on (orders.id) orders.id as order, offers.id as offer, user_id as owner from orders join offers on offers.order_id = orders.id
where orders.id between $1 and $2 order by orders.id, offers.id`, b.size+1, b.size+513)
	if err != nil {
		return nil, err
	}
	ropes, err := pgx.CollectRows(rows, pgx.RowToStructByName[rope])
	if err == nil && len(ropes) != 513 {
		err = fmt.Errorf("the market has %d endless orders", len(ropes))
	}
	return ropes, err
}

// measureWrites measures writes through the whole program. What is stored must satisfy the
// invariants.
func (b *bench) measureWrites(ctx context.Context) error {
	ropes, err := b.ropes(ctx)
	if err != nil {
		return err
	}
	first, hot := ropes[0], ropes[len(ropes)-1]
	for _, c := range b.writes(ropes) {
		if err := b.hold(ctx, c); err != nil {
			return err
		}
	}
	if err := b.measureAccepting(ctx, byOwner(ropes), hot,
		b.writePeer(pgbenchAccept, first.Offer, hot.Offer-1),
		b.writePeer(pgbenchAccept, hot.Offer, hot.Offer)); err != nil {
		return err
	}
	return b.checkInvariants(ctx, false)
}

// byOwner has all ropes but the hot one.
func byOwner(ropes []rope) map[int64][]rope {
	owned := map[int64][]rope{}
	for _, r := range ropes[:len(ropes)-1] {
		owned[r.Owner] = append(owned[r.Owner], r)
	}
	return owned
}

func (b *bench) writePeer(script string, from, to int64) func(context.Context) (float64, error) {
	script = fmt.Sprintf("\\set first %d\n\\set last %d\n%s", from, to, script)
	return func(ctx context.Context) (float64, error) { return b.pgbench(ctx, []string{script}) }
}

// writes are the writes over HTTP.
func (b *bench) writes(ropes []rope) []contest {
	first, hot := ropes[0], ropes[len(ropes)-1]
	byOwner := byOwner(ropes)
	accept := func(client int, r rope) ask {
		return request("POST", fmt.Sprintf("/api/offers/%d/accept", r.Offer), `{"quantity":1}`,
			[]string{b.cookies[client]})
	}
	peer := b.writePeer
	const aStatementATrip = "pgbench, a statement a trip"
	return []contest{
		{
			name: "posting", want: 201, costs: -1, peer: aStatementATrip, run: peer(pgbenchPost, 0, 0),
			own: func(client, _ int) ask {
				// No two are equal: a buyer has each open once.
				return request("POST", "/api/orders",
					fmt.Sprintf(`{"itemName":"Iron Ore","quantity":50,"maxPricePerUnit":%d,`+
						`"description":"For the guild hall. Meet me at the docks.","buyerContact":"player","confirmPrice":true,"category":"Miner"}`, 100+b.posted.Add(1)),
					[]string{b.cookies[client]})
			},
		},
		{
			name: "accepting, spread, over HTTP", costs: -1, most: 1300 * time.Microsecond,
			peer: aStatementATrip, run: peer(pgbenchAccept, first.Offer, hot.Offer-1),
			own: func(client, n int) ask {
				mine := byOwner[int64(client+1)]
				return accept(client, mine[n%len(mine)])
			},
		},
		{
			name: "accepting, one hot order, over HTTP", costs: -1, peer: aStatementATrip,
			run: peer(pgbenchAccept, hot.Offer, hot.Offer),
			own: func(_, _ int) ask { return accept(int(hot.Owner)-1, hot) },
		},
		{
			name: "offering", want: 201, costs: -1, peer: aStatementATrip,
			run: peer(pgbenchOffer, first.Order, hot.Order-1),
			own: func(client, n int) ask {
				r := ropes[(client*64+n)%512]
				if r.Owner == int64(client+1) { // not on one's own
					r = ropes[(client*64+n+1)%512]
				}
				return request("POST", fmt.Sprintf("/api/orders/%d/offers", r.Order),
					`{"sellerName":"Ropemaker","message":"I have a lot of it","quantityOffered":1}`,
					[]string{b.cookies[client]})
			},
		},
	}
}

// measureAccepting measures the rules and the store by themselves: what pgbench does without HTTP, sessions
// and JSON, the market does without them.
func (b *bench) measureAccepting(
	ctx context.Context, byOwner map[int64][]rope, hot rope,
	spreadPeer, hotPeer func(context.Context) (float64, error),
) error {
	store, err := postgres.Open(ctx, b.dsn,
		postgres.Options{Log: slog.New(slog.DiscardHandler), MaxConns: clients})
	if err != nil {
		return err
	}
	defer store.Close()
	market := market.New(store, market.Options{})
	accept := func(r rope) error {
		_, err := market.Trade.AcceptOffer(ctx, core.Actor{UserID: core.UserID(r.Owner), Username: "player"},
			core.OfferID(r.Offer), 1)
		return err
	}
	for _, c := range []struct {
		name string
		do   func(client, n int) error
		peer func(context.Context) (float64, error)
	}{
		{"accepting, spread", func(client, n int) error {
			mine := byOwner[int64(client+1)]
			return accept(mine[n%len(mine)])
		}, spreadPeer},
		{"accepting, one hot order", func(_, _ int) error { return accept(hot) }, hotPeer},
	} {
		if !b.wanted(c.name) {
			continue
		}
		r := row{size: b.size, name: c.name, peerName: "pgbench, a statement a trip", queries: -1}
		var rates, peerRates []float64
		var latencies []time.Duration
		for turn := range b.turns + 1 {
			s, err := together(b.turn, c.do)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if turn == 0 {
				continue // what is learnt by the first writes is not what is measured
			}
			rate, err := c.peer(ctx)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.name, r.peerName, err)
			}
			rates, peerRates, latencies = append(rates, s.rate), append(peerRates, rate),
				append(latencies, s.latencies...)
		}
		r.ours = measured{rate: median(rates), p50: percentile(latencies, 0.5),
			p99: percentile(latencies, 0.99)}
		r.peer.rate = median(peerRates)
		b.add(r)
	}
	return nil
}

// together has as many as there are clients do something again and again for a while.
func together(turn time.Duration, do func(client, n int) error) (sum sample, err error) {
	var (
		all   [clients]sample
		errs  [clients]error
		wait  sync.WaitGroup
		start = time.Now()
	)
	for i := range clients {
		wait.Go(func() {
			for n := 0; time.Since(start) < turn; n++ {
				began := time.Now()
				if errs[i] = do(i, n); errs[i] != nil {
					return
				}
				all[i].latencies = append(all[i].latencies, time.Since(began))
			}
		})
	}
	wait.Wait()
	took := time.Since(start).Seconds()
	for _, s := range all {
		sum.latencies = append(sum.latencies, s.latencies...)
	}
	sum.rate = float64(len(sum.latencies)) / took
	return sum, errors.Join(errs[:]...)
}
