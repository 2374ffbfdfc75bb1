-- +goose Up
-- The request by which a buyer posted again what a cancelled handover gave back to one that was fulfilled. It counts against no quota.
alter table handovers add column posted_again bigint;
create index handovers_posted_again on handovers (posted_again) where posted_again is not null;
