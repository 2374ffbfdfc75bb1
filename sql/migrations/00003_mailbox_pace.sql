-- +goose Up
-- Who is sending a message to the mailbox's reader, so that the lease can be taken back when that process has gone; and
-- when the next attempt may be made after one whose outcome nobody knows.
alter table mailboxes
    add column busy_by    text not null default '',
    add column not_before timestamptz;

create index mailboxes_busy on mailboxes (busy_by) where busy_by <> '';
