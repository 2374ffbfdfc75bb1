-- name: LockReporter :exec
select from users where id = @id for no key update;

-- name: OpenReportsBy :many
select * from reports where reporter_id = @reporter_id::bigint and state = 'open';

-- name: ReportsBy :many
select * from reports where reporter_id = @reporter_id::bigint order by id desc;

-- name: AddReport :one
insert into reports (reporter_id, order_id, offer_id, subject_id, item_name, reason, state, created_at)
values (@reporter_id, @order_id, @offer_id, @subject_id, @item_name, @reason, @state, @created_at)
returning id;

-- name: LockReport :one
select * from reports where id = @id for update;

-- name: SettleReport :exec
update reports set state = @state, settled_at = @settled_at, settled_by = @settled_by where id = @id;

-- name: ActOnReportsOfOrder :exec
update reports set state = 'acted_on', settled_at = @settled_at, settled_by = @settled_by
where order_id = @order_id and state = 'open';

-- name: ActOnReportsOfOffer :exec
update reports set state = 'acted_on', settled_at = @settled_at, settled_by = @settled_by
where offer_id = @offer_id::bigint and state = 'open';

-- name: ActOnReportsOfUser :exec
update reports set state = 'acted_on', settled_at = @settled_at, settled_by = @settled_by
where subject_id = @subject_id::bigint and state = 'open';

-- name: OpenReports :many
select sqlc.embed(reports), coalesce(reporters.username, '')::text as reporter_name, coalesce(subjects.username, '')::text as subject_name
from reports
left join users reporters on reporters.id = reports.reporter_id
left join users subjects on subjects.id = reports.subject_id
where reports.state = 'open' and reports.id < @before order by reports.id desc limit @most;

-- name: OrdersByID :many
select * from orders where id = any(@ids::bigint[]);

-- name: OffersByID :many
select * from offers where id = any(@ids::bigint[]);
