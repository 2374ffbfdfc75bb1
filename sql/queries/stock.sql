-- name: Stock :many
select * from stock where user_id = @user_id order by lower(item_name), id;

-- name: StockSum :one
select count(*)::integer as sellers, coalesce(sum(quantity), 0)::bigint as quantity, coalesce(max(price), 0)::bigint as up_to
from stock join users on users.id = stock.user_id
where item_key(item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))
    and quantity > 0 and touched_at > @since and stock.user_id <> @for_user::bigint and (@up_to::bigint = 0 or price <= @up_to::bigint)
    and users.blocked_at is null and users.leaving_at is null
    and not exists (select from blocked_sellers b where b.buyer_id = @for_user::bigint and b.seller_id = stock.user_id);

-- name: PublicStock :many
select sqlc.embed(stock), users.username, users.display_name, users.avatar
from stock join users on users.id = stock.user_id
where item_key(item_name) = any(array(select item_key(n) from unnest(@names::text[]) n)) and stock.public
    and (shown_until is null or shown_until > @now::timestamptz)
    and quantity > 0 and touched_at > @since and stock.user_id <> @for_user::bigint and (@up_to::bigint = 0 or price <= @up_to::bigint)
    and users.blocked_at is null and users.leaving_at is null
    and not exists (select from blocked_sellers b where b.buyer_id = @for_user::bigint and b.seller_id = stock.user_id)
order by price, stock.id limit @most;

-- name: SaveStock :exec
-- Those without an id are new.
insert into stock (id, user_id, item_name, quantity, price, note, public, shown_until, sells_daily, category, created_at, touched_at)
select coalesce(nullif(r.id, 0), nextval('stock_id_seq')), @user_id, r.name, r.quantity, r.price, r.note, r.public,
    nullif(r.until, 'epoch'::timestamptz), r.daily, r.category, r.created, @touched_at
from (select unnest(@ids::bigint[]) as id, unnest(@names::text[]) as name, unnest(@quantities::integer[]) as quantity, unnest(@prices::bigint[]) as price,
    unnest(@notes::text[]) as note, unnest(@publics::boolean[]) as public, unnest(@created::timestamptz[]) as created,
    unnest(@untils::timestamptz[]) as until, unnest(@categories::text[]) as category, unnest(@daily::integer[]) as daily) r
on conflict (id) do update set item_name = excluded.item_name, quantity = excluded.quantity, price = excluded.price,
    note = excluded.note, public = excluded.public, shown_until = excluded.shown_until, sells_daily = excluded.sells_daily, category = excluded.category, touched_at = excluded.touched_at, asked_at = null;

-- name: DeleteOldStock :exec
-- Only old entries of the items that are listed again: others may have been removed a moment ago, which can be undone.
delete from stock where user_id = @user_id and touched_at <= @touched_since
    and item_key(item_name) = any(array(select item_key(n) from unnest(@names::text[]) n));

-- name: DeleteStock :one
-- The row stays for an undo, dated like stock that its seller has not touched for too long, and its seller is not asked about it.
with gone as (
    update stock set touched_at = @touched_at, asked_at = @touched_at where user_id = @user_id and id = @id and touched_at > @touched_at returning id
) select count(*) from gone;

-- name: RestoreStock :exec
update stock set touched_at = @now, asked_at = null where user_id = @user_id and id = @id;

-- name: ConfirmStock :one
with confirmed as (
    update stock set touched_at = @now::timestamptz, asked_at = null where user_id = @user_id and touched_at > @touched_since returning id
) select count(*) from confirmed;

-- name: TakeStock :exec
with own as (
    select stock.id, least(stock.quantity, @taken::integer) as fell from stock
    where stock.user_id = @seller_id and item_key(item_name) = any(array(select item_key(n) from unnest(@names::text[]) n)) and stock.quantity > 0
    order by stock.id limit 1 for update
), fallen as (
    update stock set quantity = stock.quantity - own.fell from own where stock.id = own.id
)
insert into stock_falls (sale_id, stock_id, quantity) select @sale_id, own.id, own.fell from own;

-- name: ReturnStock :exec
with fell as (delete from stock_falls where stock_falls.sale_id = @sale_id returning stock_falls.stock_id, stock_falls.quantity)
update stock set quantity = least(stock.quantity + fell.quantity, 1000000) from fell where stock.id = fell.stock_id;

-- name: AskedStock :many
update stock set asked_at = @now::timestamptz where id = any(array(
    select s.id from stock s where s.touched_at <= @touched_before and s.asked_at is null and s.quantity > 0
    order by s.touched_at limit @most for update skip locked))
returning *;

-- name: RemoveStock :one
with gone as (
    delete from stock where id = any(array(select s.id from stock s where s.touched_at <= @touched_before order by s.touched_at limit @most for update skip locked))
    returning id
) select count(*) from gone;

-- name: StockWatchers :many
-- Sellers with stock that an order asks for, or the one seller who is asked for it, with the columns that decide when they are alerted.
-- What is in their open offers is not counted, unless that is all of it.
select coalesce(nullif(greatest(stock.quantity - coalesce((select sum(o.quantity_offered - o.accepted) from sent_offers o
    where o.seller_id = stock.user_id and o.state = 'open' and item_key(o.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))), 0), 0), 0),
    stock.quantity)::integer as quantity, stock.price, stock.user_id, stock.snoozed_until, m.muted, m.quiet_from, m.quiet_to, m.time_zone, m.closed, t.alerted_at as turn_at,
    coalesce(t.messages, '{}')::timestamptz[] as messages
from stock
cross join lateral (select * from mailboxes where mailboxes.user_id = stock.user_id offset 0) m
left join lateral (select * from watch_turns where watch_turns.user_id = stock.user_id offset 0) t on true
where item_key(stock.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))
    and stock.quantity > 0 and stock.touched_at > @touched_after and stock.user_id <> @buyer_id and stock.alerts_off_at is null
    and (@ask::bigint = 0 and stock.price <= @price::bigint and stock.touched_at <= @touched_before or stock.id = @ask::bigint and stock.public)
    and stock.user_id not in (select u.id from users u where u.blocked_at is not null or u.leaving_at is not null)
    and stock.user_id not in (select b.seller_id from blocked_sellers b where b.buyer_id = @buyer_id)
    and stock.user_id not in (select x.user_id from muted_buyers x where x.buyer_id = @buyer_id)
    and stock.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.order_id = @order_id::bigint)
    and stock.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.caused_by = @buyer_id::bigint
        and n.created_at > @repeated_since and item_key(n.item_name) = item_key(@item_name::text)
        and (@ask::bigint = 0 or not exists (select from orders o where o.id = n.order_id and o.status = 'active')))
order by t.alerted_at nulls first, stock.user_id limit @most;

-- name: SaveStockAlerts :exec
update stock set snoozed_until = sqlc.narg(snoozed_until), alerts_off_at = sqlc.narg(alerts_off_at) where user_id = @user_id and id = @id;

-- name: HoldStockNotices :exec
-- What stock of an item owes and no message has been given yet is held.
update notices set hold_until = greatest(hold_until, @hold_until::timestamptz)
where notices.user_id = @user_id and notices.state = 'pending' and notices.kind = 'request_watched' and delivery_id is null
    and notices.watch_id is null and item_key(notices.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n));

-- name: EndStockNotices :exec
-- What stock of an item owes and no message has been given yet ends.
update notices set state = 'expired', reason = @reason, settled_at = @now
where notices.user_id = @user_id and notices.state = 'pending' and notices.kind = 'request_watched' and delivery_id is null
    and notices.watch_id is null and item_key(notices.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n));
