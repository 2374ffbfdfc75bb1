-- A market that is young no more, with 40,000 requests of the last 90 days, of which every second was filled by somebody else: what prices
-- and odds are made of.
set session_replication_role = replica; -- no foreign key is checked: each row is right
insert into trust_market (computed_at, of, trusted, circles, active, young) values (now(), '', 600, 600, 600, false)
on conflict (current) do update set young = false;
insert into traders (user_id, established_at, origin) select id, now() - interval '1 year', 'moderator' from users where id between 400 and 1000
on conflict do nothing;
insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, status, sold, progress, close_reason, created_at,
    updated_at, expires_at, closed_at)
select 400 + n * 7919 % 600, i.name, 100, 40000 + n * 104729 % 40000, 'player', coalesce(i.made_by[1], 'Merchant'), 'fulfilled',
    case when n % 2 = 0 then 100 else 0 end, 100, case when n % 2 = 0 then 'filled' else 'closed_early' end, at, at,
    at + interval '7 days', at + interval '6 hours'
from generate_series(1::bigint, 40000) n join catalogue_items i on i.id = 1 + n * 31 % (select count(*) from catalogue_items),
    lateral (select now() - interval '90 days' + n * interval '180 seconds' as at) posted;
insert into order_updates (order_id, item_name, quantity_sold, unit_price, updated_by, buyer_id, seller_id, seller_name, created_at)
select id, item_name, 100, max_price_per_unit, user_id, user_id, 400 + (user_id + 7) % 600, 'player', closed_at from orders
where close_reason = 'filled' and sold = 100;
set session_replication_role = origin;
analyze;
