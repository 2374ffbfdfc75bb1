-- name: SaveBoard :exec
-- A board that is set up again begins anew: what stands in the channel stays, and no request is shown twice.
insert into boards (channel_id, guild_id, user_id, category, locale, created_at)
values (@channel_id, @guild_id, @user_id, @category, @locale, @created_at)
on conflict (channel_id) do update set
    guild_id = excluded.guild_id, user_id = excluded.user_id, category = excluded.category, locale = excluded.locale, trouble = '';

-- name: RemoveBoard :execrows
delete from boards where channel_id = @channel_id;

-- name: Boards :many
select * from boards order by created_at, channel_id;

-- name: SetBoardTrouble :execrows
-- Tells by the number of rows whether this was news.
update boards set trouble = @trouble where channel_id = @channel_id and trouble <> @trouble;

-- name: OrdersForBoard :many
-- Open orders that were posted since the board was set up and are not on it, oldest first.
select sqlc.embed(orders) from boards
join orders on orders.status = 'active' and orders.expires_at > sqlc.arg(now)::timestamptz and not orders.hidden
    and orders.created_at >= boards.created_at
    and boards.category in ('', orders.category)
where boards.channel_id = @channel_id and not exists (
    select from board_posts where board_posts.channel_id = boards.channel_id and board_posts.order_id = orders.id)
order by orders.id limit sqlc.arg(most);

-- name: StaleBoardPosts :many
-- Posts that do not show their order as it is: not sent yet, changed, expired or renewed, closed, deleted.
select board_posts.* from board_posts
left join orders on orders.id = board_posts.order_id
where board_posts.channel_id = @channel_id and not board_posts.finished and (
    orders.id is null or board_posts.message_id = '' or orders.version <> board_posts.shown_version
    or board_posts.shown_open <> (orders.status = 'active' and orders.expires_at > sqlc.arg(now)::timestamptz and not orders.hidden))
order by board_posts.id limit sqlc.arg(most);

-- name: StartBoardPost :exec
insert into board_posts (channel_id, order_id, item_name, started_at)
values (@channel_id, @order_id, @item_name, @started_at)
on conflict (channel_id, order_id) do nothing;

-- name: SaveBoardPost :exec
update board_posts set
    message_id = @message_id, shown_version = @shown_version, shown_open = @shown_open, finished = @finished, item_name = @item_name
where id = @id;
