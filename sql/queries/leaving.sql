-- name: SaveLeaving :exec
update users set leaving_at = @leaving_at where id = @id;

-- name: HideNames :exec
-- A user who leaves is not named any more in what others were told. The sides of an accept keep each other's contacts.
update notices set name = '', contact = '', message = case kind when 'offer_received' then '' else message end
where user_id <> @id::bigint and kind <> 'offer_accepted' and (contact = @username or kind = 'look_alike' and caused_by = @id::bigint
    or kind in ('handover_prompt', 'handover_cancelled', 'handover_disputed', 'handover_settled', 'offer_timed_out', 'standing_accepted', 'listing_sold', 'crossing_undone', 'ask_accepted',
        'meeting_time', 'meeting_soon') and caused_by = @id::bigint
    or kind in ('offer_received', 'offer_withdrawn') and offer_id in (select id from sent_offers where seller_id = @id::bigint and accepted = 0)
    or kind in ('offer_declined', 'offer_lapsed') and order_id in (select id from orders where orders.user_id = @id::bigint));

-- name: LeftUsers :many
select id from users where leaving_at < @before::timestamptz order by leaving_at limit @most for update skip locked;

-- name: IdentityKey :one
-- Another that makes one at the same time waits here.
with made as (insert into identity_keys (key) values (@key) on conflict (current) do update set current = true returning key)
select key from made;

-- name: KeepContacts :exec
-- It locks the sales: a request that is deleted at this moment takes the names of its sales with it, and they are read after that.
insert into kept_contacts (sale_id, buyer_name, buyer_contact, in_game_name, seller_name, seller_contact, kept_at)
select u.id, case when u.buyer_id = @id::bigint then b.display_name end, case when u.buyer_id = @id::bigint then coalesce(o.buyer_contact, b.username) end,
    case when u.buyer_id = @id::bigint then o.ign end,
    case when u.seller_id = @id::bigint then coalesce(u.seller_name, s.display_name) end,
    case when u.seller_id = @id::bigint then coalesce(u.seller_contact, s.username) end, @now
from order_updates u
left join orders o on o.id = u.order_id
left join users b on b.id = u.buyer_id
left join users s on s.id = u.seller_id
where (u.buyer_id = @id::bigint and u.seller_id is not null or u.seller_id = @id::bigint and u.buyer_id is not null)
    and not exists (select from sale_reversals r where r.sale_id = u.id)
for update of u
on conflict (sale_id) do update set buyer_name = excluded.buyer_name, buyer_contact = excluded.buyer_contact, in_game_name = excluded.in_game_name,
    seller_name = excluded.seller_name, seller_contact = excluded.seller_contact, kept_at = excluded.kept_at;

-- name: RememberAccount :exec
insert into former_accounts (account, user_id, since, posted, blocked_at, blocked_for, reach_stopped_at, deleted_at)
select @account, users.id, users.created_at, array(
        select orders.created_at from orders where orders.user_id = users.id and orders.created_at > @posted_since::timestamptz and orders.list_id is null
        union all
        select posted_lists.created_at from posted_lists where posted_lists.user_id = users.id and posted_lists.created_at > @posted_since::timestamptz
        union all
        select deleted_orders.created_at from deleted_orders where deleted_orders.user_id = users.id
    ), users.blocked_at, users.blocked_for, users.reach_stopped_at, @now
from users where users.id = @id
on conflict (account) do update set user_id = excluded.user_id, since = excluded.since, posted = excluded.posted,
    blocked_at = excluded.blocked_at, blocked_for = excluded.blocked_for, reach_stopped_at = excluded.reach_stopped_at,
    deleted_at = excluded.deleted_at;

-- name: RememberBlocks :exec
insert into blocked_former_sellers (buyer_id, account, created_at, deleted_at)
select buyer_id, @account, created_at, @now from blocked_sellers where seller_id = @seller_id
on conflict do nothing;

-- name: RememberAgainst :exec
-- A partner counts once, as in a record.
insert into settled_against (account, settled_at)
select @account, max(h.settled_at) from handovers h
where (h.buyer_id = @id::bigint and h.against = 'buyer' or h.seller_id = @id::bigint and h.against = 'seller') and h.settled_at > @since
group by case when h.buyer_id = @id::bigint then coalesce(h.seller_id, -h.former_seller) else coalesce(h.buyer_id, -h.former_buyer) end;

-- name: RememberReports :exec
update reports set subject_account = @account where subject_id = @id::bigint and state = 'open';

-- name: LeaveHandovers :exec
-- A user who deletes their account is a number without a name in the handovers of others.
with former as (
    insert into former_partners (established) select exists (select from traders t where t.user_id = @id::bigint)
    where exists (select from handovers h where h.buyer_id = @id::bigint or h.seller_id = @id::bigint)
    returning id
), unnamed as (
    update handovers set
        former_buyer = case when handovers.buyer_id = @id::bigint then former.id else handovers.former_buyer end,
        former_seller = case when handovers.seller_id = @id::bigint then former.id else handovers.former_seller end,
        buyer_id = nullif(handovers.buyer_id, @id::bigint), seller_id = nullif(handovers.seller_id, @id::bigint),
        ruling_reason = null -- it may name them
    from former where handovers.buyer_id = @id::bigint or handovers.seller_id = @id::bigint
    returning handovers.sale_id
)
update trade_threads set due_at = 'epoch' from unnamed where trade_threads.sale_id = unnamed.sale_id;

-- name: LeaveDecisions :exec
with unnamed as (update handovers set settled_by = null where handovers.settled_by = @id::bigint returning handovers.sale_id)
update trade_threads set due_at = 'epoch' from unnamed where trade_threads.sale_id = unnamed.sale_id;

-- name: LeaveNoticesOfHandovers :exec
-- Who leaves is not named any more in what others were told.
update notices set name = '', contact = '' where caused_by = @id::bigint
    and kind in ('handover_prompt', 'handover_cancelled', 'handover_disputed', 'handover_settled', 'offer_timed_out', 'meeting_time', 'meeting_soon');

-- name: LeaveLookAlikes :exec
update notices set name = '' where kind = 'look_alike' and caused_by = @id::bigint;

-- name: LeaveNoticesOfTrades :exec
update notices set name = '', contact = '', message = case kind when 'offer_received' then '' else message end
where user_id <> @id::bigint and (contact = @username
    or kind in ('offer_received', 'offer_withdrawn') and offer_id in (select id from sent_offers where seller_id = @id::bigint)
    or kind in ('offer_accepted', 'offer_declined', 'offer_lapsed') and order_id in (select id from orders where orders.user_id = @id::bigint));

-- name: LeaveSentOffers :exec
update sent_offers set buyer_contact = null
where sent_offers.seller_id <> @id::bigint and (sent_offers.buyer_contact = @username::text
    or order_id in (select orders.id from orders where orders.user_id = @id::bigint));

-- name: LeaveRemovedSales :exec
-- Sales of removed requests return without the seller's name, too. Before LeaveSales, which takes the seller from the sales.
with mine as (select id from order_updates where seller_id = @id::bigint and order_id is null)
update removals set content = jsonb_set(removals.content, '{sales}', (
    select jsonb_agg(case when (sale.value -> 'id')::bigint in (select mine.id from mine)
        then sale.value || jsonb_build_object('seller_name', null, 'seller_contact', null,
            'text', case when sale.value ->> 'text' like 'Accepted offer from %'
                then '"Accepted offer from a seller who has left"'::jsonb else sale.value -> 'text' end)
        else sale.value end order by sale.ordinality)
    from jsonb_array_elements(removals.content -> 'sales') with ordinality sale))
where removals.audit_id in (select r.audit_id from mine
    join removals r on r.content -> 'sales' @> jsonb_build_array(jsonb_build_object('id', mine.id)));

-- name: LeaveSales :exec
update order_updates set
    seller_name = case when seller_id = @id::bigint then null else seller_name end,
    seller_contact = case when seller_id = @id::bigint then null else seller_contact end,
    notes = case when seller_id = @id::bigint and notes like 'Accepted offer from %'
        then 'Accepted offer from a seller who has left' else notes end,
    updated_by = nullif(updated_by, @id::bigint), seller_id = nullif(seller_id, @id::bigint), buyer_id = nullif(buyer_id, @id::bigint)
where buyer_id = @id::bigint or seller_id = @id::bigint;

-- name: LeaveReversals :exec
update sale_reversals set reversed_by = null where reversed_by = @id::bigint;

-- name: TakeLapsedOffersOf :exec
-- Before their notices: where sellers are being notified at the same time, theirs is deleted after it was written.
delete from lapsed_offers where seller_id = @id::bigint;

-- name: TakeOffersOf :exec
delete from offers where seller_id = @id::bigint;

-- name: TakeEndedOffersOf :exec
delete from ended_offers where (content ->> 'seller_id')::bigint = @id::bigint or ended_by = @id::bigint;

-- name: TakeSentOffersOf :exec
delete from sent_offers where seller_id = @id::bigint;

-- name: TakeNoticesOf :exec
delete from notices where user_id = @id::bigint;

-- name: TakeFormerAccount :many
delete from former_accounts where account = @account and deleted_at > @after returning *;

-- name: ReturnUser :one
-- Who was blocked has their former number again, of which the moderation log speaks.
update users set id = case when @blocked_for::text = '' then users.id else @former::bigint end, created_at = @since,
    blocked_at = sqlc.narg(blocked_at), blocked_for = @blocked_for, reach_stopped_at = sqlc.narg(reach_stopped_at)
where users.id = @id returning *;

-- name: ReturnPosts :exec
insert into deleted_orders (user_id, created_at) select @user_id, unnest(@posted::timestamptz[]);

-- name: ReturnBlocks :exec
with taken as (delete from blocked_former_sellers b where b.account = @account returning b.buyer_id, b.created_at)
insert into blocked_sellers (buyer_id, seller_id, created_at) select taken.buyer_id, @seller_id, taken.created_at from taken
on conflict do nothing;

-- name: ReturnAgainst :exec
update settled_against set user_id = @user_id::bigint where account = @account;

-- name: RemoveSettledAgainst :one
with gone as (
    delete from settled_against where id = any(array(
        select due.id from settled_against due where due.settled_at < @before order by due.settled_at limit @most))
    returning id
)
select count(*) from gone;

-- name: ReturnReports :exec
update reports set subject_id = @subject_id::bigint, subject_account = null where subject_account = @account;

-- name: RemoveFormerAccounts :one
with gone as (
    delete from former_accounts where account = any(array(
        select due.account from former_accounts due where due.deleted_at < @before order by due.deleted_at limit @most))
    returning account
), blocks as (
    delete from blocked_former_sellers where account in (select account from gone)
), reports as (
    update reports set subject_account = null where subject_account in (select account from gone)
)
select count(*) from gone;

-- name: RemoveKeptContacts :one
with gone as (
    delete from kept_contacts where sale_id = any(array(
        select due.sale_id from kept_contacts due where due.kept_at < @before order by due.kept_at limit @most))
    returning sale_id
)
select count(*) from gone;
