-- +goose Up
-- Whoever leaves is not named any more in what belongs to others. Their own rows go by users_take_what_is_theirs, which fires
-- after this by its name.

-- +goose StatementBegin
create function users_leave_no_name() returns trigger language plpgsql as $$
begin
    update notices set name = '', contact = '', message = case kind when 'offer_received' then '' else message end
    where user_id <> old.id and (contact = old.username
        or kind in ('offer_received', 'offer_withdrawn') and offer_id in (select id from sent_offers where seller_id = old.id)
        or kind in ('offer_accepted', 'offer_declined', 'offer_lapsed') and order_id in (select id from orders where user_id = old.id));
    update sent_offers set buyer_contact = null
    where seller_id <> old.id and (buyer_contact = old.username or order_id in (select id from orders where user_id = old.id));
    update order_updates set notes = 'Accepted offer from a seller who has left'
    where seller_id = old.id and notes like 'Accepted offer from %';
    return old;
end $$;
-- +goose StatementEnd

create trigger users_leave_no_name before delete on users
    for each row execute function users_leave_no_name();
