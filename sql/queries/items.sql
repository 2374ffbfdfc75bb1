-- name: AllItems :many
select * from catalogue_items order by id;

-- name: AllItemNames :many
select key, item_id, name from catalogue_names order by item_id, place;

-- name: LockItems :exec
select pg_advisory_xact_lock(hashtext('catalogue_items'));

-- name: LatestImport :one
select shipped from catalogue_imports order by id desc limit 1;

-- name: AddImport :exec
insert into catalogue_imports (at, shipped) values (@at, @shipped);

-- name: ItemNumbers :many
select nextval('catalogue_items_id_seq')::bigint from generate_series(1, @many::integer);

-- name: SaveItems :exec
insert into catalogue_items (id, name, kind, region, made_by, made_at, used_by, used_at, tradeable, link, file_key, from_file, state,
    merged_into, gone_at, suggested, created_at, updated_at)
select i.id, i.name, i.kind, i.region, i.made_by, i.made_at, i.used_by, i.used_at, i.tradeable, i.link, i.file_key, i.from_file, i.state,
    i.merged_into, i.gone_at, i.suggested, sqlc.arg(now), sqlc.arg(now)
from jsonb_populate_recordset(null::catalogue_items, @items::jsonb) i
on conflict (id) do update set name = excluded.name, kind = excluded.kind, region = excluded.region, made_by = excluded.made_by,
    made_at = excluded.made_at, used_by = excluded.used_by, used_at = excluded.used_at, tradeable = excluded.tradeable,
    link = excluded.link, file_key = excluded.file_key, from_file = excluded.from_file, state = excluded.state,
    merged_into = excluded.merged_into, gone_at = excluded.gone_at, suggested = excluded.suggested,
    updated_at = excluded.updated_at;

-- name: DeleteItemNames :exec
delete from catalogue_names where item_id = any(@items::bigint[]);

-- name: AddItemNames :exec
insert into catalogue_names (key, item_id, name, place)
select unnest(@keys::text[]), unnest(@items::bigint[]), unnest(@names::text[]), unnest(@places::integer[]);

-- name: StockFollowsItems :exec
-- Listings are filtered by the category that is stored with them: the profession that makes the item, and none where that is not one.
update stock set category = meant.category
from (
    select n.key, case when cardinality(t.made_by) = 1 then t.made_by[1] else '' end as category
    from catalogue_names n join catalogue_items i on i.id = n.item_id join catalogue_items t on t.id = coalesce(i.merged_into, i.id)
    where i.id = any(@items::bigint[]) or i.merged_into = any(@items::bigint[])
) meant
where item_key(stock.item_name) = meant.key and stock.quantity > 0 and stock.category <> meant.category;

-- name: ItemDemand :many
-- How many requests had a name since a time, and of how many established traders; the most frequent names first.
select item_name::text as name, count(*)::integer as orders, (count(distinct user_id) filter (where user_id in (select t.user_id from traders t)
    and user_id not in (select a.user_id from set_aside a)))::integer as trusted from orders
where created_at > @since and not hidden group by item_name order by count(*) desc limit 20000;

-- name: LockItemName :exec
select pg_advisory_xact_lock(hashtext('item ' || item_key(@name)));

-- name: CountNamed :one
select count(*)::integer as orders, count(distinct user_id)::integer as people from orders
where item_key(item_name) = item_key(@name) and not hidden;

-- name: CountItems :exec
-- What is asked for, spelled as last written. In the order of the keys, so that two who do this do not wait for one another.
insert into items (key, name, orders)
select lower(name), max(name), count(*) from unnest(@names::text[]) name group by lower(name) order by lower(name)
on conflict (key) do update set name = excluded.name, orders = items.orders + excluded.orders;

-- name: PruneItems :execrows
-- Names that no request has any more, such as those that only an erased user typed.
with gone as (select key from items where orders <= 0 order by key limit 1000 for update skip locked)
delete from items using gone where items.key = gone.key;

-- name: PruneProvisionalItems :one
-- Names that moderators have not decided on and that no visible request has any more, such as those that only an erased user typed. An item
-- that somebody watches stays, and one that others were merged into.
with gone as (
    delete from catalogue_items where id = any(array(
        select i.id from catalogue_items i
        where i.state = 'provisional' and not i.suggested
            and not exists (select from catalogue_names n
                join orders o on item_key(o.item_name) = n.key and not o.hidden
                join users u on u.id = o.user_id and u.blocked_at is null and u.leaving_at is null
                where n.item_id = i.id)
            and not exists (select from watch_keys k where k.key = 'item:' || i.id)
            and not exists (select from catalogue_items m where m.merged_into = i.id)
        order by i.id limit 1000))
    returning id
)
select count(*) from gone;

-- name: UncountItems :exec
update items set orders = items.orders - gone.orders
from (select lower(name) as key, count(*) as orders from unnest(@names::text[]) name group by lower(name)) gone
where items.key = gone.key;
