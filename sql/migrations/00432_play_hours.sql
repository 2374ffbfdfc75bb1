-- +goose Up
-- The hours of the week in which a user plays, in UTC; hour 0 begins on Monday at midnight. Nobody else reads them.
create table play_hours (
    user_id  bigint primary key constraint play_hours_user_known references users (id) on delete cascade,
    -- A bit for each hour that the user has said.
    said     bytea not null default decode(repeat('00', 21), 'hex') constraint play_hours_said_a_week check (octet_length(said) = 21),
    -- Whether hours are learned from "We met"; null until the user was asked and has answered.
    learns   boolean,
    -- How often the user met others in each hour; null for never.
    learned  smallint[] constraint play_hours_learned_a_week check (cardinality(learned) = 168),
    saved_at timestamptz not null,

    constraint play_hours_learned_by_consent check (learned is null or coalesce(learns, false))
);

-- The one time that is proposed to both sides of a handover, and who has said that it works.
alter table handovers
    add column meet_at timestamptz,
    add column buyer_meets boolean not null default false,
    add column seller_meets boolean not null default false,
    add column meet_reminded boolean not null default false;

create or replace view trades as
select u.id as sale_id, u.order_id, u.offer_id, u.item_name, u.quantity_sold, u.unit_price, u.created_at as accepted_at,
    coalesce(o.status = 'fulfilled', false)::boolean as order_fulfilled,
    u.buyer_id, coalesce(b.discord_id, '')::text as buyer_discord_id,
    coalesce(b.username, '')::text as buyer_username, coalesce(b.display_name, '')::text as buyer_display_name,
    coalesce(b.display_name, k.buyer_name, '')::text as typed_buyer_name,
    coalesce(o.buyer_contact, k.buyer_contact, '')::text as typed_buyer_contact, coalesce(o.ign, k.in_game_name, '')::text as in_game_name,
    u.seller_id, coalesce(s.discord_id, '')::text as seller_discord_id,
    coalesce(s.username, '')::text as seller_username, coalesce(s.display_name, '')::text as seller_display_name,
    coalesce(u.seller_name, s.display_name, k.seller_name, '')::text as typed_seller_name,
    coalesce(u.seller_contact, k.seller_contact, '')::text as typed_seller_contact,
    h.agreed_by, h.state, h.settled_at, h.settled_by, h.against, h.looked_at, h.posted_again,
    h.buyer_word, h.buyer_said_at, h.buyer_later_at, h.buyer_took_back_at, h.buyer_prompted_at, coalesce(h.buyer_messages, 0)::integer as buyer_messages,
    h.seller_word, h.seller_said_at, h.seller_later_at, h.seller_took_back_at, h.seller_prompted_at, coalesce(h.seller_messages, 0)::integer as seller_messages,
    u.crossed_with, h.meet_at, coalesce(h.buyer_meets, false)::boolean as buyer_meets, coalesce(h.seller_meets, false)::boolean as seller_meets,
    coalesce(h.meet_reminded, false)::boolean as meet_reminded
from order_updates u
left join handovers h on h.sale_id = u.id
left join orders o on o.id = u.order_id
left join users b on b.id = u.buyer_id
left join users s on s.id = u.seller_id
left join kept_contacts k on k.sale_id = u.id;

-- Two kinds of notice more. All stored values satisfy the wider constraint, so it needs no scan.
-- +goose StatementBegin
do $$
declare kinds text;
begin
    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''meeting_time''::text, ''meeting_soon''::text, '), ' NOT VALID', '')
        into strict kinds
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || kinds || ' not valid';
end $$;
-- +goose StatementEnd
