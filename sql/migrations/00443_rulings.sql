-- +goose Up
-- A moderator's ruling on a dispute: the reason that both sides read, its entry in the log, by which it is undone, and when one was undone last.
-- Reason and entry are removed with the undo; the reason also when a side deletes their account.
alter table handovers add column ruling_reason text, add column ruling_entry bigint, add column ruling_undone_at timestamptz;

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
    coalesce(h.meet_reminded, false)::boolean as meet_reminded,
    coalesce(h.buyer_proposals, 0)::integer as buyer_proposals, coalesce(h.seller_proposals, 0)::integer as seller_proposals,
    coalesce(h.ruling_reason, '')::text as ruling_reason, h.ruling_undone_at
from order_updates u
left join handovers h on h.sale_id = u.id
left join orders o on o.id = u.order_id
left join users b on b.id = u.buyer_id
left join users s on s.id = u.seller_id
left join kept_contacts k on k.sale_id = u.id;

-- An action more. All stored values satisfy the wider constraint, so it needs no scan.
-- +goose StatementBegin
do $$
declare known text;
begin
    select replace(replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''dispute_reopened''::text, '), ' NOT VALID', '')
        into strict known
    from pg_constraint where contypid = 'audit_action'::regtype and conname = 'audit_entries_action_known';
    alter domain audit_action drop constraint audit_entries_action_known;
    execute 'alter domain audit_action add constraint audit_entries_action_known ' || known || ' not valid';
end $$;
-- +goose StatementEnd
