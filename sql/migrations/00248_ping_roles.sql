-- +goose Up
-- Servers in which new orders on boards ping a role of their profession. None of these tables names a user.
create table ping_servers (
    guild_id      text primary key,
    locale        text not null, -- the Discord locale of the server
    created_at    timestamptz not null,
    pause_seconds integer not null, -- between two pings of a role
    channel_id    text not null, -- where the message is by whose buttons members take and drop roles
    message_id    text not null default '',
    started_at    timestamptz, -- when it was first tried to send that message
    shown         text not null default '', -- what it shows
    message_gone  boolean not null default false, -- it was deleted by hand
    trouble       text not null default '', -- why roles cannot be given or pinged
    ended         boolean not null default false -- the roles are being deleted
);

create table ping_roles (
    guild_id   text not null constraint ping_roles_server_known references ping_servers (guild_id) on delete cascade,
    category   text not null,
    role_id    text not null default '', -- empty until there is one
    made       boolean not null default false, -- by the bot, which deletes it in the end
    gone       boolean not null default false, -- it was deleted by hand: no other is made
    started_at timestamptz, -- when it was first tried to make it
    pinged_at  timestamptz,
    primary key (guild_id, category)
);

-- The role that the message of the post pinged, empty for none.
alter table board_posts add column ping_role text not null default '';
