-- +goose NO TRANSACTION
-- +goose Up
-- Alerts compare a request with the columns of this index alone. It now includes the texts. Each statement can run again.
drop index concurrently if exists searches_compared_texts;
create index concurrently searches_compared_texts on watches (id)
    include (bell, user_id, kind, categories, importance, level, min_price, max_price, for_me, min_quantity, terms, texts, paused_at);
drop index concurrently if exists searches_compared;
