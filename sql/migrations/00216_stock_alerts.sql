-- +goose Up
-- Until when the alerts of an entry are held, and since when its seller wants none.
alter table stock add column snoozed_until timestamptz, add column alerts_off_at timestamptz;
