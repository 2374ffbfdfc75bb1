-- +goose Up
-- The picture of the Discord account, as Discord names it; empty for none. An older program does not write it.
alter table users add column avatar text not null default '';
