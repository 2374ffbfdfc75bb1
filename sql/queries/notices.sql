-- name: NoticeNumbers :many
select nextval('notices_id_seq')::bigint from generate_series(1, @many::integer);

-- name: AddNotice :exec
insert into notices (id, user_id, kind, order_id, offer_id, item_name, quantity, price_per_unit, name, contact, message,
    state, reason, created_at, settled_at, caused_by)
values (@id, @user_id, @kind, @order_id, @offer_id, @item_name, @quantity, @price_per_unit, @name, @contact, @message,
    @state, @reason, @created_at, @settled_at, @caused_by);

-- name: Notices :many
select * from notices where user_id = @user_id and id < @before order by id desc limit @most;

-- name: CountUnread :one
select count(*) from notices where user_id = @user_id and read_at is null;

-- name: ReadNotices :exec
update notices set read_at = @now where user_id = @user_id and id <= @up_to and read_at is null;

-- name: SettleNotices :exec
update notices set state = @state, reason = @reason, settled_at = @now
where id = any(@ids::bigint[]) and state = 'pending';
