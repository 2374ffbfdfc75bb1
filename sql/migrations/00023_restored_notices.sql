-- +goose Up
-- Notices that a moderator undid the removal of a request or an offer. All stored values satisfy the wider constraint, so it
-- needs no scan.
alter domain notice_kind drop constraint notices_kind_known;
alter domain notice_kind add constraint notices_kind_known
    check (value in ('offer_received', 'offer_accepted', 'offer_declined', 'offer_withdrawn', 'offer_lapsed', 'order_filled',
        'order_expiring', 'order_removed', 'offer_removed', 'order_restored', 'offer_restored', 'user_blocked', 'many_removals',
        'dm_failed', 'test', 'digest')) not valid;

-- The Discord role that made the user a moderator when they last used the bot, and when that was: who is notified of many
-- removals. An older program neither reads nor writes it.
alter table users
    add column moderator_role text not null default '',
    add column moderator_role_at timestamptz;

create index users_moderator_role on users (moderator_role) where moderator_role <> '';
