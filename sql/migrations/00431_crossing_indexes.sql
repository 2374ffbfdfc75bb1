-- +goose NO TRANSACTION
-- +goose Up
-- Each filter of crossing: listings by item and price, requests by item and price, the sales of a listing in the last 24 hours, and the
-- sales that a user undid in them. Each statement can run again.
drop index concurrently if exists stock_selling;
create index concurrently stock_selling on stock (item_key(item_name), price, id) where public and quantity > 0 and sells_daily > 0;
drop index concurrently if exists orders_crossing;
create index concurrently orders_crossing on orders (item_key(item_name), max_price_per_unit desc, id) where status = 'active' and not hidden;
drop index concurrently if exists order_updates_crossed;
create index concurrently order_updates_crossed on order_updates (crossed_with, created_at) where crossed_with is not null;
drop index concurrently if exists sale_reversals_by_time;
create index concurrently sale_reversals_by_time on sale_reversals (reversed_by, reversed_at) where reversed_by is not null;
