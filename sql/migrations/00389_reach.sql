-- +goose NO TRANSACTION
-- +goose Up
-- Since when no one is messaged because of what a user does: a moderator stopped that.
alter table users add column if not exists reach_stopped_at timestamptz;
alter table former_accounts add column if not exists reach_stopped_at timestamptz; -- as with a block, leaving does not end it

-- The people that messages reached because of another user's acts. See trust.Reach in core.
drop index concurrently if exists notices_of_sender;
create index concurrently notices_of_sender on notices (caused_by, created_at, user_id)
    where kind in ('request_watched', 'offer_received', 'look_alike');

create or replace view reached as
select n.caused_by as sender_id, n.user_id as reader_id, n.kind, n.created_at from notices n
where n.kind in ('request_watched', 'offer_received', 'look_alike') and n.reason not in ('inbox', 'reach');

create or replace view senders as
select u.id as user_id, u.created_at as since, u.reach_stopped_at as stopped_at,
    case
        when u.id in (select a.user_id from set_aside a) then 0
        when exists (select from traders t where t.user_id = u.id) then 1
        else coalesce((select s.amount from trust_shares s where s.user_id = u.id), 0)
    end::float8 as trust
from users u;

alter domain audit_action drop constraint audit_entries_action_known;
alter domain audit_action add constraint audit_entries_action_known
    check (value in ('order_removed', 'offer_removed', 'user_blocked', 'user_unblocked', 'report_dismissed',
        'order_restored', 'offer_restored', 'signed_in_only_on', 'signed_in_only_off',
        'item_confirmed', 'item_merged', 'item_ignored', 'item_reopened', 'dispute_met', 'dispute_not_met', 'dispute_looked_at',
        'user_vouched', 'user_set_aside', 'user_counted_again', 'user_not_in_ring', 'name_allowed', 'name_marked_again', 'reach_stopped', 'reach_allowed')) not valid;
