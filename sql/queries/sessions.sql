-- name: Session :one
select data from sessions where token = @token and expiry > @now;

-- name: UserSession :one
-- A session of a user, with the user. Others are read as Session. The data are read only where they may say more than the columns:
-- when the user signs in once more, and in a row that an earlier version has begun.
select (case when public_id is null or since is null or used_at is null or position('pending'::bytea in sessions.data) > 0
    then sessions.data end)::bytea as data,
    expiry, coalesce(public_id, '')::text as public_id, agent, coalesce(since, expiry)::timestamptz as since,
    coalesce(used_at, expiry)::timestamptz as used_at, sqlc.embed(users)
from sessions join users on users.id = sessions.user_id
where token = @token and expiry > @now;

-- name: SaveSession :exec
insert into sessions (token, data, expiry, user_id, public_id, agent, since, used_at)
values (@token, @data, @expiry, @user_id, @public_id, @agent, @since, @used_at)
on conflict (token) do update set data = excluded.data, expiry = excluded.expiry, user_id = excluded.user_id,
    public_id = excluded.public_id, agent = excluded.agent, since = excluded.since, used_at = excluded.used_at;

-- name: UpdateSession :exec
-- Of a session that has begun earlier: one that was ended meanwhile does not come back.
update sessions set data = @data, expiry = @expiry, user_id = @user_id, public_id = @public_id, agent = @agent, since = @since, used_at = @used_at
where token = @token;

-- name: DeleteSession :many
with ended as (delete from sessions where token = @token returning user_id),
noted as (
    insert into changes (orders, users, lists, signed_out, traded, at)
    select '{}', '{}', false, array[user_id], '{}', @now::timestamptz from ended where user_id is not null
)
select user_id::bigint from ended where user_id is not null;

-- name: SessionsOf :many
select public_id, agent, since, used_at from sessions
where user_id = @user_id::bigint and expiry > @now and used_at > @used_since::timestamptz
order by used_at desc, public_id;

-- name: EndSession :exec
delete from sessions where user_id = @user_id::bigint and public_id = @public_id::text;

-- name: EndSessions :exec
with ended as (delete from sessions where user_id = @user_id::bigint),
tokens_ended as (delete from tokens where user_id = @user_id::bigint)
update users set signed_out_at = @now where id = @user_id::bigint;

-- name: DeleteSessionsOf :exec
with tokens_ended as (delete from tokens where user_id = @user_id::bigint)
delete from sessions where user_id = @user_id::bigint;

-- name: PruneSessions :execrows
delete from sessions where expiry < @now;
