-- +goose Up
-- Personal tokens, with which programs act for a user. Only the hash of a token is here: it is shown once, when it is made.
create table tokens (
    id         bigint generated always as identity primary key,
    hash       bytea not null constraint tokens_one_per_hash unique,
    user_id    bigint not null,
    name       text not null,
    scopes     text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at    timestamptz -- up to an hour before the last use; null for never
);
create index tokens_of_user on tokens (user_id);

-- Since when tokens may trade, where their owners let them; null while none may.
alter table market_rules add column programs_trade_since timestamptz;

-- A kind of notice and two actions of moderators more. All stored values satisfy the wider constraints, so they need no scan.
-- +goose StatementBegin
do $$
declare known text;
begin
    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''token_made''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || known || ' not valid';

    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''programs_trade_on''::text, ''programs_trade_off''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'audit_action'::regtype and conname = 'audit_entries_action_known';
    alter domain audit_action drop constraint audit_entries_action_known;
    execute 'alter domain audit_action add constraint audit_entries_action_known ' || known || ' not valid';
end $$;

create or replace function users_end_sessions() returns trigger language plpgsql as $$
begin
    delete from sessions where user_id = old.id;
    delete from tokens where user_id = old.id;
    return null;
end $$;
-- +goose StatementEnd
