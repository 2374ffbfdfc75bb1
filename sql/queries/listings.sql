-- name: LockListing :one
-- Locked before its asks are summed up: a sum in the same statement could miss an ask that was committed while this waited.
select id from stock where id = @id for update;

-- name: Listing :one
select sqlc.embed(stock), users.username, users.display_name, users.avatar,
    (users.blocked_at is not null or users.leaving_at is not null
        or exists (select from users b where b.id = @buyer_id::bigint and (b.blocked_at is not null or b.leaving_at is not null)))::boolean as away,
    exists (select from blocked_sellers b where b.buyer_id = @buyer_id::bigint and b.seller_id = stock.user_id
        or b.buyer_id = stock.user_id and b.seller_id = @buyer_id::bigint) as apart,
    coalesce((select sum(o.quantity - o.sold) from orders o
        where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz), 0)::bigint as asked,
    exists (select from orders o where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz
        and o.user_id = @buyer_id::bigint) as asks
from stock join users on users.id = stock.user_id where stock.id = @id;

-- name: ShowListing :exec
-- Whether stock is for sale, and how, by a moderator. When its seller touched it stays as it was.
update stock set public = @public, shown_until = sqlc.narg(shown_until), sells_daily = @sells_daily where id = @id;

-- name: Asks :many
-- Open asks that a user has made, and asks for their listings.
select sqlc.embed(orders), stock.user_id as seller_id, buyers.username as buyer, buyers.display_name as buyer_name, buyers.avatar as buyer_avatar,
    sellers.username as seller, sellers.display_name as seller_name, sellers.avatar as seller_avatar
from (
    select orders.id from orders where orders.user_id = @user_id::bigint and orders.listing_id is not null and orders.status = 'active'
    union
    select orders.id from stock join orders on orders.listing_id = stock.id and orders.status = 'active' where stock.user_id = @user_id::bigint
) mine join orders on orders.id = mine.id
join stock on stock.id = orders.listing_id join users buyers on buyers.id = orders.user_id join users sellers on sellers.id = stock.user_id
where orders.expires_at > @now::timestamptz and not orders.status = 'fulfilled'
order by orders.id;

-- name: ForSale :many
-- What is for sale in each of several lines, by the names of its item; what is asked for already is not counted.
select n.line::integer as line, sum(stock.quantity - a.asked)::bigint as quantity, min(stock.price)::bigint as lowest
from (select distinct r.line, item_key(r.name) as key from (select unnest(@lines::integer[]) as line, unnest(@names::text[]) as name) r) n
join stock on item_key(stock.item_name) = n.key
join users on users.id = stock.user_id
cross join lateral (select coalesce(sum(o.quantity - o.sold), 0) as asked from orders o
    where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz) a
where stock.public and stock.quantity > a.asked and stock.touched_at > @since
    and (stock.shown_until is null or stock.shown_until > @now::timestamptz)
    and stock.user_id <> @for_user::bigint and users.blocked_at is null and users.leaving_at is null
    and not exists (select from blocked_sellers b where b.buyer_id = @for_user::bigint and b.seller_id = stock.user_id
        or b.buyer_id = stock.user_id and b.seller_id = @for_user::bigint)
group by n.line;

-- name: ListingsOfLines :many
-- What a buyer can ask for in each of several lines, by the names of its item, the cheapest first, with the facts that decide whether it is
-- sold unasked. What they ask for already is left out. Each name is looked up by itself, so that its index gives the cheapest first: by all
-- names of a line at once, the cheapest of the whole market were read until enough of them were of the item.
select c.line::integer as line, sqlc.embed(stock), users.username, users.display_name, users.avatar, c.asked::bigint as asked,
    (stock.sells_daily - coalesce((select sum(u.quantity_sold) from order_updates u where u.crossed_with = stock.id and u.created_at > @day_ago::timestamptz
        and not exists (select from sale_reversals r where r.sale_id = u.id)), 0))::integer as today,
    (select count(*) from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = @for_user::bigint and r.reversed_at > @day_ago and u.crossed_with is not null)::integer as buyer_undid,
    (select count(*) from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = stock.user_id and r.reversed_at > @day_ago and u.crossed_with is not null)::integer as seller_undid
from (
    select n.line, l.id, l.asked
    from (select r.line, array_agg(distinct item_key(r.name)) as keys
        from (select unnest(@lines::integer[]) as line, unnest(@names::text[]) as name) r group by r.line) n
    cross join lateral (
        select best.id, best.asked from unnest(n.keys) as k(key) cross join lateral (
            select s.id, s.price, a.asked from stock s join users u on u.id = s.user_id
            cross join lateral (select coalesce(sum(o.quantity - o.sold), 0) as asked, coalesce(bool_or(o.user_id = @for_user::bigint), false) as asks
                from orders o where o.listing_id = s.id and o.status = 'active' and o.expires_at > @now::timestamptz) a
            where item_key(s.item_name) = k.key and s.public and s.quantity > 0 and s.quantity > a.asked and not a.asks and s.touched_at > @since
                and (s.shown_until is null or s.shown_until > @now)
                and s.user_id <> @for_user and u.blocked_at is null and u.leaving_at is null
                and not exists (select from blocked_sellers b where b.buyer_id = @for_user and b.seller_id = s.user_id
                    or b.buyer_id = s.user_id and b.seller_id = @for_user)
            order by s.price, s.id limit @most
        ) best order by best.price, best.id limit @most
    ) l
) c join stock on stock.id = c.id join users on users.id = stock.user_id
order by c.line, stock.price, stock.id;

-- name: LockPlanned :exec
-- A buyer and the sellers of some listings, in the order of their numbers: see LockTraders. The listings are locked after them.
select from users where id = @buyer_id::bigint or id in (select user_id from stock where stock.id = any(@listings::bigint[]))
order by id for no key update;

-- name: Unasked :one
-- How many a locked listing still sells unasked in these 24 hours, and how many such sales its seller and a buyer have undone in them.
select (stock.sells_daily - coalesce((select sum(u.quantity_sold) from order_updates u where u.crossed_with = stock.id and u.created_at > @day_ago::timestamptz
        and not exists (select from sale_reversals r where r.sale_id = u.id)), 0))::integer as today,
    (select count(*) from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = @buyer_id::bigint and r.reversed_at > @day_ago and u.crossed_with is not null)::integer as buyer_undid,
    (select count(*) from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = stock.user_id and r.reversed_at > @day_ago and u.crossed_with is not null)::integer as seller_undid
from stock where stock.id = @id;
