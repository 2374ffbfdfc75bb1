-- +goose NO TRANSACTION
-- +goose Up
-- Alerts compare a request with the columns of this index alone. It now includes the bell, by which they find searches. Each statement can
-- run again.
drop index concurrently if exists searches_compared;
create index concurrently searches_compared on watches (id)
    include (bell, user_id, kind, categories, importance, level, min_price, max_price, for_me, min_quantity, terms, paused_at);
drop index concurrently if exists watches_compared;
