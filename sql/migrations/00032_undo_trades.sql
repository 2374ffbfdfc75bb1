-- +goose Up
-- A sale that was undone: the row reverses it, and the sale stays as it is. What was sold of a request is its sales without those
-- that were reversed.
create table sale_reversals (
    sale_id     bigint primary key,
    reversed_by bigint, -- null once they have left
    reversed_at timestamptz not null,

    constraint sale_reversals_sale_known foreign key (sale_id) references order_updates (id) on delete cascade
);

create index sale_reversals_of_user on sale_reversals (reversed_by) where reversed_by is not null;

-- Offers as they were when they were accepted in full, declined or withdrawn, for as long as that can be undone. An older program
-- does not write it: what that ends cannot be undone.
create table ended_offers (
    id       bigint primary key,
    order_id bigint not null,
    state    offer_state not null,
    ended_by bigint not null,
    ended_at timestamptz not null,
    content  jsonb not null,

    constraint ended_offers_order_known foreign key (order_id) references orders (id) on delete cascade
);

create index ended_offers_on_order on ended_offers (order_id);
create index ended_offers_by_age on ended_offers (ended_at);

-- A notice that an offer is open again. All stored values satisfy the wider constraint, so it needs no scan.
alter domain notice_kind drop constraint notices_kind_known;
alter domain notice_kind add constraint notices_kind_known
    check (value in ('offer_received', 'offer_accepted', 'offer_declined', 'offer_withdrawn', 'offer_lapsed', 'order_filled',
        'order_expiring', 'order_removed', 'offer_removed', 'order_restored', 'offer_restored', 'offer_reopened', 'user_blocked',
        'many_removals', 'report_received', 'dm_failed', 'test', 'digest')) not valid;

-- +goose StatementBegin
create or replace function users_take_what_is_theirs() returns trigger language plpgsql as $$
begin
    delete from offers where seller_id = old.id;
    delete from ended_offers where (content ->> 'seller_id')::bigint = old.id or ended_by = old.id;
    delete from sent_offers where seller_id = old.id;
    delete from notices where user_id = old.id;
    update sale_reversals set reversed_by = null where reversed_by = old.id;
    update order_updates set updated_by = nullif(updated_by, old.id), seller_id = nullif(seller_id, old.id),
        buyer_id = nullif(buyer_id, old.id)
    where buyer_id = old.id or seller_id = old.id;
    return old;
end $$;
-- +goose StatementEnd
