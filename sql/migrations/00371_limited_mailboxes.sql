-- +goose Up
alter table mailboxes add column limited_until timestamptz; -- the end of Discord's last Retry-After; null for none
