-- +goose Up
-- Whether two people ask for an item at this moment, and how they spell it: only such names are suggested to others.
create index orders_item_people on orders (lower(item_name), user_id) include (item_name, expires_at)
    where status = 'active' and not hidden;
