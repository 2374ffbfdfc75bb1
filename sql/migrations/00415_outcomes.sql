-- +goose NO TRANSACTION
-- +goose Up
-- Odds and the counts of filled requests read the latest requests for an item. By its buyers alone, the index that was there had them read
-- every request for it ever. Each statement can run again.
drop index concurrently if exists orders_outcomes;
create index concurrently orders_outcomes on orders (item_key(item_name), created_at desc) where not hidden;
