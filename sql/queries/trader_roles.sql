-- name: TraderRoles :many
select * from trader_roles order by guild_id;

-- name: SaveTraderRole :exec
insert into trader_roles (guild_id, role_id, guild_name, role_name, user_id)
values (@guild_id, @role_id, @guild_name, @role_name, @user_id)
on conflict (guild_id) do update set role_id = excluded.role_id, guild_name = excluded.guild_name, role_name = excluded.role_name,
    user_id = excluded.user_id, trouble = '', ended = false;

-- name: EndTraderRole :execrows
update trader_roles set ended = true where guild_id = @guild_id and not ended;

-- name: RemoveTraderRole :exec
delete from trader_roles where guild_id = @guild_id;

-- name: HeldRoles :one
select count(*) from held_roles join trader_roles using (guild_id, role_id) where held_roles.guild_id = @guild_id and held_roles.given;

-- name: RoleSteps :many
-- Users whose role differs from what it should be: taken away first, then given, then those to look after again. Only established traders
-- who are neither blocked nor leaving have it.
with trusted as (
    select t.user_id, u.discord_id from traders t join users u on u.id = t.user_id where u.blocked_at is null and u.leaving_at is null
), steps as (
    select 1 as turn, 'take' as act, h.role_id, h.user_id, u.discord_id,
        (not r.ended and h.role_id = r.role_id and u.leaving_at is null)::boolean as tells
    from trader_roles r join held_roles h on h.guild_id = r.guild_id and h.given join users u on u.id = h.user_id
    where r.guild_id = @guild_id and (r.ended or h.role_id <> r.role_id or not exists (select from trusted where trusted.user_id = h.user_id))
    union all
    select case when h.given then 3 else 2 end, case when h.given then 'check' else 'give' end, r.role_id, t.user_id, t.discord_id, true
    from trader_roles r cross join trusted t
    left join held_roles h on h.guild_id = r.guild_id and h.role_id = r.role_id and h.user_id = t.user_id
    where r.guild_id = @guild_id and not r.ended and (h.due_at is null or h.due_at <= sqlc.arg(now)::timestamptz)
)
select steps.act::text as act, steps.role_id::text as role_id, steps.user_id::bigint as user_id, steps.discord_id::text as discord_id,
    steps.tells::boolean as tells
from steps order by steps.turn, steps.user_id limit sqlc.arg(most);

-- name: LockTraderRole :one
select * from trader_roles where guild_id = @guild_id for update;

-- name: SaveHeldRole :one
-- Returns whether the bot had given it before.
with before as materialized (
    select given from held_roles where held_roles.guild_id = @guild_id and held_roles.role_id = @role_id and held_roles.user_id = @user_id
), saved as (
    insert into held_roles (guild_id, role_id, user_id, given, due_at)
    select @guild_id, @role_id, users.id, @given, @due_at from users where users.id = @user_id
    on conflict (guild_id, role_id, user_id) do update set given = excluded.given, due_at = excluded.due_at
)
select coalesce((select before.given from before), false)::boolean as given;

-- name: RemoveHeldRole :one
with removed as (
    delete from held_roles where guild_id = @guild_id and role_id = @role_id and user_id = @user_id returning given
)
select coalesce((select removed.given from removed), false)::boolean as given;

-- name: SetRoleTrouble :exec
update trader_roles set trouble = @trouble where guild_id = @guild_id;
