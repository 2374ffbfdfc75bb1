-- name: AddHandover :exec
insert into handovers (sale_id, buyer_id, seller_id, accepted_at, agreed_by, due_at)
values (@sale_id, @buyer_id, @seller_id, @accepted_at, @agreed_by, @due_at);

-- name: Handovers :many
-- The handovers of a user on either side, newest first; of some sales where there are any, else of every one below a number. Each half walks
-- an index of its own.
with mine as (
    (select sale_id from handovers
        where buyer_id = @user_id::bigint and sale_id < @before::bigint
            and (cardinality(@sales::bigint[]) = 0 or sale_id = any(@sales::bigint[]))
        order by sale_id desc limit @most)
    union all
    (select sale_id from handovers
        where seller_id = @user_id::bigint and sale_id < @before::bigint
            and (cardinality(@sales::bigint[]) = 0 or sale_id = any(@sales::bigint[]))
        order by sale_id desc limit @most)
    order by sale_id desc limit @most
)
select sqlc.embed(h), sqlc.embed(u) from mine join handovers h on h.sale_id = mine.sale_id join order_updates u on u.id = h.sale_id
order by h.sale_id desc;

-- name: SettledHandovers :many
-- What was settled between some users and their partners. Each half walks an index of its own.
select h.buyer_id::bigint as trader, coalesce(h.seller_id, 0)::bigint as partner, coalesce(h.former_seller, 0)::bigint as former_partner,
    (exists (select from traders t where t.user_id = h.seller_id)
        or coalesce((select f.established from former_partners f where f.id = h.former_seller), false))::boolean as partner_established,
    h.sale_id, h.state, (coalesce(h.against, '') = 'buyer')::boolean as against, h.accepted_at, h.settled_at, u.quantity_sold
from handovers h join order_updates u on u.id = h.sale_id
where h.buyer_id = any(@users::bigint[]) and h.settled_at is not null
union all
select h.seller_id::bigint as trader, coalesce(h.buyer_id, 0)::bigint as partner, coalesce(h.former_buyer, 0)::bigint as former_partner,
    (exists (select from traders t where t.user_id = h.buyer_id)
        or coalesce((select f.established from former_partners f where f.id = h.former_buyer), false))::boolean as partner_established,
    h.sale_id, h.state, (coalesce(h.against, '') = 'seller')::boolean as against, h.accepted_at, h.settled_at, u.quantity_sold
from handovers h join order_updates u on u.id = h.sale_id
where h.seller_id = any(@users::bigint[]) and h.settled_at is not null
order by trader, sale_id;
