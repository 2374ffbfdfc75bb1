-- +goose Up
-- Who a place that accounts share was taken for: it is free again once they offer on the request. Null for rows of an older program, and
-- once either is deleted: such a place stays taken. See match.SharedReach in core.
-- Two statements, because Citus does not take two references in one.
alter table shared_reach add column reader_id bigint constraint shared_reach_reader_known references users (id) on delete set null;
alter table shared_reach add column order_id bigint constraint shared_reach_order_known references orders (id) on delete set null;
create index shared_reach_of_reader on shared_reach (reader_id) where reader_id is not null;
create index shared_reach_of_order on shared_reach (order_id) where order_id is not null;
