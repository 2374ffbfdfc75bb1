-- +goose Up
-- Who caused a notice, and the direct message that tells of it: messages to one reader are counted by it. Null is a visitor or
-- the market itself. No foreign key: whoever caused it may have left.
alter table notices add column caused_by bigint;
alter table deliveries add column caused_by bigint;

create index deliveries_of_reader on deliveries (user_id, started_at desc);

-- A digest tells what is beyond the quotas of messages.
alter domain notice_kind drop constraint notices_kind_known;
alter domain notice_kind add constraint notices_kind_known
    check (value in ('offer_received', 'offer_accepted', 'offer_declined', 'offer_withdrawn', 'offer_lapsed', 'order_filled',
        'order_expiring', 'order_removed', 'offer_removed', 'user_blocked', 'dm_failed', 'test', 'digest')) not valid;
