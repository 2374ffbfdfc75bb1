-- name: ReportChannel :one
select * from report_channels;

-- name: SaveReportChannel :exec
-- Where it is already, it stays as it is.
insert into report_channels (channel_id, guild_id, locale, created_at)
values (@channel_id, @guild_id, @locale, @created_at)
on conflict (current) do update set
    channel_id = excluded.channel_id, guild_id = excluded.guild_id, locale = excluded.locale,
    created_at = case when report_channels.channel_id = excluded.channel_id then report_channels.created_at else excluded.created_at end;

-- name: RemoveReportChannel :many
delete from report_channels where report_channels.channel_id = @channel_id returning report_channels.channel_id;

-- name: ReportsToShow :many
-- The newest open report about each thing that was reported since the channel was set up and that no message shows.
select reports.* from report_channels
join reports on reports.state = 'open' and reports.created_at >= report_channels.created_at
where not exists (
        select from reports newer where newer.state = 'open' and newer.id > reports.id
            and newer.order_id = reports.order_id and newer.offer_id is not distinct from reports.offer_id)
    and not exists (
        select from report_posts where not report_posts.decided and report_posts.order_id = reports.order_id
            and coalesce(report_posts.offer_id, 0) = coalesce(reports.offer_id, 0))
order by reports.id limit @most;

-- name: RecentReportPosts :many
-- Posts in a channel since a time, each with how many share its message.
select sqlc.embed(report_posts),
    (select count(*) from report_posts beside where beside.message_of = report_posts.message_of)::integer as beside
from report_posts where report_posts.channel_id = @channel_id and report_posts.started_at > @since order by report_posts.id;

-- name: StartReportPost :exec
-- A post joins the message of another one, or starts one when message_of is 0.
insert into report_posts (id, channel_id, locale, report_id, order_id, offer_id, message_of, shared, nonce_prefix, started_at)
select next.id, @channel_id, @locale, @report_id, @order_id, sqlc.narg(offer_id),
    coalesce(nullif(sqlc.arg(message_of)::bigint, 0), next.id), sqlc.arg(shared)::boolean,
    coalesce((select prefix from nonce_prefixes), ''), @started_at
from (select nextval(pg_get_serial_sequence('report_posts', 'id')) as id) next
on conflict do nothing;

-- name: StaleReportPosts :many
-- Posts that do not show their reports as they are: not sent yet, reported again, decided, and changed in what they are about; of a
-- message that was deleted, those that are decided or were reported again. Those not sent come first; messages that are not edited now
-- are left out.
select report_posts.* from report_posts
cross join lateral (
    select count(*)::integer as reports, coalesce(max(reports.id), 0)::bigint as latest from reports
    where reports.state = 'open' and reports.order_id = report_posts.order_id
        and reports.offer_id is not distinct from report_posts.offer_id
) open_now
left join orders on orders.id = report_posts.order_id
left join offers on offers.id = report_posts.offer_id
left join stock on stock.id = -report_posts.order_id and stock.public and stock.quantity > 0
left join users sellers on sellers.id = stock.user_id
where not report_posts.decided and case
    when report_posts.gone then open_now.reports = 0 or open_now.latest > report_posts.report_id
    else report_posts.message_id = '' or report_posts.shown_reports <> open_now.reports
        or report_posts.shown_thing <> coalesce(case when report_posts.order_id < 0
            then listing_version(stock.item_name, stock.quantity, 0, stock.price, stock.note, stock.shown_until, sellers.username)
            when report_posts.offer_id is null then orders.version else offers.quantity_offered end, 0)
    end
    and (report_posts.message_id = '' or report_posts.message_id <> all(sqlc.arg(held)::text[]))
order by report_posts.message_id <> '', report_posts.id limit @most;

-- name: ReportPostsOf :many
-- Posts that one message shows.
select * from report_posts where message_of = @message_of order by id;

-- name: SaveReportPost :exec
update report_posts set
    message_id = @message_id, report_id = @report_id, shown_reports = @shown_reports, shown_thing = @shown_thing,
    decided = @decided, gone = @gone
where id = @id;

-- name: RemoveReportPosts :exec
delete from report_posts where id = any(@ids::bigint[]);

-- name: DecidedReport :one
-- A report with what was decided on it. The entry in the log has the time at which the report was settled.
select sqlc.embed(reports), coalesce(moderators.username, '')::text as moderator_name, coalesce(subjects.username, '')::text as subject_name,
    coalesce(entries.action, '')::text as action, coalesce(entries.reason, '')::text as entry_reason
from reports
left join users moderators on moderators.id = reports.settled_by
left join users subjects on subjects.id = reports.subject_id
left join lateral (
    select audit_entries.action, audit_entries.reason from audit_entries
    where audit_entries.moderator_id = reports.settled_by and audit_entries.at = reports.settled_at
    order by audit_entries.id limit 1
) entries on true
where reports.id = @id;

-- name: ReportByID :one
select * from reports where id = @id;
