-- +goose Up
-- Closed orders move to their owner's archive after a while. They stay in this table, so that sales, notices and sent offers go
-- on referring to them; the board's indexes hold active orders only.
alter table orders add column archived_at timestamptz;

create index orders_closed on orders (closed_at, id) where status = 'fulfilled' and archived_at is null;
create index orders_archived on orders (archived_at, id) where archived_at is not null;
create index orders_archived_of_owner on orders (user_id, created_at desc, id desc) where archived_at is not null;
create index board_posts_finished on board_posts (started_at, id) where finished;

-- How far retention has come: rows from before that time may have been removed. The checks of the market go by it.
create table retention_marks (
    what   text primary key,
    before timestamptz not null
);
