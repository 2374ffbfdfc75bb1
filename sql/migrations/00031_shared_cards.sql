-- +goose Up
-- Cards of requests that people shared in a channel. A card is edited while its request changes, and its row goes once nothing
-- about it changes any more.
create table shared_cards (
    message_id    text primary key,
    channel_id    text not null,
    order_id      bigint not null, -- leads nowhere once the order is deleted
    item_name     text not null,
    locale        text not null default '', -- the Discord locale of who shared it
    shown_version integer not null, -- of the order, as the card shows it
    shown_open    boolean not null,
    shared_at     timestamptz not null
);

create index shared_cards_in_order on shared_cards (shared_at, message_id);
