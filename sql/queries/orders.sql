-- name: Order :one
select * from orders where id = @id;

-- name: LockOrder :one
-- The sold total lives on this row, so it is correct for the transaction that holds the lock. A sum over order_updates in the same
-- statement could miss a sale committed while we waited. The numbers that most writes to an order need come along, which
-- saves them a round trip; an unused number is just skipped.
select sqlc.embed(orders),
    (select nextval('order_updates_id_seq'))::bigint as sale_number,
    (select nextval('offers_id_seq'))::bigint as offer_number,
    (select nextval('notices_id_seq'))::bigint as notice_number
from orders where id = @id for update;

-- name: LockExpiredOrders :many
-- Marks them, so that each is read once. A locked one is left for the next run.
update orders set lapsed_for = expires_at
where id = any(array(
    select due.id from orders due
    where due.status = 'active' and due.expires_at <= @now and due.lapsed_for is distinct from due.expires_at
    order by due.expires_at limit @most for update skip locked))
returning *;

-- name: LockExpiringOrders :many
update orders set warned_for = expires_at
where id = any(array(
    select due.id from orders due
    where due.status = 'active' and due.expires_at > @now and due.expires_at <= @before
        and due.warned_for is distinct from due.expires_at and due.listing_id is null
    order by due.expires_at limit @most for update skip locked))
returning *;

-- name: AddOrder :exec
insert into orders (id, user_id, version, item_name, quantity, max_price_per_unit, description, buyer_contact, ign,
    level_requirement, category, importance, signed_in_only, no_programs, status, sold, progress, close_reason, created_at, updated_at, expires_at,
    closed_at, hidden, list_id, listing_id)
values (@id, @user_id, @version, @item_name, @quantity, @max_price_per_unit, @description, @buyer_contact, @ign,
    @level_requirement, @category, @importance, @signed_in_only, @no_programs, @status, @sold, @progress, @close_reason, @created_at, @updated_at,
    @expires_at, @closed_at, @hidden, @list_id, @listing_id);

-- name: SaveOrder :exec
update orders set version = @version, item_name = @item_name, quantity = @quantity,
    max_price_per_unit = @max_price_per_unit, description = @description, buyer_contact = @buyer_contact, ign = @ign,
    level_requirement = @level_requirement, category = @category, importance = @importance,
    signed_in_only = @signed_in_only, no_programs = @no_programs, status = @status,
    sold = @sold, progress = @progress, close_reason = @close_reason, updated_at = @updated_at,
    expires_at = @expires_at, closed_at = @closed_at
where id = @id;

-- name: RestoreOrder :exec
with restored as materialized (
    select jsonb_populate_record(null::orders, @content::jsonb) as o, users.blocked_at is not null or users.leaving_at is not null as hidden,
        (select posted_lists.id from posted_lists where posted_lists.id = (@content::jsonb ->> 'list_id')::bigint) as list_id
    from users where users.id = (@content::jsonb ->> 'user_id')::bigint
)
insert into orders (id, user_id, version, item_name, quantity, max_price_per_unit, description, buyer_contact, ign,
    level_requirement, category, importance, signed_in_only, no_programs, status, sold, progress, close_reason, created_at, updated_at, expires_at,
    closed_at, warned_for, lapsed_for, archived_at, hidden, list_id, listing_id)
select (r.o).id, (r.o).user_id, (r.o).version, (r.o).item_name, (r.o).quantity, (r.o).max_price_per_unit, (r.o).description,
    (r.o).buyer_contact, (r.o).ign, (r.o).level_requirement, (r.o).category, (r.o).importance, (r.o).signed_in_only, coalesce((r.o).no_programs, false), (r.o).status,
    (r.o).sold, (r.o).progress, (r.o).close_reason, (r.o).created_at, (r.o).updated_at, (r.o).expires_at, (r.o).closed_at,
    (r.o).warned_for, (r.o).lapsed_for, (r.o).archived_at,
    (r.o).listing_id is not null or (r.o).status = 'active' and r.hidden, r.list_id, (r.o).listing_id
from restored r;

-- name: SaveOrderState :exec
-- What a sale or a close changes. It names no column that the generated ones are made of, so they are not generated again.
update orders set version = @version, status = @status, sold = @sold, progress = @progress,
    close_reason = @close_reason, updated_at = @updated_at, closed_at = @closed_at
where id = @id;

-- name: DeleteOrder :exec
-- A list counts as one post, whatever becomes of its requests.
with deleted as (delete from orders where id = @id returning user_id, created_at, list_id)
insert into deleted_orders (user_id, created_at) select user_id, created_at from deleted where list_id is null;

-- name: CountPost :exec
-- An edit that others are alerted to counts as a post.
insert into deleted_orders (user_id, created_at) values (@user_id, @created_at);

-- name: LockOrdersOf :many
select id from orders where user_id = @user_id order by id for update;

-- name: DeleteOrders :many
delete from orders where id = any(@ids::bigint[]) returning item_name;

-- name: EmptySales :exec
-- The owner's texts and contacts go with the order; what was traded stays.
update order_updates set order_id = null, notes = null, seller_name = null, seller_contact = null where order_id = any(@orders::bigint[]);

-- name: EmptySentOffers :exec
update sent_offers set order_id = null, buyer_contact = null where order_id = any(@orders::bigint[]);

-- name: PruneDeletedOrders :execrows
delete from deleted_orders where created_at < @before;

-- name: ItemNames :many
-- Names that begin with the text come first. Others are suggested what two established traders ask for at this moment, as most people spell
-- it, and everybody their own names. Of the many items that a short text fits, the 200 most ordered are looked at.
with candidates as (
    select items.key from items where items.orders > 0 and items.key like all (@patterns::text[])
    order by items.key like @prefix::text desc, items.orders desc, items.key limit 200
), shared as (
    select candidates.key, open.orders from candidates cross join lateral (
        select count(*) as orders, min(t.user_id) <> max(t.user_id) as by_two from orders o
        left join traders t on t.user_id = o.user_id and t.user_id not in (select a.user_id from set_aside a)
        where lower(o.item_name) = candidates.key and o.status = 'active' and not o.hidden and o.expires_at > sqlc.arg(now)
    ) open where open.by_two
), mine as (
    select lower(o.item_name) as key, (array_agg(o.item_name order by o.id desc))[1]::text as name, count(*) as orders from orders o
    where o.user_id = @asked_by and lower(o.item_name) like all (@patterns::text[]) group by lower(o.item_name)
), suggested as (
    select coalesce(shared.key, mine.key) as key, mine.name, greatest(shared.orders, mine.orders) as orders
    from shared full join mine on mine.key = shared.key
    order by coalesce(shared.key, mine.key) like @prefix::text desc, greatest(shared.orders, mine.orders) desc, 1 limit @most
)
select coalesce(spelled.name, suggested.name)::text as name from suggested left join lateral (
    select o.item_name::text as name from orders o
    where lower(o.item_name) = suggested.key and o.status = 'active' and not o.hidden and o.expires_at > sqlc.arg(now)
        and exists (select from shared where shared.key = suggested.key)
    group by o.item_name order by count(distinct o.user_id) desc, min(o.id) limit 1
) spelled on true
order by suggested.key like @prefix::text desc, suggested.orders desc, suggested.key;

-- name: NextExpiry :one
select expires_at from orders where status = 'active' and expires_at > sqlc.arg(now) order by expires_at limit 1;

-- name: NewestTexts :many
-- What cards show of the newest open orders.
select item_name, description, buyer_contact, ign from orders
where status = 'active' and expires_at > sqlc.arg(now) and not hidden
order by created_at desc, id desc limit @most;
