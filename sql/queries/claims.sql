-- name: WaitForClaim :exec
-- A repeat of a write waits here until the first one is over, and then reads its answer.
select pg_advisory_xact_lock(@name_hash::bigint);

-- name: Keep :exec
insert into claims (name, digest, answer, created_at) values (@name, @digest, @answer, @created_at);
