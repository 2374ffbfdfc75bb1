-- name: SlipParties :one
-- The two of a trade slip, where they said that they meet, and whether one has blocked the other.
select a.id as own_id, a.discord_id as own_discord_id, a.username as own_username, a.display_name as own_display_name,
    coalesce(a.in_game_name, '')::text as own_in_game_name,
    b.id as partner_id, b.discord_id as partner_discord_id, b.username as partner_username, b.display_name as partner_display_name,
    coalesce(b.in_game_name, '')::text as partner_in_game_name,
    coalesce(m.place, '')::text as place, coalesce(m.said_by, 0)::bigint as said_by, coalesce(m.said_at, 'epoch')::timestamptz as said_at,
    exists (select from blocked_sellers s
        where s.buyer_id = a.id and s.seller_id = b.id or s.buyer_id = b.id and s.seller_id = a.id)::boolean as blocked
from users a join users b on b.id = @partner_id
left join meeting_places m on m.user_id = least(a.id, b.id) and m.partner_user_id = greatest(a.id, b.id)
where a.id = @user_id;

-- name: SlipLines :many
-- The open handovers between two users, with what both have written about them. Each half walks an index.
with between_two as (
    (select sale_id from handovers
        where buyer_id = @user_id::bigint and seller_id = @partner_id::bigint and state in ('agreed', 'disputed') order by sale_id limit @most)
    union all
    (select sale_id from handovers
        where buyer_id = @partner_id::bigint and seller_id = @user_id::bigint and state in ('agreed', 'disputed') order by sale_id limit @most)
)
select sqlc.embed(trades), coalesce(o.description, '')::text as description,
    coalesce((select f.message from sent_offers f where f.id = trades.offer_id and f.state <> 'removed'), '')::text as message
from between_two join trades on trades.sale_id = between_two.sale_id left join orders o on o.id = trades.order_id
order by trades.sale_id;

-- name: TradeDetails :one
-- An accept of which a user is a side, also when it was undone, with what both have written about it.
select sqlc.embed(trades), coalesce(o.description, '')::text as description,
    coalesce((select f.message from sent_offers f where f.id = trades.offer_id and f.state <> 'removed'), '')::text as message,
    coalesce(r.reversed_at, 'epoch')::timestamptz as reversed_at
from trades left join orders o on o.id = trades.order_id left join sale_reversals r on r.sale_id = trades.sale_id
where trades.sale_id = @sale and (trades.seller_id = @user_id::bigint
    or trades.buyer_id = @user_id::bigint and (trades.offer_id is not null or trades.typed_seller_name <> ''));

-- name: SlipPartners :many
-- With whom something is open, those first with whom the latest is. Each half walks an index.
with open_ones as (
    select seller_id as partner, sale_id from handovers where buyer_id = @user_id::bigint and state in ('agreed', 'disputed') and seller_id is not null
    union all
    select buyer_id as partner, sale_id from handovers where seller_id = @user_id::bigint and state in ('agreed', 'disputed') and buyer_id is not null
), partners as (
    select partner, count(*) as open, max(sale_id) as latest from open_ones group by partner order by latest desc limit @most
)
select users.id, users.discord_id, users.username, users.display_name, users.avatar, partners.open
from partners join users on users.id = partners.partner order by partners.latest desc;

-- name: MayMeet :one
select (exists (select from handovers h
        where h.buyer_id = @user_id::bigint and h.seller_id = @partner_id::bigint and h.state in ('agreed', 'disputed'))
    or exists (select from handovers h
        where h.buyer_id = @partner_id::bigint and h.seller_id = @user_id::bigint and h.state in ('agreed', 'disputed')))::boolean as open,
    exists (select from blocked_sellers s
        where s.buyer_id = @user_id::bigint and s.seller_id = @partner_id::bigint
            or s.buyer_id = @partner_id::bigint and s.seller_id = @user_id::bigint)::boolean as blocked;

-- name: SaveMeetingPlace :exec
insert into meeting_places (user_id, partner_user_id, place, said_by, said_at)
values (least(@said_by::bigint, @partner_id::bigint), greatest(@said_by::bigint, @partner_id::bigint), @place, @said_by::bigint, @said_at)
on conflict (user_id, partner_user_id) do update set place = excluded.place, said_by = excluded.said_by, said_at = excluded.said_at;

-- name: DeleteMeetingPlace :exec
delete from meeting_places
where user_id = least(@said_by::bigint, @partner_id::bigint) and partner_user_id = greatest(@said_by::bigint, @partner_id::bigint);

-- name: MeetingPlacesOf :many
select m.partner_user_id as partner, m.place, m.said_by, m.said_at from meeting_places m where m.user_id = @user_id
union all
select m.user_id as partner, m.place, m.said_by, m.said_at from meeting_places m where m.partner_user_id = @user_id
order by said_at desc;

-- name: PruneMeetingPlaces :execrows
delete from meeting_places where said_at < @before;

-- name: SaveInGameName :exec
update users set in_game_name = nullif(@name::text, '') where id = @id;
