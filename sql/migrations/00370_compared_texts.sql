-- +goose NO TRANSACTION
-- +goose Up
-- The index with what a request is compared with has the texts, too. Nothing here may fail when it runs again.
drop index concurrently if exists searches_compared_texts;
create index concurrently searches_compared_texts on watches (id)
    include (bell, user_id, kind, categories, importance, level, min_price, max_price, for_me, min_quantity, terms, texts, paused_at);
drop index concurrently if exists searches_compared;
