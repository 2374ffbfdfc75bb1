-- +goose Up
-- A notice that another moderator removed many things within a minute.
alter domain notice_kind drop constraint notices_kind_known;
alter domain notice_kind add constraint notices_kind_known
    check (value in ('offer_received', 'offer_accepted', 'offer_declined', 'offer_withdrawn', 'offer_lapsed', 'order_filled',
        'order_expiring', 'order_removed', 'offer_removed', 'user_blocked', 'many_removals', 'dm_failed', 'test', 'digest')) not valid;

-- Every removal counts the moderator's latest, and looks for such notices when they are many.
create index audit_entries_removals on audit_entries (moderator_id, at) where action in ('order_removed', 'offer_removed');
create index notices_of_removals on notices (user_id, caused_by, created_at) where kind = 'many_removals';
