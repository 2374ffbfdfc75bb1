-- +goose Up
-- What moderators set for the whole market. Every replica reads it in the transaction of the write that it concerns.
create table market_rules (
    current              boolean primary key default true check (current), -- one row
    signed_in_only_since timestamptz -- since when visitors may not offer; null while they may
);

insert into market_rules default values;

-- All stored values satisfy the wider constraint, so it needs no scan.
alter domain audit_action drop constraint audit_entries_action_known;
alter domain audit_action add constraint audit_entries_action_known
    check (value in ('order_removed', 'offer_removed', 'user_blocked', 'user_unblocked', 'report_dismissed',
        'order_restored', 'offer_restored', 'signed_in_only_on', 'signed_in_only_off')) not valid;
