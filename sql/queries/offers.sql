-- name: Offer :one
select * from offers where id = @id;

-- name: LockOffer :one
-- Locks the order first, then the offer, and reads both as they are once they are locked. See LockOrder for the numbers.
select sqlc.embed(orders), sqlc.embed(offers),
    nextval('order_updates_id_seq')::bigint as sale_number,
    nextval('notices_id_seq')::bigint as notice_number
from orders join offers on offers.order_id = orders.id
where offers.id = @id for update of orders, offers;

-- name: Offers :many
select * from offers where order_id = @order_id order by id desc;

-- name: CountOffers :one
select count(*) from offers where order_id = @order_id;

-- name: OfferNumber :one
select nextval('offers_id_seq')::bigint;

-- name: CountVisitorOffers :one
select count(*) from offers where order_id = @order_id and seller_id is null;

-- name: AddOffer :exec
insert into offers (id, order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered,
    created_at)
values (@id, @order_id, @seller_id, @seller_name, @seller_contact, @message, @price_per_unit, @quantity_offered,
    @created_at);

-- name: SaveOfferQuantity :exec
update offers set quantity_offered = @quantity_offered where id = @id;

-- name: DeleteOffer :exec
delete from offers where id = @id;

-- name: TakeOffers :many
-- Deletes the offers on an order and returns them.
delete from offers where order_id = @order_id returning *;

-- name: AddSentOffer :exec
insert into sent_offers (id, seller_id, order_id, item_name, price_per_unit, quantity_offered, created_at, updated_at)
values (@id, @seller_id, @order_id, @item_name, @price_per_unit, @quantity_offered, @created_at, @created_at);

-- name: EndSentOffer :exec
update sent_offers set state = @state, updated_at = @updated_at where id = @id and state = 'open';

-- name: LapseSentOffers :exec
update sent_offers set state = 'lapsed', updated_at = @updated_at where order_id = @order_id::bigint and state = 'open';

-- name: RecordAccepted :exec
update sent_offers set accepted = accepted + @quantity::integer, buyer_contact = @buyer_contact, updated_at = @updated_at
where id = @id;

-- name: SentOffers :many
select * from sent_offers where seller_id = @seller_id and id < @before order by id desc limit @most;
