-- +goose Up
-- A user who leaves is hidden at once and deleted after a while.
alter table users add column leaving_at timestamptz;
create index users_leaving on users (leaving_at) where leaving_at is not null;

-- The key of hashed Discord accounts where no setting gives one: made when it is first needed, and part of a backup.
create table identity_keys (
    current boolean primary key default true check (current), -- one row
    key     bytea not null
);

-- What is remembered of deleted accounts for a while, under a keyed hash of the Discord account, so that leaving and coming
-- back undoes nothing that others have decided.
create table former_accounts (
    account     bytea primary key,
    user_id     bigint not null, -- given again to who was blocked: the moderation log speaks of it
    since       timestamptz not null,
    posted      timestamptz[] not null,
    blocked_at  timestamptz,
    blocked_for text not null,
    deleted_at  timestamptz not null
);
create index former_accounts_by_age on former_accounts (deleted_at);

create table blocked_former_sellers (
    buyer_id   bigint not null constraint blocked_former_sellers_buyer_known references users (id) on delete cascade,
    account    bytea not null,
    created_at timestamptz not null, -- of the block
    deleted_at timestamptz not null,

    primary key (account, buyer_id)
);
create index blocked_former_sellers_of_buyer on blocked_former_sellers (buyer_id);
create index blocked_former_sellers_by_age on blocked_former_sellers (deleted_at);

-- Set while subject_id is not known any more. It goes with the row of former_accounts.
alter table reports add column subject_account bytea;
create index reports_about_former on reports (subject_account) where subject_account is not null;

-- How to reach the side of an accept that has deleted their account, for the other side.
create table kept_contacts (
    sale_id        bigint primary key constraint kept_contacts_sale_known references order_updates (id) on delete cascade,
    buyer_name     text,
    buyer_contact  text,
    in_game_name   text,
    seller_name    text,
    seller_contact text,
    kept_at        timestamptz not null
);
create index kept_contacts_by_age on kept_contacts (kept_at);
