-- +goose NO TRANSACTION
-- +goose Up
-- The handover that an entry of the log has settled. Each statement can run again.
drop index concurrently if exists handovers_by_ruling;
create index concurrently handovers_by_ruling on handovers (ruling_entry) where ruling_entry is not null;
