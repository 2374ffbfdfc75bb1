-- +goose Up
-- Checked in a transaction of its own, which keeps nobody from reporting meanwhile.
alter table reports validate constraint reports_about_one_thing;
