-- name: LockUser :one
-- Nobody posts or offers in this user's name until the transaction ends: who does holds the row in share.
select * from users where id = @id for update;

-- name: LockTrader :exec
-- Keeps a user from being blocked or unblocked. What follows reads what is true then: this statement itself would still read
-- what was true when it began to wait.
select from users where id = @id for share;

-- name: Buyer :one
-- The number of an order that is about to be posted comes along, which saves a round trip.
select (blocked_at is not null)::boolean as blocked, nextval('orders_id_seq')::bigint as order_number
from users where id = @id;

-- name: Seller :one
select (users.blocked_at is not null)::boolean as blocked,
    exists (select from blocked_sellers where buyer_id = @buyer_id and blocked_sellers.seller_id = users.id) as blocked_by_buyer,
    coalesce((select id from offers where order_id = @order_id and offers.seller_id = users.id), 0)::bigint as offer_id
from users where users.id = @seller_id;

-- name: SaveBlock :exec
update users set blocked_at = @blocked_at, blocked_for = @blocked_for where id = @id;

-- name: HideOrders :many
-- Those that are fulfilled are on no list; what is hidden is shown again whatever has become of it.
update orders set hidden = @hidden, version = version + 1, updated_at = @updated_at
where user_id = @user_id and hidden <> @hidden and (status = 'active' or hidden)
returning id;

-- name: BlockedUsers :many
select * from users where blocked_at is not null order by blocked_at desc, id desc limit @most;

-- name: LockOrdersOfferedOn :many
-- In the order of their numbers, so that two who do this do not wait for one another.
select * from orders
where id in (select order_id from offers where seller_id = @seller_id::bigint)
    and (@buyer_id::bigint = 0 or user_id = @buyer_id::bigint)
order by id for update;

-- name: TakeOffersBy :many
delete from offers where seller_id = @seller_id::bigint and order_id = any(@order_ids::bigint[]) returning *;

-- name: EndSentOffers :exec
update sent_offers set state = @state, updated_at = @updated_at where id = any(@ids::bigint[]) and state = 'open';

-- name: AddBlockedSeller :exec
insert into blocked_sellers (buyer_id, seller_id, created_at) values (@buyer_id, @seller_id, @created_at)
on conflict do nothing;

-- name: RemoveBlockedSeller :exec
delete from blocked_sellers where buyer_id = @buyer_id and seller_id = @seller_id;

-- name: BlockedSellers :many
select blocked_sellers.seller_id, users.username, blocked_sellers.created_at
from blocked_sellers join users on users.id = blocked_sellers.seller_id
where buyer_id = @buyer_id order by blocked_sellers.created_at desc limit @most;
