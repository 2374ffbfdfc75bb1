// Package waits has the table of every stored time, and brings back times that lie further ahead than they
// may. A clock that was ahead for a moment, or a restored database, leaves such times behind: without this,
// the actions that wait for them are late by as much as the clock was wrong (decision 305).
package waits

import (
	"fmt"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/hours"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/webhook"
)

// Time is a column of the database that has a time. Either something waits for it, which Holds names, or
// nothing does, and Tells explains why.
type Time struct {
	Table, Column string

	Holds string
	// Ahead is the longest legal wait: how far ahead of now the time may lie. Zero is for what has happened
	// already.
	Ahead time.Duration
	// Where limits it to the rows that hold something, so that an index finds them.
	Where string
	// Rarely is set for large tables without an index by the time: they are read at start, after a step of
	// the clock and once an hour, and not every minute.
	Rarely bool
	// Early is set where coming early does no harm, because the job that runs decides again: after a step
	// of the clock such times come at once.
	Early bool

	// ToNow is set where a time that is too far ahead is brought back to now, and not to the longest legal
	// wait: the code that reads it would pass over it.
	ToNow bool

	// Past is set where a time that was ahead is brought back to a time before now: nothing tells how long
	// ago it really was.
	Past time.Duration

	// With brings back the same time in another table, in the same statement: the two are compared for being
	// the same. It reads far.at, $2 and $3 as the statement does. Unless names the rows that the With of
	// another column brings back.
	With, Unless string

	Tells string
}

// String names the column.
func (t Time) String() string { return t.Table + "." + t.Column }

const (
	day = 24 * time.Hour

	// Slack is how far the clocks of two replicas may differ.
	Slack = 5 * time.Second

	soon         = 5 * time.Second  // River's: a job that is due so soon counts as available
	leaderLife   = 15 * time.Second // River's: the pause between two elections and 10 s
	periodicWait = 2 * time.Minute  // snoozed while the clock is not steady, a minute at most
)

const (
	happened  = "says when something was; nothing waits for it"
	retention = "when it is removed"
	quota     = "what a quota counts"
	nonce     = "when a message of unknown outcome is sent again"
)

// Times has every column of a time.
var Times = []Time{
	{Table: "alert_rounds", Column: "due_at", Holds: "alerts about a request", Ahead: match.NeedsAllAfter,
		Early: true},
	{Table: "alert_rounds", Column: "next_wave_at", Holds: "the next wave of alerts", Ahead: match.WavePause},
	{Table: "alert_rounds", Column: "since", Tells: happened},
	{Table: "audit_entries", Column: "at",
		Tells: "the log of moderation is a chain of hashes: no entry is ever changed"},
	{Table: "blocked_former_sellers", Column: "created_at", Tells: happened},
	{Table: "blocked_former_sellers", Column: "deleted_at", Holds: retention},
	{Table: "blocked_sellers", Column: "created_at", Tells: happened},
	{Table: "board_posts", Column: "started_at", Holds: nonce, Rarely: true},
	{Table: "boards", Column: "created_at", Holds: "requests that the board shows: those posted since"},
	{Table: "boards", Column: "listed_since", Holds: "listings that the board shows: those touched since"},
	{Table: "call_turns", Column: "free_at", Holds: "every call to Discord", Ahead: MaxTurnWait, ToNow: true},
	{Table: "catalogue_imports", Column: "at", Tells: happened},
	{Table: "catalogue_items", Column: "created_at", Tells: happened},
	{Table: "catalogue_items", Column: "gone_at", Tells: "only whether it is set counts"},
	{Table: "catalogue_items", Column: "updated_at", Tells: happened},
	{Table: "changes", Column: "at", Tells: "changes are read and removed by transaction"},
	{Table: "claims", Column: "created_at", Holds: retention},
	{
		Table: "closings", Column: "closed_at", Holds: "the notices to sellers whose offers lapsed",
		With: `update orders set closed_at = $2 from closings, far
where closings.order_id = orders.id and closings.closed_at > $3 and closings.closed_at > far.at
    and orders.closed_at > far.at`,
	},
	{Table: "deleted_orders", Column: "created_at", Holds: quota},
	{Table: "deliveries", Column: "acted_at", Tells: "only whether it is set counts"},
	{Table: "deliveries", Column: "sent_at", Holds: "whether a message is edited or sent", Rarely: true},
	// Discord may have forgotten the nonce of a message that was sent while the clock was ahead: it is looked
	// for before it is sent again.
	{Table: "deliveries", Column: "started_at", Holds: quota + ", and " + retention, Rarely: true,
		Past: 2 * channels.NonceLifetime},
	{Table: "drafts", Column: "created_at", Holds: retention, Rarely: true},
	{Table: "ended_offers", Column: "ended_at", Holds: "the end of an undo"},
	{Table: "former_accounts", Column: "blocked_at", Tells: happened},
	{Table: "former_accounts", Column: "deleted_at", Holds: retention},
	{Table: "former_accounts", Column: "posted", Holds: quota, Rarely: true},
	{Table: "former_accounts", Column: "reach_stopped_at", Tells: "only whether it is set counts"},
	{Table: "former_accounts", Column: "since", Holds: "the first day of an account that returns",
		Rarely: true},
	{Table: "goose_db_version", Column: "tstamp", Tells: happened},
	{Table: "handovers", Column: "accepted_at", Tells: happened},
	{Table: "handovers", Column: "agreed_by", Holds: "the first question whether two have met",
		Ahead: trade.MaxAgreedWithin, Where: "due_at is not null"},
	{Table: "handovers", Column: "buyer_later_at", Holds: "the question that was put off",
		Where: "due_at is not null"},
	{Table: "handovers", Column: "buyer_prompted_at", Holds: "the reminder", Where: "due_at is not null"},
	{Table: "handovers", Column: "buyer_took_back_at", Holds: "the end of a handover",
		Where: "due_at is not null"},
	{Table: "handovers", Column: "looked_at", Tells: happened},
	{Table: "handovers", Column: "seller_took_back_at", Holds: "the end of a handover",
		Where: "due_at is not null"},
	{Table: "handovers", Column: "buyer_said_at", Holds: "the end of a handover",
		Where: "due_at is not null"},
	{Table: "handovers", Column: "due_at", Holds: "the next step of a handover",
		Ahead: trade.MaxAgreedWithin + trade.RemindAfter + trade.AnswerWithin},
	{Table: "handovers", Column: "meet_at", Holds: "the reminder of when two meet", Ahead: hours.MaxAhead,
		Where: "due_at is not null"},
	{Table: "handovers", Column: "seller_later_at", Holds: "the question that was put off",
		Where: "due_at is not null"},
	{Table: "handovers", Column: "seller_prompted_at", Holds: "the reminder", Where: "due_at is not null"},
	{Table: "handovers", Column: "seller_said_at", Holds: "the end of a handover",
		Where: "due_at is not null"},
	{Table: "handovers", Column: "ruling_undone_at", Tells: happened},
	{Table: "handovers", Column: "settled_at",
		Holds: "for how long a record shows that somebody did not come", Rarely: true},
	{Table: "public_changes", Column: "at", Tells: "a time ahead only keeps the row for longer"},
	{Table: "settled_against", Column: "settled_at", Holds: retention},
	{Table: "held_roles", Column: "due_at", Ahead: channels.RoleCheckedEvery,
		Holds: "when a trader who is no member of a server is given its role"},
	{Table: "kept_contacts", Column: "kept_at", Holds: retention},
	{Table: "last_backup", Column: "made_at", Holds: "the alert that no backup was made"},
	{Table: "limit_uses", Column: "began", Tells: "uses are counted in their own window only"},
	{Table: "vouch_candidates", Column: "since", Tells: happened},
	{Table: "allowed_names", Column: "allowed_at", Holds: "the end of what a visitor's offer was allowed",
		Rarely: true},
	{Table: "listing_rounds", Column: "due_at", Holds: "alerts about a listing", Ahead: match.MaxAlertRetry,
		Early: true},
	{Table: "listing_rounds", Column: "next_wave_at", Holds: "the next wave of alerts",
		Ahead: match.WavePause},
	{Table: "listing_rounds", Column: "since", Tells: happened},
	{Table: "look_alikes", Column: "created_at", Holds: quota},
	{Table: "shared_reach", Column: "drawn_at", Holds: quota},
	// core passes over it before
	{Table: "mailboxes", Column: "busy_until", Holds: "messages to a reader", Ahead: notify.DeliveryLease,
		Rarely: true, ToNow: true},
	{Table: "mailboxes", Column: "closed_at", Tells: happened},
	{Table: "mailboxes", Column: "limited_until", Holds: "when a notice counts as late",
		Ahead: notify.MaxRetryAfter, Rarely: true, Early: true, ToNow: true},
	// the same
	{Table: "mailboxes", Column: "not_before", Holds: "messages to a reader", Ahead: notify.MaxRetryWait,
		Rarely: true, ToNow: true},
	{Table: "market_rules", Column: "programs_trade_since", Tells: "only whether it is set counts"},
	{Table: "market_rules", Column: "signed_in_only_since", Tells: "only whether it is set counts"},
	{Table: "meeting_places", Column: "said_at", Holds: retention},
	{Table: "memberships", Column: "answered_at", Tells: "a time ahead counts as no answer"},
	{Table: "memberships", Column: "tried_at", Holds: retention},
	{Table: "muted_buyers", Column: "created_at", Tells: happened},
	{Table: "notices", Column: "created_at", Holds: "the end of a notice that cannot be delivered",
		Rarely: true},
	{Table: "notices", Column: "hold_until", Holds: "an alert, or gathered offers", Ahead: notify.LongestHold,
		Where: "state = 'pending'"},
	{Table: "notices", Column: "read_at", Tells: "only whether it is set counts"},
	{Table: "notices", Column: "settled_at", Tells: happened},
	{Table: "offer_links", Column: "created_at", Holds: retention},
	{Table: "offer_links", Column: "good_until", Tells: "shown only: the offer lapses by offers.lapses_at"},
	{Table: "offer_links", Column: "updated_at", Tells: happened},
	{Table: "offers", Column: "created_at", Tells: happened},
	{Table: "offers", Column: "good_until", Tells: "shown only: the offer lapses by offers.lapses_at"},
	{Table: "offers", Column: "lapses_at", Holds: "the end of an offer", Ahead: trade.OrderLifetime},
	{Table: "order_updates", Column: "created_at", Holds: "the end of an undo, and who becomes established",
		Rarely: true},
	{Table: "ended_servers", Column: "ended_at",
		Holds: "when boards can be had back no longer, and " + retention},
	{Table: "orders", Column: "archived_at", Holds: retention, Where: "archived_at is not null"},
	{Table: "orders", Column: "closed_at", Holds: "when it is archived",
		Where:  "status = 'fulfilled' and archived_at is null",
		Unless: "id in (select order_id from closings where order_id is not null)"},
	{Table: "orders", Column: "created_at", Holds: quota, Where: "status = 'active'"},
	{Table: "orders", Column: "expires_at", Holds: "the end of a request", Ahead: trade.OrderLifetime,
		Where: "status = 'active'"},
	{Table: "orders", Column: "lapsed_for", Tells: "compared with expires_at for being the same"},
	{Table: "orders", Column: "updated_at", Tells: happened},
	{Table: "orders", Column: "warned_for", Tells: "compared with expires_at for being the same"},
	{Table: "play_hours", Column: "saved_at", Tells: happened},
	{Table: "ping_roles", Column: "pinged_at", Holds: "the next ping of a role"},
	{Table: "ping_roles", Column: "started_at", Holds: nonce},
	{Table: "ping_servers", Column: "created_at", Holds: "pings about requests: those posted since"},
	{Table: "ping_servers", Column: "started_at", Holds: nonce},
	{Table: "posted_lists", Column: "created_at", Holds: quota, Rarely: true},
	{Table: "removals", Column: "removed_at", Holds: "the end of an undo, and " + retention},
	{Table: "reopenings", Column: "closed_at", Tells: happened},
	{Table: "reopenings", Column: "reopened_at", Tells: happened},
	{Table: "report_channels", Column: "created_at",
		Holds: "reports that the channel gets: those made since"},
	{Table: "report_posts", Column: "started_at", Holds: nonce, Rarely: true},
	{Table: "reports", Column: "created_at", Tells: happened},
	{Table: "reports", Column: "settled_at", Holds: retention, Where: "settled_at is not null"},
	{Table: "retention_marks", Column: "before", Holds: "what retention reads next"},
	{Table: "river_job", Column: "attempted_at", Holds: "the rescue of a job whose end was not stored",
		Where: "state = 'running'"},
	{Table: "river_job", Column: "created_at", Tells: happened},
	{Table: "river_job", Column: "finalized_at",
		Tells: "River removes the job by it, and nothing reads a job that has ended"},
	{Table: "river_job", Column: "scheduled_at", Holds: "a job that could run", Ahead: soon,
		Where: "state = 'available'"},
	{
		Table: "river_job", Column: "scheduled_at", Holds: "the delivery of a notice",
		Ahead: notify.LongestHold, Early: true,
		Where: "state in ('scheduled', 'retryable') and kind = 'deliver_notice'",
	},
	{
		Table: "river_job", Column: "scheduled_at", Holds: "a periodic job, and every later one of its kind",
		Ahead: periodicWait, Early: true,
		Where: "state in ('scheduled', 'retryable') and kind <> 'deliver_notice'",
	},
	{Table: "river_leader", Column: "elected_at", Tells: "compared by its leader for being the same"},
	{Table: "river_leader", Column: "expires_at", Holds: "every periodic job, when the leader is gone",
		Ahead: leaderLife},
	{Table: "river_migration", Column: "created_at", Tells: happened},
	{Table: "river_notification", Column: "created_at", Tells: "a table for other databases than PostgreSQL"},
	{Table: "river_queue", Column: "created_at", Tells: happened},
	{Table: "river_queue", Column: "paused_at", Tells: "only whether it is set counts"},
	{Table: "river_queue", Column: "updated_at", Tells: happened},
	{Table: "sale_reversals", Column: "reversed_at", Tells: happened},
	{Table: "searches", Column: "alerted_at", Holds: "alerts", Ahead: notify.LongestHold, Rarely: true},
	{Table: "searches", Column: "created_at", Tells: happened},
	{Table: "proposed_rings", Column: "dismissed_at", Tells: "only whether it is set counts"},
	{Table: "searches", Column: "paused_at", Tells: "only whether it is set counts"},
	{Table: "searches", Column: "snoozed_until", Holds: "alerts", Ahead: match.LongestSnooze, Rarely: true},
	{Table: "searches", Column: "updated_at", Holds: "alerts about requests posted since", Rarely: true},
	{Table: "sent_offers", Column: "created_at", Holds: quota, Rarely: true},
	{Table: "sent_offers", Column: "good_until", Tells: "shown only: the offer lapses by offers.lapses_at"},
	{Table: "sent_offers", Column: "updated_at", Tells: happened},
	{Table: "sessions", Column: "expiry", Holds: "the end of a session", Ahead: people.SessionLife},
	{Table: "sessions", Column: "since", Tells: "the session itself has it too, and ends by expiry"},
	{Table: "sessions", Column: "used_at", Tells: happened},
	{Table: "set_aside", Column: "at", Tells: happened},
	{Table: "shared_cards", Column: "shared_at", Tells: "only their order counts"},
	{Table: "standing_acceptances", Column: "ended_at", Tells: "only whether it is set counts"},
	{Table: "standing_acceptances", Column: "set_at", Tells: happened},
	{Table: "standing_acceptances", Column: "until", Holds: "the end of accepting automatically",
		Ahead: trade.MaxStandingDays * day, Where: "ended_at is null"},
	{Table: "stock", Column: "alerts_off_at", Tells: "only whether it is set counts"},
	{Table: "stock", Column: "asked_at", Tells: "only whether it is set counts"},
	{Table: "stock", Column: "created_at", Tells: happened},
	{Table: "stock", Column: "shown_until", Holds: "how long an item is for sale", Ahead: match.StockLifetime,
		Where: "shown_until is not null"},
	{Table: "stock", Column: "snoozed_until", Holds: "alerts about an item in stock",
		Ahead: match.LongestSnooze, Where: "snoozed_until is not null"},
	{Table: "stock", Column: "touched_at", Holds: "the question whether an item is still in stock"},
	{Table: "tokens", Column: "created_at", Tells: happened},
	{Table: "tokens", Column: "expires_at", Holds: "the end of a token", Ahead: 365 * day},
	{Table: "tokens", Column: "used_at", Tells: happened},
	{Table: "webhooks", Column: "created_at", Tells: happened},
	{Table: "webhooks", Column: "old_until", Holds: "the end of a replaced secret",
		Ahead: webhook.OldSecretFor},
	{Table: "webhooks", Column: "failing_since", Holds: "the end of a webhook that fails", Rarely: true},
	{Table: "webhooks", Column: "not_before", Holds: "events for a webhook", Ahead: webhook.LongestWait},
	{Table: "webhooks", Column: "busy_until", Holds: "events for a webhook", Ahead: webhook.Lease},
	{Table: "webhook_deliveries", Column: "created_at", Holds: retention},
	{Table: "webhook_deliveries", Column: "due_at", Holds: "an event for a webhook",
		Ahead: webhook.LongestWait, Where: "due_at is not null"},
	{Table: "webhook_deliveries", Column: "tried_at", Tells: happened},
	{Table: "trade_threads", Column: "busy_until", Holds: "a thread", Ahead: channels.ThreadLease,
		Where: "due_at is not null"},
	{Table: "trade_threads", Column: "created_at", Holds: "a receipt that waits for its thread",
		Where: "due_at is not null"},
	{Table: "trade_threads", Column: "due_at", Holds: "the next step of a thread",
		Ahead: channels.ThreadLease + core.UndoWindow, Early: true},
	{Table: "trade_threads", Column: "started_at", Holds: nonce, Where: "due_at is not null"},
	{Table: "trader_names", Column: "since", Holds: "the marks of names that were used before", Rarely: true},
	{Table: "traders", Column: "established_at", Holds: "the trades that make others established"},
	{Table: "trust_market", Column: "computed_at", Tells: happened},
	{Table: "users", Column: "blocked_at", Tells: "only whether it is set counts"},
	{Table: "users", Column: "created_at", Holds: "an account's first day", Rarely: true},
	{Table: "users", Column: "leaving_at", Holds: "the deletion of an account",
		Where: "leaving_at is not null"},
	{Table: "users", Column: "moderator_role_at", Holds: "the end of a moderator's rights by a role",
		Rarely: true},
	{Table: "users", Column: "reach_stopped_at", Tells: "only whether it is set counts"},
	{Table: "users", Column: "signed_out_at", Holds: "every new session of a user", Rarely: true},
	{Table: "users", Column: "updated_at", Tells: happened},
	{Table: "wanted_channels", Column: "due_at", Holds: "a channel's next report", Ahead: 8 * day},
	{Table: "wanted_channels", Column: "started_at", Holds: nonce},
	{Table: "watch_turns", Column: "alerted_at", Holds: "alerts", Ahead: notify.LongestHold, Rarely: true},
	{Table: "watch_turns", Column: "messages", Holds: quota, Ahead: notify.LongestHold, Rarely: true},
}

// MaxTurnWait is the longest wait for a turn that replicas share: a call to Discord is given up before.
const MaxTurnWait = 15 * time.Second

// arrays are the columns that have several times.
var arrays = map[string]bool{"former_accounts.posted": true, "watch_turns.messages": true}

// ofRiver reports whether River writes the time. It is compared with the server's clock, as River does; the
// others with the clock that wrote them.
func (t Time) ofRiver() bool { return strings.HasPrefix(t.Table, "river_") }

// Search returns the statement that finds rows further ahead than they may be, each with what it is and how
// far ahead it may be. It is empty for a column that the extent leaves out.
func (t Time) Search(now time.Time, extent Extent) (string, []any) {
	if !t.within(extent) {
		return "", nil
	}
	limit := t.Ahead + Slack
	beyond, from := "$1::timestamptz", any(now.Add(limit))
	if t.ofRiver() {
		beyond, from = "clock_timestamp() + $1::interval", limit
	}
	where := beyond + " < " + t.Column
	if arrays[t.String()] {
		where = beyond + " < any(" + t.Column + ")"
	}
	if t.Where != "" {
		where += " and (" + t.Where + ")"
	}
	return fmt.Sprintf(`
select concat_ws(' ', '%[1]s.%[2]s', coalesce(
    r ->> 'id', r ->> 'user_id', r ->> 'sale_id', r ->> 'order_id', r ->> 'channel_id')),
    format('is %%s, may be %[3]s ahead: %[4]s', %[2]s)
from (select *, to_jsonb(t) as r from %[1]s t) t where %[5]s`,
		t.Table, t.Column, t.Ahead, strings.ReplaceAll(t.Holds, "'", "''"), where), []any{from}
}

// statement returns the statement that brings rows back, with how far ahead they may lie and where they are
// brought to. The limit is counted from the moment at which the statement runs: one that has waited for a
// connection, or for those before it, must not take what was written meanwhile for a time ahead.
func (t Time) statement(r reading, limit, to time.Duration) (string, []any) {
	back, args := "$2::timestamptz", []any{limit + r.offset, r.began.Add(to)}
	// The planner knows nothing of far.at. By the limit at the beginning, which is no later, it sees that an
	// index finds the few rows.
	where := t.Column + " > $3::timestamptz and " + t.Column + " > (select far.at from far)"
	set := t.Column + " = "
	switch {
	case t.ofRiver():
		back, args = "clock_timestamp() + $2::interval", []any{limit, to}
		where = t.Column + " > (select far.at from far)"
	case arrays[t.String()]:
		back = fmt.Sprintf("array(select least(held.at, %s) from unnest(%s) with ordinality "+
			"as held(at, place) order by place)", back, t.Column)
		where = "(select far.at from far) < any(" + t.Column + ")"
	default:
		args = append(args, r.began.Add(limit))
	}
	set += back
	if t.wakes() {
		set += ", state = 'available'"
	}
	if t.Where != "" {
		where += " and (" + t.Where + ")"
	}
	if t.Unless != "" {
		where += " and not (" + t.Unless + ")"
	}
	with, from := "with far as materialized (select clock_timestamp() + $1::interval as at)", ""
	if t.With != "" { // to its end, before the first row of this table is locked
		with += ", other as (" + t.With + " returning 1)"
		from = " from (select count(*) from other) done"
	}
	return fmt.Sprintf("%s update %s set %s%s where %s", with, t.Table, set, from, where), args
}

// wakes reports whether it is when a job runs. Such a job is brought back to now, and decides again.
func (t Time) wakes() bool { return t.Table == "river_job" && t.Column == "scheduled_at" }
