-- +goose Up
-- A visitor who changes their offer sends another one. Their private links lead to it from then on, and the receipts of the offers before
-- are shown beside its own.
alter table offer_links add column earlier_offers bigint[] not null default '{}';
