-- 100,000 open requests, one of twenty for something that the catalogue does not know, and 300 sellers with the skills of some
-- professions and up to twenty items in stock.
insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, level_requirement, created_at, updated_at, expires_at)
select 1 + n % :people, case when n % 20 = 0 then 'Rumoured ' || n % 700 else i.name end, 1 + n * 7919 % 1000, 1 + n * 104729 % 100000, 'player',
    coalesce(i.made_by[1], 'Merchant'), case when n % 20 = 0 then 1 + n * 31 % 500 end, now() - n * interval '10 seconds', now(), now() + interval '30 days'
from generate_series(1::bigint, 100000) n join catalogue_items i on i.id = 1 + n * 31 % (select count(*) from catalogue_items);
insert into skills (user_id, category, level)
select u.id, p.name, 1 + (u.id * 37 + p.n * 101) % 500 from users u
join (select row_number() over (order by name) as n, name from (select distinct unnest(made_by) as name from catalogue_items) x where name <> 'Delver') p
    on (p.n + u.id) % 4 = 0
where u.id between 65 and 364;
insert into stock (user_id, item_name, quantity, price, created_at, touched_at)
select u.id, i.name, 200, 1 + k * 1000, now(), now() from users u, generate_series(1, 20) k
join catalogue_items i on i.id % 83 = k where u.id between 65 and 364 and i.id / 83 = u.id % 19;
analyze;
