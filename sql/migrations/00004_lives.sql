-- +goose Up
-- The life of the server, from one crash to the next. A crash empties unlogged tables, and may give the number of a
-- transaction that it swallowed to another: only within one life does a number tell what became of a transaction.
create unlogged table lives (
    current boolean primary key default true check (current), -- one row
    id      uuid not null default gen_random_uuid()
);

insert into lives default values;
