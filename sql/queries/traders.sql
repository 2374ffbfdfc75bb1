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
-- stood for a time. Beside that how many trades they made, how many of these at one copper, and how many both sides confirmed within a minute.
select least(u.buyer_id, u.seller_id)::bigint as a, greatest(u.buyer_id, u.seller_id)::bigint as b,
    min(coalesce(h.settled_at, u.created_at))::timestamptz as since,
    count(*)::integer as trades, count(*) filter (where u.unit_price = 1)::integer as one_copper,
    count(*) filter (where h.buyer_word = 'met' and h.seller_word = 'met'
        and abs(extract(epoch from h.buyer_said_at - h.seller_said_at)) < 60)::integer as same_minute
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
insert into trust_market (computed_at, of, trusted, circles, active, active_week, young)
values (@computed_at, @of, @trusted, @circles, @active, @active_week, @young)
on conflict (current) do update set computed_at = excluded.computed_at, of = excluded.of, trusted = excluded.trusted,
    circles = excluded.circles, active = excluded.active, active_week = excluded.active_week, young = excluded.young;

-- name: RemoveCandidates :exec
delete from vouch_candidates;

-- name: AddCandidates :exec
insert into vouch_candidates (user_id, place, partners, apart, since)
select found.user_id, found.place, found.partners, found.apart, found.since
from (select unnest(@users::bigint[]) as user_id, unnest(@places::integer[]) as place, unnest(@partners::integer[]) as partners,
    unnest(@aparts::integer[]) as apart, unnest(@times::timestamptz[]) as since) found
where exists (select from users u where u.id = found.user_id);

-- name: Candidates :many
select users.id, users.username, users.discord_id, c.partners, c.apart, c.since
from vouch_candidates c join users on users.id = c.user_id
where users.blocked_at is null and users.leaving_at is null and not exists (select from traders t where t.user_id = c.user_id)
    and not exists (select from set_aside a where a.user_id = c.user_id)
order by c.place;

-- name: RemoveProposedRings :exec
delete from proposed_rings where members_key <> all(@keys::text[]);

-- name: SaveProposedRings :exec
insert into proposed_rings (members_key, place, accounts, trades, inside, one_copper, same_minute, young_accounts)
select unnest(@keys::text[]), unnest(@places::integer[]), unnest(@accounts::integer[]), unnest(@trades::integer[]), unnest(@insides::integer[]),
    unnest(@one_coppers::integer[]), unnest(@same_minutes::integer[]), unnest(@youngs::integer[])
on conflict (members_key) do update set place = excluded.place, accounts = excluded.accounts, trades = excluded.trades,
    inside = excluded.inside, one_copper = excluded.one_copper, same_minute = excluded.same_minute, young_accounts = excluded.young_accounts;

-- name: AddProposedRingMembers :exec
insert into proposed_ring_members (ring_id, user_id)
select r.id, member.user_id
from (select unnest(@keys::text[]) as key, unnest(@users::bigint[]) as user_id) member join proposed_rings r on r.members_key = member.key
where exists (select from users u where u.id = member.user_id)
on conflict do nothing;

-- name: ProposedRings :many
-- Without those of which a member was set aside since.
select r.id, r.accounts, r.trades, r.inside, r.one_copper, r.same_minute, r.young_accounts, users.id as user_id, users.username
from (select * from proposed_rings p
    where p.dismissed_at is null and exists (select from proposed_ring_members m where m.ring_id = p.id)
        and not exists (select from proposed_ring_members m join set_aside a on a.user_id = m.user_id where m.ring_id = p.id)
    order by p.place, p.id limit @most) r
join proposed_ring_members m on m.ring_id = r.id join users on users.id = m.user_id
order by r.place, r.id, users.username;

-- name: LockProposedRing :many
-- A proposal that is not dismissed, with its members. Until the transaction ends, neither it nor any of them can be deleted.
select r.id, r.accounts, r.trades, r.inside, r.one_copper, r.same_minute, r.young_accounts, users.id as user_id, users.username, users.discord_id
from proposed_rings r join proposed_ring_members m on m.ring_id = r.id join users on users.id = m.user_id
where r.id = @id and r.dismissed_at is null
order by users.id for update of r for key share of users;

-- name: DismissProposedRing :exec
update proposed_rings set dismissed_at = @now::timestamptz where id = @id;

-- name: RemoveProposedRing :exec
delete from proposed_rings where id = @id;

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
select skeleton, user_id, since from trader_names order by skeleton, user_id;

-- name: TraderOf :one
select established_at, coalesce(origin, '')::text as origin, array(select skeleton from trader_names n where n.user_id = traders.user_id order by 1)::text[] as names,
    array(select created_at from look_alikes l where l.user_id = traders.user_id order by 1)::timestamptz[] as look_alikes
from traders where traders.user_id = @user_id;

-- name: RemoveTraderNames :exec
delete from trader_names where not exists (
    select from (select unnest(@skeletons::text[]) as skeleton, unnest(@users::bigint[]) as user_id) present
    where present.skeleton = trader_names.skeleton and present.user_id = trader_names.user_id);

-- name: AddTraderNames :exec
insert into trader_names (skeleton, user_id, since)
select known.skeleton, known.user_id, known.since
from (select unnest(@skeletons::text[]) as skeleton, unnest(@users::bigint[]) as user_id, unnest(@times::timestamptz[]) as since) known
where exists (select from traders t where t.user_id = known.user_id)
on conflict (skeleton, user_id) do update set since = excluded.since where trader_names.since is null;

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

-- name: NameUses :many
-- Under which names accounts have acted here, and since when: from the post, and surely from the last change, before which a request may
-- have had another name.
select used.user_id::bigint as user_id, used.name::text as name, min(used.first)::timestamptz as first, min(used.surely)::timestamptz as surely
from (
    select o.user_id, o.ign::text as name, o.created_at as first, o.updated_at as surely from orders o where o.ign <> ''
    union all
    select o.user_id, o.buyer_contact::text, o.created_at, o.updated_at from orders o
    union all
    select s.seller_id, s.seller_name::text, s.created_at, s.created_at from sent_offers s where s.seller_name <> ''
    union all
    select f.seller_id, f.seller_contact::text, f.created_at, f.created_at from offers f where f.seller_id is not null
    union all
    select c.seller_id, c.seller_contact::text, c.created_at, c.created_at from order_updates c
    where c.seller_id is not null and c.seller_contact <> ''
    union all
    select u.id, u.username, u.created_at, @now::timestamptz from traders t join users u on u.id = t.user_id
    union all
    select u.id, u.display_name, u.created_at, @now::timestamptz from traders t join users u on u.id = t.user_id
) used
group by 1, 2;

-- name: AddElders :exec
insert into allowed_names (skeleton, trader_id, user_id, allowed_at)
select elder.skeleton, elder.trader_id, elder.user_id, @at
from (select unnest(@skeletons::text[]) as skeleton, unnest(@traders::bigint[]) as trader_id, unnest(@users::bigint[]) as user_id) elder
where exists (select from users t where t.id = elder.trader_id) and exists (select from users u where u.id = elder.user_id)
on conflict do nothing;

-- name: AllowedNames :many
select skeleton, trader_id, coalesce(user_id, 0)::bigint as user_id, coalesce(offer_id, 0)::bigint as offer_id
from allowed_names order by skeleton, trader_id, user_id, offer_id;

-- name: AllowName :one
-- Stored under the audit entry that this transaction added last. Returns how many were not allowed before.
with added as (
insert into allowed_names (skeleton, trader_id, user_id, offer_id, audit_id, allowed_at)
select allowed.skeleton, allowed.trader_id, sqlc.narg(user_id)::bigint, sqlc.narg(offer_id)::bigint, audit_entries.id, @at
from (select unnest(@skeletons::text[]) as skeleton, unnest(@traders::bigint[]) as trader_id) allowed, audit_entries
where audit_entries.id = (select currval('audit_entries_id_seq')) and exists (select from users t where t.id = allowed.trader_id)
on conflict do nothing returning 1
)
select count(*) from added;

-- name: MarkNameAgain :one
with marked as (delete from allowed_names where audit_id = @audit_id::bigint returning 1) select count(*) from marked;

-- name: PruneAllowedNames :execrows
-- Of visitors' offers that are gone, of which no sale is left.
delete from allowed_names a where a.offer_id is not null and a.allowed_at < @before
    and not exists (select from offers o where o.id = a.offer_id)
    and not exists (select from order_updates u where u.offer_id = a.offer_id);

-- name: AllowedNamesOf :many
-- The names that a user may use although they look like a trader's.
select skeleton, (audit_id is not null)::boolean as by_moderator, allowed_at from allowed_names where user_id = @user_id::bigint order by allowed_at, skeleton;

-- name: RedrawBoardsOf :exec
update board_posts set shown_version = 0 where order_id = @order_id::bigint;
