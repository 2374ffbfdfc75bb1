-- +goose NO TRANSACTION
-- +goose Up
-- The side of the market that a saved search is for: empty for requests, which every earlier one is for. Each statement can run again.
alter table searches add column if not exists side text not null default '';

-- How far the alerts about a listing have come, as alert_rounds has it for requests.
create table if not exists listing_rounds (
    listing_id   bigint primary key,
    since        timestamptz not null, -- when it was listed, or became cheaper or more
    before       jsonb, -- the listing before that, as a request; null for a new one
    waves        integer not null default 0, -- that were sent
    next_wave_at timestamptz not null,
    due_at       timestamptz not null,
    failures     integer not null default 0 -- in a row
);
create index if not exists listing_rounds_due on listing_rounds (due_at);

-- The listing of an alert. It may be gone.
alter table notices add column if not exists listing_id bigint;
drop index concurrently if exists notices_on_listing;
create index concurrently notices_on_listing on notices (listing_id, user_id) where listing_id is not null;
