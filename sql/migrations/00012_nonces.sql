-- +goose Up
-- What the nonces of messages to Discord begin with, in this database. A backup does not hold it, so a restore makes another:
-- a message sent after a restore never has the nonce of one sent before.
create table nonce_prefixes (
    current boolean primary key default true check (current), -- one row
    prefix  text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 6)
);

insert into nonce_prefixes default values;

-- With which prefix a message was first tried. Empty for one of before, and one that an older program has started: their
-- nonces have none.
alter table deliveries add column nonce_prefix text not null default '';
alter table board_posts add column nonce_prefix text not null default '';
