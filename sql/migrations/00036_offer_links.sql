-- +goose Up
-- The private links of visitors to their offers. Only the hash of a link's token is stored. A link ends with its order, at the
-- latest when that is archived; until then it keeps what the visitor sent, because the offer itself goes when it ends. An older
-- program neither adds links nor notes in them how an offer ended: core.OfferLink says what is shown then.
create table offer_links (
    token_hash       bytea primary key,
    offer_id         bigint not null, -- leads nowhere once the offer is gone
    order_id         bigint not null constraint offer_links_order_known references orders (id) on delete cascade,
    seller_name      seller_name not null,
    message          offer_message not null,
    price_per_unit   price not null,
    quantity_offered integer not null,
    state            offer_state not null default 'open',
    created_at       timestamptz not null,
    updated_at       timestamptz not null
);

create index offer_links_of_offer on offer_links (offer_id);
create index offer_links_on_order on offer_links (order_id);

-- +goose StatementBegin
create function orders_end_links() returns trigger language plpgsql as $$
begin
    delete from offer_links where order_id = new.id;
    return null;
end $$;
-- +goose StatementEnd

create trigger orders_end_links after update of archived_at on orders
    for each row when (new.archived_at is not null) execute function orders_end_links();
