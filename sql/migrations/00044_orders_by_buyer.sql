-- +goose Up
-- A search finds buyers by the names that a card shows. Names are short: with the usual limit the list of entries that are not yet in
-- the index would grow so long that it is not used.
create index orders_buyer on orders using gin (lower(buyer_contact || ' ' || coalesce(ign, '')) gin_trgm_ops)
    with (gin_pending_list_limit = 64) where status = 'active';
