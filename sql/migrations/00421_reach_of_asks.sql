-- +goose NO TRANSACTION
-- +goose Up
-- An ask for a listing messages its seller, so it counts as reach. See 00389 and trust.Reach in core.
drop index concurrently if exists notices_that_reach;
create index concurrently notices_that_reach on notices (caused_by, created_at, user_id)
    where kind in ('request_watched', 'offer_received', 'look_alike', 'ask_received');

create or replace view reached as
select n.caused_by as sender_id, n.user_id as reader_id, n.kind, n.created_at from notices n
where n.kind in ('request_watched', 'offer_received', 'look_alike', 'ask_received') and n.reason not in ('inbox', 'reach');

drop index concurrently if exists notices_of_sender;
