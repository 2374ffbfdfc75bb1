-- name: Session :one
select data from sessions where token = @token and expiry > @now;

-- name: SaveSession :exec
insert into sessions (token, data, expiry) values (@token, @data, @expiry)
on conflict (token) do update set data = excluded.data, expiry = excluded.expiry;

-- name: DeleteSession :exec
delete from sessions where token = @token;

-- name: PruneSessions :execrows
delete from sessions where expiry < @now;
