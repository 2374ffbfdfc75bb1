-- name: KeepRemovedOrder :exec
-- Stores the order beside the audit entry that this transaction added last, with what the order's deletion takes from other rows.
with kept as materialized (select orders.user_id, jsonb_build_object(
    'order', to_jsonb(orders),
    'sales', (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'text', u.notes,
        'seller_name', u.seller_name, 'seller_contact', u.seller_contact) order by u.id), '[]') from order_updates u where u.order_id = orders.id),
    'sent', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'text', s.buyer_contact) order by s.id), '[]') from sent_offers s where s.order_id = orders.id),
    'notices', (select coalesce(jsonb_agg(n.id order by n.id), '[]') from notices n where n.order_id = orders.id)
) as content from orders where orders.id = @id)
insert into removals (audit_id, subject_id, content, removed_at)
select currval('audit_entries_id_seq'), kept.user_id, kept.content, @removed_at from kept;

-- name: KeepRemovedOffer :exec
with kept as materialized (select offers.seller_id, jsonb_build_object('offer', to_jsonb(offers)) as content from offers where offers.id = @id)
insert into removals (audit_id, subject_id, content, removed_at)
select currval('audit_entries_id_seq'), kept.seller_id, kept.content, @removed_at from kept;

-- name: KeepRemovedListing :exec
with kept as materialized (select stock.user_id, jsonb_build_object('listing', to_jsonb(stock)) as content from stock where stock.id = @id)
insert into removals (audit_id, subject_id, content, removed_at)
select currval('audit_entries_id_seq'), kept.user_id, kept.content, @removed_at from kept;

-- name: KeepDecidedItem :exec
-- Stores what a decision on an item changed, as the two above do.
insert into removals (audit_id, content, removed_at)
select audit_entries.id, jsonb_build_object('item', @item::jsonb), @removed_at from audit_entries
where audit_entries.id = (select currval('audit_entries_id_seq'));

-- name: LockRemoval :one
select audit_id from removals where audit_id = @audit_id for update;

-- name: RemovalContent :one
select content from removals where audit_id = @audit_id;

-- name: ForgetRemoval :exec
delete from removals where audit_id = @audit_id;

-- name: RestoreSales :exec
update order_updates set order_id = @order_id, notes = kept.text, seller_name = kept.seller_name, seller_contact = kept.seller_contact
from jsonb_to_recordset(@kept::jsonb) as kept (id bigint, text text, seller_name text, seller_contact text)
where order_updates.id = kept.id;

-- name: RecountSold :exec
-- A handover may have been cancelled while the order was removed.
update orders set sold = standing.sold,
    progress = case orders.status when 'fulfilled' then 100 else 100::bigint * standing.sold / orders.quantity end
from (select coalesce(sum(u.quantity_sold), 0)::integer as sold from order_updates u
    where u.order_id = @order_id::bigint and not exists (select from sale_reversals r where r.sale_id = u.id)) standing
where orders.id = @order_id::bigint and orders.sold <> standing.sold;

-- name: RestoreSentOffers :exec
update sent_offers set order_id = @order_id, buyer_contact = kept.text
from jsonb_to_recordset(@kept::jsonb) as kept (id bigint, text text)
where sent_offers.id = kept.id;

-- name: RestoreNotices :exec
update notices set order_id = @order_id where id in (select jsonb_array_elements_text(@kept::jsonb)::bigint);

-- name: ForgetDeletedOrder :exec
-- An order that is back does not count twice against its buyer's quotas.
delete from deleted_orders d using orders o
where o.id = @order_id and d.user_id = o.user_id and d.created_at = o.created_at;

-- name: ReturnToBoardPosts :exec
-- A message that the removed order shares with others shows it again, and one that is about to show its end does not finish.
update board_posts set returned = returned + 1, live = message_of is not null where order_id = @order_id;

-- name: DeleteFinishedBoardPosts :exec
-- What has shown the order's end is forgotten: boards show it in new messages.
delete from board_posts using boards
where board_posts.channel_id = boards.channel_id and board_posts.order_id = @order_id and board_posts.finished
    and board_posts.message_of is null;

-- name: RemovedOf :many
-- What moderators removed of a user's and is kept, the latest first.
select audit_entries.item_name, audit_entries.reason, removals.removed_at, removals.content
from removals join audit_entries on audit_entries.id = removals.audit_id
where removals.subject_id = @user_id::bigint order by removals.audit_id desc;

-- name: RestoreOffer :exec
insert into offers (id, order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at, good_until, lapses_at)
select o.id, o.order_id, o.seller_id, o.seller_name, o.seller_contact, o.message, o.price_per_unit, o.quantity_offered, o.created_at, o.good_until, o.lapses_at
from jsonb_populate_record(null::offers, @content::jsonb) o;

-- name: ReopenSentOffer :exec
update sent_offers set state = 'open', updated_at = @updated_at where id = @id and state = 'removed';

-- name: DetachRemovalNotice :exec
-- The offer may be removed again: its seller then gets one notice for how it ended.
update notices set offer_id = null where user_id = @user_id and offer_id = @offer_id and kind = 'offer_removed';

-- name: RemoveRemovals :one
with gone as (
    delete from removals where audit_id = any(array(
        select due.audit_id from removals due where due.removed_at < @before order by due.removed_at limit @most for update skip locked))
    returning audit_id
)
select count(*) from gone;
