-- +goose Up
-- When the reader first pressed something on a direct message. Nothing is added to it from then on: what comes next is a message of
-- its own, which notifies. An older program neither reads nor writes it.
alter table deliveries add column acted_at timestamptz;
