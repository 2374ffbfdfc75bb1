-- +goose Up
-- Channels that get a report of unmet demand once a week. Who set one up is not stored: nobody is told of it.
create table wanted_channels (
    channel_id text primary key,
    guild_id   text not null,
    locale     text not null,
    due_at     timestamptz not null, -- when the next report is sent
    started_at timestamptz -- when it was first tried to send it
);
create index wanted_channels_due on wanted_channels (due_at);
