-- One day of a busy market: $1 is its beginning, $2 how many requests are posted, $3 how many users there are.

-- name: post
insert into orders (user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, ign, category, importance, created_at, updated_at,
    expires_at)
select 1 + floor(random() * $3)::bigint, 'Item ' || floor(power(2400, random()))::integer, 1 + floor(random() * 500)::integer,
    1 + floor(random() * 100000)::bigint, repeat('Meet me at the docks. ', floor(random() * 10)::integer), 'buyer_of_this', 'Buyer',
    (array['Miner', 'Fisher', 'Chef', 'Forager', 'Carpenter'])[1 + floor(random() * 5)::integer], 'medium', at, at, at + interval '365 days'
from (select $1::timestamptz + random() * interval '23 hours' as at from generate_series(1, $2::bigint)) posted order by at

-- name: offer
-- Two offers on each: one by a user, one by a visitor.
insert into offers (order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at)
select orders.id, case n when 1 then 1 + orders.user_id % $3::bigint end, 'A seller', 'seller_of_this', 'I have plenty of these, tell me when.',
    max_price_per_unit, (quantity + 1) / 2, orders.created_at + n * interval '10 minutes'
from orders cross join generate_series(1, 2) n where $2::bigint > 0 and created_at >= $1::timestamptz and created_at < $1::timestamptz + interval '1 day'

-- name: record
insert into sent_offers (id, seller_id, order_id, item_name, price_per_unit, quantity_offered, created_at, updated_at)
select offers.id, seller_id, order_id, item_name, price_per_unit, quantity_offered, offers.created_at, offers.created_at
from offers join orders on orders.id = offers.order_id
where $2::bigint + $3::bigint > 0 and seller_id is not null and orders.created_at >= $1::timestamptz and orders.created_at < $1::timestamptz + interval '1 day'

-- name: fates
-- What the day brings: 60 of 100 requests are filled a day after they were posted, 20 are closed after 30 days, 5 deleted after 10.
-- The others stay open.
create temporary table fates on commit drop as
select orders.id, orders.user_id, orders.item_name, orders.quantity, orders.max_price_per_unit as price, fate, $1::timestamptz + interval '12 hours' as at
from orders cross join lateral (select orders.id * 7919 % 100 as lot) drawn
    cross join lateral (select case when lot < 60 then 'filled' when lot < 80 then 'closed' when lot < 85 then 'deleted' end as fate) decided
where $2::bigint + $3::bigint > 0 and status = 'active' and (
    fate = 'filled' and created_at >= $1::timestamptz - interval '1 day' and created_at < $1::timestamptz
    or fate = 'deleted' and created_at >= $1::timestamptz - interval '10 days' and created_at < $1::timestamptz - interval '9 days'
    or fate = 'closed' and created_at >= $1::timestamptz - interval '30 days' and created_at < $1::timestamptz - interval '29 days')

-- name: end offers
create temporary table ended on commit drop as
with gone as (delete from offers using fates where offers.order_id = fates.id returning offers.*)
select gone.*, fates.fate = 'filled' and gone.seller_id is not null as accepted, fates.fate, fates.at, fates.user_id, fates.item_name, fates.price
from gone join fates on fates.id = gone.order_id

-- name: end records
update sent_offers set state = case when ended.accepted then 'accepted' else 'lapsed' end, updated_at = ended.at,
    accepted = case when ended.accepted then sent_offers.quantity_offered else 0 end,
    buyer_contact = case when ended.accepted then 'buyer_of_this' end
from ended where sent_offers.id = ended.id

-- name: sell
-- The accepted offer is half of it, and the rest was bought elsewhere.
insert into order_updates (order_id, item_name, quantity_sold, notes, unit_price, updated_by, buyer_id, seller_id, offer_id, created_at)
select order_id, item_name, quantity_offered, 'Accepted offer from A seller (seller_of_this)', price, user_id, user_id, seller_id, id, at
from ended where accepted
union all
select id, item_name, quantity / 2, 'Met at the docks', price, user_id, user_id, null, null, at from fates where fate = 'filled' and quantity > 1

-- name: close
update orders set status = 'fulfilled', progress = 100, closed_at = fates.at, updated_at = fates.at, version = version + 2,
    close_reason = case fate when 'filled' then 'filled' else 'closed_early' end, sold = case fate when 'filled' then orders.quantity else 0 end
from fates where orders.id = fates.id and fate <> 'deleted'

-- name: tell
create temporary table told on commit drop as
select nextval('notices_id_seq') as id, nextval('deliveries_id_seq') as delivery_id, owed.* from (
    select orders.user_id, 'offer_received' as kind, orders.id as order_id, offers.id as offer_id, item_name, quantity_offered as quantity,
        price_per_unit as price, seller_name as name, seller_contact as contact, message, offers.created_at as at
    from offers join orders on orders.id = offers.order_id
    where $2::bigint + $3::bigint > 0 and orders.created_at >= $1::timestamptz and orders.created_at < $1::timestamptz + interval '1 day'
    union all
    select seller_id, case when accepted then 'offer_accepted' else 'offer_lapsed' end, case when fate <> 'deleted' then order_id end, id, item_name,
        quantity_offered, price, '', 'buyer_of_this', '', at
    from ended where seller_id is not null
    union all
    select user_id, 'order_filled', id, null, item_name, quantity, price, '', '', '', at from fates where fate = 'filled') owed
order by at

-- name: deliver
insert into deliveries (id, user_id, kind, channel_id, message_id, started_at, sent_at)
select delivery_id, user_id, kind, '1573889566358634496', '1573889566358634497', at, at from told

-- name: notices
insert into notices (id, user_id, kind, order_id, offer_id, delivery_id, item_name, quantity, price_per_unit, name, contact, message, state,
    created_at, settled_at, read_at)
select id, user_id, kind, order_id, offer_id, delivery_id, item_name, quantity, price, name, contact, message, 'delivered', at, at, at from told

-- name: delete
delete from orders using fates where orders.id = fates.id and fate = 'deleted'

-- name: board
-- Three boards show every request.
insert into board_posts (channel_id, order_id, item_name, message_id, shown_version, shown_open, started_at)
select channel_id, orders.id, item_name, '1573889566358634498', 1, true, orders.created_at
from orders cross join boards where $2::bigint + $3::bigint > 0 and orders.created_at >= $1::timestamptz and orders.created_at < $1::timestamptz + interval '1 day'

-- name: board ends
update board_posts set finished = true, shown_open = false, shown_version = 3 from fates where board_posts.order_id = fates.id

-- name: keys
-- Every write has one: posts, offers, accepts, logged sales, closes and deletes.
insert into claims (name, digest, answer, created_at)
select sha256(convert_to($1::timestamptz::text || n, 'utf8')), sha256('x'), convert_to(repeat(md5(n::text), 14), 'utf8'),
    $1::timestamptz + n * (interval '1 day' / ($2 * 5))
from generate_series(1, $2::bigint * 5) n where $3::bigint > 0

-- name: drafts
insert into drafts (user_id, content, created_at)
select 1 + n % $3::bigint, convert_to(repeat(md5(n::text), 10), 'utf8'), $1::timestamptz from generate_series(1, $2::bigint / 4) n

-- name: jobs
insert into river_job (state, kind, args, queue, max_attempts, attempt, attempted_at, created_at, scheduled_at, finalized_at)
select 'completed', 'deliver_notice', jsonb_build_object('notice', id), 'notices', 1000, 1, at, at, at, at from told
where $2::bigint + $3::bigint > 0 and at >= $1::timestamptz + interval '23 hours'

-- name: jobs end
-- As River's cleaner does, after an hour.
delete from river_job where finalized_at < $1::timestamptz and $2::bigint + $3::bigint > 0
