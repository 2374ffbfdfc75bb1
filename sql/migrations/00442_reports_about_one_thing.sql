-- +goose Up
-- Checked in a transaction of its own, which lets users report meanwhile.
alter table reports validate constraint reports_about_one_thing;
