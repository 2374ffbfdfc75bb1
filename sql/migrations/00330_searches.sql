-- +goose Up
-- Saved searches and watches are one table: searches, with a bell on or off. The two existing tables become its partitions and keep
-- their names and columns, so an older program reads and writes the same rows. Watches and saved searches keep their own sequences of ids,
-- because addresses and buttons contain them: an id is unique together with its bell. See decision 367.
lock table watches, saved_searches in access exclusive mode;

alter table watches
    add column bell boolean not null default true,
    add column sort text not null default 'newest',
    add column view text not null default '';

alter table saved_searches
    add column bell boolean not null default false,
    add column items bigint[] not null default '{}',
    add column kind text not null default '',
    add column terms text[] not null default '{}',
    add column min_quantity integer not null default 0,
    add column way text not null default 'direct',
    add column pause_minutes integer not null default 0,
    add column paused_at timestamptz,
    add column snoozed_until timestamptz,
    add column alerted_at timestamptz;

-- From PostgreSQL 17 on a partition cannot have an identity column. A sequence with the same name continues from the last id, with the same
-- rights. Citus cannot drop an identity column, and needs not: it runs on older versions of PostgreSQL.
-- +goose StatementBegin
do $$
declare
    part text;
    name text;
    last bigint;
    users text[];
    who text;
begin
    if exists (select from pg_extension where extname = 'citus') then
        return;
    end if;
    foreach part in array array['watches', 'saved_searches'] loop
        name := part || '_id_seq';
        select pg_sequence_last_value(c.oid), array(select grantee::regrole::text from aclexplode(c.relacl) where grantee <> 0 and privilege_type = 'USAGE')
            into last, users from pg_class c where c.oid = pg_get_serial_sequence(part, 'id')::regclass;
        execute format('alter table %I alter column id drop identity', part);
        execute format('create sequence %I owned by %I.id', name, part);
        execute format('alter table %I alter column id set default nextval(%L)', part, name);
        if last is not null then
            perform setval(name::regclass, last);
        end if;
        foreach who in array users loop
            execute format('grant usage, select, update on sequence %I to %s', name, who);
        end loop;
    end loop;
end $$;
-- +goose StatementEnd

create table searches (
    id            bigint not null,
    bell          boolean not null, -- it notifies
    user_id       bigint not null,
    name          text not null,
    items         bigint[] not null, -- any of these; empty for all
    kind          text not null, -- of items; empty for any
    categories    text[] not null, -- any of these; empty for all
    words         text not null, -- as they were typed
    terms         text[] not null, -- the words, in lower case: each must occur; empty from an older program without a bell
    importance    text[] not null,
    level         integer not null, -- 0 for any
    min_price     bigint not null,
    max_price     bigint not null,
    for_me        boolean not null, -- what the user's skills are enough for
    min_quantity  integer not null,
    sort          text not null,
    view          text not null, -- empty for either
    way           text not null,
    pause_minutes integer not null,
    paused_at     timestamptz, -- null while it notifies
    snoozed_until timestamptz,
    alerted_at    timestamptz, -- the latest alert; in the future while that is held
    created_at    timestamptz not null,
    updated_at    timestamptz not null
) partition by list (bell);
alter table searches attach partition watches for values in (true);
alter table searches attach partition saved_searches for values in (false);
