-- +goose Up
-- What changed of the market that everybody may see, for programs that follow it: which thing, and neither how nor why. Rows are read in
-- the order of transactions, up to those that all are over, so that none is missed that commits late. See PublicChanges in sql/queries.
create table public_changes (
    id    bigint generated always as identity primary key,
    xid   xid8 not null default pg_current_xact_id(),
    kind  text not null,
    thing bigint not null, -- its number; 0 for all of the kind
    at    timestamptz not null
);
create index public_changes_in_order on public_changes (xid, id);
create index public_changes_by_age on public_changes (at);

-- The last of the rows that were removed, in one row: who has not read that far has missed some.
create table public_changes_removed (
    xid bigint not null,
    id  bigint not null
);
insert into public_changes_removed (xid, id) values (0, 0);
