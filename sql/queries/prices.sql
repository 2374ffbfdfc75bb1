-- name: Fills :many
-- The accepts of what has one of the names, the latest first. Established says whether both sides are.
select u.created_at, u.buyer_id, u.seller_id, u.unit_price, (b.user_id is not null and s.user_id is not null)::boolean as established
from order_updates u
left join traders b on b.user_id = u.buyer_id
left join traders s on s.user_id = u.seller_id
where item_key(u.item_name) = any(@keys::text[]) and u.created_at > @since and u.buyer_id is not null and u.seller_id is not null
    and u.buyer_id <> u.seller_id
    and not exists (select from sale_reversals r where r.sale_id = u.id)
    and not exists (select from set_aside a where a.user_id = u.buyer_id)
    and not exists (select from set_aside a where a.user_id = u.seller_id)
order by u.created_at desc, u.id desc;

-- name: CountEstablished :one
select count(*) from traders where not exists (select from set_aside a where a.user_id = traders.user_id);

-- name: Asked :one
-- What open requests for what has one of the names pay for one.
select count(*)::integer as requests, coalesce(min(max_price_per_unit), 0)::bigint as low,
    coalesce(percentile_disc(0.5) within group (order by max_price_per_unit), 0)::bigint as median,
    coalesce(max(max_price_per_unit), 0)::bigint as high
from orders
where item_key(item_name) = any(@keys::text[]) and status = 'active' and not hidden and expires_at > @now;

-- name: Outcomes :many
-- The latest requests for what has one of the names, with when nine tenths of each were bought.
select o.max_price_per_unit, o.created_at, (o.status <> 'active' or o.expires_at <= @now)::boolean as over,
    (filled.at is not null)::boolean as filled, coalesce(filled.at, o.created_at)::timestamptz as filled_at
from orders o left join lateral (
    select min(sold.created_at)::timestamptz as at from (
        select u.created_at, sum(u.quantity_sold) over (order by u.created_at, u.id) as total from order_updates u
        where u.order_id = o.id and not exists (select from sale_reversals r where r.sale_id = u.id)) sold
    where sold.total * 10 >= o.quantity::bigint * 9) filled on true
where item_key(o.item_name) = any(@keys::text[]) and o.created_at > @since and not o.hidden
order by o.created_at desc limit @most;

-- name: UsersNamed :many
select id, username, discord_id from users where lower(username) = any(@names::text[])
union
select id, username, discord_id from users where discord_id = any(@accounts::text[])
order by id;

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
