-- +goose Up
-- What moderators removed, beside its log entry, for as long as the removal can be undone. The row goes with the undo, with the
-- account of the owner, and after 30 days. An older program does not write it: what that removes cannot be undone.
create table removals (
    audit_id   bigint primary key,
    subject_id bigint constraint removals_subject_known references users (id) on delete cascade, -- null for a visitor's offer
    content    jsonb not null,
    removed_at timestamptz not null
);

create index removals_by_age on removals (removed_at);
create index removals_of_subject on removals (subject_id) where subject_id is not null;

-- All stored values satisfy the wider constraint, so it needs no scan.
alter domain audit_action drop constraint audit_entries_action_known;
alter domain audit_action add constraint audit_entries_action_known
    check (value in ('order_removed', 'offer_removed', 'user_blocked', 'user_unblocked', 'report_dismissed',
        'order_restored', 'offer_restored')) not valid;
