-- name: NoticeNumbers :many
-- A distributed PostgreSQL takes the numbers where the table is, as it does for LockOrder, because the condition names the table; none
-- is 0.
select nextval('notices_id_seq')::bigint from generate_series(1, @many::integer)
where not exists (select from notices where notices.id = 0);

-- name: AddNotice :exec
-- Adds a notice, the job that delivers it, and the event for the webhooks of its reader. One that its reader must not be sent has ended as it is written, and has no job. The job
-- of a reader's only pending notice comes before those of readers who have others. A second alert about a request is not added. An offer to a
-- reader who has them gathered is held as gatherUntil in the store's tests says.
with earlier as (
    select n.hold_until as held, n.hold_until > @created_at::timestamptz as waits, n.hold_until + @gather_every::interval as next,
        n.hold_until + @gather_every::interval > @created_at::timestamptz as soon, n.created_at + @gather_every::interval as since_last,
        n.created_at > @gather_recent::timestamptz as recent, @gather_after::integer as enough
    from mailboxes join notices n on n.user_id = mailboxes.user_id
    where mailboxes.user_id = @user_id and mailboxes.gather_offers and @gathers::boolean
        and n.kind = 'offer_received' and n.state in ('pending', 'delivered') and n.reason <> @beyond::text
        and n.created_at > @gather_since::timestamptz
    order by n.id desc limit 200
), gathered as (
    select case when bool_or(earlier.waits) then max(earlier.held) when bool_or(earlier.soon) then max(earlier.next)
        when count(case when earlier.recent then 1 end) >= max(earlier.enough) then max(earlier.since_last) end as until
    from earlier
), unsent as (
    select case when @kind::notice_kind = any(muted) then @if_muted::text when closed <> '' and not @sent_while_closed::boolean
        and not exists (select from trade_threads t where t.sale_id = @thread_of::bigint and not t.ended) then closed end as reason
    from mailboxes where mailboxes.user_id = @user_id and @state::text = 'pending'
), added as (
    insert into notices (id, user_id, kind, order_id, offer_id, item_name, quantity, price_per_unit, name, contact, message,
        state, reason, created_at, settled_at, caused_by, sale_id, watch_id, listing_id, rank, hold_until)
    select @id, @user_id, @kind, @order_id, @offer_id, @item_name, @quantity, @price_per_unit, @name, @contact, @message,
        case when unsent.reason is null then @state::text else 'refused' end,
        coalesce(unsent.reason, @reason::text), @created_at,
        case when unsent.reason is null then sqlc.narg(settled_at)::timestamptz else @created_at end, @caused_by,
        @sale_id, @watch_id, @listing_id, @rank, coalesce(sqlc.narg(hold_until)::timestamptz, (select gathered.until from gathered))
    from (select) one left join unsent on true
    on conflict (order_id, user_id) where kind = 'request_watched' do nothing
    returning notices.id, notices.user_id, notices.state, notices.hold_until
), hooked as (
    insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at)
    select w.id, @event::text, @event_type::text, @event_data::text, @created_at, @created_at
    from added join webhooks w on w.user_id = added.user_id
    where not w.market and w.state = 'on' and @event_type::text = any(w.types)
)
insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
select jsonb_build_object('notice', added.id), 'deliver_notice', @max_attempts, case when exists (
        select from notices where notices.user_id = added.user_id and notices.state = 'pending')
        then @another::smallint else @alone::smallint end,
    @queue, greatest(added.hold_until, @now::timestamptz), case when added.hold_until > @now::timestamptz then 'scheduled'::river_job_state else 'available' end
from added where added.state = 'pending';

-- name: Notices :many
-- A notice of a new offer comes with what has become of the offer.
select sqlc.embed(n),
    (n.kind = 'offer_received' and exists (select from offers where offers.id = n.offer_id))::boolean as offer_open,
    (case when n.kind = 'offer_received' then (
        select coalesce(sum(u.quantity_sold), 0) from order_updates u
        where u.order_id = n.order_id and u.offer_id = n.offer_id and not exists (select from sale_reversals r where r.sale_id = u.id))
    else 0 end)::integer as offer_accepted
from notices n where n.user_id = @user_id and n.id < @before order by n.id desc limit @most;

-- name: CountUnread :one
select count(*) from notices where user_id = @user_id and read_at is null;

-- name: ReadNotices :exec
update notices set read_at = @now where user_id = @user_id and id <= @up_to and read_at is null;

-- name: SettleNotices :exec
update notices set state = @state, reason = @reason, settled_at = @now
where id = any(@ids::bigint[]) and state = 'pending';
