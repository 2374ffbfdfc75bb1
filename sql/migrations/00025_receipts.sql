-- +goose Up
-- A sale that came from an offer names its seller as the offer did, for the buyer's receipt. An older program does not write
-- these columns, so a trigger fills them in. 00026 fills in the sales that are there already.
alter table order_updates
    add column seller_name seller_name,
    add column seller_contact seller_contact;

-- +goose StatementBegin
create function order_updates_name_seller() returns trigger language plpgsql as $$
begin
    select seller_name, seller_contact into new.seller_name, new.seller_contact from offers where id = new.offer_id;
    return new;
end $$;
-- +goose StatementEnd

create trigger order_updates_name_seller before insert on order_updates
    for each row when (new.offer_id is not null and new.seller_name is null) execute function order_updates_name_seller();

-- Contacts go with the order, as the notes that contain them.
-- +goose StatementBegin
create or replace function orders_keep_history() returns trigger language plpgsql as $$
begin
    update order_updates set order_id = null, notes = null, seller_name = null, seller_contact = null where order_id = old.id;
    update sent_offers set order_id = null, buyer_contact = null where order_id = old.id;
    return old;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function users_leave_no_name() returns trigger language plpgsql as $$
begin
    update notices set name = '', contact = '', message = case kind when 'offer_received' then '' else message end
    where user_id <> old.id and (contact = old.username
        or kind in ('offer_received', 'offer_withdrawn') and offer_id in (select id from sent_offers where seller_id = old.id)
        or kind in ('offer_accepted', 'offer_declined', 'offer_lapsed') and order_id in (select id from orders where user_id = old.id));
    update sent_offers set buyer_contact = null
    where seller_id <> old.id and (buyer_contact = old.username or order_id in (select id from orders where user_id = old.id));
    update order_updates set seller_name = null, seller_contact = null,
        notes = case when notes like 'Accepted offer from %' then 'Accepted offer from a seller who has left' else notes end
    where seller_id = old.id;
    return old;
end $$;
-- +goose StatementEnd
