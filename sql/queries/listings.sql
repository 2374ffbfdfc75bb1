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

-- name: ForSale :many
-- What is for sale in each of several lines, by the names of its item; what is asked for already is not counted.
select n.line::integer as line, sum(stock.quantity - a.asked)::bigint as quantity, min(stock.price)::bigint as lowest
from (select distinct r.line, item_key(r.name) as key from (select unnest(@lines::integer[]) as line, unnest(@names::text[]) as name) r) n
join stock on item_key(stock.item_name) = n.key
join users on users.id = stock.user_id
cross join lateral (select coalesce(sum(o.quantity - o.sold), 0) as asked from orders o
    where o.listing_id = stock.id and o.status = 'active' and o.expires_at > @now::timestamptz) a
where stock.public and stock.quantity > a.asked and stock.touched_at > @since
    and (stock.shown_until is null or stock.shown_until > @now::timestamptz)
    and stock.user_id <> @for_user::bigint and users.blocked_at is null and users.leaving_at is null
    and not exists (select from blocked_sellers b where b.buyer_id = @for_user::bigint and b.seller_id = stock.user_id
        or b.buyer_id = stock.user_id and b.seller_id = @for_user::bigint)
group by n.line;
