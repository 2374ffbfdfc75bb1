-- +goose Up
-- A provisional item that the operator's setting ITEMS names: it is completed for everybody, as listed ones are.
alter table catalogue_items add column suggested boolean not null default false;
