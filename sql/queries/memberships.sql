-- name: Membership :one
select * from memberships where discord_id = @discord_id and servers = @servers;

-- name: SaveMembership :exec
insert into memberships (discord_id, servers, member, answered_at, tried_at)
values (@discord_id, @servers, @member, sqlc.narg(answered_at), @tried_at)
on conflict (discord_id, servers) do update
set member = excluded.member, answered_at = excluded.answered_at, tried_at = excluded.tried_at;

-- name: MembershipsOf :many
select * from memberships where discord_id = @discord_id order by servers;

-- name: ForgetMemberships :exec
delete from memberships where discord_id = @discord_id;

-- name: PruneMemberships :execrows
delete from memberships where tried_at < @before;
