-- name: SaleNumber :one
select nextval('order_updates_id_seq')::bigint;

-- name: AddSale :exec
insert into order_updates (id, order_id, quantity_sold, notes, unit_price, updated_by, seller_id, created_at)
values (@id, @order_id, @quantity_sold, @notes, @unit_price, @updated_by, @seller_id, @created_at);

-- name: Sales :many
select * from order_updates where order_id = @order_id order by id desc limit @most;

-- name: CountSales :one
select count(*) from order_updates where order_id = @order_id;
