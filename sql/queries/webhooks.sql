-- name: WebhooksOf :many
select * from webhooks where user_id = @user_id and not market order by id desc;

-- name: MarketWebhooks :many
select * from webhooks where market order by id desc;

-- name: Webhook :one
select * from webhooks where id = @id;

-- name: LockWebhook :one
select * from webhooks where id = @id for no key update;

-- name: CountWebhooks :one
select count(*) filter (where user_id = @user_id and not market) as own, count(*) filter (where market) as market from webhooks
where user_id = @user_id or market;

-- name: AddWebhook :one
insert into webhooks (user_id, market, url, types, state, secret, created_at)
values (@user_id, @market, @url, @types, @state, @secret, @created_at)
returning id;

-- name: SaveWebhook :exec
with dropped as (
    update webhook_deliveries set due_at = null
    where @state::text = 'off' and webhook_deliveries.webhook_id = @id::bigint and webhook_deliveries.due_at is not null
)
update webhooks set state = @state::text, reason = @reason, secret = @secret, old_secret = @old_secret, old_until = @old_until,
    failing_since = @failing_since, not_before = @not_before,
    busy_until = case when not @release::boolean then busy_until end
where id = @id::bigint;

-- name: EndWebhook :exec
with ended as (delete from webhook_deliveries where webhook_id = @id::bigint)
delete from webhooks where id = @id::bigint;

-- name: EndWebhooksOf :exec
with ended as (
    delete from webhook_deliveries where webhook_id in (select webhooks.id from webhooks where webhooks.user_id = @user_id::bigint)
)
delete from webhooks where user_id = @user_id::bigint;

-- name: AddPing :exec
-- Its id is taken from the number of the delivery, which no other event has.
insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at)
select @webhook_id, 'p' || nextval(pg_get_serial_sequence('webhook_deliveries', 'id')), 'ping', '{}', @now::timestamptz, @now::timestamptz;

-- name: SendAgain :one
with again as (
    update webhook_deliveries set due_at = @now where id = @id and webhook_id = @webhook_id returning 1
)
select count(*) from again;

-- name: WebhookDeliveries :many
select * from webhook_deliveries where webhook_id = @webhook_id order by id desc limit @most;

-- name: ClaimWebhooks :many
with free as (
    select w.id from webhooks w cross join lateral (
        select d.due_at from webhook_deliveries d where d.webhook_id = w.id and d.due_at <= @now::timestamptz order by d.due_at, d.id limit 1
    ) first
    where w.state <> 'off' and coalesce(w.busy_until <= @now::timestamptz, true) and coalesce(w.not_before <= @now::timestamptz, true)
    order by first.due_at limit @most for no key update of w skip locked
)
update webhooks set busy_until = @until::timestamptz from free where webhooks.id = free.id
returning webhooks.*;

-- name: DueDeliveries :many
select d.* from unnest(@ids::bigint[]) as of (id) cross join lateral (
    select * from webhook_deliveries where webhook_deliveries.webhook_id = of.id and webhook_deliveries.due_at <= @now::timestamptz
    order by webhook_deliveries.due_at, webhook_deliveries.id limit @each
) d;

-- name: SaveDelivery :exec
update webhook_deliveries set due_at = @due_at, attempts = @attempts, tried_at = @tried_at, took_ms = @took_ms, status = @status,
    failure = @failure, answer = @answer
where id = @id;

-- name: CountWaiting :one
select count(*) from (
    select from webhook_deliveries where webhook_id = @webhook_id and due_at is not null limit @most
) waiting;

-- name: PruneWebhookDeliveries :exec
-- Those that still wait are of a time in which webhooks were on.
delete from webhook_deliveries where created_at < @before;
