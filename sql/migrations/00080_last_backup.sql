-- +goose Up
-- Of when the last backup that was finished is, so that every replica can tell its age. A backup leaves it out.
create table last_backup (
    single boolean primary key default true check (single),
    made_at timestamptz not null
);
