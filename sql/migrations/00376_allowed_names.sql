-- +goose Up
-- When a trader first used a name here; null until its elder users were looked for, and for a name that an older program stored.
alter table trader_names add column since timestamptz;

-- Who may use a name although it looks like a trader's: an account that used it earlier, or by a moderator's decision an account or a
-- visitor's offer. See trust.AllowedName in core. The offer may end and return by an undo, so nothing ties the row to it.
create table allowed_names (
    skeleton   text not null,
    trader_id  bigint not null constraint allowed_names_trader_known references users (id) on delete cascade,
    user_id    bigint constraint allowed_names_user_known references users (id) on delete cascade,
    offer_id   bigint,
    audit_id   bigint, -- the moderator's decision; null for an earlier use
    allowed_at timestamptz not null,

    constraint allowed_names_one_user check ((user_id is null) <> (offer_id is null)),
    constraint allowed_names_once unique nulls not distinct (skeleton, trader_id, user_id, offer_id)
);
create index allowed_names_of_user on allowed_names (user_id) where user_id is not null;
create index allowed_names_of_trader on allowed_names (trader_id);
create index allowed_names_of_entry on allowed_names (audit_id) where audit_id is not null;
create index allowed_names_of_offer on allowed_names (offer_id) where offer_id is not null;

alter domain audit_action drop constraint audit_entries_action_known;
alter domain audit_action add constraint audit_entries_action_known
    check (value in ('order_removed', 'offer_removed', 'user_blocked', 'user_unblocked', 'report_dismissed',
        'order_restored', 'offer_restored', 'signed_in_only_on', 'signed_in_only_off',
        'item_confirmed', 'item_merged', 'item_ignored', 'item_reopened', 'dispute_met', 'dispute_not_met', 'dispute_looked_at',
        'user_vouched', 'user_set_aside', 'user_counted_again', 'name_allowed', 'name_marked_again')) not valid;
