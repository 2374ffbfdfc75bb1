-- +goose NO TRANSACTION
-- +goose Up
-- A round whose watchers have all been alerted, which is looked at again once the request needs more. Each statement can run again.
alter table alert_rounds add column if not exists resting boolean not null default false;

-- The place of an alert among others in one message: the highest comes first.
alter table notices add column if not exists rank bigint not null default 0;
