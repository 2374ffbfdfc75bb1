-- Statements on River's table of jobs besides River's own. Its schema is in sql/river.sql.

-- name: NotifyJobs :exec
-- Tells the workers of a queue that it has jobs, in River's own way.
select pg_notify(current_schema() || '.river_insert', json_build_object('queue', @queue::text)::text);

-- name: WakeNotices :exec
-- Lets the jobs of all pending notices run now, behind those of new ones.
update river_job set state = 'available', scheduled_at = sqlc.arg(now), priority = sqlc.arg(priority)
where kind = 'deliver_notice' and state in ('scheduled', 'retryable');

-- name: LetFreshJobsPass :execrows
-- Jobs that could have run for a while let new ones go first. All of them are locked before the first is changed: workers skip what is
-- locked, so new ones pass from then on.
update river_job set priority = sqlc.arg(priority) where river_job.id = any(array(
    select waiting.id from river_job waiting
    where waiting.state = 'available' and waiting.queue = sqlc.arg(queue) and waiting.priority < sqlc.arg(priority)
        and waiting.scheduled_at < sqlc.arg(before)
    limit sqlc.arg(most) for update skip locked));

-- name: WakeNoticesOf :exec
-- Lets the jobs of a user's pending notices run now, whatever they are waiting for.
with owed as materialized (
    select jsonb_build_object('notice', notices.id) as args from notices where notices.user_id = sqlc.arg(user_id) and notices.state = 'pending'
)
update river_job set state = 'available', scheduled_at = sqlc.arg(now) from owed
where river_job.kind = 'deliver_notice' and river_job.state in ('available', 'scheduled', 'retryable')
    and river_job.scheduled_at > sqlc.arg(now) and river_job.args @> owed.args;

-- name: NoticesWithoutJob :many
-- "Not in" reads the jobs once, whatever PostgreSQL believes of their number, and not for each notice.
select notices.id from notices
where notices.state = 'pending' and notices.created_at < sqlc.arg(before) and notices.id not in (
    select (river_job.args ->> 'notice')::bigint from river_job
    where river_job.kind = 'deliver_notice' and river_job.finalized_at is null and river_job.args ? 'notice')
order by notices.id limit 1000;

-- name: RescueJobsOf :execrows
-- Makes the jobs of a dead worker available again, and releases the mailboxes that it had leased.
with released as (update mailboxes set busy_until = null, busy_by = '' where busy_by = sqlc.arg(worker)::text)
update river_job set state = 'available', scheduled_at = sqlc.arg(now)
where state = 'running' and queue = any(sqlc.arg(queues)::text[]) and attempted_by[cardinality(attempted_by)] = sqlc.arg(worker)::text;

-- name: RescueOwnJobs :execrows
-- Makes jobs available again that count as running here and are not.
update river_job set state = 'available', scheduled_at = sqlc.arg(now)
where state = 'running' and queue = any(sqlc.arg(queues)::text[]) and attempted_by[cardinality(attempted_by)] = sqlc.arg(worker)::text
    and id <> all(sqlc.arg(running)::bigint[]) and attempted_at < sqlc.arg(before);

-- name: PendingNotices :one
select count(*) as pending, coalesce(extract(epoch from sqlc.arg(now)::timestamptz - min(created_at)), 0)::float8 as oldest
from notices where state = 'pending';

-- name: JobsByState :many
select state::text as state, count(*) as count,
    greatest(extract(epoch from sqlc.arg(now)::timestamptz - min(scheduled_at)), 0)::float8 as overdue
from river_job where queue = sqlc.arg(queue) and state in ('available', 'running', 'scheduled', 'retryable') group by state;
