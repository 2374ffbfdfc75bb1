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
select trades.* from mine join trades on trades.sale_id = mine.id order by trades.sale_id desc;
