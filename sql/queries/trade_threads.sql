-- name: SaveOrderPlaces :exec
insert into order_places (order_id, guild_id, channel_id, locale)
select orders.id, @guild_id, @channel_id, @locale from orders where orders.id = any(@orders::bigint[])
on conflict (order_id) do nothing;

-- name: PlanTradeThread :exec
-- Where the order was posted in a server, or is on a board that is a channel: a forum has no private threads.
insert into trade_threads (sale_id, created_at, due_at, nonce_prefix)
select @sale_id, @now::timestamptz, @now::timestamptz, coalesce((select prefix from nonce_prefixes), '')
where exists (select from order_places p where p.order_id = @order_id)
    or exists (select from boards b join board_posts p on p.channel_id = b.channel_id and p.order_id = @order_id
        where not b.forum)
on conflict (sale_id) do nothing;

-- name: TradeThread :one
select * from trade_threads where sale_id = @sale_id;

-- name: GiveUpTradeThread :one
update trade_threads set ended = true, due_at = 'epoch'
where sale_id = @sale_id and message_id = '' and (busy_until is null or busy_until <= @now::timestamptz)
returning sale_id;

-- name: EndTradeThread :exec
update trade_threads set ended = true, due_at = 'epoch' where sale_id = @sale_id;

-- name: TradeThreadIsDue :exec
-- What a thread shows has changed with its handover.
update trade_threads set due_at = 'epoch' where sale_id = @sale_id;

-- name: DueTradeThreads :many
-- Threads that are to be made come first.
select * from trade_threads t where t.due_at <= @now::timestamptz order by t.message_id <> '', t.due_at, t.sale_id limit @most;

-- name: StartTradeThread :one
-- Begins an attempt. What becomes due meanwhile is due after it.
update trade_threads set busy_until = @lease::timestamptz, due_at = @lease::timestamptz, started_at = coalesce(started_at, @now::timestamptz)
where sale_id = @sale_id and due_at <= @now::timestamptz and (busy_until is null or busy_until <= @now::timestamptz)
returning sale_id;

-- name: StartedTradeThread :one
-- Reads a thread after its attempt has begun: a later change makes it due again after the attempt.
select sqlc.embed(t), exists (select from notices n where n.sale_id = t.sale_id and n.state = 'pending'
    and n.kind in ('handover_prompt', 'handover_cancelled', 'handover_disputed', 'handover_settled', 'meeting_time', 'meeting_soon'))::boolean as waiting
from trade_threads t where t.sale_id = @sale_id;

-- name: SaveTradeThread :one
-- Notes what an attempt has come to so far. One that was given up meanwhile keeps what was made, so that it is archived.
update trade_threads set guild_id = @guild_id, channel_id = @channel_id, locale = @locale, thread_id = @thread_id,
    message_id = case when ended then '' else @message_id::text end
where sale_id = @sale_id returning ended;

-- name: LeaveTradeThread :exec
-- Ends an attempt: it is due again when something changed meanwhile, or at a time that the attempt names.
update trade_threads set busy_until = null, due_at = case when due_at = @lease::timestamptz then sqlc.narg(due_at) else due_at end
where sale_id = @sale_id;

-- name: LockThreadNotices :many
-- The notices that the receipt in a thread tells.
select id, user_id from notices where sale_id = @sale_id and kind in ('offer_accepted', 'standing_accepted', 'listing_sold', 'ask_accepted', 'order_filled') and state = 'pending' order by id for update;

-- name: AcceptWasDelivered :one
-- A program before threads has sent the receipt as a direct message.
select exists (select from notices where sale_id = @sale_id and kind = 'offer_accepted' and state = 'delivered');

-- name: RemoveTradeThread :exec
delete from trade_threads where sale_id = @sale_id;

-- name: ThreadPlaces :many
-- Channels in which the order of a sale was shown or posted, boards first.
select b.guild_id, b.channel_id, b.locale, 1 as place from order_updates u
join boards b on not b.forum join board_posts p on p.channel_id = b.channel_id and p.order_id = u.order_id
where u.id = @sale_id
union all
select o.guild_id, o.channel_id, o.locale, 2 from order_updates u join order_places o on o.order_id = u.order_id where u.id = @sale_id
order by place, channel_id limit 5;
