-- Advisory locks of PostgreSQL, which are released with the session that holds them.

-- name: TryLock :one
select pg_try_advisory_lock(sqlc.arg(lock)::bigint);

-- name: Unlock :one
select pg_advisory_unlock(sqlc.arg(lock)::bigint);

-- name: UnlockAll :exec
select pg_advisory_unlock_all();

-- name: LockShared :exec
select pg_advisory_lock_shared(sqlc.arg(lock)::bigint);

-- name: UnlockShared :one
select pg_advisory_unlock_shared(sqlc.arg(lock)::bigint);

-- name: TryWorkerLock :one
select pg_try_advisory_lock(sqlc.arg(class)::int, sqlc.arg(worker)::int);
