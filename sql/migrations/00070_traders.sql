-- +goose Up
-- Established traders: who has traded with several others. They stay it for as long as their account is there.
create table traders (
    user_id        bigint primary key constraint traders_user_known references users (id) on delete cascade,
    established_at timestamptz not null
);

-- How far sales were searched for new traders. The first search adds the row: an empty market has none.
create table trader_search (
    current boolean primary key default true check (current), -- one row
    sale_id bigint not null
);

-- What the names of established traders look like. See core.TraderName.
create table trader_names (
    skeleton text not null,
    user_id  bigint not null constraint trader_names_trader_known references traders (user_id) on delete cascade,

    primary key (skeleton, user_id)
);
create index trader_names_of_trader on trader_names (user_id);

-- Of which names that look like theirs a trader was notified. Only the hash of a name is stored: it may be a visitor's.
create table look_alikes (
    user_id    bigint not null constraint look_alikes_trader_known references traders (user_id) on delete cascade,
    name_hash  bytea not null,
    created_at timestamptz not null,

    primary key (user_id, name_hash)
);
create index look_alikes_by_age on look_alikes (created_at);

-- A notice of such a name.
alter domain notice_kind drop constraint notices_kind_known;
alter domain notice_kind add constraint notices_kind_known
    check (value in ('offer_received', 'offer_accepted', 'offer_declined', 'offer_withdrawn', 'offer_lapsed', 'order_filled',
        'order_expiring', 'order_removed', 'offer_removed', 'order_restored', 'offer_restored', 'offer_reopened', 'user_blocked',
        'many_removals', 'report_received', 'report_channel_ended', 'look_alike', 'dm_failed', 'test', 'digest')) not valid;

-- A deleted account is not named in them any more.
create index notices_of_look_alikes on notices (caused_by) where kind = 'look_alike';

-- +goose StatementBegin
create function users_leave_no_look_alike() returns trigger language plpgsql as $$
begin
    update notices set name = '' where kind = 'look_alike' and caused_by = old.id;
    return old;
end $$;
-- +goose StatementEnd

create trigger users_leave_no_look_alike before delete on users
    for each row execute function users_leave_no_look_alike();
