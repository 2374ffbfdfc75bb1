-- +goose Up
-- What a request is compared with, beside the key: a row for each of the hundreds who watch an item stands in a page of its own in the table.
create index watches_compared on watches (id) include (user_id, kind, categories, importance, level, min_price, max_price, for_me, min_quantity, terms, paused_at);
