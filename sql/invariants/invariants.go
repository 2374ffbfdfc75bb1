// Package invariants checks that the stored data keep the market's invariants, of which docs/architecture.md
// has the list. Check reads invariants of safety: nothing wrong has happened. CheckLiveness reads invariants
// of liveness: every due act was done.
package invariants

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Violation is an invariant of the market that the stored data break. There should never be one.
type Violation struct {
	Invariant string // such as "I1 sold is the sum of the sales"
	Subject   string // such as "order 7"
	Detail    string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s", v.Invariant, v.Subject, v.Detail)
}

// sinceNotices is the time from which retention has left every notice.
const sinceNotices = "(select coalesce(max(before), '-infinity') from retention_marks where what = 'notices')"

// standing are the sales that were not reversed.
const standing = "(select * from order_updates u where not exists (" +
	"select from sale_reversals r where r.sale_id = u.id)) standing"

// accepted selects the sales of accepts that were not undone. A sale with a cancelled handover counts: the
// accept took place.
const accepted = "(select * from order_updates u" +
	" where not exists (select from sale_reversals r where r.sale_id = u.id)" +
	" or exists (select from handovers h where h.sale_id = u.id and h.state = 'cancelled')) accepted"

// all lists the market's invariants, each with a query for its violations: subject and detail.
var all = []struct{ name, broken string }{
	{"I1 sold is the sum of the sales that were not reversed", `
select 'order ' || o.id, format('sold is %s, its sales are %s', o.sold, coalesce(s.sum, 0)) from orders o
left join (select order_id, sum(quantity_sold) from ` + standing + ` group by order_id) s on s.order_id = o.id
where o.sold <> coalesce(s.sum, 0)`},
	{"I2 sold lies within the quantity", `
select 'order ' || id, format('sold %s of %s', sold, quantity) from orders
where sold not between 0 and quantity`},
	{"I3 progress is true", `
select 'order ' || id, format('%s, sold %s of %s, progress %s', status, sold, quantity, progress) from orders
where progress <> case status when 'fulfilled' then 100 else floor(100.0 * sold / quantity) end`},
	{"I4 an offer is for something", `
select 'offer ' || id, format('quantity %s', quantity_offered) from offers where quantity_offered <= 0`},
	{"I4 a seller's record agrees with the offer", `
select 'sent offer ' || s.id, format('%s, %s of %s accepted, the open offer has %s',
    s.state, s.accepted, s.quantity_offered, coalesce(o.quantity_offered::text, 'nothing'))
from sent_offers s full join (select * from offers where seller_id is not null) o on o.id = s.id
where s.id is null or (s.state = 'open') <> (o.id is not null)
    or o.quantity_offered <> s.quantity_offered - s.accepted
    or (s.state = 'accepted') <> (s.accepted = s.quantity_offered)`},
	{"I4 a fulfilled order has no offers", `
select 'offer ' || f.id, 'is open on order ' || o.id from offers f join orders o on o.id = f.order_id
where o.status = 'fulfilled'`},
	{"I5 an accept is a sale of the same quantity", `
select format('order %s, seller %s', order_id, seller_id), format('accepted %s, sold %s', accepted, sold)
from (select order_id, seller_id, sum(accepted) as accepted from sent_offers
    where order_id is not null group by 1, 2) a
full join (select order_id, seller_id, sum(quantity_sold) as sold from ` + accepted + `
    where seller_id is not null and order_id is not null and crossed_with is null
    group by 1, 2) s using (order_id, seller_id)
where coalesce(accepted, 0) <> coalesce(sold, 0)`},
	{"I5 an offer has no more sales than were accepted of it", `
select format('offer %s, seller %s', s.id, s.seller_id), format('accepted %s, sold %s', s.accepted, u.sold)
from sent_offers s join (select offer_id, seller_id, sum(quantity_sold) as sold from ` + standing + `
    where offer_id is not null and seller_id is not null group by 1, 2) u
    on u.offer_id = s.id and u.seller_id = s.seller_id
where u.sold > s.accepted`},
	{"I5 a sale names the item and the buyer", `
select 'sale ' || u.id, format('item %s, buyer %s',
    coalesce(u.item_name, 'none'), coalesce(u.buyer_id::text, 'none'))
from order_updates u left join orders o on o.id = u.order_id
where u.item_name is null or o.user_id is distinct from u.buyer_id and o.id is not null`},
	{"a sale of a deleted order has none of its owner's texts", `
select 'sale ' || id, 'has notes' from order_updates where order_id is null and notes is not null
union all
select 'sent offer ' || id, 'has a contact' from sent_offers
where order_id is null and buyer_contact is not null`},
	// Once the order is gone its buyer may have left, and have taken their notices with them.
	{"I6 the buyer is notified once of an offer", `
select 'offer ' || o.id, format('%s notices', count(n.id))
from (select id, order_id, created_at from sent_offers union select id, order_id, created_at from offers) o
left join notices n on n.offer_id = o.id and n.kind in ('offer_received', 'ask_accepted')
group by o.id, o.order_id, o.created_at
having count(n.id) > 1 or count(n.id) = 0 and o.order_id is not null and o.created_at >= ` + sinceNotices},
	// While what closed the order can be undone, the notices of the offers that lapsed with it wait.
	{"I6 the other side is notified once how an offer ended", `
select 'offer ' || s.id, format('%s, notified %s times, %s waiting', s.state, count(n.id), count(w.id))
from sent_offers s left join notices n on n.offer_id = s.id and n.kind = 'offer_' || s.state
left join lapsed_offers w on w.id = s.id
where s.state in ('declined', 'withdrawn', 'lapsed', 'removed')
group by s.id, s.state, s.order_id, s.updated_at, w.id
having count(n.id) + count(w.id) > 1
    or count(n.id) + count(w.id) = 0 and (s.order_id is not null or s.state <> 'withdrawn')
        and s.updated_at >= ` + sinceNotices},
	{"I6 an offer whose notice waits has lapsed", `
select 'offer ' || w.id, coalesce(s.state, 'not there')
from lapsed_offers w left join sent_offers s on s.id = w.id
where w.seller_id is not null and s.state is distinct from 'lapsed'`},
	{"I6 the seller is notified once of an accept", `
select 'order ' || o.id, format('%s accepts, %s notices', o.accepts, n.notices_sent)
from (select orders.id, count(u.id) as accepts from orders
    left join order_updates u on u.order_id = orders.id and u.seller_id is not null and u.crossed_with is null
        and u.created_at >= ` + sinceNotices + ` group by orders.id) o
join lateral (select count(*) as notices_sent from notices
    where order_id = o.id and kind = 'offer_accepted' and created_at >= ` + sinceNotices + `) n on true
where o.accepts <> n.notices_sent`},
	{"I6 both sides are notified once of a sale without asking", `
select 'sale ' || u.id, format('%s notices', n.notices_sent) from order_updates u
join lateral (select count(distinct user_id) as notices_sent from notices where sale_id = u.id
    and kind in ('standing_accepted', 'listing_sold', 'crossing_undone')) n on true
where u.crossed_with is not null and u.order_id is not null
    and u.buyer_id is not null and u.seller_id is not null
    and u.created_at >= ` + sinceNotices + ` and n.notices_sent <> 2`},
	{"a listing sells no more unasked than its seller said", `
select 'listing ' || stock.id, format('%s of at most %s', sold.quantity, stock.sells_daily) from stock
join lateral (select coalesce(sum(f.quantity), 0) as quantity
    from stock_falls f join order_updates u on u.id = f.sale_id
    where f.stock_id = stock.id and u.crossed_with = stock.id and u.created_at > stock.touched_at
        and u.created_at < stock.touched_at + interval '24 hours') sold on true
where stock.sells_daily > 0 and sold.quantity > stock.sells_daily`},
	{"a sale without asking took all of it from the listing", `
select 'sale ' || u.id, format('sold %s, took %s', u.quantity_sold, coalesce(f.quantity, 0))
from order_updates u left join stock_falls f on f.sale_id = u.id
where u.crossed_with is not null and exists (select from stock where stock.id = u.crossed_with)
    and not exists (select from sale_reversals r where r.sale_id = u.id)
    and coalesce(f.quantity, 0) <> u.quantity_sold`},
	{"I6 the buyer is notified once each time that an order is filled", `
select 'order ' || o.id, format('closed %s, filled and reopened %s times, notified %s times',
    coalesce(o.close_reason, 'not at all'), r.reopened, n.notices_sent)
from orders o join lateral (select count(*) as notices_sent from notices
    where order_id = o.id and kind in ('order_filled', 'ask_accepted')
        and created_at >= ` + sinceNotices + `) n on true
join lateral (select count(*) as reopened from reopenings
    where order_id = o.id and reason = 'filled' and closed_at >= ` + sinceNotices + `) r on true
where n.notices_sent <> r.reopened + case
    when o.close_reason = 'filled' and o.closed_at >= ` + sinceNotices + ` then 1 else 0 end
    and not exists ( -- of a plan: its buyer is notified of the sale
        select from order_updates u where u.order_id = o.id and u.crossed_with = o.listing_id)`},
	{"I7 a notice that has not ended has a job", `
select 'notice ' || id, 'pending since ' || created_at from notices
where state = 'pending' and id not in ( -- hashed, however many jobs the planner knows of
    select (args ->> 'notice')::bigint from river_job
    where kind = 'deliver_notice' and finalized_at is null and args ->> 'notice' is not null)`},
	{"I7 a delivered notice is in a message", `
select 'notice ' || n.id, coalesce('delivery ' || d.id || ' was not sent', 'was given to no delivery')
from notices n left join deliveries d on d.id = n.delivery_id
where n.state = 'delivered' and n.reason not in ('inbox', 'reach') and coalesce(d.message_id, '') = ''
    and (d.id is not null or n.created_at >= (select coalesce(max(before), '-infinity') from retention_marks
        where what = 'deliveries'))`},
	{"whatever names a user names one that is there", `
select what, 'user ' || user_id || ' is not there' from (
    select 'offer ' || id as what, seller_id as user_id from offers
    union all select 'sent offer ' || id, seller_id from sent_offers
    union all select 'sale ' || id, updated_by from order_updates
    union all select 'sale ' || id, seller_id from order_updates
    union all select 'sale ' || id, buyer_id from order_updates
    union all select 'reversal of sale ' || sale_id, reversed_by from sale_reversals
    union all select 'notice ' || id, user_id from notices) named
where user_id is not null and not exists (select from users where users.id = named.user_id)`},
	{"I9 a removal has an audit entry", `
select 'offer ' || s.id, 'was removed without an audit entry' from sent_offers s
where s.state = 'removed' and not exists (select from audit_entries a
    where a.action = 'offer_removed' and a.offer_id = s.id and a.subject_id = s.seller_id)
union all select 'user ' || n.user_id, format('%s notices of %s, %s audit entries',
    n.notices_sent, n.kind, coalesce(a.noted, 0))
from (select user_id, kind, count(*) as notices_sent from notices
    where kind in ('order_removed', 'listing_removed') group by 1, 2) n
left join (select subject_id, action, count(*) as noted from audit_entries
    where action in ('order_removed', 'listing_removed') group by 1, 2) a
    on a.subject_id = n.user_id and a.action::text = n.kind::text
where n.notices_sent > coalesce(a.noted, 0)`},
	{"I9 a block has an audit entry", `
select 'user ' || u.id, format('blocked since %s, last noted %s',
    coalesce(u.blocked_at::text, 'never'), coalesce(last.action, 'never'))
from users u left join lateral (
    select action from audit_entries where subject_id = u.id and action in ('user_blocked', 'user_unblocked')
    order by id desc limit 1) last on true
where (u.blocked_at is not null) <> (coalesce(last.action, '') = 'user_blocked')`},
	{"I9 an account is set aside by an audit entry", `
select 'user ' || u.id, format('set aside since %s, last noted %s',
    coalesce(a.at::text, 'never'), coalesce(last.action, 'never'))
from users u left join set_aside a on a.user_id = u.id left join lateral (select action from audit_entries
    where subject_id = u.id and action in ('user_set_aside', 'user_counted_again')
    order by id desc limit 1) last on true
where (a.user_id is not null) <> (coalesce(last.action, '') = 'user_set_aside')`},
	{"I9 a user who was vouched for has an audit entry", `
select 'user ' || t.user_id, 'was vouched for without an audit entry' from traders t
where t.origin = 'vouched' and not exists (
    select from audit_entries a where a.action = 'user_vouched' and a.subject_id = t.user_id)`},
	{"I9 a report that was dismissed has an audit entry", `
select 'report ' || r.id, 'was dismissed without an audit entry' from reports r
where r.state = 'dismissed' and not exists (
    select from audit_entries a where a.action = 'report_dismissed' and a.moderator_id = r.settled_by
        and a.at = r.settled_at and a.order_id = r.order_id and a.offer_id is not distinct from r.offer_id)`},
	{"I9 what moderators did stays as it is noted", `
select 'trigger ' || name, 'is missing or disabled'
from unnest(array['audit_entries_append_only', 'audit_entries_not_truncated', 'audit_entries_chain']) name
where not exists (
    select from pg_trigger where tgrelid = 'audit_entries'::regclass and tgname = name and tgenabled = 'O')`},
	{"I9 the log of moderation was not changed by hand", `
select 'audit entry ' || id, case
    when place <> before + 1 then format('%s entries before it are missing', place - before - 1)
    else 'it, its place or the entry before it was changed' end
from (select a.*, coalesce(lag(place) over in_order, 0) as before,
        audit_entry_hash(place, id, at, moderator_id, action, order_id, offer_id, report_id, subject_id,
            item_name, reason, coalesce(lag(hash) over in_order, '')) as expected
    from audit_entries a window in_order as (order by place)) chain
where place <> before + 1 or hash <> expected`},
	{"an order is hidden while its buyer is blocked or leaving, or the canary", `
select 'order ' || o.id, format('hidden %s, its buyer blocked since %s',
    o.hidden, coalesce(u.blocked_at::text, 'never'))
from orders o join users u on u.id = o.user_id
where o.status = 'active' and o.hidden <> (o.listing_id is not null or
    u.blocked_at is not null or u.leaving_at is not null or u.discord_id like 'canary-%')`},
	{"a blocked user has no offers", `
select 'offer ' || o.id, 'is open though seller ' || u.id || ' is blocked'
from offers o join users u on u.id = o.seller_id where u.blocked_at is not null`},
	{"a user who is leaving has no offers", `
select 'offer ' || o.id, 'is open though seller ' || u.id || ' is leaving'
from offers o join users u on u.id = o.seller_id where u.leaving_at is not null`},
	{"a buyer has no offers of sellers they have blocked", `
select 'offer ' || f.id, format('of seller %s to buyer %s', f.seller_id, o.user_id)
from offers f join orders o on o.id = f.order_id
join blocked_sellers b on b.buyer_id = o.user_id and b.seller_id = f.seller_id`},
	{"I10 a handover is between two of a sale that stands, or was cancelled", `
select 'handover of sale ' || h.sale_id, format('%s, reversed %s, quantity %s',
    h.state, r.sale_id is not null, u.quantity_sold)
from handovers h join order_updates u on u.id = h.sale_id left join sale_reversals r on r.sale_id = h.sale_id
where (h.state = 'cancelled') <> (r.sale_id is not null) or h.buyer_id is distinct from u.buyer_id
    or h.seller_id is distinct from u.seller_id or (h.due_at is null) <> (h.state <> 'agreed')`},
	{"I11 there are at most two messages per handover and person", `
select format('handover of sale %s, user %s', n.sale_id, n.user_id),
    format('%s messages', count(distinct coalesce(n.delivery_id, -n.id)))
from notices n where n.sale_id is not null and n.reason <> 'inbox'
    and n.kind in ('handover_prompt', 'handover_cancelled', 'handover_disputed', 'handover_settled')
group by n.sale_id, n.user_id having count(*) > 2
union all select 'handover of sale ' || sale_id, format('%s messages to the buyer, %s to the seller',
    buyer_messages, seller_messages) from handovers where greatest(buyer_messages, seller_messages) > 2`},
	{"I8 status goes back by a reopening only", `
select 'trigger orders_status_never_goes_back', 'is missing or disabled'
where not exists (select from pg_trigger
    where tgrelid = 'orders'::regclass and tgname = 'orders_status_never_goes_back' and tgenabled = 'O'
        and tgfoid = 'orders_refuse_to_reopen'::regproc)`},
	{"I8 a reopening comes within ten minutes", `
select 'order ' || order_id, format('closed at %s, reopened at %s', closed_at, reopened_at) from reopenings
where reopened_at >= closed_at + interval '10 minutes'`},
	{"I8 a closing that can be undone is that of its order", `
select 'order ' || o.id, format('%s, closed at %s, its closing says %s', o.status, o.closed_at, c.closed_at)
from closings c join orders o on o.id = c.order_id
where o.status <> 'fulfilled' or o.closed_at <> c.closed_at or o.close_reason <> c.reason`},
}

// most is how many violations a query returns.
const most = 100

var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// Check reads the whole market in one snapshot and returns the violations of its invariants of safety, at
// most 100 of each. A large market takes long: no statement is cut off.
func Check(ctx context.Context, pool *pgxpool.Pool) ([]Violation, error) {
	var found []Violation
	batch := &pgx.Batch{}
	batch.Queue("set local statement_timeout = 0")
	for _, invariant := range all {
		queueCheck(batch, invariant.name, invariant.broken, nil, &found)
	}
	err := pgx.BeginTxFunc(ctx, pool, snapshot,
		func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
	if err != nil {
		return nil, fmt.Errorf("check the invariants: %w", err)
	}
	return found, nil
}

// queueCheck queues a query for the violations of an invariant: subject and detail.
func queueCheck(batch *pgx.Batch, invariant, broken string, args []any, found *[]Violation) {
	batch.Queue(fmt.Sprintf("%s limit %d", broken, most), args...).Query(func(rows pgx.Rows) error {
		v := Violation{Invariant: invariant}
		_, err := pgx.ForEachRow(rows, []any{&v.Subject, &v.Detail}, func() error {
			*found = append(*found, v)
			return nil
		})
		if err != nil {
			return fmt.Errorf("check that %s: %w", invariant, err)
		}
		return nil
	})
}

// LogHead returns where the log of moderation ends, as "PLACE:HASH". It returns an error when the log does
// not contain the end that was kept, if there is one.
func LogHead(ctx context.Context, pool *pgxpool.Pool, kept string) (head string, err error) {
	var contained bool
	err = pool.QueryRow(ctx, "select coalesce((select place || ':' || encode(hash, 'hex') "+
		"from audit_entries order by place desc limit 1), '0:'), $1 in ('', '0:') "+
		"or exists (select from audit_entries where place || ':' || encode(hash, 'hex') = $1)", kept).
		Scan(&head, &contained)
	switch {
	case err != nil:
		return "", fmt.Errorf("read the end of the log of moderation: %w", err)
	case !contained:
		return "", fmt.Errorf("the log of moderation does not contain %s any more: "+
			"it was cut off or written again. It ends at %s", kept, head)
	}
	return head, nil
}
