-- name: FindToken :one
-- A token by its hash, with its user and with what ends it.
select tokens.id, tokens.name, tokens.scopes, tokens.created_at, tokens.expires_at, tokens.used_at, sqlc.embed(users),
    (market_rules.programs_trade_since is not null)::boolean as trade_allowed
from tokens join users on users.id = tokens.user_id cross join market_rules
where tokens.hash = @hash;

-- name: TouchToken :exec
update tokens set used_at = @now::timestamptz where id = @id and (used_at is null or used_at < @now);

-- name: TokensOf :many
select id, name, scopes, created_at, expires_at, used_at from tokens
where user_id = @user_id and expires_at > @now
order by created_at desc, id desc;

-- name: AddToken :one
insert into tokens (hash, user_id, name, scopes, created_at, expires_at)
values (@hash, @user_id, @name, @scopes, @created_at, @expires_at)
returning id;

-- name: CountTokens :one
select count(*) from tokens where user_id = @user_id and expires_at > @now;

-- name: EndToken :exec
delete from tokens where user_id = @user_id and id = @id;

-- name: EndTokens :exec
delete from tokens where user_id = @user_id;

-- name: PruneTokens :exec
delete from tokens where expires_at <= @now;
