-- 100,000 listings of the catalogue's items, each sold without asking, and every fourth of 100,000 requests takes offers as they come. Prices
-- are spread over the same range, so that many pairs would meet; those that are there already have not.
set session_replication_role = replica; -- no foreign key is checked: each row is right
insert into stock (user_id, item_name, quantity, price, public, sells_daily, created_at, touched_at)
select u.id, i.name, 1 + (u.id * 31 + k * 7) % 200, 1 + (u.id * 104729 + k * 7919) % 100000, true, 1000, now() - k * interval '1 hour', now()
from (select id, row_number() over (order by id) as n from users where id > 364 order by id) u cross join generate_series(0, 99999 / (:people - 364)) k
join catalogue_items i on i.id = 1 + (u.n * 53 + k) % (select count(*) from catalogue_items) on conflict do nothing;
insert into standing_acceptances (order_id, partners, from_partners, from_others, sellers, until, set_at)
select id, 0, 0, quantity, 'anybody', now() + interval '20 days', now() from orders where id % 4 = 0 and status = 'active'
    and not exists (select from standing_acceptances s where s.order_id = orders.id and s.ended_at is null);
set session_replication_role = origin;
analyze;
