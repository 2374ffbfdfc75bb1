-- +goose Up
-- The open orders of one item, whatever its letters' case: the list that folds them asks for each whether another comes first.
create index orders_item on orders (lower(item_name), created_at desc, id desc) where status = 'active';
