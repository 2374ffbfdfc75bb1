-- +goose Up
-- Requests that one person posts within a minute share a message on a board. message_of is the post for which the shared message was
-- started; it is null for a message with one request. A post with a shared message is stored as finished, so that an older program
-- beside this one leaves the message alone; live reports whether the message still follows the request.
alter table board_posts
    add column user_id bigint,
    add column message_of bigint,
    add column live boolean not null default false;
alter table board_posts add constraint board_posts_buyer_known foreign key (user_id) references users (id) on delete set null;

create index board_posts_of_buyer on board_posts (user_id, channel_id, started_at) where user_id is not null;
create index board_posts_shared on board_posts (message_of, id) where message_of is not null;

-- Finds what may still change. It does all that the index before it did.
create index board_posts_unsettled on board_posts (channel_id, id) where not finished or live;
drop index board_posts_unfinished;
