-- name: AddHandover :exec
insert into handovers (sale_id, buyer_id, seller_id, accepted_at, agreed_by, due_at, meet_at)
values (@sale_id, @buyer_id, @seller_id, @accepted_at, @agreed_by, @due_at, sqlc.narg(meet_at));

-- name: AddMissingHandovers :execrows
-- Accepts between two accounts that have no handover: an older program made them. The canary's have none.
with missing as materialized (
    select u.id, u.buyer_id, u.seller_id, u.created_at, u.created_at + @within::interval as due_at
    from order_updates u join users b on b.id = u.buyer_id join users s on s.id = u.seller_id
    where u.created_at > @since and u.offer_id is not null and b.discord_id not like 'canary-%'
        and not exists (select from handovers h where h.sale_id = u.id)
        and not exists (select from sale_reversals r where r.sale_id = u.id)
    order by u.id limit @most
)
insert into handovers (sale_id, buyer_id, seller_id, accepted_at, agreed_by, due_at)
select missing.id, missing.buyer_id, missing.seller_id, missing.created_at, missing.due_at, missing.due_at from missing
on conflict do nothing;

-- name: Handovers :many
-- The handovers of a user on either side, newest first; of some sales where there are any, else of every one below a number. Each half walks
-- an index of its own.
with mine as (
    (select sale_id from handovers
        where buyer_id = @user_id::bigint and sale_id < @before::bigint
            and (cardinality(@sales::bigint[]) = 0 or sale_id = any(@sales::bigint[]))
            and (cardinality(@states::text[]) = 0 or state = any(@states::text[]))
            and (cardinality(@orders::bigint[]) = 0 or exists (
                select from order_updates o where o.id = sale_id and o.order_id = any(@orders::bigint[])))
        order by sale_id desc limit @most)
    union all
    (select sale_id from handovers
        where seller_id = @user_id::bigint and sale_id < @before::bigint
            and (cardinality(@sales::bigint[]) = 0 or sale_id = any(@sales::bigint[]))
            and (cardinality(@states::text[]) = 0 or state = any(@states::text[]))
            and (cardinality(@orders::bigint[]) = 0 or exists (
                select from order_updates o where o.id = sale_id and o.order_id = any(@orders::bigint[])))
        order by sale_id desc limit @most)
    order by sale_id desc limit @most
)
select trades.* from mine join trades on trades.sale_id = mine.sale_id order by trades.sale_id desc;

-- name: HandoversByID :many
select trades.* from trades where trades.sale_id = any(@sales::bigint[]) and trades.state is not null order by trades.sale_id;

-- name: Disputes :many
select trades.* from trades where trades.state = 'disputed' and trades.sale_id < @before::bigint order by trades.sale_id desc limit @most;

-- name: HandoversBetween :many
-- The other handovers between the sides of some. Each half walks an index.
with pairs as (select d.sale_id, d.buyer_id, d.seller_id from handovers d where d.sale_id = any(@sales::bigint[])),
others as (
    select o.sale_id from pairs p join handovers o on o.buyer_id = p.buyer_id and o.seller_id = p.seller_id and o.sale_id <> p.sale_id
    union
    select o.sale_id from pairs p join handovers o on o.buyer_id = p.seller_id and o.seller_id = p.buyer_id
    order by sale_id desc limit @most
)
select trades.* from others join trades on trades.sale_id = others.sale_id order by trades.sale_id desc;

-- name: LockOrdersOfSales :many
-- Before their handovers, in the order of their numbers, as all who lock several orders do.
select orders.id from orders where orders.id in (select u.order_id from order_updates u where u.id = any(@sales::bigint[]))
order by orders.id for update;

-- name: KeepOrdersOfSales :exec
-- Before their handovers, too: until the transaction ends, none of the orders can be deleted. Notices name them.
select from orders where orders.id in (select u.order_id from order_updates u where u.id = any(@sales::bigint[]))
order by orders.id for key share;

-- name: LockHandovers :many
select h.sale_id from handovers h where h.sale_id = any(@sales::bigint[]) order by h.sale_id for update;

-- name: LockHandoversNotLocked :many
select h.sale_id from handovers h where h.sale_id = any(@sales::bigint[]) order by h.sale_id for update skip locked;

-- name: DueHandovers :many
select trades.* from handovers h join trades on trades.sale_id = h.sale_id
where h.due_at <= @now::timestamptz order by h.due_at, h.sale_id limit @most;

-- name: SaveHandover :exec
update handovers set agreed_by = @agreed_by,
    buyer_word = sqlc.narg(buyer_word), buyer_said_at = sqlc.narg(buyer_said_at), buyer_later_at = sqlc.narg(buyer_later_at),
    buyer_messages = @buyer_messages, buyer_prompted_at = sqlc.narg(buyer_prompted_at),
    seller_word = sqlc.narg(seller_word), seller_said_at = sqlc.narg(seller_said_at), seller_later_at = sqlc.narg(seller_later_at),
    seller_messages = @seller_messages, seller_prompted_at = sqlc.narg(seller_prompted_at),
    state = @state, settled_at = sqlc.narg(settled_at), settled_by = sqlc.narg(settled_by), against = sqlc.narg(against),
    buyer_took_back_at = sqlc.narg(buyer_took_back_at), seller_took_back_at = sqlc.narg(seller_took_back_at),
    looked_at = sqlc.narg(looked_at), due_at = sqlc.narg(due_at),
    meet_at = sqlc.narg(meet_at), buyer_meets = @buyer_meets, seller_meets = @seller_meets, meet_reminded = @meet_reminded,
    buyer_proposals = @buyer_proposals, seller_proposals = @seller_proposals
where sale_id = @sale_id;

-- name: SaveRuling :exec
-- The entry is the one that this transaction added to the log last.
update handovers set ruling_reason = @reason::text, ruling_entry = (select currval('audit_entries_id_seq')) where sale_id = @sale_id;

-- name: RulingOf :one
select sale_id from handovers where ruling_entry = @entry::bigint;

-- name: EndRuling :exec
update handovers set ruling_reason = null, ruling_entry = null, ruling_undone_at = @undone_at::timestamptz where sale_id = @sale_id;

-- name: EndReversal :exec
delete from sale_reversals where sale_id = @sale_id;

-- name: LockMissing :one
-- What a cancelled handover gave back to a fulfilled order of a buyer, of one item and at least so many, and was not asked for again.
select h.sale_id from handovers h join order_updates u on u.id = h.sale_id join orders o on o.id = u.order_id
where h.buyer_id = @buyer_id::bigint and h.state = 'cancelled' and h.posted_again is null and o.status = 'fulfilled'
    and u.item_name = @item_name and u.quantity_sold >= @quantity::integer
order by u.quantity_sold, h.sale_id limit 1 for update of h;

-- name: PostAgain :exec
update handovers set posted_again = @order_id where sale_id = @sale_id;

-- name: RedrawHandovers :exec
-- A job for each message about a handover, behind the notices that are new, also for one that is being sent: its text may be from before.
-- The direct message that is being acted on is drawn again by its answer.
with shown as materialized (
    select max(n.id) as id, d.message_id
    from notices n join deliveries d on d.id = n.delivery_id
    where n.sale_id = any(@sales::bigint[]) and n.kind in ('handover_prompt', 'handover_disputed', 'offer_accepted', 'standing_accepted', 'listing_sold', 'ask_accepted',
            'meeting_time', 'meeting_soon')
        and n.state in ('pending', 'delivered') and (@acted_on::text = '' or d.in_thread or d.message_id <> @acted_on::text)
    group by d.id
)
insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
select jsonb_build_object('notice', id, 'redraw', true)
    || case when message_id = '' and @acted_on::text <> '' then jsonb_build_object('except', @acted_on::text) else '{}' end,
    'deliver_notice', @max_attempts, 2, @queue, @now, 'available'
from shown;

-- name: GiveOffersTime :execrows
-- Offers of an older program do not say when they lapse.
update offers set lapses_at = @lapses_at::timestamptz where id = any(array(
    select o.id from offers o where o.lapses_at is null limit @most for update skip locked));

-- name: LockLapsingOrders :many
select orders.id from orders where orders.id in (
    select o.order_id from offers o where o.lapses_at <= @now::timestamptz order by o.lapses_at, o.id limit @most)
order by orders.id for update;

-- name: LapsingOffers :many
select sqlc.embed(orders), sqlc.embed(offers) from offers join orders on orders.id = offers.order_id
where offers.order_id = any(@orders::bigint[]) and offers.lapses_at <= @now::timestamptz order by offers.id for update of offers;

-- name: SettledHandovers :many
-- What was settled between some users and their partners. Each half walks an index of its own.
select h.buyer_id::bigint as trader, coalesce(h.seller_id, 0)::bigint as partner, coalesce(h.former_seller, 0)::bigint as former_partner,
    (exists (select from traders t where t.user_id = h.seller_id)
        or coalesce((select f.established from former_partners f where f.id = h.former_seller), false))::boolean as partner_established,
    coalesce((select c.circle from trust_shares c where c.user_id = h.seller_id), 0)::bigint as partner_circle,
    exists (select from traders t where t.user_id = h.buyer_id)::boolean as trusted,
    h.sale_id, h.state, (coalesce(h.against, '') = 'buyer')::boolean as against, h.accepted_at, h.settled_at, u.quantity_sold
from handovers h join order_updates u on u.id = h.sale_id
where h.buyer_id = any(@users::bigint[]) and h.settled_at is not null
union all
select h.seller_id::bigint as trader, coalesce(h.buyer_id, 0)::bigint as partner, coalesce(h.former_buyer, 0)::bigint as former_partner,
    (exists (select from traders t where t.user_id = h.buyer_id)
        or coalesce((select f.established from former_partners f where f.id = h.former_buyer), false))::boolean as partner_established,
    coalesce((select c.circle from trust_shares c where c.user_id = h.buyer_id), 0)::bigint as partner_circle,
    exists (select from traders t where t.user_id = h.seller_id)::boolean as trusted,
    h.sale_id, h.state, (coalesce(h.against, '') = 'seller')::boolean as against, h.accepted_at, h.settled_at, u.quantity_sold
from handovers h join order_updates u on u.id = h.sale_id
where h.seller_id = any(@users::bigint[]) and h.settled_at is not null
union all
-- From before the user deleted their account and came back. Each has a partner of its own.
select a.user_id::bigint, 0, -a.id, false, 0, false, 0, 'cancelled', true, a.settled_at, a.settled_at, 0
from settled_against a where a.user_id = any(@users::bigint[])
order by trader, sale_id;
