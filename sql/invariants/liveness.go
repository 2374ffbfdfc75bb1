package invariants

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/queue"
	"tradepost/sql/waits"
)

// The invariants of liveness. Their numbers name them in metrics and alert rules.
const (
	owed       = "I13 a reader's oldest owed message is younger than two minutes"
	inOrder    = "I14 messages to a reader keep their order"
	notAhead   = "I15 nothing waits longer than it ever has to"
	asked      = "I16 a handover that is due was asked about"
	expiryTold = "I17 the end of a request was told"
	eventSent  = "I18 an event that is due was sent to its webhook"
)

// LivenessOptions says what is checked.
type LivenessOptions struct {
	Now      time.Time // by the clock of the database
	Handover bool      // the feature is on: without it no handover is asked about
	Webhooks bool      // the feature is on: without it no event is sent
	// Quick leaves out large tables without an index by the time, and the order of messages that were sent.
	Quick bool
	// Owes checks a market as if programs had delivered for long, whether one does or not.
	Owes bool
}

// Liveness is the state of everything that is due. Until a program with the bot has run for core.LateAfter,
// the market owes nothing yet, and I13 and I16 to I18 are not checked.
type Liveness struct {
	Owes       bool
	Pending    int // notices that have not ended
	Violations []Violation
}

// CheckLiveness reads the market in one snapshot and returns the violations of I13 to I18, at most 100 of
// each query.
func CheckLiveness(ctx context.Context, pool *pgxpool.Pool, o LivenessOptions) (found Liveness, err error) {
	err = pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		works, err := queue.Works(ctx, tx, o.Now, core.LateAfter)
		if err != nil {
			return err
		}
		o.Owes = o.Owes || works
		batch, extent := &pgx.Batch{}, waits.EachMinute
		if !o.Quick {
			batch.Queue("set local statement_timeout = 0")
			extent = waits.All
		}
		batch.Queue(pendingNotices).Query(func(rows pgx.Rows) error { return found.messages(rows, o) })
		for _, t := range waits.Times {
			if statement, args := t.Search(o.Now, extent); statement != "" {
				queueCheck(batch, notAhead, statement, args, &found.Violations)
			}
		}
		o.queue(batch, &found.Violations)
		found.Owes = o.Owes
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		err = fmt.Errorf("check liveness: %w", err)
	}
	return found, err
}

// queue queues the queries for violations, with the parameters that core sets.
func (o LivenessOptions) queue(batch *pgx.Batch, found *[]Violation) {
	late := o.Now.Add(-core.LateAfter)
	queueCheck(batch, inOrder, outOfOrder,
		[]any{notify.DeliveryLease, inThreadWithin, o.Now.Add(-core.Day), !o.Quick}, found)
	if !o.Owes {
		return
	}
	queueCheck(batch, asked, unasked, []any{late, core.LimitTradeMessages.Limit, o.Handover}, found)
	queueCheck(batch, expiryTold, untold, []any{late, o.Now, late.Add(trade.ExpiryWarning),
		late.Add(-core.UndoWindow), o.Handover}, found)
	queueCheck(batch, eventSent, unsent, []any{late, o.Webhooks}, found)
}

// OwesNothing explains why nothing is owed.
func (l Liveness) OwesNothing() string {
	return fmt.Sprint("no program with the bot has run for two minutes, so nothing is owed yet. ",
		"Notices that wait: ", l.Pending)
}

// Broken counts the violations of each invariant of liveness, by number.
func (l Liveness) Broken() map[string]int {
	broken := map[string]int{"I13": 0, "I14": 0, "I15": 0, "I16": 0, "I17": 0, "I18": 0}
	for _, v := range l.Violations {
		broken[v.Invariant[:len("I13")]]++
	}
	return broken
}

// inThreadWithin is how long a notice about a sale waits for its thread at most.
const inThreadWithin = channels.ThreadWithin + channels.ThreadLease

// pendingNotices are the notices that have not ended, with their mailbox, thread and job. A job that redraws
// a message delivers nothing.
const pendingNotices = `
with jobs as (
    select distinct on (notice) (args ->> 'notice')::bigint as notice, id, scheduled_at from river_job
    where kind = 'deliver_notice' and state in ('available', 'scheduled', 'retryable')
        and args ? 'notice' and not args ? 'redraw'
    order by notice, scheduled_at)
select n.id, n.user_id, n.kind, n.created_at, coalesce(n.hold_until, 'epoch'),
    coalesce(b.limited_until, 'epoch'), b.quiet_from, b.quiet_to, b.time_zone,
    coalesce(t.created_at, 'epoch'), coalesce(j.id, 0), coalesce(j.scheduled_at, 'epoch')
from notices n join mailboxes b on b.user_id = n.user_id left join trade_threads t on t.sale_id = n.sale_id
left join jobs j on j.notice = n.id
where n.state = 'pending' order by n.user_id, n.created_at, n.id`

// messages finds readers whose oldest message is late, and jobs that come too late for their notice.
func (l *Liveness) messages(rows pgx.Rows, o LivenessOptions) error {
	var (
		n             notify.Notice
		box           notify.Mailbox
		thread, jobAt time.Time
		job           int64
		last          core.UserID
	)
	set := &box.Settings
	_, err := pgx.ForEachRow(rows, []any{&n.ID, &n.User, &n.Kind, &n.CreatedAt, &n.HoldUntil,
		&box.LimitedUntil, &set.QuietFrom, &set.QuietTo, &set.TimeZone, &thread, &job, &jobAt}, func() error {
		l.Pending++
		wait, longest := jobAt.Sub(o.Now), box.LongestWait(n, o.Now)
		if job != 0 && wait > longest+waits.Slack && len(l.Violations) < most {
			l.Violations = append(l.Violations, Violation{notAhead,
				fmt.Sprintf("river_job.scheduled_at %d", job),
				fmt.Sprintf("notice %d to user %d waits %s, and may %s", n.ID, n.User, wait, longest)})
		}
		since, may := box.OwedSince(n, o.Now)
		if given := thread.Add(inThreadWithin); given.After(since) {
			since = given
		}
		if late := o.Now.Sub(since); o.Owes && may && n.User != last && late > core.LateAfter {
			last = n.User
			l.Violations = append(l.Violations, Violation{owed, fmt.Sprintf("user %d", n.User),
				fmt.Sprintf("notice %d (%s) could be sent since %s, for %s", n.ID, n.Kind, since, late)})
		}
		return nil
	})
	return err
}

// outOfOrder finds messages that passed an older notice of their reader which could have been sent before
// them: it waits still, or was sent later. A message counts as its first notice, in notify.First's order: it
// may gather later ones. A test and what goes to a thread pass. A thread is forgotten after its handover.
const outOfOrder = `
select 'user ' || p.user_id,
    format('notice %s of %s was passed by message %s of %s', p.id, p.created_at, d.id, d.started_at)
from (select n.*, m.started_at as sent_at, greatest(n.created_at, n.hold_until) + $1::interval + case
        when exists (select from trade_threads t where t.sale_id = n.sale_id)
            or exists (select from handovers h where h.sale_id = n.sale_id and h.state <> 'agreed')
        then $2::interval else interval '0' end as ready
    from notices n left join deliveries m on m.id = n.delivery_id
    where n.kind <> 'test' and n.reason <> 'reach' and not coalesce(m.in_thread, false)
        and (n.state = 'pending' or $4::boolean and n.state = 'delivered' and m.started_at > $3::timestamptz)
        and not exists (select from trade_threads t where t.sale_id = n.sale_id and not t.ended)) p
join deliveries d on d.user_id = p.user_id and d.started_at > greatest(p.ready, $3::timestamptz)
    and d.started_at < coalesce(p.sent_at, 'infinity') and d.kind <> 'test' and not d.in_thread
join lateral (select min(id) as any, min(id) filter (where kind <> 'request_watched') as trade
    from notices where delivery_id = d.id and reason <> 'reach') first on first.any is not null
where case when p.kind = 'request_watched' then first.trade is null and first.any > p.id
    else coalesce(first.trade > p.id, true) end`

// unasked finds handovers that are due, and handovers with a side that should have been asked by now.
const unasked = `
select 'handover of sale ' || sale_id,
    format('due since %s, to be asked since %s, asked %s and %s', due_at, agreed_by,
    coalesce(buyer_prompted_at::text, 'never'), coalesce(seller_prompted_at::text, 'never'))
from handovers
where $3::boolean and (due_at < $1::timestamptz or state = 'agreed' and agreed_by < $1::timestamptz and (
    buyer_id is not null and buyer_word is null and buyer_messages < $2::integer
        and num_nonnulls(buyer_prompted_at, buyer_later_at, buyer_took_back_at) = 0
    or seller_id is not null and seller_word is null and seller_messages < $2::integer
        and num_nonnulls(seller_prompted_at, seller_later_at, seller_took_back_at) = 0))`

// untold finds expired requests and final closings without a notice to their sellers, and requests that end
// soon without a warning to their buyer.
const untold = `
select 'order ' || id, format('expired at %s, and the sellers of its offers are not told', expires_at)
from orders
where status = 'active' and expires_at < $1::timestamptz and lapsed_for is distinct from expires_at
union all
select 'order ' || id, format('expires at %s, and its buyer is not warned', expires_at) from orders
where status = 'active' and expires_at > $2::timestamptz and expires_at < $3::timestamptz
    and updated_at < $1::timestamptz and warned_for is distinct from expires_at
union all
select 'order ' || order_id, format('closed at %s, and the sellers of its offers are not told', closed_at)
from closings where closed_at < $4::timestamptz
union all
select 'offer ' || id, format('lapses at %s, and is open', lapses_at) from offers
where $5::boolean and lapses_at < $1::timestamptz`

// unsent finds webhooks whose oldest event could have been sent, while none was tried. One that is tried is
// slow, which is its receiver's affair.
const unsent = `
select 'webhook ' || w.id, format('event %s (%s) is due since %s', due.event, due.type, due.due_at)
from webhooks w join lateral (select * from webhook_deliveries d
    where d.webhook_id = w.id and d.due_at < $1::timestamptz order by d.due_at, d.id limit 1) due on true
where $2::boolean and w.state <> 'off' and coalesce(w.busy_until < $1::timestamptz, true)
    and coalesce(w.not_before < $1::timestamptz, true)
    and not exists (select from webhook_deliveries d
        where d.webhook_id = w.id and d.tried_at > $1::timestamptz)`
