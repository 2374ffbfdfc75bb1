-- +goose Up
-- A buyer may take offers of signed-in sellers only. Whoever does not know of it yet leaves it as it is.
alter table orders add column signed_in_only boolean not null default false;
