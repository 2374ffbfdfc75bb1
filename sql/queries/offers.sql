-- name: Offer :one
select * from offers where id = @id;

-- name: LockOffer :one
-- Locks the order first, then the offer, and reads both as they are once they are locked. See LockOrder for the numbers.
select sqlc.embed(orders), sqlc.embed(offers),
    (select nextval('order_updates_id_seq'))::bigint as sale_number,
    (select nextval('notices_id_seq'))::bigint as notice_number,
    -- when the buyer undid acceptances of it, latest first
    array(select r.reversed_at from sale_reversals r join order_updates u on u.id = r.sale_id
        where r.reversed_by = orders.user_id and u.offer_id = offers.id
        order by r.reversed_at desc limit @undone_most::integer)::timestamptz[] as undone
from orders join offers on offers.order_id = orders.id
where offers.id = @id for update of orders, offers;

-- name: Offers :many
select * from offers where order_id = @order_id order by id desc;

-- name: ReceivedOffers :many
-- The offers that wait for a buyer, after a place in the list.
select sqlc.embed(orders), sqlc.embed(offers)
from offers join orders on orders.id = offers.order_id
where offers.buyer_id = @buyer_id::bigint and (offers.order_id, offers.id) < (@after_order::bigint, @after_offer::bigint)
    and orders.status = 'active' and orders.expires_at > @now
order by offers.order_id desc, offers.id desc limit @most;

-- name: CountOffers :one
select count(*) from offers where order_id = @order_id;

-- name: OfferNumber :one
-- Of the same range as those that LockOrder takes: see NoticeNumbers.
select nextval('offers_id_seq')::bigint where not exists (select from offers where offers.id = 0);

-- name: CountVisitorOffers :one
select count(*) from offers where order_id = @order_id and seller_id is null;

-- name: AddOffer :exec
-- A replica whose clock is behind may add an offer after the offers have lapsed: the order is then due again.
with due as (update orders set lapsed_for = null where orders.id = @order_id and lapsed_for is not null)
insert into offers (id, order_id, buyer_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered,
    created_at, good_until, lapses_at)
values (@id, @order_id, @buyer_id, @seller_id, @seller_name, @seller_contact, @message, @price_per_unit, @quantity_offered,
    @created_at, @good_until, @lapses_at);

-- name: SaveOfferQuantity :exec
update offers set quantity_offered = @quantity_offered where id = @id;

-- name: DeleteOffer :exec
delete from offers where id = @id;

-- name: TakeOffers :many
-- Deletes the offers on an order and returns them.
delete from offers where order_id = @order_id returning *;

-- name: AddSentOffer :exec
insert into sent_offers (id, seller_id, order_id, item_name, seller_name, message, price_per_unit, quantity_offered, created_at,
    updated_at, good_until)
values (@id, @seller_id, @order_id, @item_name, @seller_name::text, @message::text, @price_per_unit, @quantity_offered, @created_at,
    @created_at, @good_until);

-- name: EndSentOffer :exec
update sent_offers set state = @state, updated_at = @updated_at where id = @id and state = 'open';

-- name: LapseSentOffers :exec
update sent_offers set state = 'lapsed', updated_at = @updated_at where order_id = @order_id::bigint and state = 'open';

-- name: RecordAccepted :exec
update sent_offers set accepted = accepted + @quantity::integer, buyer_contact = @buyer_contact, updated_at = @updated_at
where id = @id;

-- name: SentOffers :many
select * from sent_offers where seller_id = @seller_id and id < @before order by id desc limit @most;

-- name: SentOffersIn :many
-- One part of a seller's offers: see core.SentPart.
select * from sent_offers
where seller_id = @seller_id and id < @before
    and case when state = 'open' then 'open' when accepted > 0 then 'accepted' else 'past' end = @part::text
order by id desc limit @most;

-- name: CountSentOffers :one
select count(*) filter (where state = 'open') as open, count(*) filter (where state <> 'open' and accepted > 0) as accepted,
    count(*) filter (where state <> 'open' and accepted = 0) as past
from sent_offers where seller_id = @seller_id;

-- name: OpenSentOffers :many
select * from sent_offers where seller_id = @seller_id and state = 'open' order by id desc limit @most;

-- name: LatestMessages :many
-- Of a seller's offers, the latest first.
select s.message::text as message from (
    select message, state, id from sent_offers where seller_id = @seller_id order by id desc limit @most
) s where s.message <> '' and s.state <> 'removed' order by s.id desc;

-- name: OpenSentOfferOn :one
select * from sent_offers where order_id = @order_id::bigint and seller_id = @seller_id and state = 'open' order by id desc limit 1;
