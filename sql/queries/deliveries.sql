-- name: LockMailbox :one
-- Only the worker that leases the mailbox settles its notices, so the notice is read as it is once both are locked.
select sqlc.embed(mailboxes), sqlc.embed(notices), users.discord_id, users.locale, coalesce(users.language, '') as language
from mailboxes join notices on notices.user_id = mailboxes.user_id join users on users.id = mailboxes.user_id
where notices.id = @notice_id for update of mailboxes, notices;

-- name: Mailbox :one
select sqlc.embed(mailboxes), users.discord_id, users.locale, coalesce(users.language, '') as language
from mailboxes join users on users.id = mailboxes.user_id
where mailboxes.user_id = @user_id;

-- name: SaveMailbox :exec
update mailboxes set channel_id = @channel_id, busy_until = @busy_until, busy_by = @busy_by, not_before = @not_before,
    limited_until = @limited_until, closed = @closed, closed_at = @closed_at
where user_id = @user_id;

-- name: SaveNoticeSettings :exec
update mailboxes set muted = @muted, quiet_from = @quiet_from, quiet_to = @quiet_to, time_zone = @time_zone,
    gather_offers = @gather_offers
where user_id = @user_id;

-- name: OpenMailbox :exec
update mailboxes set closed = '', closed_at = null where user_id = @user_id and closed <> '';

-- name: Delivery :one
select * from deliveries where id = @id;

-- name: DeliveryOfNotice :one
select deliveries.* from notices join deliveries on deliveries.id = notices.delivery_id where notices.id = @notice_id;

-- name: UndecidedDelivery :one
-- The oldest message to a user that is to be sent, or may have been without our learning of it.
select deliveries.* from notices join deliveries on deliveries.id = notices.delivery_id
where notices.user_id = @user_id and notices.state = 'pending' and deliveries.message_id = ''
order by deliveries.id limit 1;

-- name: FreshDelivery :one
-- The newest message of a kind to a user, and of what one user caused (0: of all), when it was sent after a time, has room among as many notices, and was not acted on: its
-- reader pressed nothing on it, every offer that it told of is open in full, and no request changed since.
select * from (
    select * from deliveries
    where deliveries.user_id = @user_id and deliveries.kind = @kind and message_id <> ''
        and @caused_by::bigint in (0, coalesce(deliveries.caused_by, 0)) order by id desc limit 1
) newest
where newest.sent_at > @fresh::timestamptz
    and newest.acted_at is null and not newest.in_thread
    and (select count(*) from notices where delivery_id = newest.id) < @most::bigint
    and not exists (
        select from notices n left join offers f on f.id = n.offer_id left join orders o on o.id = n.order_id
        where n.delivery_id = newest.id and n.state <> 'pending'
            and (n.kind = 'offer_received' and coalesce(f.quantity_offered, 0) < n.quantity
                or n.kind = 'order_expiring' and (o.id is null or o.updated_at > newest.sent_at)));

-- name: NoteActed :exec
-- The time bound lets the index of the reader's messages find it: older messages are not added to anyway.
update deliveries set acted_at = @now
where user_id = @user_id and message_id = @message_id and acted_at is null and started_at > @since;

-- name: NoticesOfDelivery :many
select * from notices where delivery_id = @delivery_id::bigint order by id;

-- name: NoticesWaiting :many
-- The pending notices of a kind to a user that no message has been given yet; those that one user caused, or all of them (0).
select * from notices
where user_id = @user_id and kind = @kind and state = 'pending' and delivery_id is null and id <> @except_id
    and (hold_until is null or hold_until <= @now::timestamptz)
    and @caused_by::bigint in (0, coalesce(notices.caused_by, 0))
    and not exists (select from trade_threads t where t.sale_id = notices.sale_id and not t.ended)
order by id limit @most;

-- name: NoticesBeyondReach :many
-- The alerts or offers that no message has counted yet, newest first.
select * from notices
where user_id = @user_id and kind = @kind and reason = 'reach' and delivery_id is null and read_at is null and created_at > @since
order by id desc limit @most;

-- name: Line :many
-- The oldest trade and the oldest alert that a reader waits for: the core decides which of them comes first.
select distinct on (kind = 'request_watched') * from notices
where user_id = @user_id and state = 'pending' and delivery_id is null
    and (hold_until is null or hold_until <= @now::timestamptz)
    and not exists (select from trade_threads t where t.sale_id = notices.sale_id and not t.ended)
order by kind = 'request_watched', id;

-- name: LiveOffers :many
select sqlc.embed(offers), sqlc.embed(orders)
from offers join orders on orders.id = offers.order_id
where offers.id = any(@ids::bigint[]) order by offers.id;

-- name: MessageTimes :one
-- A digest is no message of the quotas: it is what is beyond them.
select array(
        select started_at from deliveries where deliveries.user_id = @reader and deliveries.kind <> 'digest'
        order by started_at desc limit @most_in_all::bigint)::timestamptz[] as in_all,
    array(
        select started_at from deliveries
        where deliveries.user_id = @reader and deliveries.kind::text = any(@kinds::text[]) and coalesce(deliveries.caused_by, 0) = @caused_by::bigint
            and deliveries.started_at > @pair_since
        order by started_at desc limit @most_of_pair::bigint)::timestamptz[] as of_pair;

-- name: NewestDigest :one
select * from deliveries
where deliveries.user_id = @user_id and deliveries.kind = 'digest' and message_id <> '' and sent_at > @since::timestamptz
order by id desc limit 1;

-- name: NoticesForDigest :many
select * from notices
where user_id = @user_id and state = 'pending' and delivery_id is null and id <> @except_id
    and (hold_until is null or hold_until <= @now::timestamptz)
    and (@everything::boolean or coalesce(caused_by, 0) = @caused_by::bigint and kind::text = any(@kinds::text[]))
    and not exists (select from trade_threads t where t.sale_id = notices.sale_id and not t.ended)
order by id limit @most;

-- name: AddDelivery :one
insert into deliveries (user_id, kind, started_at, caused_by, nonce_prefix)
select @user_id, @kind, @started_at, @caused_by, coalesce((select prefix from nonce_prefixes), '')
returning id, nonce_prefix;

-- name: GiveNotices :exec
update notices set delivery_id = @delivery_id::bigint where id = any(@ids::bigint[]);

-- name: RedrawOffers :exec
-- A job for each message that lists offers on an order: at once where it lists one of those that changed (or all did), later where only a
-- count changes, unless such a job waits. The one that is being acted on is drawn again by its answer. One that is being sent is drawn
-- again, too: its text may be from before; whether it is the one that is acted on shows when it was sent.
with messages as (
    select d.id, max(n.id) as notice, @everything::boolean or bool_or(n.offer_id = any(@changed::bigint[])) as turns,
        bool_or(exists (select from offers where offers.id = n.offer_id)) as open, d.message_id = '' and @acted_on::text <> '' as unknown
    from notices n join deliveries d on d.id = n.delivery_id
    where n.order_id = @order_id::bigint and n.kind = 'offer_received' and n.state in ('pending', 'delivered')
        and d.kind = 'offer_received' and d.started_at > @since::timestamptz
        and (@acted_on::text = '' or d.message_id <> @acted_on::text)
    group by d.id order by d.id desc limit @most
)
insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
select jsonb_build_object('notice', m.notice, 'redraw', true) || case when m.unknown then jsonb_build_object('except', @acted_on::text) else '{}' end,
    'deliver_notice', @max_attempts, 3, @queue,
    case when m.turns then @now::timestamptz else @later::timestamptz end,
    case when m.turns then 'available'::river_job_state else 'scheduled'::river_job_state end
from messages m
where m.turns or m.open and not exists (
    select from river_job j where j.state in ('available', 'scheduled') and j.kind = 'deliver_notice'
        and j.args @> jsonb_build_object('notice', m.notice, 'redraw', true) and not j.args ? 'except');

-- name: FinishDelivery :exec
update deliveries set channel_id = @channel_id, message_id = @message_id, sent_at = coalesce(sent_at, @now), in_thread = @in_thread
where id = @id;
