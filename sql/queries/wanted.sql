-- name: Unmet :many
-- What is left of open requests on which there is no offer.
select o.item_name, o.category, o.level_requirement, count(*)::integer as requests, sum(o.quantity - o.sold)::bigint as quantity,
    sum((o.quantity - o.sold) * o.max_price_per_unit)::bigint as value
from orders o
where o.status = 'active' and not o.hidden and o.expires_at > @now and not exists (select from offers where offers.order_id = o.id)
group by o.item_name, o.category, o.level_requirement order by value desc limit @most;

-- name: FilledSince :many
select min(o.item_name)::text as name, count(*)::integer as requests,
    percentile_cont(0.5) within group (order by extract(epoch from o.closed_at - o.created_at))::float8 as seconds
from orders o
where o.status = 'fulfilled' and o.archived_at is null and o.close_reason = 'filled' and o.closed_at > @since and not o.hidden
group by lower(o.item_name) having count(*) >= @least::integer order by seconds limit @most;

-- name: TradedSince :many
-- What was paid for one, on average, in two times after each other.
select t.name::text as name, t.before::bigint as before, t.now::bigint as now from (
    select min(u.item_name) as name,
        sum(u.unit_price::numeric * u.quantity_sold) filter (where u.created_at <= @since) / nullif(sum(u.quantity_sold) filter (where u.created_at <= @since), 0) as before,
        sum(u.unit_price::numeric * u.quantity_sold) filter (where u.created_at > @since) / nullif(sum(u.quantity_sold) filter (where u.created_at > @since), 0) as now,
        count(*) filter (where u.created_at <= @since) as sales_before, count(*) filter (where u.created_at > @since) as sales_now
    from order_updates u
    where u.created_at > @before_since and u.item_name is not null and u.seller_id is not null and not exists (select from sale_reversals r where r.sale_id = u.id)
    group by lower(u.item_name)
) t where t.sales_before >= @least::integer and t.sales_now >= @least::integer and t.before >= 1;

-- name: SaveWantedChannel :exec
-- A channel that is set up again keeps its day.
insert into wanted_channels (channel_id, guild_id, locale, due_at) values (@channel_id, @guild_id, @locale, @due_at)
on conflict (channel_id) do update set guild_id = excluded.guild_id, locale = excluded.locale;

-- name: RemoveWantedChannel :execrows
delete from wanted_channels where channel_id = @channel_id;

-- name: DueWantedChannels :many
select * from wanted_channels where due_at <= @now order by due_at, channel_id;

-- name: StartWanted :exec
update wanted_channels set started_at = coalesce(started_at, @started_at::timestamptz) where channel_id = @channel_id;

-- name: FinishWanted :exec
update wanted_channels set due_at = @due_at, started_at = null where channel_id = @channel_id;
