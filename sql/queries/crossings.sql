-- name: LockCrossedItems :exec
-- One transaction at a time crosses requests and listings of an item: of two rows that come at once, neither would see the other. In the
-- order of the locks, so that two who do this do not wait for one another.
select pg_advisory_xact_lock(l.lock) from (
    select distinct hashtext('cross ' || item_key(n)) as lock from unnest(@names::text[]) n order by 1
) l;

-- name: ListingsToCross :many
-- Listings of an item that sell unasked at a price or below, the best for a buyer first; none for an order that does not stand, and is not
-- about to.
select stock.id, stock.user_id from stock
where item_key(stock.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))
    and stock.public and stock.quantity > 0 and stock.sells_daily > 0 and stock.price <= @price::bigint
    and stock.touched_at > @touched_after and (stock.shown_until is null or stock.shown_until > @now::timestamptz) and stock.user_id <> @buyer_id
    and (@stands::boolean or exists (select from standing_acceptances s where s.order_id = @order_id::bigint and s.ended_at is null))
order by stock.price, stock.quantity >= @needs::integer desc, stock.id limit @most;

-- name: SaleToCross :one
-- The request and the seller of a sale that is about to be undone.
select order_id, seller_id from order_updates where id = @sale_id::bigint;

-- name: StandingListing :one
-- A seller's listing of an item that sells unasked, also when nothing of it is left.
select id, price, item_name from stock where user_id = @seller_id::bigint and public and sells_daily > 0
    and item_key(item_name) = any(array(select item_key(n) from unnest(@names::text[]) n)) order by id limit 1;

-- name: LapsedSellers :many
-- The sellers of offers that lapsed with the closing of a request, which come back with it.
select l.seller_id::bigint from lapsed_offers l join closings c on c.id = l.closing_id
where c.order_id = @order_id::bigint and l.seller_id is not null;

-- name: OrdersToCross :many
-- Requests that take offers as they come, for each of several listings of one seller: of its item, at its price or above, the best for the
-- seller first. The names of a listing's item have its place.
select c.id, c.user_id from (
    select r.place, array_agg(item_key(r.name)) as keys, min(r.price) as price
    from (select unnest(@places::integer[]) as place, unnest(@names::text[]) as name, unnest(@prices::bigint[]) as price) r group by r.place
) wanted cross join lateral (
    select orders.id, orders.user_id from orders
    join standing_acceptances s on s.order_id = orders.id and s.ended_at is null and s.until > @now::timestamptz
    where item_key(orders.item_name) = any(wanted.keys) and orders.status = 'active' and not orders.hidden and orders.expires_at > @now
        and orders.max_price_per_unit >= wanted.price and orders.user_id <> @seller_id
    order by orders.max_price_per_unit desc, orders.id limit @most
) c;

-- name: LockCrossedOrders :many
-- In the order of their numbers, so that two who do this do not wait for one another.
select * from orders where id = any(@ids::bigint[]) order by id for update;

-- name: LockStocks :exec
-- In the order of their numbers, too, and after their sellers. What they have is read in a statement of its own: see LockListing.
select from stock where id = any(@ids::bigint[]) order by id for update;

-- name: Meetings :many
-- Pairs of locked standing requests and locked standing listings of one item, with the facts that decide whether they cross.
select orders.id as order_id, orders.user_id as buyer_id, orders.quantity - orders.sold as needs, orders.max_price_per_unit as most, orders.created_at as posted_at,
    stock.id as stock_id, stock.user_id as seller_id, stock.price, stock.created_at as listed_at,
    (stock.quantity - coalesce((select sum(o.quantity - o.sold) from orders o
        where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz), 0))::integer as available,
    (stock.sells_daily - coalesce((select sum(u.quantity_sold) from order_updates u where u.crossed_with = stock.id and u.created_at > @since::timestamptz
        and not exists (select from sale_reversals r where r.sale_id = u.id)), 0))::integer as today,
    users.username, users.display_name,
    (users.blocked_at is not null or users.leaving_at is not null or exists (select from blocked_sellers b
        where b.buyer_id = orders.user_id and b.seller_id = stock.user_id or b.buyer_id = stock.user_id and b.seller_id = orders.user_id))::boolean as apart,
    exists (select from order_updates u join sale_reversals r on r.sale_id = u.id
        where u.order_id = orders.id and u.crossed_with = stock.id)::boolean as undone,
    exists (select from offers where offers.order_id = orders.id and offers.seller_id = stock.user_id)::boolean as offered,
    (select count(*) from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = orders.user_id and r.reversed_at > @since and u.crossed_with is not null)::integer as buyer_undid,
    (select count(*) from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = stock.user_id and r.reversed_at > @since and u.crossed_with is not null)::integer as seller_undid,
    (exists (select from traders where traders.user_id = stock.user_id) and not exists (select from set_aside where set_aside.user_id = stock.user_id))::boolean as trusted,
    exists (select from order_updates u left join handovers h on h.sale_id = u.id
        where (u.buyer_id = orders.user_id and u.seller_id = stock.user_id or u.buyer_id = stock.user_id and u.seller_id = orders.user_id)
            and coalesce(h.state = 'met', u.created_at <= @settled_before)
            and not exists (select from sale_reversals r where r.sale_id = u.id))::boolean as met,
    coalesce(least_records.sellers, '')::text as least_sellers, coalesce(least_records.new_up_to, 0)::integer as new_up_to,
    sqlc.embed(s)
from orders join standing_acceptances s on s.order_id = orders.id and s.ended_at is null and s.until > @now
cross join stock join users on users.id = stock.user_id left join least_records on least_records.order_id = orders.id
where orders.id = any(@orders::bigint[]) and orders.status = 'active' and not orders.hidden and orders.expires_at > @now and orders.listing_id is null
    and item_key(orders.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))
    and stock.id = any(@listings::bigint[]) and item_key(stock.item_name) = any(array(select item_key(n) from unnest(@names) n))
    and stock.public and stock.quantity > 0 and stock.sells_daily > 0
    and stock.touched_at > @touched_after and (stock.shown_until is null or stock.shown_until > @now);

-- name: RetellCrossing :one
-- The notices of a crossed sale that was undone say so from now on, where their reader has not read them yet. Those in no message end, others
-- are drawn again. Returns whether the notice of the side that did not undo it was one of these.
with told as (
    update notices set kind = 'crossing_undone',
        state = case when state = 'pending' and delivery_id is null then 'expired' else state end,
        reason = case when state = 'pending' and delivery_id is null then @reason else reason end,
        settled_at = case when state = 'pending' and delivery_id is null then sqlc.arg(now)::timestamptz else settled_at end
    where sale_id = @sale_id::bigint and kind in ('standing_accepted', 'listing_sold') and read_at is null and state in ('pending', 'delivered')
    returning id, user_id, delivery_id
), redrawn as (
    insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
    select jsonb_build_object('notice', told.id, 'redraw', true), 'deliver_notice', @max_attempts, 2, @queue, sqlc.arg(now), 'available'
    from told where delivery_id is not null
)
select count(*) from told where user_id <> @undone_by::bigint;

-- name: ReturnToStanding :exec
-- What a crossed sale had taken may be taken again. Where both kinds of sellers were taken from, it is not known from which it was, and stays.
update standing_acceptances set
    taken_from_partners = case when taken_from_others = 0 then greatest(taken_from_partners - @quantity::integer, 0) else taken_from_partners end,
    taken_from_others = case when taken_from_partners = 0 then greatest(taken_from_others - @quantity, 0) else taken_from_others end
where order_id = @order_id::bigint and ended_at is null and set_at <= @sold_at;
