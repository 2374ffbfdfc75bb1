-- +goose Up
-- Notices of reports, to moderators. All stored values satisfy the wider constraint, so it needs no scan.
alter domain notice_kind drop constraint notices_kind_known;
alter domain notice_kind add constraint notices_kind_known
    check (value in ('offer_received', 'offer_accepted', 'offer_declined', 'offer_withdrawn', 'offer_lapsed', 'order_filled',
        'order_expiring', 'order_removed', 'offer_removed', 'order_restored', 'offer_restored', 'user_blocked', 'many_removals',
        'report_received', 'dm_failed', 'test', 'digest')) not valid;
