-- +goose Up
-- What a seller wrote, in their own record of the offer. An older program does not write it, so a trigger fills it in; it is
-- null for offers that ended before.
alter table sent_offers
    add column seller_name seller_name,
    add column message offer_message;

update sent_offers s set seller_name = o.seller_name, message = o.message from offers o where o.id = s.id;

-- +goose StatementBegin
create function sent_offers_complete() returns trigger language plpgsql as $$
begin
    select seller_name, message into new.seller_name, new.message from offers where id = new.id;
    return new;
end $$;
-- +goose StatementEnd

create trigger sent_offers_complete before insert on sent_offers
    for each row when (new.message is null) execute function sent_offers_complete();

-- Finds a seller's open offers among all that they ever sent.
create index sent_offers_open on sent_offers (seller_id, id desc) where state = 'open';
