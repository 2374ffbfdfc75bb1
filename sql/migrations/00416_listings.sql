-- +goose Up
-- Public stock becomes listings: its price is asked for, until a time where its seller chose one. The category is that of the
-- item when it was saved, since a list filters by it; empty for the game's default one.
alter table stock add column shown_until timestamptz, add column category text not null default '';
update stock set category = made.category
from (select n.key, i.made_by[1] as category from catalogue_names n join catalogue_items i on i.id = n.item_id
      where cardinality(i.made_by) = 1) made
where made.key = item_key(stock.item_name);

-- The stock that a request asks for. It names no row for certain: stock may go before what asked for it, which stays hidden all the same.
alter table orders add column listing_id bigint;

-- Three kinds of notice more. All stored values satisfy the wider constraint, so it needs no scan.
-- +goose StatementBegin
do $$
declare kinds text;
begin
    select replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''ask_received''::text, ''ask_accepted''::text, ''ask_ended''::text, ')
        into strict kinds
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    kinds := replace(kinds, ' NOT VALID', '');
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || kinds || ' not valid';
end $$;
-- +goose StatementEnd
