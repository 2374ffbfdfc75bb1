-- +goose Up
-- Whose write a change was, so that what one has written oneself is read by every process from where it already is (decision 245).
-- An older program does not say.
alter table changes add column writer bigint;
create index changes_by_writer on changes (writer) where writer is not null;
