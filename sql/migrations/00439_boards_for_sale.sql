-- +goose NO TRANSACTION
-- +goose Up
-- The side that a board shows: requests (''), listings or both. It shows listings that their sellers have touched since listed_since.
-- Each statement can run again.
alter table boards add column if not exists side text not null default '', add column if not exists listed_since timestamptz;

-- The post of a listing has the listing's number, and below zero as its order's: a board has one post of either. It is stored as
-- finished, so that an older program beside this one leaves the message alone; listed reports whether the message follows the listing.
alter table board_posts add column if not exists listing_id bigint, add column if not exists listed boolean not null default false;
drop index concurrently if exists board_posts_listed;
create index concurrently board_posts_listed on board_posts (channel_id, id) where listed;

-- Tells apart two states of a listing as it is shown.
create or replace function listing_version(item_name text, quantity bigint, asked bigint, price bigint, note text, shown_until timestamptz, seller text)
returns integer language sql stable as $$
    select ('x' || substr(md5(jsonb_build_array(item_name, quantity, asked, price, note, extract(epoch from shown_until), seller)::text), 1, 8))::bit(32)::integer
$$;
