-- +goose Up
-- What quotas are counted by. Orders, sent offers and reports are counted where they are; an order that is deleted leaves
-- the time at which it was posted, so that deleting one makes no room for another.
create table deleted_orders (
    user_id    bigint not null constraint deleted_orders_user_known references users (id) on delete cascade,
    created_at timestamptz not null
);

create index deleted_orders_of_user on deleted_orders (user_id, created_at desc);
create index deleted_orders_by_age on deleted_orders (created_at);

-- Finds the open order that equals another one of its buyer's.
create index orders_equal on orders (user_id, item_name, quantity) where status = 'active';

-- Counts a seller's offers on one order. It does all that the index before it did.
create index sent_offers_on_order_by_seller on sent_offers (order_id, seller_id, id desc) where order_id is not null;
drop index sent_offers_on_order;
