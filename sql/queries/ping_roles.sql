-- name: PingServers :many
select * from ping_servers order by created_at, guild_id;

-- name: PingRoles :many
select * from ping_roles order by guild_id, category;

-- name: SavePingServer :exec
-- A server in which pings are turned on again keeps its roles; its message is sent again.
insert into ping_servers (guild_id, locale, created_at, pause_seconds, channel_id)
values (@guild_id, @locale, @created_at, @pause_seconds, @channel_id)
on conflict (guild_id) do update set
    locale = excluded.locale, pause_seconds = excluded.pause_seconds, channel_id = excluded.channel_id, message_id = '', started_at = null,
    shown = '', message_gone = false, trouble = '', ended = false;

-- name: ReturnPingRoles :exec
-- Roles that were deleted by hand are made again.
update ping_roles set role_id = '', made = false, gone = false, started_at = null where guild_id = @guild_id and gone;

-- name: EndPingServer :execrows
update ping_servers set ended = true where guild_id = @guild_id and not ended;

-- name: RemovePingServer :exec
delete from ping_servers where guild_id = @guild_id;

-- name: SetPingTrouble :execrows
-- Tells by the number of rows whether this was news.
update ping_servers set trouble = @trouble where guild_id = @guild_id and trouble <> @trouble;

-- name: StartPingMessage :exec
update ping_servers set started_at = coalesce(started_at, @started_at::timestamptz) where guild_id = @guild_id and channel_id = @channel_id;

-- name: SavePingMessage :exec
-- It is left alone where pings were turned on again in another channel meanwhile.
update ping_servers set message_id = @message_id, shown = @shown, message_gone = @message_gone
where guild_id = @guild_id and channel_id = @channel_id;

-- name: StartPingRole :exec
insert into ping_roles (guild_id, category, started_at) values (@guild_id, @category, @started_at)
on conflict (guild_id, category) do nothing;

-- name: SavePingRole :exec
update ping_roles set role_id = @role_id, made = @made where guild_id = @guild_id and category = @category;

-- name: LosePingRole :execrows
-- Tells by the number of rows whether this was news.
update ping_roles set gone = true where guild_id = @guild_id and role_id = @role_id and not gone;
