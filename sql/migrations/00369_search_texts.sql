-- +goose Up
-- The whole texts that a saved search asks for, as JSON: a field that is declared later needs no column here.
alter table searches add column texts jsonb not null default '{}';
