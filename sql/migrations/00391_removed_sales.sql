-- +goose Up
-- Where a seller deletes their account, the sales of removed requests that name them are found by their numbers.
create index removals_sales on removals using gin ((content -> 'sales') jsonb_path_ops);
