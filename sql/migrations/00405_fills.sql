-- +goose Up
-- The accepts that prices are made of: between two users, with when the handover was settled (null while it is not) and how far both sides are
-- trusted. Accepts that were undone or not met are left out. See items.Fill in core.
create view fills as
select u.id as sale_id, item_key(u.item_name) as item_key, u.created_at, u.buyer_id, u.seller_id, u.unit_price, u.quantity_sold,
    (h.sale_id is null)::boolean as no_handover, h.settled_at,
    least(case when b.user_id is not null then 1 else bs.amount end, case when s.user_id is not null then 1 else ss.amount end, 1)::float8 as trust,
    coalesce(b.user_id is null and bs.user_id is null or s.user_id is null and ss.user_id is null, false)::boolean as unknown,
    coalesce(bs.circle, 0) as buyer_circle, coalesce(ss.circle, 0) as seller_circle,
    coalesce(buyers.discord_id, '')::text as buyer_account, coalesce(sellers.discord_id, '')::text as seller_account
from order_updates u
left join users buyers on buyers.id = u.buyer_id
left join users sellers on sellers.id = u.seller_id
left join handovers h on h.sale_id = u.id
left join traders b on b.user_id = u.buyer_id
left join traders s on s.user_id = u.seller_id
left join trust_shares bs on bs.user_id = u.buyer_id
left join trust_shares ss on ss.user_id = u.seller_id
where u.buyer_id is not null and u.seller_id is not null and u.buyer_id <> u.seller_id
    and coalesce(h.state, 'met') in ('agreed', 'disputed', 'met')
    and not exists (select from sale_reversals r where r.sale_id = u.id)
    and not exists (select from set_aside a where a.user_id = u.buyer_id)
    and not exists (select from set_aside a where a.user_id = u.seller_id);
