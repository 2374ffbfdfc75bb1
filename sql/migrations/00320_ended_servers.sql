-- +goose Up
-- Whoever made a board hears when it ended with its channel or server. The kinds of notice are those that there are, and this one. All
-- stored values satisfy the wider constraint, so it needs no scan.
-- +goose StatementBegin
do $$
declare kinds text;
begin
    select replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''board_ended''::text, ') into strict kinds
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    kinds := replace(kinds, ' NOT VALID', '');
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || kinds || ' not valid';
end $$;
-- +goose StatementEnd

-- What a server had that the bot was removed from: its boards and pings, to be offered when it is invited again. No users are in it.
create table ended_servers (
    guild_id text primary key,
    boards   jsonb not null,
    pings    jsonb not null, -- null where nothing was pinged
    ended_at timestamptz not null
);
