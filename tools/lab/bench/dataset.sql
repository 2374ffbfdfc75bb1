-- A market of :size orders, the same every time but for today's date. Run with triggers off, so that what the triggers keep
-- is made here as well.

create function bench_u(i bigint, salt integer) returns float8 language sql immutable parallel safe
    return (hashint8extended(i, salt) & 9007199254740991)::float8 / 9007199254740992;

create function bench_pick(list text[], i bigint, salt integer) returns text language sql immutable parallel safe
    return list[1 + floor(bench_u(i, salt) * array_length(list, 1))::integer];

create unlogged table bench_items as
select row_number() over (order by noun_rank + adjective_rank, noun) - 1 as rank,
    adjective || ' ' || noun as name,
    (array['Forager', 'Fisher', 'Chef', 'Alchemist', 'Botanist', 'Woodcutter', 'Carpenter', 'Miner', 'Bonewright',
        'Blacksmith', 'Stonemason', 'Detective', 'Leatherworker', 'Merchant', 'Combat'])[1 + noun_rank % 15] as category
from unnest(array['Iron', 'Wild', 'Silver', 'Fresh', 'Old', 'Golden', 'Honey', 'Moonlit', 'Copper', 'Smoked', 'Carved',
        'Frost', 'River', 'Sturdy', 'Bright', 'Spiced', 'Oak', 'Dusk', 'Ember', 'Crystal', 'Ancient', 'Hollow', 'Amber',
        'Salted', 'Braided', 'Thunder', 'Velvet', 'Granite', 'Whispering', 'Cobalt', 'Gilded', 'Feral', 'Sunken', 'Ashen',
        'Quartz', 'Verdant', 'Obsidian', 'Tempered', 'Royal', 'Forgotten'])
        with ordinality adjectives (adjective, adjective_rank),
    unnest(array['Ore', 'Mushroom', 'Trout', 'Bread', 'Draught', 'Seed', 'Log', 'Chair', 'Charm', 'Blade', 'Block', 'Lens',
        'Boots', 'Lantern', 'Banner', 'Moss', 'Crab', 'Soup', 'Elixir', 'Sapling', 'Plank', 'Table', 'Needle', 'Hammer',
        'Tile', 'Map', 'Saddle', 'Rope', 'Shield', 'Berry', 'Eel', 'Cake', 'Oil', 'Lily', 'Resin', 'Crate', 'Harp', 'Nail',
        'Pillar', 'Key', 'Belt', 'Cloth', 'Arrow', 'Root', 'Pearl', 'Stew', 'Tonic', 'Compost', 'Kindling', 'Door', 'Grip',
        'Helmet', 'Brick', 'Cipher', 'Gloves', 'Candle', 'Spear', 'Nettle', 'Carp', 'Pie'])
        with ordinality nouns (noun, noun_rank);
create unique index on bench_items (rank);

insert into users (id, discord_id, username, display_name, created_at, updated_at)
select i, 'bench' || i, 'player' || i, 'Player ' || i, now() - interval '430 days', now() - interval '430 days'
from generate_series(1, :users) i;
insert into mailboxes (user_id, muted) select id, '{offer_received,offer_accepted,order_filled}' from users;

-- Orders 1 to 3 % were posted more than a year ago and have expired unless they were fulfilled; the others are spread
-- evenly over the past 300 days, the newest a minute old.
insert into orders (id, user_id, version, item_name, quantity, max_price_per_unit, description, buyer_contact, ign,
    level_requirement, category, importance, status, sold, progress, close_reason, created_at, updated_at, expires_at,
    closed_at, warned_for)
select id, user_id, 1 + (sold > 0)::integer, name, quantity, price, description, 'player' || user_id,
    case when bench_u(id, 3) < 0.5 then 'Hero ' || user_id end,
    case when bench_u(id, 4) < 0.5 then 10 * (1 + floor(bench_u(id, 5) * 50))::integer end,
    category, importance, status, sold, case status when 'fulfilled' then 100 else 100::bigint * sold / quantity end,
    case when status = 'active' then null when sold = quantity then 'filled' else 'closed_early' end,
    posted, posted + interval '20 minutes', posted + interval '365 days',
    case status when 'fulfilled' then posted + interval '20 minutes' end, posted + interval '365 days'
from (
    select *, case
            when fate < 0.12 then quantity
            when fate < 0.17 then (quantity - 1) / 2
            when fate < 0.45 then least(quantity - 1, (quantity * bench_u(id, 6))::integer)
            else 0 end as sold,
        case when fate < 0.17 then 'fulfilled' else 'active' end as status
    from (
        select i as id, 1 + floor(bench_u(i, 7) * :users)::bigint as user_id, item.name, item.category,
            (array[1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000])[1 + floor(bench_u(i, 8) * 12)::integer] as quantity,
            greatest(1, (100 * exp(bench_u(i, 9) * 16))::bigint) as price,
            case when i % greatest(:size / 20, 1) = 7 then 'Wanted for the kraken hunt, any quality.'
                when bench_u(i, 10) < 0.4 then ''
                else bench_pick(array['For the guild hall', 'Needed before the feast', 'Any quality will do', 'The best you have',
                        'For my apprentice', 'Part loads are fine', 'I fetch it myself', 'Winter stock'], i, 11) || '. ' ||
                    bench_pick(array['Meet me at the docks after dusk.', 'Drop it at the forge any time.', 'Whisper me in town.',
                        'I am online most evenings.', 'Happy to pay extra for a full cart.', 'Please no lower grades.'], i, 12)
                end as description,
            case when bench_u(i, 13) < 0.1 then 'urgent' when bench_u(i, 13) < 0.3 then 'high'
                when bench_u(i, 13) < 0.7 then 'medium' else 'low' end as importance,
            bench_u(i, 14) as fate,
            case when i <= :size * 3 / 100
                then date_trunc('hour', now()) - interval '420 days' + i * (interval '50 days' / greatest(:size * 3 / 100, 1))
                else date_trunc('minute', now()) - interval '300 days' + i * (interval '300 days' / :size) - interval '1 minute'
                end as posted
        from generate_series(1, :size::bigint) i
        -- The rank of the item asked for: the r-th name is asked for about 1/r as often as the first.
        join bench_items item on item.rank = floor(2400 ^ bench_u(i, 15))::bigint - 1
    ) drawn
) fated
order by id;

-- What was sold, in two parts where it can be.
insert into order_updates (order_id, item_name, buyer_id, quantity_sold, notes, unit_price, updated_by, created_at)
select id, item_name, user_id, sold - sold / 2, 'Met at the docks', max_price_per_unit, user_id, created_at + interval '10 minutes'
from orders where sold > 0
union all
select id, item_name, user_id, sold / 2, null, max_price_per_unit, user_id, updated_at from orders where sold > 1;

-- Up to three offers on six of ten open orders: the first by a user, the others by visitors.
insert into offers (order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at)
select orders.id, case n when 1 then 1 + orders.user_id % :users end, 'Seller ' || n, 'seller' || n,
    bench_pick(array['I have these in my bank.', 'Can craft it tonight.', 'Ready when you are, meet me in town.'], orders.id, 20 + n),
    max_price_per_unit, 1 + floor(bench_u(orders.id, 30 + n) * quantity)::integer, orders.created_at + n * interval '1 minute'
from orders cross join generate_series(1, 3) n
where status = 'active' and expires_at > now() and n <= floor(bench_u(orders.id, 40) * 5) - 1;

insert into sent_offers (id, seller_id, order_id, item_name, price_per_unit, quantity_offered, created_at, updated_at)
select offers.id, seller_id, order_id, item_name, price_per_unit, quantity_offered, offers.created_at, offers.created_at
from offers join orders on orders.id = offers.order_id where seller_id is not null;

-- Everybody was told on the web alone.
insert into notices (user_id, kind, order_id, offer_id, item_name, quantity, price_per_unit, name, contact, message, state, reason,
    created_at, settled_at, read_at)
select orders.user_id, 'offer_received', orders.id, offers.id, item_name, quantity_offered, price_per_unit, seller_name,
    seller_contact, message, 'refused', 'You turned these off', offers.created_at, offers.created_at,
    case when offers.created_at < now() - interval '3 days' then offers.created_at end
from offers join orders on orders.id = offers.order_id
union all
select user_id, 'order_filled', id, null, item_name, sold, max_price_per_unit, '', '', '', 'refused', 'You turned these off',
    closed_at, closed_at, closed_at
from orders where close_reason = 'filled';

insert into items (key, name, orders) select lower(item_name), max(item_name), count(*) from orders group by lower(item_name);

-- Buyers who accept all through the measurement: 64 orders of each of the first eight users and one more of the first, too
-- large to be filled, each with an offer that is as large.
insert into orders (id, user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, created_at,
    updated_at, expires_at)
select :size + i, 1 + (i - 1) % 8, 'Endless Rope', 1000000, 1, 'As many as there are', 'player' || 1 + (i - 1) % 8, 'Merchant',
    now() - interval '150 days', now() - interval '150 days', now() + interval '215 days'
from generate_series(1, 513) i;
insert into offers (order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at)
select id, 9 + id % 32, 'Ropemaker', 'ropemaker', 'I have a lot of it', 1, 1000000, created_at
from orders where id > :size;
insert into sent_offers (id, seller_id, order_id, item_name, price_per_unit, quantity_offered, created_at, updated_at)
select id, seller_id, order_id, 'Endless Rope', price_per_unit, quantity_offered, created_at, created_at
from offers where order_id > :size;
insert into notices (user_id, kind, order_id, offer_id, item_name, quantity, price_per_unit, name, contact, message, state,
    reason, created_at, settled_at, read_at)
select orders.user_id, 'offer_received', orders.id, offers.id, item_name, quantity_offered, price_per_unit, seller_name,
    seller_contact, message, 'refused', 'You turned these off', offers.created_at, offers.created_at, offers.created_at
from offers join orders on orders.id = offers.order_id where orders.id > :size;
insert into items (key, name, orders) values ('endless rope', 'Endless Rope', 513);

select setval('users_id_seq', (select max(id) from users)), setval('orders_id_seq', (select max(id) from orders));

drop table bench_items;
drop function bench_pick;
drop function bench_u;
