-- name: User :one
select * from users where id = @id;

-- name: UserOfAccount :one
select * from users where discord_id = @discord_id;

-- name: SaveUser :one
-- An empty e-mail or locale was not learnt and leaves what is known, and so do roles that were not learnt.
insert into users (discord_id, username, display_name, avatar, email, locale, created_at, updated_at, moderator_role, moderator_role_at)
values (@discord_id, @username, @display_name, @avatar, @email, @locale, @now, @now, @moderator_role,
    case when @moderator_role <> '' then @now::timestamptz end)
on conflict (discord_id) do update set username = excluded.username, display_name = excluded.display_name,
    avatar = excluded.avatar,
    email = coalesce(nullif(excluded.email, ''), users.email),
    locale = coalesce(nullif(excluded.locale, ''), users.locale), updated_at = excluded.updated_at,
    moderator_role = case when @roles_known::boolean then excluded.moderator_role else users.moderator_role end,
    moderator_role_at = case when @roles_known::boolean then excluded.moderator_role_at else users.moderator_role_at end
returning *;

-- name: SaveLanguage :exec
update users set language = nullif(@language::text, '') where id = @id;

-- name: RenameBuyerContact :exec
-- The account's name stands as the contact where its owner typed no other one. A version more makes readers and boards look again.
update orders set buyer_contact = @username, version = version + 1, updated_at = @now
where user_id = @user_id and buyer_contact = @former;

-- name: RenameSellerContact :exec
update offers set seller_contact = @username where seller_id = @user_id::bigint and seller_contact = @former;

-- name: RenameSentOfferContact :exec
update sent_offers s set buyer_contact = @username from orders o
where o.user_id = @user_id and s.order_id = o.id and s.buyer_contact = @former;

-- name: AddMailbox :exec
insert into mailboxes (user_id) values (@user_id) on conflict do nothing;

-- name: Counts :one
-- The open trades of a user are few, and each half walks an index of its own. Only moderators' cases are counted over the whole market.
with waiting as (
    (select seller_id as partner from handovers
        where @trades::boolean and buyer_id = @user_id::bigint and state = 'agreed' and buyer_word is null)
    union all
    (select buyer_id as partner from handovers
        where @trades::boolean and seller_id = @user_id::bigint and state = 'agreed' and seller_word is null)
), confirm as (
    select count(*) as trades, case when min(coalesce(partner, 0)) = max(coalesce(partner, 0)) then min(partner) end as partner from waiting
)
select count(*) filter (where orders.status = 'active' and orders.expires_at > @now) as active,
    count(*) filter (where orders.status = 'fulfilled' and orders.archived_at is null) as fulfilled,
    count(*) filter (where orders.archived_at is not null) as archived,
    count(*) filter (where orders.status = 'active' and orders.expires_at <= @now) as expired,
    (select count(*) from notices where notices.user_id = @user_id and read_at is null) as unread,
    (select count(*) from offers join orders o on o.id = offers.order_id
        where offers.buyer_id = @user_id::bigint and o.status = 'active' and o.expires_at > @now) as received,
    (select count(*) from stock join orders asks on asks.listing_id = stock.id and asks.status = 'active'
        where @listings::boolean and stock.user_id = @user_id::bigint and asks.expires_at > @now) as asks,
    (select trades from confirm) as confirm,
    coalesce((select partner from confirm), 0)::bigint as partner,
    count(*) filter (where orders.status = 'active' and orders.expires_at > @now and orders.expires_at < @ending_before::timestamptz and orders.listing_id is null) as ending,
    coalesce((array_agg(orders.id order by orders.expires_at, orders.id)
        filter (where orders.status = 'active' and orders.expires_at > @now and orders.expires_at < @ending_before::timestamptz and orders.listing_id is null))[1], 0)::bigint
        as ending_order,
    coalesce(min(orders.expires_at) filter (where orders.status = 'active' and orders.expires_at > @now and orders.listing_id is null), 'epoch')::timestamptz as ends_at,
    case when @cases::boolean then (select count(distinct (r.order_id, coalesce(r.offer_id, 0))) from reports r where r.state = 'open')
        + (select count(*) from handovers d where @trades::boolean and d.state = 'disputed')
        else 0 end::bigint as cases
from orders where orders.user_id = @user_id;

-- name: Traded :one
select array(select orders.id from orders where orders.user_id = @user_id order by orders.id)::bigint[] as orders,
    array(select offers.id from offers where offers.seller_id = @user_id order by offers.order_id, offers.id)::bigint[] as offers;

-- name: DeleteUser :exec
delete from users where id = @id;

-- name: Accounts :many
select id, discord_id, username, display_name, avatar from users where id = any(@ids::bigint[]);
