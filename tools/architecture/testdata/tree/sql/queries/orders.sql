-- name: Order
select 1;
