-- name: LockListing :one
-- Locked before its asks are summed up: a sum in the same statement could miss an ask that was committed while this waited.
select id from stock where id = @id for update;

-- name: Listing :one
select sqlc.embed(stock), users.username, users.display_name, users.avatar,
    (users.blocked_at is not null or users.leaving_at is not null
        or exists (select from users b where b.id = @buyer_id::bigint and (b.blocked_at is not null or b.leaving_at is not null)))::boolean as away,
    exists (select from blocked_sellers b where b.buyer_id = @buyer_id::bigint and b.seller_id = stock.user_id
        or b.buyer_id = stock.user_id and b.seller_id = @buyer_id::bigint) as apart,
    coalesce((select sum(o.quantity - o.sold) from orders o
        where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz), 0)::bigint as asked,
    exists (select from orders o where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz
        and o.user_id = @buyer_id::bigint) as asks
from stock join users on users.id = stock.user_id where stock.id = @id;

-- name: Asks :many
-- Open asks that a user has made, and asks for their listings.
select sqlc.embed(orders), stock.user_id as seller_id, buyers.username as buyer, buyers.display_name as buyer_name, buyers.avatar as buyer_avatar,
    sellers.username as seller, sellers.display_name as seller_name, sellers.avatar as seller_avatar
from (
    select orders.id from orders where orders.user_id = @user_id::bigint and orders.listing_id is not null and orders.status = 'active'
    union
    select orders.id from stock join orders on orders.listing_id = stock.id and orders.status = 'active' where stock.user_id = @user_id::bigint
) mine join orders on orders.id = mine.id
join stock on stock.id = orders.listing_id join users buyers on buyers.id = orders.user_id join users sellers on sellers.id = stock.user_id
where orders.expires_at > @now::timestamptz and not orders.status = 'fulfilled'
order by orders.id;
