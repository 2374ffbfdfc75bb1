-- name: AddClosing :one
insert into closings (order_id, item_name, reason, closed_at) values (@order_id::bigint, @item_name, @reason, @closed_at)
returning id;

-- name: KeepLapsedOffers :exec
with kept as materialized (select offers.id, offers.seller_id, to_jsonb(offers) as content from offers where offers.order_id = @order_id)
insert into lapsed_offers (id, closing_id, seller_id, content) select kept.id, @closing_id, kept.seller_id, kept.content from kept;

-- name: LockClosing :one
select * from closings where order_id = @order_id::bigint for update;

-- name: LapsedOffers :many
select content from lapsed_offers where closing_id = @closing_id order by id;

-- name: DueClosings :many
select id, order_id from closings where closed_at <= @before order by closed_at, id limit @most;

-- name: LockOrders :many
-- In the order of their numbers, so that two who do this do not wait for one another.
select * from orders where id = any(@ids::bigint[]) order by id for update;

-- name: LockClosings :many
select * from closings where id = any(@ids::bigint[]) order by id for update;

-- name: TakeLapsedOffers :many
delete from lapsed_offers where closing_id = any(@closing_ids::bigint[]) returning closing_id, content;

-- name: RemoveClosings :exec
delete from closings where id = any(@ids::bigint[]);

-- name: AddReopening :exec
insert into reopenings (closing_id, order_id, reason, closed_at, reopened_at)
values (@closing_id, @order_id, @reason, @closed_at, @reopened_at);

-- name: TakeFromArchive :exec
update orders set archived_at = null where id = @id and archived_at is not null;

-- name: ReopenLapsedOffers :exec
-- Every column returns as it was, also one that a later program has added.
with lapsed as materialized (
    select jsonb_populate_record(null::offers, content) as offer from lapsed_offers where id = any(@ids::bigint[])
)
insert into offers select (lapsed.offer).* from lapsed;

-- name: ReopenLapsedSentOffers :exec
update sent_offers set state = 'open', updated_at = @updated_at where id = any(@ids::bigint[]) and state = 'lapsed';

-- name: ExpireFilledNotice :exec
-- Ends a notice that no message was given to yet. It waits for a delivery that is being planned.
update notices set state = 'expired', reason = @reason, settled_at = @now
where order_id = @order_id::bigint and kind = 'order_filled' and state = 'pending' and delivery_id is null;

-- name: LockTraders :exec
-- See LockTrader. In the order of their numbers, so that two who do this do not wait for one another.
select from users where id = any(@ids::bigint[]) order by id for no key update;

-- name: Sellers :many
select users.id, (users.blocked_at is not null)::boolean as blocked,
    exists (select from blocked_sellers where blocked_sellers.buyer_id = @buyer_id and blocked_sellers.seller_id = users.id) as blocked_by_buyer
from users where users.id = any(@ids::bigint[]);

-- name: ReviveBoardPosts :exec
-- Boards follow the order again, also one that is about to show its end. A message that several orders share is finished for
-- older programs, and live.
update board_posts set returned = board_posts.returned + 1,
    finished = board_posts.message_of is not null, live = board_posts.message_of is not null from boards
where board_posts.channel_id = boards.channel_id and board_posts.order_id = @order_id;
