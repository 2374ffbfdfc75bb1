-- +goose Up
-- How each trader became established. Null for those of an older program, who stay what they are.
alter table traders add column origin text constraint traders_origin_known check (origin in ('moderator', 'vouched', 'trades'));

-- Moderators vouch for users, and set accounts that trade among themselves aside.
alter domain audit_action drop constraint audit_entries_action_known;
alter domain audit_action add constraint audit_entries_action_known
    check (value in ('order_removed', 'offer_removed', 'user_blocked', 'user_unblocked', 'report_dismissed',
        'order_restored', 'offer_restored', 'signed_in_only_on', 'signed_in_only_off',
        'item_confirmed', 'item_merged', 'item_ignored', 'dispute_met', 'dispute_not_met',
        'user_vouched', 'user_set_aside', 'user_counted_again')) not valid;
