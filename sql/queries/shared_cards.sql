-- name: AddSharedCard :exec
insert into shared_cards (message_id, channel_id, order_id, item_name, locale, shown_version, shown_open, shared_at)
values (@message_id, @channel_id, @order_id, @item_name, @locale, @shown_version, @shown_open, @shared_at)
on conflict (message_id) do nothing;

-- name: StaleSharedCards :many
-- Cards that do not show their order as it is: changed, expired or renewed, closed, deleted; and those of orders that were closed
-- before a time.
select shared_cards.* from shared_cards
left join orders on orders.id = shared_cards.order_id
where orders.id is null or orders.closed_at < sqlc.arg(closed_before)::timestamptz or orders.version <> shared_cards.shown_version
    or shared_cards.shown_open <> (orders.status = 'active' and orders.expires_at > sqlc.arg(now)::timestamptz and not orders.hidden)
order by shared_cards.shared_at, shared_cards.message_id limit sqlc.arg(most);

-- name: SaveSharedCard :exec
update shared_cards set shown_version = @shown_version, shown_open = @shown_open, item_name = @item_name
where message_id = @message_id;

-- name: RemoveSharedCard :exec
delete from shared_cards where message_id = @message_id;
