-- +goose Up
-- Addresses that events are sent to: of their owner's trades, or of what changed of the market. The secret is here as it is, since it
-- signs.
create table webhooks (
    id            bigint generated always as identity primary key,
    user_id       bigint not null,
    market        boolean not null,
    url           text not null,
    types         text[] not null,
    state         text not null, -- asked, on or off
    reason        text not null default '', -- why it is off
    secret        bytea not null,
    old_secret    bytea,       -- signs, too,
    old_until     timestamptz, -- until then
    created_at    timestamptz not null,
    failing_since timestamptz,
    not_before    timestamptz, -- nothing is sent before
    busy_until    timestamptz  -- a process sends what is due
);
create index webhooks_of_user on webhooks (user_id);

-- Events on their way, and events of the last days. They are written by the transaction of the event. There is no foreign key: an event
-- does not wait for one who ends a webhook.
create table webhook_deliveries (
    id         bigint generated always as identity primary key,
    webhook_id bigint not null,
    event      text not null,
    type       text not null,
    data       text not null,
    created_at timestamptz not null,
    due_at     timestamptz, -- null once it is delivered or given up
    attempts   integer not null default 0,
    -- of the last attempt
    tried_at   timestamptz,
    took_ms    integer not null default 0,
    status     integer not null default 0,
    failure    text not null default '',
    answer     text not null default ''
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where due_at is not null;
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- A kind of notice and three actions of moderators more. All stored values satisfy the wider constraints, so they need no scan.
-- +goose StatementBegin
do $$
declare known text;
begin
    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''webhook_off''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || known || ' not valid';

    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[',
            'ARRAY[''webhook_made''::text, ''webhook_changed''::text, ''webhook_ended''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'audit_action'::regtype and conname = 'audit_entries_action_known';
    alter domain audit_action drop constraint audit_entries_action_known;
    execute 'alter domain audit_action add constraint audit_entries_action_known ' || known || ' not valid';
end $$;

create or replace function users_end_sessions() returns trigger language plpgsql as $$
begin
    delete from sessions where user_id = old.id;
    delete from tokens where user_id = old.id;
    delete from webhook_deliveries where webhook_id in (select id from webhooks where user_id = old.id);
    delete from webhooks where user_id = old.id;
    return null;
end $$;
-- +goose StatementEnd
