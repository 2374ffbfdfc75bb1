-- +goose Up
-- The names of the items whose trades a transaction changed, so that what was read of the prices of others is still right. Null where it
-- does not say, as in a program before this one, or where the trades of any item may count otherwise.
alter table changes add column traded text[];
