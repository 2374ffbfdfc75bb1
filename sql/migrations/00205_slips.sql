-- +goose Up
-- How a user is called in the game, for those whom they meet there. Requests have a name of their own beside it.
alter table users add column in_game_name in_game_name;

-- Where two traders meet for what is open between them: one short line that both read, as either of them said it last. The user with the
-- lower number comes first.
create table meeting_places (
    user_id         bigint not null constraint meeting_places_user_known references users (id) on delete cascade,
    partner_user_id bigint not null constraint meeting_places_partner_known references users (id) on delete cascade,
    place           text not null,
    said_by         bigint not null,
    said_at         timestamptz not null,

    primary key (user_id, partner_user_id),
    constraint meeting_places_in_order check (user_id < partner_user_id),
    constraint meeting_places_said_by_one check (said_by in (user_id, partner_user_id)),
    constraint meeting_places_place_given check (place <> ''),
    constraint meeting_places_place_short check (char_length(place) <= 100)
);
create index meeting_places_of_partner on meeting_places (partner_user_id);
create index meeting_places_by_age on meeting_places (said_at);

-- What is open between two, and with whom something is open. Few handovers are.
create index handovers_open_of_buyer on handovers (buyer_id, seller_id, sale_id) where state in ('agreed', 'disputed');
create index handovers_open_of_seller on handovers (seller_id, buyer_id, sale_id) where state in ('agreed', 'disputed');
