-- name: Receipts :many
-- Accepts that stand, in which a user was the buyer or the seller, newest first. Empty lists of orders or offers select every one. Each half
-- walks an index of its own.
with mine as (
    (select id from order_updates
        where buyer_id = @user_id::bigint and id < @before::bigint and (offer_id is not null or seller_name is not null)
            and not exists (select from sale_reversals r where r.sale_id = order_updates.id)
            and (cardinality(@orders::bigint[]) = 0 or order_id = any(@orders::bigint[]))
            and (cardinality(@offers::bigint[]) = 0 or offer_id = any(@offers::bigint[]))
        order by id desc limit @most)
    union all
    (select id from order_updates
        where seller_id = @user_id::bigint and id < @before::bigint
            and not exists (select from sale_reversals r where r.sale_id = order_updates.id)
            and (cardinality(@orders::bigint[]) = 0 or order_id = any(@orders::bigint[]))
            and (cardinality(@offers::bigint[]) = 0 or offer_id = any(@offers::bigint[]))
        order by id desc limit @most)
    order by id desc limit @most
)
select sqlc.embed(u), o.buyer_contact, o.ign,
    k.buyer_name as kept_buyer_name, k.buyer_contact as kept_buyer_contact, k.in_game_name as kept_in_game_name,
    k.seller_name as kept_seller_name, k.seller_contact as kept_seller_contact,
    b.username as buyer_username, b.display_name as buyer_display_name, b.discord_id as buyer_discord_id,
    s.username as seller_username, s.display_name as seller_display_name, s.discord_id as seller_discord_id
from mine join order_updates u on u.id = mine.id
left join orders o on o.id = u.order_id
left join users b on b.id = u.buyer_id
left join users s on s.id = u.seller_id
left join kept_contacts k on k.sale_id = u.id
order by u.id desc;
