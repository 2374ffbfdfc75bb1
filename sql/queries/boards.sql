-- name: SaveBoard :exec
-- A board that is set up again starts over: what is in the channel stays, and no request is shown twice. It shows up to opened of
-- the newest requests that are open already, and up to as many of the listings that their sellers have touched last.
with newest as (
    select orders.id from orders
    where orders.status = 'active' and orders.expires_at > @created_at and not orders.hidden
        and (@category = '' or orders.category = @category or orders.category = any(sqlc.arg(more_categories)::text[]))
        and orders.max_price_per_unit >= @min_price
        and coalesce(orders.level_requirement, 1) >= @level_from and (@level_to = 0 or coalesce(orders.level_requirement, 1) <= @level_to)
    order by orders.id desc limit sqlc.arg(opened)::integer
), newest_listed as (
    select stock.touched_at from stock join users on users.id = stock.user_id
    where @side::text <> '' and stock.public and stock.quantity > 0 and stock.touched_at > @touched_after::timestamptz
        and (stock.shown_until is null or stock.shown_until > @created_at) and users.blocked_at is null and users.leaving_at is null
        and (@category = '' or stock.category = @category or stock.category = any(sqlc.arg(more_categories)::text[]))
        and stock.price >= @min_price and @level_from <= 1
    order by stock.touched_at desc, stock.id desc limit sqlc.arg(opened)::integer
)
insert into boards (channel_id, guild_id, user_id, category, locale, created_at, more_categories, min_price, level_from, level_to, forum, first_order, side, listed_since)
select @channel_id, @guild_id, @user_id, @category, @locale, @created_at, @more_categories, @min_price, @level_from, @level_to, @forum,
    coalesce((select min(newest.id) from newest), 0), @side, coalesce((select min(newest_listed.touched_at) from newest_listed), @created_at)
on conflict (channel_id) do update set
    guild_id = excluded.guild_id, user_id = excluded.user_id, category = excluded.category, locale = excluded.locale, trouble = '',
    more_categories = excluded.more_categories, min_price = excluded.min_price, level_from = excluded.level_from, level_to = excluded.level_to,
    forum = excluded.forum, first_order = excluded.first_order, side = excluded.side, listed_since = excluded.listed_since;

-- name: RemoveBoard :execrows
delete from boards where channel_id = @channel_id;

-- name: LockBoards :many
-- The boards of a server, or (with a channel) that one.
select * from boards where guild_id = @guild_id and (@channel_id::text = '' or channel_id = @channel_id::text) order by created_at, channel_id for update;

-- name: RemoveBoardsOf :exec
delete from boards where guild_id = @guild_id;

-- name: KeepEndedServer :exec
-- What was kept before stays beside what ends now: an attempt may have been cut in between.
insert into ended_servers (guild_id, boards, pings, ended_at) values (@guild_id, @boards, @pings, @ended_at)
on conflict (guild_id) do update set
    boards = case when jsonb_array_length(excluded.boards) > 0 then excluded.boards else ended_servers.boards end,
    pings = case when excluded.pings <> 'null' then excluded.pings else ended_servers.pings end, ended_at = excluded.ended_at;

-- name: EndedServer :one
select * from ended_servers where guild_id = @guild_id;

-- name: ForgetEndedServer :exec
delete from ended_servers where guild_id = @guild_id;

-- name: PruneEndedServers :execrows
delete from ended_servers where ended_at < @before;

-- name: Boards :many
select * from boards order by created_at, channel_id;

-- name: SetBoardTrouble :execrows
-- Tells by the number of rows whether this was news.
update boards set trouble = @trouble where channel_id = @channel_id and trouble <> @trouble;

-- name: OrdersForBoard :many
-- Open orders that the board is for, that were posted since it was set up or were open then, and are not on it; oldest first.
select sqlc.embed(orders) from boards
join orders on orders.status = 'active' and orders.expires_at > sqlc.arg(now)::timestamptz and not orders.hidden
    and (orders.created_at >= boards.created_at or boards.first_order > 0 and orders.id >= boards.first_order)
    and (boards.category in ('', orders.category) or orders.category = any(boards.more_categories))
    and orders.max_price_per_unit >= boards.min_price
    and coalesce(orders.level_requirement, 1) >= boards.level_from
    and (boards.level_to = 0 or coalesce(orders.level_requirement, 1) <= boards.level_to)
where boards.channel_id = @channel_id and boards.side <> 'sale' and not exists (
    select from board_posts where board_posts.channel_id = boards.channel_id and board_posts.order_id = orders.id)
order by orders.id limit sqlc.arg(most);

-- name: StaleBoardPosts :many
-- Posts that do not show their order as it is: not sent yet, changed, expired or renewed, closed, deleted. Those not sent come first,
-- then those that show as open what is closed, or as closed what is open. Messages that are not edited now are left out.
select sqlc.embed(board_posts) from board_posts
left join orders on orders.id = board_posts.order_id
cross join lateral (
    select orders.id is null or board_posts.shown_open <>
        (orders.status = 'active' and orders.expires_at > sqlc.arg(now)::timestamptz and not orders.hidden) as turned
) shows
where board_posts.channel_id = @channel_id and (not board_posts.finished or board_posts.live)
    and (shows.turned or board_posts.message_id = '' or orders.version <> board_posts.shown_version or board_posts.replaced <> '')
    and board_posts.message_id <> all(sqlc.arg(held)::text[])
    and (shows.turned or board_posts.message_id <> all(sqlc.arg(gathered)::text[]))
order by board_posts.message_id <> '', not shows.turned, board_posts.id limit sqlc.arg(most);

-- name: ListingsForBoard :many
-- Listings that the board is for, as a request of that price without a level would be, that their sellers have touched since it was set
-- up or that were listed then, and are not on it; those touched longest ago first. One that has ended, or whose seller listed the item
-- before, comes again once its post is older than some time.
select stock.id, stock.user_id, stock.item_name from boards
join stock on stock.public and stock.quantity > 0 and stock.touched_at >= boards.listed_since and stock.touched_at > @touched_after::timestamptz
    and (stock.shown_until is null or stock.shown_until > sqlc.arg(now)::timestamptz)
    and (boards.category in ('', stock.category) or stock.category = any(boards.more_categories))
    and stock.price >= boards.min_price and boards.level_from <= 1
join users on users.id = stock.user_id and users.blocked_at is null and users.leaving_at is null
where boards.channel_id = @channel_id and boards.side <> '' and not exists (
    select from board_posts p where p.channel_id = boards.channel_id and p.order_id = -stock.id
        and (p.listed and p.message_id = '' or p.message_id <> '' and (p.shown_open or p.started_at > @rested::timestamptz)))
    and not exists (
        select from board_posts p where p.user_id = stock.user_id and p.channel_id = boards.channel_id and p.started_at > @rested
            and p.listing_id <> stock.id and item_key(p.item_name) = item_key(stock.item_name))
order by stock.touched_at, stock.id limit sqlc.arg(most);

-- name: StaleListingPosts :many
-- Posts that do not show their listing as it is, as StaleBoardPosts. Where listings are off, none is open.
select sqlc.embed(board_posts) from board_posts
left join stock on stock.id = board_posts.listing_id
left join users on users.id = stock.user_id
cross join lateral (select coalesce(sum(o.quantity - o.sold), 0)::bigint as asked from orders o
    where o.listing_id = stock.id and o.status = 'active' and o.expires_at > sqlc.arg(now)::timestamptz) asks
cross join lateral (
    select board_posts.shown_open <> coalesce(@offered::boolean and stock.public and stock.quantity > 0 and stock.touched_at > @touched_after::timestamptz
        and (stock.shown_until is null or stock.shown_until > sqlc.arg(now)) and users.blocked_at is null and users.leaving_at is null, false) as turned
) shows
where board_posts.channel_id = @channel_id and board_posts.listed
    and (shows.turned or board_posts.message_id = '' or board_posts.replaced <> '' or board_posts.shown_open
        and listing_version(stock.item_name, stock.quantity, asks.asked, stock.price, stock.note, stock.shown_until, users.username) <> board_posts.shown_version)
    and board_posts.message_id <> all(sqlc.arg(held)::text[])
    and (shows.turned or board_posts.message_id <> all(sqlc.arg(gathered)::text[]))
order by board_posts.message_id <> '', not shows.turned, board_posts.id limit sqlc.arg(most);

-- name: BoardListing :one
-- A listing as boards show it, and whether it is one still.
select sqlc.embed(stock), users.username, asks.asked::integer as asked,
    (stock.public and stock.quantity > 0 and stock.touched_at > @touched_after::timestamptz
        and (stock.shown_until is null or stock.shown_until > sqlc.arg(now)::timestamptz)
        and users.blocked_at is null and users.leaving_at is null)::boolean as open,
    listing_version(stock.item_name, stock.quantity, asks.asked, stock.price, stock.note, stock.shown_until, users.username) as version
from stock join users on users.id = stock.user_id
cross join lateral (select coalesce(sum(o.quantity - o.sold), 0)::bigint as asked from orders o
    where o.listing_id = stock.id and o.status = 'active' and o.expires_at > sqlc.arg(now)) asks
where stock.id = @id;

-- name: ForgetListingPost :exec
-- A listing that is shown again has a new post.
delete from board_posts where channel_id = @channel_id and order_id = -(@listing_id::bigint)
    and (not listed and message_id = '' or message_id <> '' and not shown_open);

-- name: StartListingPost :exec
-- As StartBoardPost, and without a ping.
insert into board_posts (id, channel_id, order_id, listing_id, listed, item_name, started_at, nonce_prefix, user_id, finished, message_of)
select next.id, @channel_id, -(@listing_id::bigint), @listing_id::bigint, true, @item_name, sqlc.arg(started_at)::timestamptz,
    coalesce((select prefix from nonce_prefixes), ''), sqlc.narg(user_id), true,
    case when sqlc.arg(shared)::boolean then coalesce(nullif(sqlc.arg(message_of)::bigint, 0), next.id) end
from (select nextval(pg_get_serial_sequence('board_posts', 'id')) as id) next
on conflict (channel_id, order_id) do nothing;

-- name: RecentBoardPosts :many
-- Posts of a user's requests, or of their listings, on a board since a time.
select * from board_posts where channel_id = @channel_id and user_id = sqlc.arg(user_id) and started_at > @since
    and (listing_id is not null) = @listings::boolean order by id;

-- name: SharedBoardPosts :many
-- Posts that one message shows.
select * from board_posts where message_of = sqlc.arg(message_of)::bigint order by id;

-- name: StartBoardPost :exec
-- A shared post joins the message of another one, or starts one when message_of is 0. The first post of an order in a server pings
-- the role of its profession, unless that was pinged a short time ago; it has a message to begin with, as edits ping no one.
with pinged as (
    update ping_roles set pinged_at = sqlc.arg(started_at)::timestamptz
    from ping_servers, boards, orders
    where boards.channel_id = @channel_id and orders.id = @order_id
        and ping_servers.guild_id = boards.guild_id and not ping_servers.ended
        and ping_roles.guild_id = boards.guild_id and ping_roles.category = orders.category
        and ping_roles.role_id <> '' and not ping_roles.gone
        and (boards.category = orders.category or orders.category = any(boards.more_categories))
        and orders.created_at >= boards.created_at and orders.created_at >= ping_servers.created_at
        and orders.created_at > sqlc.arg(fresh)::timestamptz
        and (ping_roles.pinged_at is null
            or sqlc.arg(started_at)::timestamptz - ping_roles.pinged_at >= make_interval(secs => ping_servers.pause_seconds))
        and not exists (
            select from boards b join board_posts p on p.channel_id = b.channel_id and p.order_id = orders.id
            where b.guild_id = boards.guild_id and (p.ping_role <> '' or b.channel_id = boards.channel_id))
    returning ping_roles.role_id
)
insert into board_posts (id, channel_id, order_id, item_name, started_at, nonce_prefix, user_id, finished, live, message_of, ping_role)
select next.id, @channel_id, @order_id, @item_name, sqlc.arg(started_at)::timestamptz, coalesce((select prefix from nonce_prefixes), ''),
    sqlc.narg(user_id), sqlc.arg(shared)::boolean, sqlc.arg(shared)::boolean,
    case when sqlc.arg(shared)::boolean then case when exists (select from pinged) then next.id
        else coalesce(nullif(sqlc.arg(message_of)::bigint, 0), next.id) end end,
    coalesce((select role_id from pinged limit 1), '')
from (select nextval(pg_get_serial_sequence('board_posts', 'id')) as id) next
on conflict (channel_id, order_id) do nothing;

-- name: SaveBoardPost :exec
-- A post whose order has come back since it was read is not finished.
update board_posts set
    message_id = @message_id, shown_version = @shown_version, shown_open = @shown_open, item_name = @item_name, replaced = @replaced,
    finished = case when returned = @returned then sqlc.arg(finished)::boolean else finished end,
    live = case when returned = @returned then sqlc.arg(live)::boolean else live end, listed = @listed
where id = @id;
