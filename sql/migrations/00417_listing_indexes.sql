-- +goose NO TRANSACTION
-- +goose Up
-- Lists of listings: each way in which they are sorted and filtered. By item, stock_of_item finds it. And the open requests for
-- a listing. Each statement can run again.
drop index concurrently if exists stock_listed;
create index concurrently stock_listed on stock (touched_at desc, id desc) where public and quantity > 0;
drop index concurrently if exists stock_listed_cheapest;
create index concurrently stock_listed_cheapest on stock (price, id desc) where public and quantity > 0;
drop index concurrently if exists stock_listed_category;
create index concurrently stock_listed_category on stock (category, touched_at desc, id desc) where public and quantity > 0;
drop index concurrently if exists stock_listed_text;
create index concurrently stock_listed_text on stock using gin (lower(item_name || ' ' || note) gin_trgm_ops) where public and quantity > 0;
drop index concurrently if exists orders_asking;
create index concurrently orders_asking on orders (listing_id) where listing_id is not null and status = 'active';
