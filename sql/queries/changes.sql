-- name: NoteChange :exec
insert into changes (orders, users, lists, counted, signed_out, items, traded, at, writer)
values (@orders::bigint[], @users::bigint[], @lists, @counted, @signed_out::bigint[], @items, sqlc.narg(traded)::text[], @at, @writer);

-- name: NotifyChange :exec
select pg_notify(sqlc.arg(channel)::text, '');

-- name: CurrentSnapshot :one
-- With a place in the log that includes all that the snapshot shows.
select pg_current_snapshot()::text as snapshot, (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as position;

-- name: WroteLately :one
-- A place in the log that includes what a user has written since a time, with whatever process.
select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as position from changes
where writer = @writer::bigint and at > @since limit 1;

-- name: ReadChanges :many
-- One row at least, with the snapshot of this read. The old snapshot is selected: parsed once, not for each row.
select pg_current_snapshot()::text as snapshot, changes.orders, changes.users, coalesce(changes.lists, false)::boolean as lists,
    changes.signed_out, coalesce(changes.items, false)::boolean as items, coalesce(changes.traded, '{}')::text[] as traded,
    (changes.xid is not null and changes.traded is null)::boolean as any_traded,
    (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as position
from (values (1)) one left join changes
    on changes.xid >= (select pg_snapshot_xmin(sqlc.arg(seen)::text::pg_snapshot))
    and not pg_visible_in_snapshot(changes.xid, (select sqlc.arg(seen)::text::pg_snapshot))
limit sqlc.arg(most);

-- name: PruneChanges :exec
delete from changes where xid < sqlc.arg(mark)::text::xid8;
