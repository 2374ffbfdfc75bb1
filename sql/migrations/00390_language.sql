-- +goose Up
-- The language that a user has chosen, as an IETF tag. Null for those who have not: their Discord locale and their browser's decide.
alter table users add column language text constraint users_language_wellformed check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
