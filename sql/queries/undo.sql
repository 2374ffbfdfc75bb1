-- name: SaleOrder :one
select order_id from order_updates where id = @id;

-- name: SaleToUndo :one
select sqlc.embed(order_updates), exists (select from sale_reversals r where r.sale_id = order_updates.id) as reversed
from order_updates where order_updates.id = @id;

-- name: AddReversal :exec
with hooked as (
    insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at)
    select w.id, @event::text, @event_type::text, @event_data::text, @reversed_at::timestamptz, @reversed_at::timestamptz
    from webhooks w where w.user_id = any(@sides::bigint[]) and not w.market and w.state = 'on' and @event_type::text = any(w.types)
)
insert into sale_reversals (sale_id, reversed_by, reversed_at) values (@sale_id, @reversed_by, @reversed_at::timestamptz);

-- name: EndHandover :exec
-- An accept that is undone was never one. A handover that was cancelled is what reverses its sale, and stays.
with ended as (delete from handovers where handovers.sale_id = @sale_id and handovers.state <> 'cancelled' returning handovers.sale_id)
update trade_threads set due_at = 'epoch' from ended where trade_threads.sale_id = ended.sale_id;

-- name: KeepEndedOffer :exec
with kept as materialized (select offers.id, offers.order_id, to_jsonb(offers) as content from offers where offers.id = @id)
insert into ended_offers (id, order_id, state, ended_by, ended_at, content)
select kept.id, kept.order_id, @state, @ended_by, @ended_at, kept.content from kept
on conflict (id) do update set state = excluded.state, ended_by = excluded.ended_by, ended_at = excluded.ended_at, content = excluded.content;

-- name: EndedOffer :one
select state, ended_by, ended_at, content from ended_offers where id = @id;

-- name: DeclinedOffers :many
select content, ended_at from ended_offers
where order_id = @order_id and state = 'declined' and ended_by = @ended_by and ended_at > @since
order by ended_at desc, id desc;

-- name: HadOffers :one
select exists (select from notices where order_id = @order_id::bigint and user_id = @user_id and kind = 'offer_received');

-- name: ForgetEndedOffer :exec
delete from ended_offers where id = @id;

-- name: ReopenEndedOffer :exec
insert into offers (id, order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at, good_until, lapses_at)
select o.id, o.order_id, o.seller_id, o.seller_name, o.seller_contact, o.message, o.price_per_unit, @quantity, o.created_at, o.good_until, o.lapses_at
from jsonb_populate_record(null::offers, @content::jsonb) o;

-- name: ReopenSentOfferEnded :exec
update sent_offers set state = 'open', updated_at = @updated_at where id = @id and state in ('accepted', 'declined', 'withdrawn');

-- name: DetachEndNotices :exec
-- The offer may end again: the other side then gets one notice for how it ended.
update notices set offer_id = null
where order_id = @order_id::bigint and offer_id = @offer_id::bigint and kind in ('offer_declined', 'offer_withdrawn');

-- name: RetellDeclined :one
-- The notice that an offer was declined says from now on that it is open again. Its message is drawn again where it was sent, and says it in
-- the first place where it was not. Returns how many notices that are: none where the seller does not hear of declined offers.
with retold as (
    update notices set kind = 'offer_reopened' where notices.id = (
        select n.id from notices n where n.order_id = @order_id::bigint and n.offer_id = @offer_id::bigint and n.user_id = @user_id
            and n.kind = 'offer_declined' and n.state in ('pending', 'delivered')
        order by n.id desc limit 1)
    returning notices.id
), redrawn as (
    insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
    select jsonb_build_object('notice', retold.id, 'redraw', true), 'deliver_notice', @max_attempts, 2, @queue, @now, 'available' from retold
)
select count(*) from retold;

-- name: ExpireAccepted :one
-- Ends the seller's notice of an acceptance that no message was given to yet. It waits for a delivery that is being planned. A sale that
-- has no handover is not named by its notice. Returns how many notices that are.
with expired as (
    update notices set state = 'expired', reason = @reason, settled_at = @now where notices.id = (
        select n.id from notices n where n.order_id = @order_id::bigint and n.offer_id = @offer_id::bigint and n.user_id = @user_id
            and n.kind = 'offer_accepted' and n.quantity = @quantity and coalesce(n.sale_id, @sale_id::bigint) = @sale_id::bigint
        order by n.id desc limit 1)
        and notices.state = 'pending' and notices.delivery_id is null
    returning 1
)
select count(*) from expired;

-- name: TakeBackAccepted :exec
update sent_offers set accepted = accepted - @quantity::integer, updated_at = @updated_at,
    buyer_contact = case when accepted > @quantity::integer then buyer_contact end
where id = @id;

-- name: PruneEndedOffers :execrows
delete from ended_offers where ended_at < @before;
