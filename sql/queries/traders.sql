-- name: LockTraderSearch :one
insert into trader_search (sale_id) values (0) on conflict (current) do update set sale_id = trader_search.sale_id
returning sale_id;

-- name: NewTrades :many
-- When those who are no established traders, and took part in a sale that was not searched before, first traded with each of their
-- established partners: the earliest such times. Each half walks an index of its own.
with recent as (
    select buyer_id, seller_id from order_updates
    where id > @after::bigint and created_at <= @settled_before and (offer_id is not null or seller_name is not null)
        and buyer_id is not null and seller_id is not null
), people as (select buyer_id as id from recent union select seller_id from recent)
select users.id, array(select min(at) from (
    select u.seller_id as partner, u.created_at as at from order_updates u join traders t on t.user_id = u.seller_id
    where u.buyer_id = users.id and u.seller_id <> users.id and t.user_id not in (select a.user_id from set_aside a) and u.created_at <= @settled_before and u.created_at >= t.established_at
        and (u.offer_id is not null or u.seller_name is not null)
        and not exists (select from sale_reversals r where r.sale_id = u.id)
    union all
    select u.buyer_id, u.created_at from order_updates u join traders t on t.user_id = u.buyer_id
    where u.seller_id = users.id and u.buyer_id <> users.id and t.user_id not in (select a.user_id from set_aside a) and u.created_at <= @settled_before and u.created_at >= t.established_at
        and not exists (select from sale_reversals r where r.sale_id = u.id)
    ) fills group by partner order by min(at) limit @most)::timestamptz[] as partners
from people join users on users.id = people.id
where not exists (select from traders where traders.user_id = users.id);

-- name: MoveTraderSearch :exec
-- Sales younger than that are searched again: a transaction with a lower number may still be open.
update trader_search set sale_id = greatest(sale_id, coalesce(
    (select max(id) from order_updates where id > trader_search.sale_id and created_at <= @searched_before), 0));

-- name: AddTraders :one
with added as (
    insert into traders (user_id, established_at, origin)
    select unnest(@users::bigint[]), unnest(@times::timestamptz[]), @origin::text on conflict do nothing
    returning user_id
)
select count(*) from added;

-- name: AddModeratorTraders :execrows
insert into traders (user_id, established_at, origin)
select users.id, users.created_at, 'moderator' from users
where (discord_id = any(@accounts::text[])
        or moderator_role <> '' and moderator_role = any(@roles::text[]) and moderator_role_at > @role_since::timestamptz)
on conflict do nothing;

-- name: Traders :many
-- The names of established traders who are neither blocked nor leaving: those of the account, and those that they last traded under.
select users.id, users.username, users.display_name,
    (array(select ign::text from orders
        where orders.user_id = users.id and orders.ign is not null and orders.sold > 0
        order by orders.created_at desc limit @most)
    || array(select seller_name::text from sent_offers
        where sent_offers.seller_id = users.id and sent_offers.seller_name is not null and sent_offers.accepted > 0
        order by sent_offers.id desc limit @most))::text[] as in_game
from traders join users on users.id = traders.user_id
where users.blocked_at is null and users.leaving_at is null
order by users.id;

-- name: TraderNames :many
select skeleton, user_id from trader_names order by skeleton, user_id;

-- name: TraderOf :one
select established_at, coalesce(origin, '')::text as origin, array(select skeleton from trader_names n where n.user_id = traders.user_id order by 1)::text[] as names,
    array(select created_at from look_alikes l where l.user_id = traders.user_id order by 1)::timestamptz[] as look_alikes
from traders where traders.user_id = @user_id;

-- name: RemoveTraderNames :exec
delete from trader_names where not exists (
    select from (select unnest(@skeletons::text[]) as skeleton, unnest(@users::bigint[]) as user_id) present
    where present.skeleton = trader_names.skeleton and present.user_id = trader_names.user_id);

-- name: AddTraderNames :exec
insert into trader_names (skeleton, user_id) select unnest(@skeletons::text[]), unnest(@users::bigint[]) on conflict do nothing;

-- name: AddLookAlike :one
with found as materialized (
    select traders.user_id, sha256(convert_to(@name::text, 'UTF8')) as name_hash from traders
    where traders.user_id = @trader
        and (select count(*) from look_alikes latest where latest.user_id = @trader and latest.created_at > @since::timestamptz) < @most::bigint
), added as (
    insert into look_alikes (user_id, name_hash, created_at)
    select found.user_id, found.name_hash, @now from found
    on conflict do nothing
    returning look_alikes.user_id
)
select count(*) from added;

-- name: PruneLookAlikes :execrows
delete from look_alikes where created_at < @before;
