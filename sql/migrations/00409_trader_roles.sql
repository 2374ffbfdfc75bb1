-- +goose Up
-- The role that a Discord server gives to established traders, one a server, and who named it.
create table trader_roles (
    guild_id   text primary key,
    role_id    text not null,
    guild_name text not null,
    role_name  text not null,
    user_id    bigint not null constraint trader_roles_manager_known references users (id) on delete cascade,
    trouble    text not null default '', -- why the role cannot be given
    ended      boolean not null default false -- the role is being taken away
);
create index trader_roles_of_manager on trader_roles (user_id);

-- Who the bot has given such a role, or found to be no member of the server: the bot asks again at due_at. The role of a row is not that of
-- the server once a manager has named another one.
create table held_roles (
    guild_id text not null constraint held_roles_server_known references trader_roles (guild_id) on delete cascade,
    role_id  text not null,
    user_id  bigint not null constraint held_roles_user_known references users (id) on delete cascade,
    given    boolean not null, -- false for an account that is no member
    due_at   timestamptz not null,
    primary key (guild_id, role_id, user_id)
);
create index held_roles_of_user on held_roles (user_id);

-- The notices about it. All stored values satisfy the wider constraint, so it needs no scan.
-- +goose StatementBegin
do $$
declare kinds text;
begin
    select replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''role_given''::text, ''role_taken''::text, ''role_trouble''::text, ') into strict kinds
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    kinds := replace(kinds, ' NOT VALID', '');
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || kinds || ' not valid';
end $$;
-- +goose StatementEnd
