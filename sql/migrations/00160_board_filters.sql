-- +goose Up
-- A board shows several professions: category is the first, and a program before this one shows only that. Its lowest price is in
-- copper; levels are those that a request demands, none counts as 1, and level_to is 0 for any. What was open when the board was
-- made is shown from first_order on (0 for nothing of it). In a forum every request is a post of its own.
alter table boards
    add column more_categories text[] not null default '{}',
    add column min_price bigint not null default 0,
    add column level_from integer not null default 1,
    add column level_to integer not null default 0,
    add column first_order bigint not null default 0,
    add column forum boolean not null default false;
