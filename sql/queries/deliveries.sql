-- name: LockMailbox :one
-- Whoever holds the mailbox alone settles its notices, so the notice is read as it is once both are locked.
select sqlc.embed(mailboxes), sqlc.embed(notices), users.discord_id, users.locale
from mailboxes join notices on notices.user_id = mailboxes.user_id join users on users.id = mailboxes.user_id
where notices.id = @notice_id for update of mailboxes, notices;

-- name: Mailbox :one
select sqlc.embed(mailboxes), users.discord_id, users.locale
from mailboxes join users on users.id = mailboxes.user_id
where mailboxes.user_id = @user_id;

-- name: SaveMailbox :exec
update mailboxes set channel_id = @channel_id, busy_until = @busy_until, busy_by = @busy_by, not_before = @not_before,
    closed = @closed, closed_at = @closed_at
where user_id = @user_id;

-- name: SaveNoticeSettings :exec
update mailboxes set muted = @muted, quiet_from = @quiet_from, quiet_to = @quiet_to, time_zone = @time_zone
where user_id = @user_id;

-- name: OpenMailbox :exec
update mailboxes set closed = '', closed_at = null where user_id = @user_id and closed <> '';

-- name: Delivery :one
select * from deliveries where id = @id;

-- name: UndecidedDelivery :one
-- The oldest message to a user that is to be sent, or may have been without our learning of it.
select deliveries.* from notices join deliveries on deliveries.id = notices.delivery_id
where notices.user_id = @user_id and notices.state = 'pending' and deliveries.message_id = ''
order by deliveries.id limit 1;

-- name: FreshDelivery :one
-- The newest message of a kind to a user, when it was sent after a time and has room among as many notices.
select * from (
    select * from deliveries
    where deliveries.user_id = @user_id and deliveries.kind = @kind and message_id <> '' order by id desc limit 1
) newest
where newest.sent_at > @fresh::timestamptz
    and (select count(*) from notices where delivery_id = newest.id) < @most::bigint;

-- name: NoticesOfDelivery :many
select * from notices where delivery_id = @delivery_id::bigint order by id;

-- name: NoticesWaiting :many
-- The pending notices of a kind to a user that no message has been given yet.
select * from notices
where user_id = @user_id and kind = @kind and state = 'pending' and delivery_id is null and id <> @except_id
order by id limit @most;

-- name: LiveOffers :many
select sqlc.embed(offers), sqlc.embed(orders)
from offers join orders on orders.id = offers.order_id
where offers.id = any(@ids::bigint[]) order by offers.id;

-- name: AddDelivery :one
insert into deliveries (user_id, kind, started_at) values (@user_id, @kind, @started_at) returning id;

-- name: GiveNotices :exec
update notices set delivery_id = @delivery_id::bigint where id = any(@ids::bigint[]);

-- name: FinishDelivery :exec
update deliveries set channel_id = @channel_id, message_id = @message_id, sent_at = coalesce(sent_at, @now)
where id = @id;
