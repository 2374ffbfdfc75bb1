-- name: Unmet :many
-- What is left of open requests on which there is no offer, without those that are left out.
select o.item_name, o.category, o.level_requirement, count(*)::integer as requests, sum(o.quantity - o.sold)::bigint as quantity,
    sum((o.quantity - o.sold) * o.max_price_per_unit)::bigint as value
from orders o
where o.status = 'active' and not o.hidden and o.expires_at > @now and not exists (select from offers where offers.order_id = o.id)
    and o.id <> all(@without::bigint[])
group by o.item_name, o.category, o.level_requirement order by value desc limit @most;

-- name: FilledSince :many
-- Of established buyers: puppets fill their own requests in no time.
select min(o.item_name)::text as name, count(*)::integer as requests,
    percentile_cont(0.5) within group (order by extract(epoch from o.closed_at - o.created_at))::float8 as seconds
from orders o
where o.status = 'fulfilled' and o.archived_at is null and o.close_reason = 'filled' and o.closed_at > @since and not o.hidden
    and exists (select from traders where traders.user_id = o.user_id) and o.user_id not in (select set_aside.user_id from set_aside)
group by lower(o.item_name) having count(*) >= @least::integer order by seconds limit @most;

-- name: FillsSince :many
-- The accepts of the names that were traded most in two times after each other, the latest first, of each name and time some.
with accepts as (
    select item_key(u.item_name) as key, u.item_name as name, u.id, u.created_at, u.buyer_id, u.seller_id, u.unit_price, u.quantity_sold,
        row_number() over (partition by item_key(u.item_name), u.created_at > @since order by u.created_at desc, u.id desc) as nth
    from order_updates u
    where u.created_at > @before_since and u.item_name is not null and u.buyer_id is not null and u.seller_id is not null
        and u.buyer_id <> u.seller_id
        and coalesce((select h.state = 'met' from handovers h where h.sale_id = u.id), u.created_at <= @settled_before)
        and not exists (select from sale_reversals r where r.sale_id = u.id)
        and not exists (select from set_aside a where a.user_id = u.buyer_id)
        and not exists (select from set_aside a where a.user_id = u.seller_id)
), most as (
    select key, (array_agg(name order by id desc))[1] as name from accepts group by key
    having least(count(*) filter (where created_at <= @since), count(*) filter (where created_at > @since)) >= @least::integer
    order by count(*) desc, key limit @names
)
select most.name::text as name, f.created_at, f.buyer_id, f.seller_id, f.unit_price, f.quantity_sold,
    least(case when b.user_id is not null then 1 else bs.amount end, case when s.user_id is not null then 1 else ss.amount end, 1)::float8 as trust,
    (b.user_id is null and bs.user_id is null or s.user_id is null and ss.user_id is null)::boolean as unknown,
    coalesce(bs.circle, 0)::bigint as buyer_circle, coalesce(ss.circle, 0)::bigint as seller_circle
from most join accepts f on f.key = most.key
left join traders b on b.user_id = f.buyer_id
left join traders s on s.user_id = f.seller_id
left join trust_shares bs on bs.user_id = f.buyer_id
left join trust_shares ss on ss.user_id = f.seller_id
where f.nth <= @of_name::integer
order by f.created_at desc, f.id desc;

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
