-- +goose Up
-- Whether a buyer has offers gathered: after the third in an hour they come together, once an hour. See notify.GatherUntil in core.
alter table mailboxes add column gather_offers boolean not null default false;
