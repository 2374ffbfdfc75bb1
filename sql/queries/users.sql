-- name: User :one
select * from users where id = @id;

-- name: UserOfAccount :one
select * from users where discord_id = @discord_id;

-- name: SaveUser :one
-- An empty e-mail or locale was not learnt and leaves what is known.
insert into users (discord_id, username, display_name, email, locale, created_at, updated_at)
values (@discord_id, @username, @display_name, @email, @locale, @now, @now)
on conflict (discord_id) do update set username = excluded.username, display_name = excluded.display_name,
    email = coalesce(nullif(excluded.email, ''), users.email),
    locale = coalesce(nullif(excluded.locale, ''), users.locale), updated_at = excluded.updated_at
returning *;

-- name: AddMailbox :exec
insert into mailboxes (user_id) values (@user_id) on conflict do nothing;

-- name: Counts :one
select count(*) filter (where status = 'active' and expires_at > @now) as active,
    count(*) filter (where status = 'fulfilled') as fulfilled,
    count(*) filter (where status = 'active' and expires_at <= @now) as expired,
    (select count(*) from notices where notices.user_id = @user_id and read_at is null) as unread
from orders where orders.user_id = @user_id;

-- name: Traded :one
select array(select orders.id from orders where orders.user_id = @user_id order by orders.id)::bigint[] as orders,
    array(select offers.id from offers where offers.seller_id = @user_id order by offers.order_id, offers.id)::bigint[] as offers;

-- name: DeleteUser :exec
delete from users where id = @id;
