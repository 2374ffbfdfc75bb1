-- +goose Up
-- Whether a request takes no offers that a program sends with a token.
alter table orders add column no_programs boolean not null default false;
