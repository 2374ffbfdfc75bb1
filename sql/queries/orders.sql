-- name: Order :one
select * from orders where id = @id;

-- name: LockOrder :one
-- The sold total lives on this row, so whoever holds the lock reads the truth. A sum over order_updates in the same
-- statement could miss a sale committed while we waited. The numbers that most writes to an order need come along, which
-- saves them a round trip; an unused number is just skipped.
select sqlc.embed(orders),
    nextval('order_updates_id_seq')::bigint as sale_number,
    nextval('offers_id_seq')::bigint as offer_number,
    nextval('notices_id_seq')::bigint as notice_number
from orders where id = @id for update;

-- name: LockExpiredOrders :many
-- One that somebody holds is left for the next time.
select * from orders
where status = 'active' and expires_at <= @now and exists (select from offers where offers.order_id = orders.id)
order by expires_at limit @most for update skip locked;

-- name: LockExpiringOrders :many
update orders set warned_for = expires_at
where id = any(array(
    select due.id from orders due
    where due.status = 'active' and due.expires_at > @now and due.expires_at <= @before
        and due.warned_for is distinct from due.expires_at
    order by due.expires_at limit @most for update skip locked))
returning *;

-- name: AddOrder :exec
insert into orders (id, user_id, version, item_name, quantity, max_price_per_unit, description, buyer_contact, ign,
    level_requirement, category, importance, signed_in_only, status, sold, progress, close_reason, created_at, updated_at, expires_at,
    closed_at)
values (@id, @user_id, @version, @item_name, @quantity, @max_price_per_unit, @description, @buyer_contact, @ign,
    @level_requirement, @category, @importance, @signed_in_only, @status, @sold, @progress, @close_reason, @created_at, @updated_at,
    @expires_at, @closed_at);

-- name: SaveOrder :exec
update orders set version = @version, item_name = @item_name, quantity = @quantity,
    max_price_per_unit = @max_price_per_unit, description = @description, buyer_contact = @buyer_contact, ign = @ign,
    level_requirement = @level_requirement, category = @category, importance = @importance,
    signed_in_only = @signed_in_only, status = @status,
    sold = @sold, progress = @progress, close_reason = @close_reason, updated_at = @updated_at,
    expires_at = @expires_at, closed_at = @closed_at
where id = @id;

-- name: SaveOrderState :exec
-- What a sale or a close changes. It names no column that the generated ones are made of, so they are not made anew.
update orders set version = @version, status = @status, sold = @sold, progress = @progress,
    close_reason = @close_reason, updated_at = @updated_at, closed_at = @closed_at
where id = @id;

-- name: DeleteOrder :exec
delete from orders where id = @id;

-- name: ItemNames :many
select name from items where orders > 0 and key like all (@patterns::text[]) order by orders desc, key limit @most;
