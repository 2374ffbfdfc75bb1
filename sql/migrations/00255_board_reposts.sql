-- +goose Up
-- The message that a newer one of the post stands in for, until it is deleted; empty for none.
alter table board_posts add column replaced text not null default '';
