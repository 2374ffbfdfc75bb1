-- +goose Up
-- Accepts between users, by what was traded: what prices are made of. Everything that they need is in the index.
create index order_updates_by_item on order_updates (item_key(item_name), created_at desc)
    include (id, buyer_id, seller_id, unit_price)
    where buyer_id is not null and seller_id is not null;

-- Accounts whose trades count for nothing, by a moderator's decision. Those of one decision are a ring. The log has who decided.
create sequence rings;
create table set_aside (
    user_id bigint primary key constraint set_aside_user_known references users (id) on delete cascade,
    ring    bigint not null,
    at      timestamptz not null,
    reason  text not null check (char_length(reason) between 1 and 500)
);
alter sequence rings owned by set_aside.ring; -- it goes where the table goes
create index set_aside_by_ring on set_aside (ring desc);

-- Moderators name the accounts of a ring.
create index users_by_username on users (lower(username));
