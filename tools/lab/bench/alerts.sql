-- People who watch what 25 items are wanted, of those that the catalogue has; one of four watches a word and a profession instead of the
-- last. Run after the catalogue was read in.
set session_replication_role = replica; -- no foreign key is checked: each row is right
set work_mem = '256MB';
set maintenance_work_mem = '256MB';
insert into users (discord_id, username, display_name, created_at, updated_at)
select 'w' || n, 'w' || n, 'w' || n, now() - interval '1 year', now() from generate_series(1, :people) n;
insert into mailboxes (user_id) select id from users;
insert into watches (user_id, name, items, categories, words, terms, min_price, way, created_at, updated_at)
select u.id, 'What I have', case when word then '{}'::bigint[] else array[1 + (u.id * 25 + k) % (select count(*) from catalogue_items)] end,
    case when word then array['Miner'] else '{}'::text[] end, case when word then 'ore' else '' end, case when word then array['ore'] else '{}'::text[] end,
    u.id % 400, 'direct', now() - interval '1 day', now() - interval '1 day'
from users u, generate_series(1, 25) k, lateral (select k = 25 and u.id % 4 = 0 and :words as word) w;
insert into watch_keys (key, watch_id) select case when items = '{}' then 'word:ore' else 'item:' || items[1] end as key, id from watches order by key, id;
