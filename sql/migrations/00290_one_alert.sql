-- +goose NO TRANSACTION
-- +goose Up
-- A user gets one alert about a request. Nothing here may fail when it runs again: outside of a transaction, what was done before
-- a cut stays.
drop index concurrently if exists notices_one_alert;

-- Of doubles the first stays. The job of one that was not sent finds nothing to do.
delete from notices later using notices first
where later.kind = 'request_watched' and first.kind = 'request_watched'
    and later.order_id = first.order_id and later.user_id = first.user_id and later.id > first.id;

create unique index concurrently notices_one_alert on notices (order_id, user_id) where kind = 'request_watched';

-- The unique index serves what this one did.
drop index concurrently if exists notices_of_watched;
