-- +goose NO TRANSACTION
-- +goose Up
-- Alerts beyond their sender's reach wait here for a message about other alerts that counts them.
drop index concurrently if exists notices_beyond_reach;

create index concurrently notices_beyond_reach on notices (user_id, id) where reason = 'reach' and delivery_id is null;
