-- +goose Up
-- The channel of a server in which an order was posted with the bot.
create table order_places (
    order_id   bigint primary key constraint order_places_order_known references orders (id) on delete cascade,
    guild_id   text not null,
    channel_id text not null,
    locale     text not null -- the Discord locale of the server
);

-- Private threads in Discord, each of an accept whose two sides are in it. A row is planned by the accept, and is deleted once the
-- thread is archived. It names no user.
create table trade_threads (
    sale_id      bigint primary key constraint trade_threads_sale_known references order_updates (id) on delete cascade,
    created_at   timestamptz not null,
    started_at   timestamptz, -- when it was first tried to make it
    busy_until   timestamptz, -- an attempt goes on
    due_at       timestamptz, -- when there is something to do next; null for nothing
    nonce_prefix text not null,
    guild_id     text not null default '',
    channel_id   text not null default '', -- whose thread it is
    locale       text not null default '',
    thread_id    text not null default '',
    message_id   text not null default '',
    ended        boolean not null default false
);
create index trade_threads_due on trade_threads (due_at, sale_id) where due_at is not null;

-- What a thread shows has changed by a word, a time, a decision, an undo, a side that left.
-- +goose StatementBegin
create function handovers_due_thread() returns trigger language plpgsql as $$
begin
    update trade_threads set due_at = 'epoch' where sale_id = old.sale_id;
    return null;
end $$;
-- +goose StatementEnd

create trigger handovers_due_thread after update or delete on handovers
    for each row execute function handovers_due_thread();

-- The message is in a thread, which others read too, and not in direct messages.
alter table deliveries add column in_thread boolean not null default false;
