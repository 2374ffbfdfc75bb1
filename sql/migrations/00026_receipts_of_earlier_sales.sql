-- +goose Up
-- Fills in the sales from before 00025 from the note that an accept writes: name, then contact in brackets.
update order_updates
set seller_name = left((regexp_match(notes, '^Accepted offer from (.+) \((.+)\)$'))[1], 64),
    seller_contact = left((regexp_match(notes, '^Accepted offer from (.+) \((.+)\)$'))[2], 64)
where seller_name is null and order_id is not null and notes ~ '^Accepted offer from (.+) \((.+)\)$';
