-- +goose Up
-- Whose request an offer is on, so that all offers that wait for a buyer are found by one index. An older program does not
-- write it, so a trigger fills it in.
alter table offers add column buyer_id bigint;

update offers set buyer_id = orders.user_id from orders where orders.id = offers.order_id;

-- +goose StatementBegin
create function offers_complete() returns trigger language plpgsql as $$
begin
    select user_id into new.buyer_id from orders where id = new.order_id;
    return new;
end $$;
-- +goose StatementEnd

create trigger offers_complete before insert on offers
    for each row when (new.buyer_id is null) execute function offers_complete();

create index offers_received on offers (buyer_id, order_id desc, id desc);
