-- +goose Up
-- From where a visitor reported, as a keyed hash of the network: one open report per network and thing. An older program leaves
-- it empty.
alter table reports add column network bytea;

create unique index reports_one_per_network on reports (network, order_id, coalesce(offer_id, 0))
    where state = 'open' and network is not null;

-- The key of those hashes. A backup does not hold it, so hashes in a backup name no network.
create table report_keys (
    current boolean primary key default true check (current), -- one row
    key     bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
);

insert into report_keys default values;
