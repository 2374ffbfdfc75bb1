-- +goose Up
-- The listing that a report is about. As with board_posts, its number is the order's too, below zero: an older program beside this one takes
-- it for a request that is gone, and can dismiss it. Entries of the log and posts of the report channel have the number below zero alone, which
-- the hash of an entry covers.
alter table reports add column listing_id bigint;
alter table reports add constraint reports_about_one_thing check (
    case when listing_id is null then order_id > 0 else listing_id > 0 and order_id = -listing_id and offer_id is null end) not valid;

-- Two actions and two kinds of notice more. All stored values satisfy the wider constraints, so they need no scan.
-- +goose StatementBegin
do $$
declare known text;
begin
    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''listing_removed''::text, ''listing_restored''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'audit_action'::regtype and conname = 'audit_entries_action_known';
    alter domain audit_action drop constraint audit_entries_action_known;
    execute 'alter domain audit_action add constraint audit_entries_action_known ' || known || ' not valid';
    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''listing_removed''::text, ''listing_restored''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || known || ' not valid';
end $$;
-- +goose StatementEnd
