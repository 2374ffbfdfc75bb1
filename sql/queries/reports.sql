-- name: LockReporter :exec
select from users where id = @id for no key update;

-- name: OpenReportsBy :many
select * from reports where reporter_id = @reporter_id::bigint and state = 'open';

-- name: LatestReportsBy :many
select * from reports where reporter_id = @reporter_id::bigint order by id desc limit @most;

-- name: ReportsBy :many
select * from reports where reporter_id = @reporter_id::bigint order by id desc;

-- name: AddReport :one
with hashed as materialized (
    select sha256(report_keys.key || convert_to(@network::text, 'UTF8')) as network from report_keys where @network::text <> ''
)
insert into reports (reporter_id, order_id, offer_id, listing_id, subject_id, item_name, reason, state, created_at, network)
select @reporter_id, @order_id, @offer_id, @listing_id, @subject_id, @item_name, @reason, @state, @created_at,
    (select hashed.network from hashed)
returning id;

-- name: LockReport :one
select * from reports where id = @id for update;

-- name: IsReported :one
select exists (select from reports
    where order_id = @order_id and offer_id is not distinct from sqlc.narg(offer_id)::bigint and state = 'open')::boolean;

-- name: TradesOn :one
select (exists (select from offers o where o.order_id = @order_id and o.seller_id = @user_id::bigint)
    or exists (select from order_updates s where s.order_id = @order_id and s.seller_id = @user_id::bigint))::boolean;

-- name: TradesOnListing :one
-- A user who asks for some of a listing, or has bought of it.
select (exists (select from orders o where o.user_id = @user_id and o.listing_id = @listing_id::bigint and (o.status = 'active' or o.sold > 0))
    or exists (select from order_updates u where u.crossed_with = @listing_id::bigint and u.buyer_id = @user_id))::boolean;

-- name: SettleReport :exec
update reports set state = @state, settled_at = @settled_at, settled_by = @settled_by
where order_id = @order_id and offer_id is not distinct from sqlc.narg(offer_id)::bigint and state = 'open';

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
-- The newest report about each thing stands for all of them.
select sqlc.embed(reports), coalesce(reporters.username, '')::text as reporter_name, coalesce(subjects.username, '')::text as subject_name
from reports
left join users reporters on reporters.id = reports.reporter_id
left join users subjects on subjects.id = reports.subject_id
where reports.state = 'open' and reports.id < @before and not exists (
    select from reports newer where newer.state = 'open' and newer.id > reports.id
        and newer.order_id = reports.order_id and newer.offer_id is not distinct from reports.offer_id)
order by reports.id desc limit @most;

-- name: OpenReport :one
-- The newest open report about what a report is about.
select sqlc.embed(reports), coalesce(reporters.username, '')::text as reporter_name, coalesce(subjects.username, '')::text as subject_name
from reports asked
join reports on reports.state = 'open' and reports.order_id = asked.order_id and reports.offer_id is not distinct from asked.offer_id
left join users reporters on reporters.id = reports.reporter_id
left join users subjects on subjects.id = reports.subject_id
where asked.id = @id order by reports.id desc limit 1;

-- name: ReasonsOfReports :many
-- The reasons of signed-in reporters come first, then the latest.
select ranked.order_id, ranked.offer_id, ranked.reason, ranked.created_at, ranked.reporter_id,
    coalesce(users.username, '')::text as reporter_name, ranked.reports::bigint as reports
from (
    select order_id, offer_id, reason, created_at, reporter_id,
        count(*) over (partition by order_id, offer_id) as reports,
        row_number() over (partition by order_id, offer_id order by (reporter_id is null), id desc) as place
    from reports where state = 'open' and order_id = any(@order_ids::bigint[])
) ranked
left join users on users.id = ranked.reporter_id
where ranked.place <= @most::bigint order by ranked.order_id, ranked.offer_id, ranked.place;

-- name: ListingsByID :many
-- Stock that reports are about, with its seller, and a number that tells apart two states of it as it is shown; zero where it is not for sale.
select sqlc.embed(stock), users.username, users.display_name, users.avatar,
    case when stock.public and stock.quantity > 0
        then listing_version(stock.item_name, stock.quantity, 0, stock.price, stock.note, stock.shown_until, users.username) else 0 end::integer as version
from stock join users on users.id = stock.user_id where stock.id = any(@ids::bigint[]);

-- name: OrdersByID :many
select * from orders where id = any(@ids::bigint[]);

-- name: OffersByID :many
select * from offers where id = any(@ids::bigint[]);
