-- name: TrustOf :one
-- What trust is computed from, in short: what was settled, who vouched for whom, and who is set aside or blocked. A new day changes it, too:
-- pairs grow older.
select concat_ws(' ',
    (select max(h.settled_at) from handovers h where h.settled_at is not null),
    (select count(*) || '/' || coalesce(max(t.user_id), 0) from traders t where t.origin in ('moderator', 'vouched')),
    (select count(*) || '/' || max(a.at) from set_aside a),
    (select count(*) from users u where u.blocked_at is not null),
    @hour::text)::text as of;

-- name: TrustComputed :many
select * from trust_market;

-- name: SettledPairs :many
-- Who has handed over to whom, and since when: both said so, or one did and the other was silent; without a handover, accepts that have
-- stood for a time.
select least(u.buyer_id, u.seller_id)::bigint as a, greatest(u.buyer_id, u.seller_id)::bigint as b,
    min(coalesce(h.settled_at, u.created_at))::timestamptz as since
from order_updates u left join handovers h on h.sale_id = u.id
where u.buyer_id is not null and u.seller_id is not null and u.buyer_id <> u.seller_id
    and case when h.sale_id is null then u.created_at <= @settled_before else h.state = 'met' end
    and not exists (select from sale_reversals r where r.sale_id = u.id)
group by 1, 2;

-- name: TrustPeople :many
-- Everybody who trust may flow to: neither blocked nor set aside, and not the canary.
select users.id, users.discord_id, coalesce(t.origin in ('moderator', 'vouched'), false)::boolean as source
from users left join traders t on t.user_id = users.id
where users.blocked_at is null and users.discord_id not like 'canary-%'
    and not exists (select from set_aside a where a.user_id = users.id);

-- name: CountActive :one
select count(distinct person.id) from order_updates u, lateral (values (u.buyer_id), (u.seller_id)) person (id)
where u.created_at > @since and u.buyer_id is not null and u.seller_id is not null and person.id is not null;

-- name: SaveTrust :execrows
insert into trust_shares (user_id, amount, circle)
select computed.user_id, computed.amount, computed.circle
from (select unnest(@users::bigint[]) as user_id, unnest(@amounts::float8[]) as amount, unnest(@circles::bigint[]) as circle) computed
where exists (select from users u where u.id = computed.user_id)
on conflict (user_id) do update set amount = excluded.amount, circle = excluded.circle
where trust_shares.amount <> excluded.amount or trust_shares.circle <> excluded.circle;

-- name: RemoveTrust :execrows
delete from trust_shares where user_id <> all(@users::bigint[]);

-- name: SaveTrustMarket :exec
insert into trust_market (computed_at, of, trusted, circles, active, young) values (@computed_at, @of, @trusted, @circles, @active, @young)
on conflict (current) do update set computed_at = excluded.computed_at, of = excluded.of, trusted = excluded.trusted,
    circles = excluded.circles, active = excluded.active, young = excluded.young;

-- name: RemoveTraders :execrows
-- Those whom nobody vouched for are traders while they are trusted.
delete from traders where coalesce(origin, 'trades') = 'trades' and user_id <> all(@trusted::bigint[]);

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
on conflict (user_id) do update set origin = excluded.origin where coalesce(traders.origin, 'trades') = 'trades';

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
