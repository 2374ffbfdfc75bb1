-- +goose Up
-- In a dispute each side may take its word back or agree with the other, until a moderator looks at it. All stored values satisfy the wider
-- constraint, so it needs no scan.
alter table handovers
    add column buyer_took_back_at timestamptz,
    add column seller_took_back_at timestamptz,
    add column looked_at timestamptz; -- when a moderator began to look at it

alter domain audit_action drop constraint audit_entries_action_known;
alter domain audit_action add constraint audit_entries_action_known
    check (value in ('order_removed', 'offer_removed', 'user_blocked', 'user_unblocked', 'report_dismissed',
        'order_restored', 'offer_restored', 'signed_in_only_on', 'signed_in_only_off',
        'item_confirmed', 'item_merged', 'item_ignored', 'item_reopened', 'dispute_met', 'dispute_not_met', 'dispute_looked_at',
        'user_vouched', 'user_set_aside', 'user_counted_again')) not valid;
