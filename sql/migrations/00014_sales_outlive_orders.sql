-- +goose Up
-- A sale outlives its order: it names the item, the buyer and the offer itself. An older program does not write these
-- columns, so a trigger fills them in. 00015 fills in the rows that are there already.

-- In the order in which trades lock them.
lock table orders, order_updates in access exclusive mode;

alter table order_updates
    add column item_name item_name,
    add column buyer_id bigint,
    add column offer_id bigint, -- refers to no row once the offer is deleted
    alter column order_id drop not null;
alter table order_updates drop constraint order_updates_order_known;
alter table order_updates add constraint order_updates_order_known foreign key (order_id) references orders (id) on delete set null not valid;

create index order_updates_of_buyer on order_updates (buyer_id, id desc) where buyer_id is not null;
create index order_updates_of_seller on order_updates (seller_id, id desc) where seller_id is not null;

-- +goose StatementBegin
create function order_updates_complete() returns trigger language plpgsql as $$
begin
    select user_id, item_name into new.buyer_id, new.item_name from orders where id = new.order_id;
    if new.offer_id is null and new.seller_id is not null then
        select id into new.offer_id from offers where order_id = new.order_id and seller_id = new.seller_id;
    end if;
    return new;
end $$;
-- +goose StatementEnd

create trigger order_updates_complete before insert on order_updates
    for each row when (new.buyer_id is null or new.item_name is null) execute function order_updates_complete();

-- The owner's texts and contacts go with the order; what was traded stays.
-- +goose StatementBegin
create function orders_keep_history() returns trigger language plpgsql as $$
begin
    update order_updates set order_id = null, notes = null where order_id = old.id;
    update sent_offers set order_id = null, buyer_contact = null where order_id = old.id;
    return old;
end $$;
-- +goose StatementEnd

create trigger orders_keep_history before delete on orders
    for each row execute function orders_keep_history();

-- +goose StatementBegin
create or replace function users_take_what_is_theirs() returns trigger language plpgsql as $$
begin
    delete from offers where seller_id = old.id;
    delete from sent_offers where seller_id = old.id;
    delete from notices where user_id = old.id;
    update order_updates set updated_by = nullif(updated_by, old.id), seller_id = nullif(seller_id, old.id),
        buyer_id = nullif(buyer_id, old.id)
    where updated_by = old.id or seller_id = old.id or buyer_id = old.id;
    return old;
end $$;
-- +goose StatementEnd
