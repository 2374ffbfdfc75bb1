-- name: AddStanding :one
insert into standing_acceptances (order_id, sellers, partners, from_partners, from_others, until, set_at)
values (@order_id, @sellers, @partners, @from_partners, @from_others, @until, @set_at) returning id;

-- name: EndStanding :one
with ended as (
    update standing_acceptances set ended_at = sqlc.arg(now)::timestamptz where order_id = @order_id::bigint and ended_at is null returning id
)
select count(*) from ended;

-- name: SaveStanding :exec
update standing_acceptances set taken_from_partners = @taken_from_partners, taken_from_others = @taken_from_others where id = @id;

-- name: StandingOf :many
select * from standing_acceptances where order_id = @order_id::bigint order by id desc limit 20;

-- name: LeastRecordOf :many
select * from least_records where order_id = @order_id::bigint;

-- name: SaveLeastRecord :exec
insert into least_records (order_id, sellers, partners, new_up_to) values (@order_id, @sellers, @partners, @new_up_to)
on conflict (order_id) do update set sellers = excluded.sellers, partners = excluded.partners, new_up_to = excluded.new_up_to;

-- name: RemoveLeastRecord :exec
delete from least_records where order_id = @order_id::bigint;

-- name: IsTrader :one
select exists (select from traders where user_id = @user_id::bigint);

-- name: TraderShownTo :one
-- Who can see a trader's page: everybody, people who signed in, one reader.
select exists (select from orders where user_id = @user_id::bigint and status = 'active' and expires_at > sqlc.arg(now)::timestamptz and not hidden) as everybody,
    (exists (select from order_updates where buyer_id = @user_id)
        or exists (select from order_updates where seller_id = @user_id))::boolean as signed_in,
    (exists (select from offers where seller_id = @user_id and buyer_id = @reader_id::bigint)
        or exists (select from offers where seller_id = @reader_id and buyer_id = @user_id))::boolean as reader;
