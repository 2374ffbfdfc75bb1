-- +goose Up
-- The end for which the offers on an order have lapsed, as warned_for is the end that its buyer was warned of. Without it each
-- step of the expiry job would read every order that has expired so far.
alter table orders add column lapsed_for timestamptz;

-- What the expiry job has yet to do. A row leaves the index once it is done.
create index orders_to_lapse on orders (expires_at) where status = 'active' and lapsed_for is distinct from expires_at;
create index orders_to_warn on orders (expires_at) where status = 'active' and warned_for is distinct from expires_at;
