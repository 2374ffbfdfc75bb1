-- name: AddList :one
insert into posted_lists (user_id, name, created_at) values (@user_id, @name, @created_at) returning id;

-- name: LatestList :one
select coalesce(max(created_at), 'epoch')::timestamptz from posted_lists where user_id = @user_id;

-- name: PostedList :one
select * from posted_lists where id = @id;

-- name: OrdersOfList :many
select * from orders where list_id = @list_id::bigint order by id;

-- name: LockListed :many
select * from orders where list_id = @list_id::bigint and id = any(@orders::bigint[]) order by id for update;

-- name: PostedLists :many
-- Of a closed request, as many items count as were bought.
select l.id, l.user_id, l.name, l.created_at, o.orders, o.done, o.wanted, o.sold
from posted_lists l cross join lateral (
    select count(*)::integer as orders, (count(*) filter (where status = 'fulfilled'))::integer as done,
        coalesce(sum(case status when 'fulfilled' then orders.sold else orders.quantity end), 0)::bigint as wanted,
        coalesce(sum(orders.sold), 0)::bigint as sold
    from orders where orders.list_id = l.id
) o
where l.user_id = @user_id and (o.orders > 0 or @empty::boolean)
order by l.created_at desc, l.id desc limit @most;

-- name: PruneLists :execrows
-- Of which every request is deleted.
delete from posted_lists l where l.created_at < @before and not exists (select from orders where orders.list_id = l.id);
