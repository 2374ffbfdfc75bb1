-- name: SaveBoard :exec
-- A board that is set up again starts over: what is in the channel stays, and no request is shown twice. It shows up to opened of
-- the newest requests that are open already.
with newest as (
    select orders.id from orders
    where orders.status = 'active' and orders.expires_at > @created_at and not orders.hidden
        and (@category = '' or orders.category = @category or orders.category = any(sqlc.arg(more_categories)::text[]))
        and orders.max_price_per_unit >= @min_price
        and coalesce(orders.level_requirement, 1) >= @level_from and (@level_to = 0 or coalesce(orders.level_requirement, 1) <= @level_to)
    order by orders.id desc limit sqlc.arg(opened)::integer
)
insert into boards (channel_id, guild_id, user_id, category, locale, created_at, more_categories, min_price, level_from, level_to, forum, first_order)
select @channel_id, @guild_id, @user_id, @category, @locale, @created_at, @more_categories, @min_price, @level_from, @level_to, @forum,
    coalesce(min(newest.id), 0) from newest
on conflict (channel_id) do update set
    guild_id = excluded.guild_id, user_id = excluded.user_id, category = excluded.category, locale = excluded.locale, trouble = '',
    more_categories = excluded.more_categories, min_price = excluded.min_price, level_from = excluded.level_from, level_to = excluded.level_to,
    forum = excluded.forum, first_order = excluded.first_order;

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
where boards.channel_id = @channel_id and not exists (
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

-- name: RecentBoardPosts :many
-- Posts of a buyer on a board since a time.
select * from board_posts where channel_id = @channel_id and user_id = sqlc.arg(user_id) and started_at > @since order by id;

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
    live = case when returned = @returned then sqlc.arg(live)::boolean else live end
where id = @id;
