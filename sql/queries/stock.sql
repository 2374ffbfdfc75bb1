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
    and quantity > 0 and touched_at > @since and stock.user_id <> @for_user::bigint and (@up_to::bigint = 0 or price <= @up_to::bigint)
    and users.blocked_at is null and users.leaving_at is null
    and not exists (select from blocked_sellers b where b.buyer_id = @for_user::bigint and b.seller_id = stock.user_id)
order by price, stock.id limit @most;

-- name: SaveStock :exec
-- Those without an id are new.
insert into stock (id, user_id, item_name, quantity, price, note, public, created_at, touched_at)
select coalesce(nullif(r.id, 0), nextval('stock_id_seq')), @user_id, r.name, r.quantity, r.price, r.note, r.public, r.created, @touched_at
from (select unnest(@ids::bigint[]) as id, unnest(@names::text[]) as name, unnest(@quantities::integer[]) as quantity, unnest(@prices::bigint[]) as price,
    unnest(@notes::text[]) as note, unnest(@publics::boolean[]) as public, unnest(@created::timestamptz[]) as created) r
on conflict (id) do update set item_name = excluded.item_name, quantity = excluded.quantity, price = excluded.price,
    note = excluded.note, public = excluded.public, touched_at = excluded.touched_at, asked_at = null;

-- name: DeleteOldStock :exec
delete from stock where user_id = @user_id and touched_at <= @touched_since;

-- name: DeleteStock :one
with gone as (delete from stock where user_id = @user_id and id = @id returning id) select count(*) from gone;

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
