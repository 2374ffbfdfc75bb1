-- name: LockUser :one
-- Nobody posts or offers in this user's name until the transaction ends: who does holds the row in share.
select * from users where id = @id for update;

-- name: LockTrader :exec
-- Keeps a user from being blocked or unblocked, and from posting and offering at the same time: quotas are counted under
-- it. What follows reads what is true then: this statement itself would still read what was true when it began to wait.
select from users where id = @id for no key update;

-- name: OrderNumber :one
-- Of the same range as those that Buyer takes: see NoticeNumbers.
select nextval('orders_id_seq')::bigint where not exists (select from orders where orders.id = 0);

-- name: Buyer :one
-- All that posting depends on, and the number of the order that is about to be posted, in one round trip. Each count reads
-- as many rows as its limit.
select (users.blocked_at is not null)::boolean as blocked, users.leaving_at, users.created_at, (select nextval('orders_id_seq'))::bigint as order_number,
    (select count(*) from (
        select from orders
        where orders.user_id = users.id and orders.status = 'active' and orders.expires_at > @now and orders.id <> @order_id::bigint
        limit @most_open::bigint) counted)::integer as open,
    array(
        select at from (
            (select orders.created_at as at from orders where orders.user_id = users.id and orders.status = 'active' and orders.list_id is null
                    and not exists (select from handovers h where h.posted_again = orders.id)
                order by orders.created_at desc limit @most_posted::bigint)
            union all
            (select orders.created_at as at from orders where orders.user_id = users.id and orders.status = 'fulfilled' and orders.list_id is null
                    and not exists (select from handovers h where h.posted_again = orders.id)
                order by orders.created_at desc limit @most_posted::bigint)
            union all
            (select posted_lists.created_at as at from posted_lists where posted_lists.user_id = users.id
                order by posted_lists.created_at desc limit @most_posted::bigint)
            union all
            (select deleted_orders.created_at as at from deleted_orders where deleted_orders.user_id = users.id
                order by deleted_orders.created_at desc limit @most_posted::bigint)
        ) posts order by at desc limit @most_posted::bigint)::timestamptz[] as posted,
    (select coalesce(jsonb_agg(to_jsonb(orders)), '[]') from orders
        where orders.user_id = users.id and orders.status = 'active' and orders.item_name = @item_name
            and orders.quantity = @quantity and orders.max_price_per_unit = @max_price_per_unit
            and orders.expires_at > @now and orders.id <> @order_id::bigint and orders.listing_id is null)::jsonb as alike
from users where users.id = @id;

-- name: Seller :one
select (users.blocked_at is not null)::boolean as blocked, users.leaving_at,
    exists (select from blocked_sellers where blocked_sellers.buyer_id = @buyer_id and blocked_sellers.seller_id = users.id) as blocked_by_buyer,
    coalesce((select offers.id from offers where offers.order_id = @order_id and offers.seller_id = users.id), 0)::bigint as offer_id,
    coalesce((select offers.quantity_offered from offers where offers.order_id = @order_id and offers.seller_id = users.id), 0)::integer as offered,
    array(select sent_offers.created_at from sent_offers where sent_offers.seller_id = users.id
        order by sent_offers.id desc limit @most_sent::bigint)::timestamptz[] as sent,
    array(select sent_offers.created_at from sent_offers where sent_offers.order_id = sqlc.arg(order_id)::bigint and sent_offers.seller_id = users.id
        order by sent_offers.id desc limit @most_sent_here::bigint)::timestamptz[] as sent_here,
    (exists (select from traders where traders.user_id = users.id) and not exists (select from set_aside where set_aside.user_id = users.id))::boolean as trusted,
    ((least_records.order_id is not null or s.id is not null) and exists (select from order_updates u left join handovers h on h.sale_id = u.id
        where (u.buyer_id = @buyer_id::bigint and u.seller_id = users.id or u.buyer_id = users.id and u.seller_id = @buyer_id)
            and coalesce(h.state = 'met', u.created_at <= @settled_before)
            and not exists (select from sale_reversals r where r.sale_id = u.id)))::boolean as met,
    coalesce(least_records.sellers, '')::text as least_sellers, coalesce(least_records.new_up_to, 0)::integer as new_up_to,
    coalesce(s.id, 0)::bigint as standing_id, coalesce(s.sellers, '')::text as sellers, coalesce(s.from_partners, 0)::integer as from_partners,
    coalesce(s.from_others, 0)::integer as from_others, coalesce(s.taken_from_partners, 0)::integer as taken_from_partners,
    coalesce(s.taken_from_others, 0)::integer as taken_from_others, coalesce(s.until, 'epoch')::timestamptz as until,
    r.since, r.trust, (r.stopped_at is not null)::boolean as stopped,
    array(select distinct reached.reader_id from reached where reached.sender_id = users.id and reached.created_at > @reached_since)::bigint[] as reached
from users
join senders r on r.user_id = users.id
left join least_records on least_records.order_id = sqlc.arg(order_id)::bigint
left join standing_acceptances s on s.order_id = sqlc.arg(order_id)::bigint and s.ended_at is null
where users.id = @seller_id;

-- name: SellerOnOrders :many
-- What decides on a seller's next offer on each order, as Seller reads it for one.
select orders.id as order_id,
    array(select s.created_at from sent_offers s where s.seller_id = @seller_id::bigint order by s.id desc limit @most_sent::bigint)::timestamptz[] as sent,
    array(select s.created_at from sent_offers s where s.order_id = orders.id and s.seller_id = @seller_id
        order by s.id desc limit @most_sent_here::bigint)::timestamptz[] as sent_here,
    (exists (select from traders where traders.user_id = @seller_id) and not exists (select from set_aside where set_aside.user_id = @seller_id))::boolean as trusted,
    (l.order_id is not null and exists (select from order_updates u left join handovers h on h.sale_id = u.id
        where (u.buyer_id = orders.user_id and u.seller_id = @seller_id or u.buyer_id = @seller_id and u.seller_id = orders.user_id)
            and coalesce(h.state = 'met', u.created_at <= @settled_before)
            and not exists (select from sale_reversals r where r.sale_id = u.id)))::boolean as met,
    coalesce(l.sellers, '')::text as least_sellers, coalesce(l.new_up_to, 0)::integer as new_up_to
from orders left join least_records l on l.order_id = orders.id
where orders.id = any(@ids::bigint[]);

-- name: SaveBlock :exec
update users set blocked_at = @blocked_at, blocked_for = @blocked_for where id = @id;

-- name: HideOrders :many
-- Those that are fulfilled are on no list; a hidden order is shown again whatever has become of it. An ask for a listing stays hidden.
update orders set hidden = @hidden, version = version + 1, updated_at = @updated_at
where user_id = @user_id and hidden <> @hidden and (status = 'active' or hidden) and listing_id is null
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
