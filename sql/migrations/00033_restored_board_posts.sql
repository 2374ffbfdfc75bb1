-- +goose Up
-- How often the request of a post came back after it had ended. A program that has drawn its end and then finishes the post does so
-- only if the request has not come back since. An older program does not look at it.
alter table board_posts add column returned int not null default 0;
