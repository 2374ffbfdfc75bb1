-- name: HoldNoticesOf :exec
-- What a search owes and no message has been given yet is held.
update notices set hold_until = greatest(hold_until, @hold_until::timestamptz)
where notices.user_id = @user_id and notices.state = 'pending' and notices.kind = 'request_watched' and delivery_id is null
    and notices.watch_id = @watch_id::bigint;

-- name: EndNoticesOf :exec
-- What searches owe and no message has been given yet ends: of one search, or about the requests of one buyer.
update notices set state = 'expired', reason = @reason, settled_at = @now
where notices.user_id = @user_id and notices.state = 'pending' and notices.kind = 'request_watched' and delivery_id is null
    and (notices.watch_id = @watch_id::bigint or notices.caused_by = @buyer_id::bigint);

-- name: WatchNotice :one
select * from notices where id = @id and user_id = @user_id and kind = 'request_watched';

-- name: MuteBuyer :exec
insert into muted_buyers (user_id, buyer_id, created_at) select @user_id, users.id, @now from users where users.id = @buyer_id
on conflict do nothing;

-- name: UnmuteBuyer :exec
delete from muted_buyers where user_id = @user_id and buyer_id = @buyer_id;

-- name: MutedBuyers :many
select m.buyer_id, users.username, m.created_at from muted_buyers m join users on users.id = m.buyer_id
where m.user_id = @user_id order by m.created_at desc limit @most;

-- name: WatchedOrders :many
-- The requests of alerts that wait, without those of which their reader is not to hear any more.
select orders.* from orders where orders.id = any(@ids::bigint[])
    and exists (select from users where users.id = @reader_id::bigint and users.blocked_at is null)
    and not exists (select from blocked_sellers b where b.buyer_id = orders.user_id and b.seller_id = @reader_id::bigint)
    and not exists (select from muted_buyers x where x.user_id = @reader_id::bigint and x.buyer_id = orders.user_id);

-- name: AddAlertRound :exec
-- One that goes on keeps its waves and what it compares with. One that rests begins again.
insert into alert_rounds (order_id, since, before, next_wave_at, due_at) values (@order_id, @since, @before, @since, @since)
on conflict (order_id) do update set since = excluded.since, due_at = least(alert_rounds.due_at, excluded.due_at),
    before = case when alert_rounds.resting then excluded.before else alert_rounds.before end, resting = false;

-- name: DueAlertRounds :many
-- Those that failed before are asked for by themselves, so that no other waits for them.
select order_id from alert_rounds where due_at <= sqlc.arg(now) and (failures > 0) = @failed::boolean order by due_at limit @most;

-- name: AlertsDue :one
select count(*) filter (where due_at <= sqlc.arg(now)) as due,
    coalesce(extract(epoch from sqlc.arg(now)::timestamptz - min(due_at) filter (where due_at <= sqlc.arg(now))), 0)::float8 as oldest,
    count(*) filter (where failures > 0) as failing
from alert_rounds;

-- name: LockAlertRound :one
select * from alert_rounds where order_id = @order_id for update;

-- name: SaveAlertRound :exec
update alert_rounds set waves = @waves, next_wave_at = @next_wave_at, due_at = @due_at, resting = @resting, failures = @failures
where order_id = @order_id;

-- name: DeleteAlertRound :exec
delete from alert_rounds where order_id = @order_id;

-- name: SenderOf :one
-- The facts of a buyer's reach, the people that messages have alerted to other requests of a list, and the time of an established
-- trader's report that waits.
select s.since, s.trust, (s.stopped_at is not null)::boolean as stopped,
    array(select distinct r.reader_id from reached r where r.sender_id = s.user_id and r.created_at > @since)::bigint[] as reached,
    array(select distinct r.reader_id from reached r where r.sender_id = s.user_id and r.created_at > @since and r.kind = 'request_watched')::bigint[] as alerted,
    array(select distinct n.user_id from orders line join notices n on n.order_id = line.id and n.kind = 'request_watched'
        where line.list_id = @list_id::bigint and line.id <> @order_id::bigint and n.reason not in ('inbox', 'reach')
            and (n.state <> 'pending' or n.delivery_id is not null))::bigint[] as heard_of_list,
    coalesce((select min(r.created_at) from reports r join traders t on t.user_id = r.reporter_id
        where r.order_id = @order_id::bigint and r.offer_id is null and r.state = 'open'), 'epoch')::timestamptz as reported_at
from senders s where s.user_id = @buyer_id;

-- name: ReachOf :one
select s.since, s.trust, (s.stopped_at is not null)::boolean as stopped,
    array(select distinct r.reader_id from reached r where r.sender_id = s.user_id and r.created_at > @since)::bigint[] as reached
from senders s where s.user_id = @sender_id;

-- name: SaveReachStopped :exec
update users set reach_stopped_at = sqlc.narg(stopped_at) where id = @id;

-- name: HoldBack :exec
-- Notices that a user caused and that are in no message yet are in their readers' inbox only.
update notices set state = 'delivered', reason = 'reach', settled_at = @now
where caused_by = @sender_id::bigint and kind in ('request_watched', 'offer_received', 'look_alike', 'ask_received') and state = 'pending'
    and delivery_id is null;

-- name: Reaching :many
-- The users that a moderator stopped, and the users with so many people messaged by their acts since a time. For each user it looks that
-- up by an index.
select users.id, users.username, users.reach_stopped_at, found.people
from users
cross join lateral (select count(distinct r.reader_id) as people from reached r where r.sender_id = users.id and r.created_at > @since) found
where found.people >= @at_least::bigint or users.reach_stopped_at is not null
order by users.reach_stopped_at is not null desc, found.people desc, users.id limit @most;

-- name: LockSharedReach :exec
-- The places that accounts share are given out by one at a time.
select pg_advisory_xact_lock(hashtext('shared_reach'));

-- name: SharedReach :one
-- The places that were taken since a time and whose readers have not offered on the request since, how many people traded within a week, and
-- how many rounds of alerts are due.
select coalesce((select sum(s.people) from shared_reach s where s.drawn_at > @since
        and not exists (select from sent_offers o where o.order_id = s.order_id and o.seller_id = s.reader_id)), 0)::bigint as used,
    coalesce((select active_week from trust_market), 0)::bigint as active,
    (select count(*) from alert_rounds where due_at <= sqlc.arg(now)) as waiting;

-- name: TakeSharedReach :exec
with over as (delete from shared_reach old where old.drawn_at <= @since)
insert into shared_reach (drawn_at, people, reader_id, order_id)
select sqlc.arg(now)::timestamptz, 1, unnest(@readers::bigint[]), @order_id::bigint;

-- name: OfferedOn :one
select coalesce(sum(quantity_offered), 0)::bigint from offers where order_id = @order_id;

-- name: HaveStock :one
-- How many besides a buyer have an item in stock, whatever they ask for it. It reads as many as are asked for.
select count(*) from (
    select from stock join users on users.id = stock.user_id
    where item_key(stock.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))
        and stock.quantity > 0 and stock.touched_at > @touched_after and stock.user_id <> @buyer_id
        and users.blocked_at is null and users.leaving_at is null
    limit @most) have;

-- name: UseIndexes :exec
-- Until the transaction ends. A plan is kept, and one that was made while a table was empty reads all of it for each watcher; PostgreSQL
-- takes up to a minute to see that it has grown.
select set_config('enable_seqscan', 'off', true);

-- name: Watchers :many
-- Searches that fit a request, with the columns that decide when their users are alerted: users who can fill it and have waited longest
-- come first. A search for items is stored under their keys, so a search that is found is for the right item. Each user's settings are
-- looked up separately (lateral ... offset 0), and users who are left out are read once (not in): no plan compares every watcher with
-- every row.
select sqlc.embed(w), m.muted, m.quiet_from, m.quiet_to, m.time_zone, m.closed, t.alerted_at as turn_at,
    coalesce(t.messages, '{}')::timestamptz[] as messages, can.fill::boolean as can_fill
from searches w
cross join lateral (select * from mailboxes where mailboxes.user_id = w.user_id offset 0) m
left join lateral (select * from watch_turns where watch_turns.user_id = w.user_id offset 0) t on true
cross join lateral (select exists (
    select from skills s where s.user_id = w.user_id and s.category = @category and s.level >= @level_required::integer) as fill offset 0) can
where w.bell and w.id = any(array(select k.watch_id from watch_keys k where k.key = any(@keys::text[])))
    and w.user_id <> @buyer_id and w.paused_at is null and w.updated_at <= @since
    and (w.kind = '' or w.kind = @kind)
    and (cardinality(w.categories) = 0 or @category::text = any(w.categories)) and (cardinality(w.importance) = 0 or @importance::text = any(w.importance))
    and (w.level = 0 or @level_required::integer <= w.level)
    and w.min_price <= @price::bigint and (w.max_price = 0 or @price::bigint <= w.max_price) and w.min_quantity <= @quantity::integer
    and (w.texts = '{}' or lower(w.texts::text)::jsonb <@ lower(@texts::text)::jsonb)
    and (not w.for_me or can.fill)
    and (cardinality(w.terms) = 0 or not exists (select from unnest(w.terms) term where strpos(@content::text, term) = 0 and not (char_length(term) >= 3
        and exists (select from unnest(@names::text[]) part where starts_with(part, term)))))
    and w.user_id not in (select u.id from users u where u.blocked_at is not null or u.leaving_at is not null)
    and w.user_id not in (select b.seller_id from blocked_sellers b where b.buyer_id = @buyer_id)
    and w.user_id not in (select x.user_id from muted_buyers x where x.buyer_id = @buyer_id)
    and w.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.order_id = @order_id::bigint)
    and w.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.caused_by = @buyer_id::bigint
        and n.created_at > @repeated_since and item_key(n.item_name) = item_key(@item_name::text))
order by can.fill desc, t.alerted_at nulls first, w.user_id, w.id limit @most;

-- name: StoppedAlerts :one
-- How many alerts that were added now are from a search or stock that its user has stopped or snoozed since it was read. It locks the
-- stock; NoteAlerts has locked the searches.
with added as (
    select n.id, n.user_id, n.watch_id, n.hold_until from notices n
    where n.order_id = @order_id::bigint and n.created_at = @created_at::timestamptz and n.kind = 'request_watched' and n.state = 'pending' and n.delivery_id is null
), stocked as (
    select added.id, added.hold_until, stock.alerts_off_at, stock.snoozed_until from added join stock on stock.user_id = added.user_id
    where added.watch_id is null and item_key(stock.item_name) = any(array(select item_key(n) from unnest(@names::text[]) n))
    for share of stock
), by_stock as (
    select stocked.id, stocked.hold_until, bool_and(stocked.alerts_off_at is not null) as over,
        min(coalesce(stocked.snoozed_until, 'epoch')) filter (where stocked.alerts_off_at is null) as snoozed_until
    from stocked group by stocked.id, stocked.hold_until
)
select ((select count(*) from by_stock b where b.over or b.snoozed_until > @created_at::timestamptz and b.snoozed_until > coalesce(b.hold_until, 'epoch'))
    + (select count(*) from added left join searches w on w.bell and w.id = added.watch_id where added.watch_id is not null
        and (w.id is null or w.paused_at is not null or w.snoozed_until > @created_at::timestamptz and w.snoozed_until > coalesce(added.hold_until, 'epoch'))))::bigint as stopped;

-- name: CountWatchers :one
-- How many people a request would be alerted to.
-- Those whose stock it is for are counted, too, where there are names.
select count(*) from (
    select w.user_id
    from searches w
    where w.bell and w.id = any(array(select k.watch_id from watch_keys k where k.key = any(@keys::text[])))
        and w.user_id <> @buyer_id and w.paused_at is null
        and (w.kind = '' or w.kind = @kind)
        and (cardinality(w.categories) = 0 or @category::text = any(w.categories)) and (cardinality(w.importance) = 0 or @importance::text = any(w.importance))
        and (w.level = 0 or @level_required::integer <= w.level)
        and w.min_price <= @price::bigint and (w.max_price = 0 or @price::bigint <= w.max_price) and w.min_quantity <= @quantity::integer
        and (w.texts = '{}' or lower(w.texts::text)::jsonb <@ lower(@texts::text)::jsonb)
        and (not w.for_me or exists (
            select from skills s where s.user_id = w.user_id and s.category = @category and s.level >= @level_required::integer))
        and (cardinality(w.terms) = 0 or not exists (select from unnest(w.terms) term where strpos(@content::text, term) = 0 and not (char_length(term) >= 3
            and exists (select from unnest(@names::text[]) part where starts_with(part, term)))))
        and w.user_id not in (select u.id from users u where u.blocked_at is not null or u.leaving_at is not null)
        and w.user_id not in (select b.seller_id from blocked_sellers b where b.buyer_id = @buyer_id)
        and w.user_id not in (select x.user_id from muted_buyers x where x.buyer_id = @buyer_id)
    union
    select stock.user_id
    from stock
    join users u on u.id = stock.user_id
    where item_key(stock.item_name) = any(array(select item_key(n) from unnest(@stocked::text[]) n))
        and stock.quantity > 0 and stock.touched_at > @touched_after and stock.price <= @price::bigint and stock.user_id <> @buyer_id
        and stock.alerts_off_at is null and u.blocked_at is null and u.leaving_at is null
        and not exists (select from blocked_sellers b where b.buyer_id = @buyer_id and b.seller_id = stock.user_id)
        and not exists (select from muted_buyers x where x.user_id = stock.user_id and x.buyer_id = @buyer_id)
    limit @most) people;

-- name: NoteAlerts :exec
-- Stores when searches alerted, which users had their turn, and when users were or will be messaged: the latest times, as many as the quota
-- counts.
with turns as (
    insert into watch_turns (user_id, alerted_at, messages)
    select r.user_id, case when r.turn then @now::timestamptz end, case when @most::integer > 0 then array[r.at] else '{}' end from (
        select unnest(@users::bigint[]) as user_id, unnest(@turns::boolean[]) as turn, unnest(@message_times::timestamptz[]) as at) r
    order by r.user_id
    on conflict (user_id) do update set alerted_at = coalesce(excluded.alerted_at, watch_turns.alerted_at),
        messages = array(select distinct at from unnest(watch_turns.messages || excluded.messages) at order by at desc limit @most::integer)
)
update searches set alerted_at = a.alerted_at from (
    select unnest(@searches::bigint[]) as id, unnest(@times::timestamptz[]) as alerted_at) a
where searches.bell and searches.id = a.id;
