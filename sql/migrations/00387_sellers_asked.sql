-- +goose Up
-- Which sellers a buyer asks for. Until now that was a number of partners, of which the nearest is trusted sellers. An older program still
-- compares numbers: what a newer one stores in partners is at least as strict there.
alter table standing_acceptances add column sellers text not null default 'trusted'
    constraint standing_acceptances_sellers_known check (sellers in ('anybody', 'trusted', 'met'));
alter table least_records add column sellers text not null default 'trusted'
    constraint least_records_sellers_known check (sellers in ('anybody', 'trusted', 'met'));
