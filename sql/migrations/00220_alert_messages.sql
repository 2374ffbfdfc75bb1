-- +goose Up
-- When a user's latest direct messages with alerts were or will be sent, newest first: how many of them there may be is a setting. Who
-- was never among the first to hear of a request has no turn.
alter table watch_turns
    add column messages timestamptz[] not null default '{}',
    alter column alerted_at drop not null;
