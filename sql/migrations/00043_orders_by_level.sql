-- +goose Up
-- What somebody of a level can fill, by category: it is counted from the index alone, and found by it where it is little.
create index orders_level on orders (category, level_requirement, expires_at) where status = 'active';
