-- +goose Up
-- Fills in the sales from before 00014. The offer is known where the seller had one accepted offer on the order.
update order_updates u set item_name = o.item_name, buyer_id = o.user_id,
    offer_id = coalesce(u.offer_id, (
        select max(s.id) from sent_offers s
        where s.order_id = u.order_id and s.seller_id = u.seller_id and s.accepted > 0 having count(*) = 1))
from orders o where o.id = u.order_id and u.buyer_id is null;

update sent_offers set buyer_contact = null where order_id is null and buyer_contact is not null;

alter table order_updates validate constraint order_updates_order_known;

-- Every sale has its buyer now, who is also the only one that records it: two indexes find what names a user.
-- +goose StatementBegin
create or replace function users_take_what_is_theirs() returns trigger language plpgsql as $$
begin
    delete from offers where seller_id = old.id;
    delete from sent_offers where seller_id = old.id;
    delete from notices where user_id = old.id;
    update order_updates set updated_by = nullif(updated_by, old.id), seller_id = nullif(seller_id, old.id),
        buyer_id = nullif(buyer_id, old.id)
    where buyer_id = old.id or seller_id = old.id;
    return old;
end $$;
-- +goose StatementEnd
