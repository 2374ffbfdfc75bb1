-- name: FillOrders :many
-- The open orders that a seller can fill, what they have first. Which names they are is compared by the index orders_item_key.
with mine as (
    select unnest(@stock_keys::text[]) as key, unnest(@stock_quantities::integer[]) as quantity, unnest(@stock_prices::bigint[]) as price
), made as (
    select unnest(@made_keys::text[]) as key, unnest(@made_levels::integer[]) as level
), fits as (
    select o.id, true as from_stock, least(o.quantity - o.sold, mine.quantity) as can, o.max_price_per_unit as price
    from mine join orders o on item_key(o.item_name) = mine.key
    where o.status = 'active' and not o.hidden and o.expires_at > @now and o.user_id <> @seller_id and o.max_price_per_unit >= mine.price
    union all
    select o.id, false, o.quantity - o.sold, o.max_price_per_unit
    from made join orders o on item_key(o.item_name) = made.key
    where o.status = 'active' and not o.hidden and o.expires_at > @now and o.user_id <> @seller_id
        and (o.level_requirement is null or o.level_requirement <= made.level)
), best as (
    select distinct on (fits.id) fits.id, fits.from_stock, fits.can, fits.price from fits order by fits.id, fits.from_stock desc, fits.can desc
), shown as (
    select best.id, best.from_stock, best.can, best.price from best
    where not exists (
        select from blocked_sellers b join orders on orders.user_id = b.buyer_id where orders.id = best.id and b.seller_id = @seller_id)
    order by best.from_stock desc, best.can * best.price desc, best.id desc limit @most
)
select sqlc.embed(orders), shown.from_stock::boolean as from_stock, shown.can::integer as can
from shown join orders on orders.id = shown.id
order by shown.from_stock desc, shown.can * shown.price desc, shown.id desc;
