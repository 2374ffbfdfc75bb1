-- +goose Up
-- How often in a row the watchers of a request could not be alerted: it is tried again after a growing pause.
alter table alert_rounds add column failures integer not null default 0;
