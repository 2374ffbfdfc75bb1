-- name: AddOfferLink :exec
insert into offer_links (token_hash, offer_id, order_id, seller_name, message, price_per_unit, quantity_offered, created_at, updated_at, good_until)
values (@token_hash, @offer_id, @order_id, @seller_name, @message, @price_per_unit, @quantity_offered, @created_at, @created_at,
    sqlc.narg(good_until));

-- name: AddOfferLinkAgain :many
-- Adds a link beside those that an offer has, as long as they are fewer than @most.
insert into offer_links (token_hash, offer_id, order_id, seller_name, message, price_per_unit, quantity_offered, state, created_at, updated_at, good_until,
    earlier_offers)
select @token_hash, l.offer_id, l.order_id, l.seller_name, l.message, l.price_per_unit, l.quantity_offered, l.state, l.created_at, l.updated_at, l.good_until,
    l.earlier_offers
from offer_links l
where l.offer_id = @offer_id and (select count(*) from offer_links c where c.offer_id = @offer_id) < @most::bigint
limit 1
returning offer_id;

-- name: MoveOfferLinks :exec
-- The links of the offer that a link leads to lead to the one that has replaced it, as its own does.
with old as (select k.offer_id, k.earlier_offers || k.offer_id as earlier from offer_links k where k.token_hash = @token_hash)
update offer_links l set offer_id = @offer_id, earlier_offers = old.earlier, seller_name = @seller_name, message = @message,
    price_per_unit = @price_per_unit, quantity_offered = @quantity_offered, state = 'open', created_at = @created_at, updated_at = @created_at,
    good_until = sqlc.narg(good_until)
from old where l.offer_id = old.offer_id or l.offer_id = @offer_id;

-- name: OfferLink :one
select sqlc.embed(l), sqlc.embed(o), offers.quantity_offered as quantity_left
from offer_links l join orders o on o.id = l.order_id left join offers on offers.id = l.offer_id
where l.token_hash = @token_hash;

-- name: LinkedOffer :one
select offer_id from offer_links where token_hash = @token_hash;

-- name: EndOfferLinks :exec
update offer_links set state = @state, updated_at = @updated_at where offer_id = @offer_id;

-- name: LapseOfferLinks :exec
update offer_links set state = 'lapsed', updated_at = @updated_at where offer_id = any(@offer_ids::bigint[]);

-- name: OfferReceipts :many
-- Accepts of some offers that stand, newest first.
select trades.* from trades
where trades.order_id = @order_id::bigint and trades.offer_id = any(@offer_ids::bigint[])
    and not exists (select from sale_reversals r where r.sale_id = trades.sale_id)
order by trades.sale_id desc;
