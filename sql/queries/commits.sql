-- The status of a commit whose answer was lost. See decision 23.

-- name: CommitStatus :one
select coalesce(pg_xact_status(sqlc.arg(xid)::text::xid8), 'forgotten')::text as status, coalesce((select id::text from lives), '')::text as epoch,
    current_setting('synchronous_standby_names') <> '' as replicated;

-- name: BeginCrashEpoch :exec
-- A crash of the server has emptied the table.
insert into lives default values on conflict do nothing;
