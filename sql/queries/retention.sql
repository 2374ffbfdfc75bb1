-- Every statement here is one step of retention: it reads and writes at most @most rows, found by an index.

-- name: RemoveNotices :one
-- Walks along the ids, which grow with the time. Pending notices stay.
with batch as materialized (
    select notices.id, notices.created_at, notices.state from notices where notices.id > @after::bigint order by notices.id limit @most
), gone as (
    delete from notices using batch
    where notices.id = batch.id and batch.created_at < @before::timestamptz and batch.state <> 'pending' returning notices.id
)
select coalesce(max(batch.id), 0)::bigint as last, count(*) as seen, coalesce(bool_or(batch.created_at >= @before::timestamptz), false)::boolean as newer,
    (select count(*) from gone) as removed
from batch;

-- name: RemoveDeliveries :one
-- Those with a pending notice stay: they may still have to be sent.
with batch as materialized (
    select deliveries.id, deliveries.started_at from deliveries where deliveries.id > @after::bigint order by deliveries.id limit @most
), gone as (
    delete from deliveries using batch
    where deliveries.id = batch.id and batch.started_at < @before::timestamptz and not exists (
        select from notices where notices.delivery_id = batch.id and notices.state = 'pending') returning deliveries.id
)
select coalesce(max(batch.id), 0)::bigint as last, count(*) as seen, coalesce(bool_or(batch.started_at >= @before::timestamptz), false)::boolean as newer,
    (select count(*) from gone) as removed
from batch;

-- name: RemoveDrafts :one
with batch as materialized (
    select drafts.id, drafts.created_at from drafts where drafts.id > @after::bigint order by drafts.id limit @most
), gone as (
    delete from drafts using batch where drafts.id = batch.id and batch.created_at < @before::timestamptz returning drafts.id
)
select coalesce(max(batch.id), 0)::bigint as last, count(*) as seen, coalesce(bool_or(batch.created_at >= @before::timestamptz), false)::boolean as newer,
    (select count(*) from gone) as removed
from batch;

-- name: RemoveBoardPosts :one
-- Only those about which nothing will change any more: an open order, or listing, without its post would be shown again.
with gone as (
    delete from board_posts where id = any(array(
        select due.id from board_posts due where due.finished and not due.live and not (due.listed and due.shown_open) and due.started_at < @before order by due.started_at, due.id limit @most))
    returning id
)
select count(*) from gone;

-- name: EmptyClaims :one
-- Removes the answers of keys that were used in a span of time, and returns where the next step begins.
with batch as materialized (
    select claims.name, claims.created_at from claims
    where claims.created_at >= @from_time and claims.created_at < @before and claims.answer <> ''
    order by claims.created_at limit @most
), emptied as (
    update claims set answer = '' from batch where claims.name = batch.name returning claims.name
)
select (select count(*) from emptied) as emptied, coalesce(max(batch.created_at), @before)::timestamptz as reached from batch;

-- name: EmptyAllClaims :execrows
update claims set answer = '' where answer <> '';

-- name: RemoveClaims :one
with gone as (
    delete from claims where name = any(array(
        select due.name from claims due where due.created_at < @before order by due.created_at limit @most))
    returning name
)
select count(*) from gone;

-- name: ArchiveOrders :many
update orders set archived_at = @now::timestamptz where id = any(array(
    select due.id from orders due
    where due.status = 'fulfilled' and due.archived_at is null and due.closed_at < @before::timestamptz
    order by due.closed_at, due.id limit @most for update skip locked))
returning id, user_id;

-- name: EndLinksOfOrders :exec
-- Links of visitors to their offers end when the order is archived.
delete from offer_links where order_id = any(@orders::bigint[]);

-- name: LockArchivedOrders :many
-- They are deleted then.
select due.id, due.user_id from orders due where due.archived_at < @before::timestamptz
order by due.archived_at, due.id limit @most for update skip locked;

-- name: LockLongExpiredOrders :many
-- They are deleted then. Offers on them lapse first: see Market.ExpireOrders.
select due.id, due.user_id from orders due
where due.status = 'active' and due.expires_at < @before and not exists (select from offers where offers.order_id = due.id)
order by due.expires_at limit @most for update skip locked;

-- name: RetentionMark :one
select coalesce(max(before), to_timestamp(0))::timestamptz as before from retention_marks where what = @what;

-- name: MarkRetention :exec
insert into retention_marks (what, before) values (@what, @before)
on conflict (what) do update set before = greatest(retention_marks.before, excluded.before);
