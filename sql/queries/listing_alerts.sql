-- name: AddListingRound :exec
-- One that goes on keeps its waves and what it compares with.
insert into listing_rounds (listing_id, since, before, next_wave_at, due_at) values (@listing_id, @since, @before, @since, @since)
on conflict (listing_id) do update set since = excluded.since, due_at = least(listing_rounds.due_at, excluded.due_at);

-- name: DueListingRounds :many
-- Those that failed before are asked for by themselves, so that no other waits for them. Without a seller the listing is gone.
select r.listing_id, coalesce(stock.user_id, 0)::bigint as seller_id from listing_rounds r left join stock on stock.id = r.listing_id
where r.due_at <= sqlc.arg(now) and (r.failures > 0) = @failed::boolean order by r.due_at limit @most;

-- name: LockListingRound :one
select * from listing_rounds where listing_id = @listing_id for update;

-- name: SaveListingRound :exec
update listing_rounds set waves = @waves, next_wave_at = @next_wave_at, due_at = @due_at, failures = @failures where listing_id = @listing_id;

-- name: DeleteListingRound :exec
delete from listing_rounds where listing_id = @listing_id;

-- name: ListingWatchers :many
-- Searches that fit a listing, as Watchers finds searches that fit a request: searches for listings have keys of their own. A listing has no importance and no level,
-- and no least price that its reader asks for.
select sqlc.embed(w), m.muted, m.quiet_from, m.quiet_to, m.time_zone, m.closed, t.alerted_at as turn_at,
    coalesce(t.messages, '{}')::timestamptz[] as messages
from searches w
cross join lateral (select * from mailboxes where mailboxes.user_id = w.user_id offset 0) m
left join lateral (select * from watch_turns where watch_turns.user_id = w.user_id offset 0) t on true
where w.bell and w.id = any(array(select k.watch_id from watch_keys k where k.key = any(@keys::text[])))
    and w.user_id <> @seller_id and w.paused_at is null and w.updated_at <= @since
    and (w.kind = '' or w.kind = @kind)
    and (cardinality(w.categories) = 0 or @category::text = any(w.categories))
    and (w.max_price = 0 or @price::bigint <= w.max_price) and w.min_quantity <= @quantity::integer
    and (w.texts = '{}' or lower(w.texts::text)::jsonb <@ lower(@texts::text)::jsonb)
    and (cardinality(w.terms) = 0 or not exists (select from unnest(w.terms) term where strpos(@content::text, term) = 0 and not (char_length(term) >= 3
        and exists (select from unnest(@names::text[]) part where starts_with(part, term)))))
    and w.user_id not in (select u.id from users u where u.blocked_at is not null or u.leaving_at is not null)
    and w.user_id not in (select b.seller_id from blocked_sellers b where b.buyer_id = @seller_id)
    and w.user_id not in (select b.buyer_id from blocked_sellers b where b.seller_id = @seller_id)
    and w.user_id not in (select x.user_id from muted_buyers x where x.buyer_id = @seller_id)
    and w.user_id not in (select n.user_id from notices n where n.listing_id = @listing_id::bigint)
    and w.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.listing_id is not null and n.caused_by = @seller_id::bigint
        and n.created_at > @repeated_since and item_key(n.item_name) = item_key(@item_name::text))
order by t.alerted_at nulls first, w.user_id, w.id limit @most;

-- name: StoppedListingAlerts :one
-- How many alerts that were added now are from a search that its user has stopped or snoozed since it was read.
select count(*) from notices n left join searches w on w.bell and w.id = n.watch_id
where n.listing_id = @listing_id::bigint and n.created_at = @created_at::timestamptz and n.state = 'pending' and n.delivery_id is null
    and (w.id is null or w.paused_at is not null
        or w.snoozed_until > @created_at::timestamptz and w.snoozed_until > coalesce(n.hold_until, 'epoch'));

-- name: WatchedListings :many
-- The listings of alerts that wait, without listings that their reader is not to hear of any more.
select stock.id, stock.user_id, stock.item_name, stock.quantity, stock.price, stock.note, stock.public, stock.shown_until, stock.touched_at
from stock join users on users.id = stock.user_id
where stock.id = any(@ids::bigint[]) and users.blocked_at is null and users.leaving_at is null
    and exists (select from users reader where reader.id = @reader_id::bigint and reader.blocked_at is null)
    and not exists (select from blocked_sellers b where b.buyer_id = stock.user_id and b.seller_id = @reader_id::bigint
        or b.buyer_id = @reader_id::bigint and b.seller_id = stock.user_id)
    and not exists (select from muted_buyers x where x.user_id = @reader_id::bigint and x.buyer_id = stock.user_id);
