-- name: AddSharedCard :exec
insert into shared_cards (message_id, channel_id, order_id, item_name, locale, shown_version, shown_open, shared_at)
values (@message_id, @channel_id, @order_id, @item_name, @locale, @shown_version, @shown_open, @shared_at)
on conflict (message_id) do nothing;

-- name: StaleSharedCards :many
-- Cards that do not show their order as it is: changed, expired or renewed, closed, deleted; and those of orders that were closed
-- before a time. Those that show as open what is closed, or as closed what is open, come first. Messages that are not edited now are
-- left out.
select sqlc.embed(shared_cards) from shared_cards
left join orders on orders.id = shared_cards.order_id
cross join lateral (
    select orders.id is null or shared_cards.shown_open <>
        (orders.status = 'active' and orders.expires_at > sqlc.arg(now)::timestamptz and not orders.hidden) as turned
) shows
where (shows.turned or orders.closed_at < sqlc.arg(closed_before)::timestamptz or orders.version <> shared_cards.shown_version)
    and shared_cards.message_id <> all(sqlc.arg(held)::text[])
    and (shows.turned or shared_cards.message_id <> all(sqlc.arg(gathered)::text[]))
order by not shows.turned, shared_cards.shared_at, shared_cards.message_id limit sqlc.arg(most);

-- name: SaveSharedCard :exec
update shared_cards set shown_version = @shown_version, shown_open = @shown_open, item_name = @item_name
where message_id = @message_id;

-- name: RemoveSharedCard :exec
delete from shared_cards where message_id = @message_id;
