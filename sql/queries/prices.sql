-- name: Fills :many
-- The fills of the items that have one of the names, the latest first.
select * from fills where item_key = any(@keys::text[]) and created_at > @since order by created_at desc, sale_id desc;

-- name: LatestFills :many
-- The fills among the latest accepts of the market. The primary key is in the order of time.
select fills.* from fills where fills.created_at > @since
    and fills.sale_id >= coalesce((select min(latest.id) from (select u.id from order_updates u order by u.id desc limit @most) latest), 0)
order by fills.created_at desc, fills.sale_id desc;

-- name: FillsOf :many
-- The fills of a time among the latest accepts of the market, the latest first, and the accept before these where there is one. The
-- primary key is in the order of time.
with before as (select u.id, u.created_at from order_updates u order by u.id desc limit 1 offset @most::integer)
select sqlc.embed(fills), coalesce((select before.created_at from before), @since)::timestamptz as cut
from fills where fills.created_at >= @since::timestamptz and fills.created_at < @until::timestamptz
    and fills.sale_id > coalesce((select before.id from before), 0)
order by fills.created_at desc, fills.sale_id desc;

-- name: OpenByName :many
-- How many open requests have a name; the names that most have.
select item_name::text as name, count(*)::integer as open from orders
where status = 'active' and not hidden and expires_at > @now group by item_name order by count(*) desc limit @most;

-- name: MarketIsYoung :one
-- As it was computed last; before the first time it is young.
select coalesce((select young from trust_market), true)::boolean;

-- name: Asked :one
-- What open requests for what has one of the names pay for one, without those of one user. A buyer counts once, with the latest.
select count(*)::integer as buyers, coalesce(min(price), 0)::bigint as low,
    coalesce(percentile_disc(0.5) within group (order by price), 0)::bigint as median, coalesce(max(price), 0)::bigint as high
from (
    select distinct on (user_id) max_price_per_unit as price from orders
    where item_key(item_name) = any(@keys::text[]) and status = 'active' and not hidden and expires_at > @now and user_id <> @not_of
    order by user_id, created_at desc, id desc) latest;

-- name: NamesAskedFor :many
-- The names in open requests with what these pay for one, and the lowest price of the latest trades of each; those that pay most.
with named as (
    select item_name, max(max_price_per_unit) as high, min(max_price_per_unit) as low from orders
    where status = 'active' and not hidden and expires_at > @now
    group by item_name order by high desc limit @most
)
select named.item_name::text as name, named.high::bigint as high, named.low::bigint as low, coalesce(paid.low, 0)::bigint as paid
from named left join lateral (
    select min(latest.unit_price) as low from (
        select u.unit_price from order_updates u
        where item_key(u.item_name) = item_key(named.item_name) and u.created_at > @since and u.buyer_id is not null and u.seller_id is not null
            and u.buyer_id <> u.seller_id
        order by u.created_at desc limit @of_name::integer) latest
) paid on true;

-- name: AskedFrom :many
-- The open requests for what has one of the names that pay so much for one or more.
select id, user_id, item_name, max_price_per_unit from orders
where item_key(item_name) = any(@keys::text[]) and status = 'active' and not hidden and expires_at > @now and max_price_per_unit >= @price
order by id desc limit @most;

-- name: Outcomes :many
-- The requests of a time in each of several groups of names, the latest first, with when nine tenths of each were bought in
-- trades that are settled. Those that some are on their way for are left out. Of one buyer and
-- name some are enough, since they have the weight of one together.
-- Of a name the sales of the latest are looked up.
with named as (
    select wanted.place, latest.id, latest.created_at,
        row_number() over (partition by wanted.place, wanted.key, latest.user_id order by latest.created_at desc, latest.id desc) as nth
    from (select distinct r.place, r.key from (select unnest(@places::integer[]) as place, unnest(@keys::text[]) as key) r) wanted, lateral (
        select n.id, n.user_id, n.created_at from orders n
        where item_key(n.item_name) = wanted.key and n.created_at > @since and n.created_at <= @until and not n.hidden
        order by n.created_at desc limit @most::integer) latest
), requests as (
    select latest.place, latest.id from (
        select named.place, named.id, row_number() over (partition by named.place order by named.created_at desc, named.id desc) as nth
        from named where named.nth <= @of_buyer::integer) latest
    where latest.nth <= @most::integer
)
select requests.place::integer as place, item_key(o.item_name)::text as key, o.user_id, o.max_price_per_unit, o.created_at,
    (filled.at is not null)::boolean as filled, coalesce(filled.at, o.created_at)::timestamptz as filled_at,
    case when t.user_id is not null then 1 else least(coalesce(s.amount, 0), 1) end::float8 as trust
from requests join orders o on o.id = requests.id left join traders t on t.user_id = o.user_id left join trust_shares s on s.user_id = o.user_id
left join lateral (
    select min(sold.created_at)::timestamptz as at from (
        select u.created_at, sum(u.quantity_sold) over (order by u.created_at, u.id) as total from order_updates u
        where u.order_id = o.id and not exists (select from sale_reversals r where r.sale_id = u.id)
            and coalesce((select h.state = 'met' from handovers h where h.sale_id = u.id), true)) sold
    where sold.total * 10 >= o.quantity::bigint * 9) filled on true
where filled.at is not null or not exists (select from order_updates u join handovers h on h.sale_id = u.id
    where u.order_id = o.id and h.state in ('agreed', 'disputed'))
order by o.created_at desc, o.id desc;

-- name: MarketOutcomes :many
-- The same for the latest requests of the market. It walks the primary key, which is in the order of time.
with requests as (
    select latest.id from orders latest
    where latest.created_at > @since and latest.created_at <= @until and not latest.hidden order by latest.id desc limit @most
)
select item_key(o.item_name)::text as key, o.user_id, o.max_price_per_unit, o.created_at,
    (filled.at is not null)::boolean as filled, coalesce(filled.at, o.created_at)::timestamptz as filled_at,
    case when t.user_id is not null then 1 else least(coalesce(s.amount, 0), 1) end::float8 as trust
from requests join orders o on o.id = requests.id left join traders t on t.user_id = o.user_id left join trust_shares s on s.user_id = o.user_id
left join lateral (
    select min(sold.created_at)::timestamptz as at from (
        select u.created_at, sum(u.quantity_sold) over (order by u.created_at, u.id) as total from order_updates u
        where u.order_id = o.id and not exists (select from sale_reversals r where r.sale_id = u.id)
            and coalesce((select h.state = 'met' from handovers h where h.sale_id = u.id), true)) sold
    where sold.total * 10 >= o.quantity::bigint * 9) filled on true
where (filled.at is not null or not exists (select from order_updates u join handovers h on h.sale_id = u.id
        where u.order_id = o.id and h.state in ('agreed', 'disputed')));

-- name: SetAside :many
with ring as (select nextval('rings') as number)
insert into set_aside (user_id, ring, at, reason)
select unnest(@users::bigint[]), ring.number, @now, @reason from ring
on conflict do nothing
returning user_id;

-- name: CountAgain :many
delete from set_aside where ring = @ring returning user_id;

-- name: Rings :many
select set_aside.ring, set_aside.at, set_aside.reason, users.id, users.username
from set_aside join users on users.id = set_aside.user_id
where set_aside.ring in (select distinct r.ring from set_aside r order by r.ring desc limit @most)
order by set_aside.ring desc, users.username;
