-- name: SaleNumber :one
-- Of the same range as those that LockOrder takes: see NoticeNumbers.
select nextval('order_updates_id_seq')::bigint where not exists (select from order_updates where order_updates.id = 0);

-- name: AddSale :exec
-- Adds a sale, and the event for the webhooks of its sides.
with hooked as (
    insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at)
    select w.id, @event::text, @event_type::text, @event_data::text, @created_at::timestamptz, @created_at::timestamptz
    from webhooks w where w.user_id = any(@sides::bigint[]) and not w.market and w.state = 'on' and @event_type::text = any(w.types)
)
insert into order_updates (id, order_id, item_name, quantity_sold, notes, unit_price, updated_by, buyer_id, seller_id, offer_id,
    seller_name, seller_contact, created_at, crossed_with)
values (@id, @order_id, @item_name, @quantity_sold, @notes, @unit_price, @updated_by, @buyer_id, @seller_id, @offer_id,
    @seller_name, @seller_contact, @created_at::timestamptz, @crossed_with);

-- name: Sales :many
select sqlc.embed(order_updates), exists (select from sale_reversals r where r.sale_id = order_updates.id) as reversed
from order_updates where order_id = @order_id::bigint order by id desc limit @most;

-- name: CountSales :one
select count(*) from order_updates where order_id = @order_id::bigint;

-- name: SalesOf :many
-- What a user has bought and sold, also of orders that are gone. Each half walks an index of its own.
with mine as (
    (select id from order_updates where buyer_id = @user_id::bigint and id < @before::bigint order by id desc limit @most)
    union all
    (select id from order_updates where seller_id = @user_id::bigint and id < @before::bigint order by id desc limit @most)
    order by id desc limit @most
)
select sqlc.embed(order_updates), exists (select from sale_reversals r where r.sale_id = order_updates.id) as reversed
from mine join order_updates on order_updates.id = mine.id order by order_updates.id desc;
