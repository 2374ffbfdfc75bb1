-- name: NotePublicChanges :exec
-- Stores public changes, and the events of webhooks that are about them. The time is in their ids, since a restore counts changes again.
with noted as (
    insert into public_changes (kind, thing, at)
    select unnest(@kinds::text[]), unnest(@things::bigint[]), @at::timestamptz
    returning public_changes.id, public_changes.kind, public_changes.thing, public_changes.at
)
insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at)
select w.id, 'c' || noted.id || '.' || extract(epoch from noted.at)::bigint, noted.kind || '.changed',
    case noted.thing when 0 then '{' else '{"id":' || noted.thing || ',' end || '"version":' || noted.id || '}', noted.at, noted.at
from noted join webhooks w on w.market and w.state = 'on' and noted.kind || '.changed' = any(w.types);

-- name: PublicChanges :many
-- One row at least, with the place of this read: every transaction below the horizon is over, so that no row can come in below it any more.
with place as materialized (
    select pg_snapshot_xmin(pg_current_snapshot()) as horizon, coalesce((select l.id::text from lives l), '')::text as epoch,
        r.xid as removed_xid, r.id as removed_id
    from public_changes_removed r
)
select place.horizon::text::bigint as horizon, place.epoch::text as epoch, place.removed_xid::bigint as removed_xid,
    place.removed_id::bigint as removed_id, coalesce(c.xid::text::bigint, 0)::bigint as xid, coalesce(c.id, 0)::bigint as id,
    coalesce(c.kind, '')::text as kind, coalesce(c.thing, 0)::bigint as thing
from place left join lateral (
    select p.xid, p.id, p.kind, p.thing from public_changes p
    where (p.xid, p.id) > (sqlc.arg(after_xid)::text::xid8, sqlc.arg(after_id)::bigint) and p.xid < place.horizon
    order by p.xid, p.id limit sqlc.arg(most)
) c on true
order by c.xid, c.id;

-- name: PrunePublicChanges :exec
-- A row of a transaction that may still run is not there yet for its readers.
with gone as (
    delete from public_changes where at < @before and xid < pg_snapshot_xmin(pg_current_snapshot())
    returning xid::text::bigint as xid, id
), last as (select gone.xid, gone.id from gone order by gone.xid desc, gone.id desc limit 1)
update public_changes_removed set xid = last.xid, id = last.id from last
where (last.xid, last.id) > (public_changes_removed.xid, public_changes_removed.id);
