-- +goose Up
-- By how much a transaction that changed lists changed the number of open orders, so that totals are kept instead of counted. Null
-- where it does not say, as in a program before this one: then they are counted.
alter table changes add column counted jsonb;
