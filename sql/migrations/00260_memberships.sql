-- +goose Up
-- Discord's last answer whether an account is a member of one of the servers in SERVERS. The account may be none of the market's.
create table memberships (
    discord_id  text not null,
    servers     text not null, -- their ids in order, joined by commas
    member      boolean not null default false,
    answered_at timestamptz, -- null while there was no answer
    tried_at    timestamptz not null, -- when Discord was asked last
    primary key (discord_id, servers)
);

create index memberships_by_age on memberships (tried_at);
