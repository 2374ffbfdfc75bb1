-- +goose Up
-- Prices weigh how much was traded, so that the index they are read from contains that, too.
create index order_updates_fills on order_updates (item_key(item_name), created_at desc)
    include (id, buyer_id, seller_id, unit_price, quantity_sold)
    where buyer_id is not null and seller_id is not null;
drop index order_updates_by_item;
