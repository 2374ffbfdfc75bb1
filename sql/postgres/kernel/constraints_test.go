package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres/kernel"
	"tradepost/sql/schema"
)

// Each constraint is violated once, by a statement that would otherwise succeed: order 1 of user 1
// is open with 2 of 10 sold, order 2 is fulfilled, user 2 has offer 1 on order 1.
var brokenConstraints = map[string]string{
	"orders_item_name_given":        `update orders set item_name = '' where id = 1`,
	"orders_item_name_short":        `update orders set item_name = repeat('é', 101) where id = 1`,
	"orders_quantity_positive":      `update orders set quantity = 0, sold = 0, progress = 0 where id = 1`,
	"orders_quantity_within_limit":  `update orders set quantity = 1000001, progress = 0 where id = 1`,
	"prices_positive":               `update orders set max_price_per_unit = 0 where id = 1`,
	"prices_within_limit":           `update orders set max_price_per_unit = 1000000000000 where id = 1`,
	"orders_description_short":      `update orders set description = repeat('é', 1001) where id = 1`,
	"orders_contact_given":          `update orders set buyer_contact = '' where id = 1`,
	"orders_contact_short":          `update orders set buyer_contact = repeat('é', 65) where id = 1`,
	"orders_ign_short":              `update orders set ign = '' where id = 1`,
	"orders_level_valid":            `update orders set level_requirement = 501 where id = 1`,
	"orders_category_short":         `update orders set category = repeat('é', 33) where id = 1`,
	"orders_importance_known":       `update orders set importance = 'whenever' where id = 1`,
	"orders_status_known":           `update orders set status = 'lost', progress = 20, closed_at = now(), close_reason = 'closed_early' where id = 1`,
	"orders_close_reason_known":     `update orders set close_reason = 'bored' where id = 2`,
	"orders_end_after_start":        `update orders set expires_at = created_at where id = 1`,
	"orders_sold_within_quantity":   `update orders set sold = 11, progress = 100, status = 'fulfilled', close_reason = 'closed_early', closed_at = now() where id = 1`,
	"orders_progress_true":          `update orders set progress = 21 where id = 1`,
	"orders_closed_for_a_reason":    `update orders set status = 'fulfilled', progress = 100, close_reason = null, closed_at = now() where id = 1`,
	"orders_status_never_goes_back": `update orders set status = 'active', progress = 0, close_reason = null, closed_at = null where id = 2`,
	"orders_owner_known":            `update orders set user_id = 99 where id = 1`,

	"standing_acceptances_order_known":   `insert into standing_acceptances (order_id, partners, from_partners, from_others, until, set_at) values (99, 1, 1, 1, now(), now())`,
	"standing_acceptances_within_limits": `insert into standing_acceptances (order_id, partners, from_partners, from_others, taken_from_others, until, set_at) values (1, 1, 1, 1, 2, now(), now())`,
	"standing_acceptances_one_stands":    `insert into standing_acceptances (order_id, partners, from_partners, from_others, until, set_at) values (1, 1, 1, 1, now(), now()), (1, 1, 1, 1, now(), now())`,
	"standing_acceptances_sellers_known": `insert into standing_acceptances (order_id, sellers, partners, from_partners, from_others, until, set_at) values (1, 'friends', 1, 1, 1, now(), now())`,
	"least_records_sellers_known":        `insert into least_records (order_id, sellers, partners, new_up_to) values (1, 'friends', 1, 1)`,
	"least_records_order_known":          `insert into least_records (order_id, partners, new_up_to) values (99, 1, 1)`,
	"handovers_word_known":               `select 'perhaps'::handover_word`,
	"handovers_state_known":              `select 'perhaps'::handover_state`,
	"handovers_side_known":               `select 'perhaps'::handover_side`,

	"order_places_order_known": `insert into order_places (order_id, guild_id, channel_id, locale) values (99, '1', '2', '')`,
	"trade_threads_sale_known": `insert into trade_threads (sale_id, created_at, nonce_prefix) values (99, now(), '')`,

	"orders_list_known":            `update orders set list_id = 99 where id = 1`,
	"meeting_places_user_known":    `insert into meeting_places (user_id, partner_user_id, place, said_by, said_at) values (0, 2, 'a', 2, now())`,
	"meeting_places_partner_known": `insert into meeting_places (user_id, partner_user_id, place, said_by, said_at) values (1, 99, 'a', 1, now())`,
	"meeting_places_in_order":      `insert into meeting_places (user_id, partner_user_id, place, said_by, said_at) values (2, 1, 'a', 1, now())`,
	"meeting_places_said_by_one":   `insert into meeting_places (user_id, partner_user_id, place, said_by, said_at) values (1, 2, 'a', 3, now())`,
	"meeting_places_place_given":   `insert into meeting_places (user_id, partner_user_id, place, said_by, said_at) values (1, 2, '', 1, now())`,
	"meeting_places_place_short":   `insert into meeting_places (user_id, partner_user_id, place, said_by, said_at) values (1, 2, repeat('é', 101), 1, now())`,

	"posted_lists_user_known": `insert into posted_lists (user_id, name, created_at) values (99, 'a', now())`,
	"posted_lists_name_given": `insert into posted_lists (user_id, name, created_at) values (1, '', now())`,
	"posted_lists_name_short": `insert into posted_lists (user_id, name, created_at) values (1, repeat('é', 101), now())`,

	"offers_order_known":          `insert into offers (order_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at) values (99, 'a', 'b', 'c', 1, 1, now())`,
	"offers_seller_name_given":    `update offers set seller_name = '' where id = 1`,
	"offers_seller_name_short":    `update offers set seller_name = repeat('é', 65) where id = 1`,
	"offers_seller_contact_given": `update offers set seller_contact = '' where id = 1`,
	"offers_seller_contact_short": `update offers set seller_contact = repeat('é', 65) where id = 1`,
	"offers_message_given":        `update offers set message = '' where id = 1`,
	"offers_message_short":        `update offers set message = repeat('é', 501) where id = 1`,
	"offers_quantity_positive":    `update offers set quantity_offered = 0 where id = 1`,
	"offers_one_per_seller":       `insert into offers (order_id, seller_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at) values (1, 2, 'a', 'b', 'c', 1, 1, now())`,

	"offer_links_order_known":             `insert into offer_links (token_hash, offer_id, order_id, seller_name, message, price_per_unit, quantity_offered, created_at, updated_at) values ('x', 1, 99, 'a', 'b', 1, 1, now(), now())`,
	"sent_offers_order_known":             `update sent_offers set order_id = 99`,
	"sent_offers_state_known":             `update sent_offers set state = 'lost'`,
	"sent_offers_accepted_within_offered": `update sent_offers set accepted = quantity_offered + 1`,

	"order_updates_order_known":       `update order_updates set order_id = 99`,
	"order_updates_quantity_positive": `update order_updates set quantity_sold = 0`,
	"order_updates_notes_short":       `update order_updates set notes = repeat('é', 501)`,

	"users_one_per_account": `insert into users (discord_id, username, display_name, created_at, updated_at) values ('1ann', 'a', 'a', now(), now())`,
	"users_account_known":   `update users set discord_id = '' where id = 1`,

	"users_language_wellformed": `update users set language = 'German!' where id = 1`,

	"users_blocked_for_a_reason": `update users set blocked_at = now() where id = 1`,

	"audit_entries_action_known": `insert into audit_entries (at, moderator_id, action) values (now(), 1, 'frowned')`,
	"audit_entries_reason_short": `insert into audit_entries (at, moderator_id, action, reason) values (now(), 1, 'order_removed', repeat('é', 501))`,
	"audit_entries_append_only":  `delete from audit_entries`,

	"sale_reversals_sale_known": `insert into sale_reversals (sale_id, reversed_at) values (99, now())`,
	"ended_offers_order_known":  `insert into ended_offers (id, order_id, state, ended_by, ended_at, content) values (9, 99, 'declined', 1, now(), '{}')`,

	"closings_order_known":          `insert into closings (order_id, item_name, reason, closed_at) values (99, 'a', 'filled', now())`,
	"closings_on_order":             `insert into closings (order_id, item_name, reason, closed_at) values (2, 'a', 'filled', now())`,
	"lapsed_offers_closing_known":   `insert into lapsed_offers (id, closing_id, content) values (9, 99, '{}')`,
	"reopenings_within_ten_minutes": `insert into reopenings (closing_id, order_id, reason, closed_at, reopened_at) values (9, 2, 'filled', now() - interval '10 minutes', now())`,

	"removals_subject_known": `update removals set subject_id = 99`,

	"reports_reporter_known":             `insert into reports (reporter_id, order_id, item_name, reason, created_at) values (99, 1, 'a', 'b', now())`,
	"reports_subject_known":              `update reports set subject_id = 99`,
	"reports_about_one_thing":            `update reports set listing_id = 1`,
	"reports_state_known":                `update reports set state = 'lost', settled_at = now()`,
	"reports_reason_given":               `update reports set reason = ''`,
	"reports_reason_short":               `update reports set reason = repeat('é', 501)`,
	"reports_settled_once_decided":       `update reports set settled_at = now()`,
	"reports_one_per_network":            `insert into reports (order_id, item_name, reason, created_at, network) select 1, 'a', 'b', now(), 'n' from generate_series(1, 2)`,
	"reports_one_per_reporter":           `insert into reports (reporter_id, order_id, item_name, reason, created_at) values (2, 1, 'a', 'b', now())`,
	"deleted_orders_user_known":          `insert into deleted_orders (user_id, created_at) values (99, now())`,
	"blocked_sellers_buyer_known":        `insert into blocked_sellers (buyer_id, seller_id, created_at) values (99, 1, now())`,
	"blocked_former_sellers_buyer_known": `insert into blocked_former_sellers (buyer_id, account, created_at, deleted_at) values (99, 'a', now(), now())`,
	"kept_contacts_sale_known":           `insert into kept_contacts (sale_id, kept_at) values (99, now())`,

	"blocked_sellers_seller_known": `insert into blocked_sellers (buyer_id, seller_id, created_at) values (1, 99, now())`,

	"play_hours_user_known":          `insert into play_hours (user_id, saved_at) values (99, now())`,
	"play_hours_said_a_week":         `insert into play_hours (user_id, said, saved_at) values (1, '', now())`,
	"play_hours_learned_a_week":      `insert into play_hours (user_id, learns, learned, saved_at) values (1, true, '{1}', now())`,
	"play_hours_learned_by_consent":  `insert into play_hours (user_id, learned, saved_at) values (1, array_fill(0::smallint, array[168]), now())`,
	"skills_user_known":              `insert into skills (user_id, category, level) values (99, 'Miner', 5)`,
	"stock_user_known":               `insert into stock (user_id, item_name, quantity, price, created_at, touched_at) values (99, 'a', 1, 1, now(), now())`,
	"stock_quantity_within_limit":    `insert into stock (user_id, item_name, quantity, price, created_at, touched_at) values (1, 'a', -1, 1, now(), now())`,
	"stock_sells_daily_within_limit": `insert into stock (user_id, item_name, quantity, price, sells_daily, created_at, touched_at) values (1, 'a', 1, 1, -1, now(), now())`,
	"stock_note_short":               `insert into stock (user_id, item_name, quantity, price, note, created_at, touched_at) values (1, 'a', 1, 1, repeat('é', 101), now(), now())`,
	"stock_one_per_item":             `insert into stock (user_id, item_name, quantity, price, created_at, touched_at) values (1, 'Iron Ore', 1, 1, now(), now()), (1, 'IRON ore', 1, 1, now(), now())`,

	"saved_searches_user_known":   `insert into saved_searches (user_id, name, created_at, updated_at) values (99, 'a', now(), now())`,
	"saved_searches_name_given":   `insert into saved_searches (user_id, name, created_at, updated_at) values (1, '', now(), now())`,
	"saved_searches_name_short":   `insert into saved_searches (user_id, name, created_at, updated_at) values (1, repeat('é', 41), now(), now())`,
	"watches_user_known":          `insert into watches (user_id, name, way, created_at, updated_at) values (99, 'a', 'direct', now(), now())`,
	"watches_name_short":          `insert into watches (user_id, name, way, created_at, updated_at) values (1, '', 'direct', now(), now())`,
	"watches_way_known":           `insert into watches (user_id, name, way, created_at, updated_at) values (1, 'a', 'pigeon', now(), now())`,
	"watches_pause_within_a_day":  `insert into watches (user_id, name, way, pause_minutes, created_at, updated_at) values (1, 'a', 'direct', 1441, now(), now())`,
	"watch_keys_watch_known":      `insert into watch_keys (key, watch_id) values ('any', 99)`,
	"watch_turns_user_known":      `insert into watch_turns (user_id, alerted_at) values (99, now())`,
	"muted_buyers_user_known":     `insert into muted_buyers (user_id, buyer_id, created_at) values (99, 1, now())`,
	"muted_buyers_buyer_known":    `insert into muted_buyers (user_id, buyer_id, created_at) values (1, 99, now())`,
	"saved_searches_one_per_name": `insert into saved_searches (user_id, name, created_at, updated_at) values (1, 'a', now(), now()), (1, 'A', now(), now())`,

	"mailboxes_user_known":          `insert into mailboxes (user_id) values (99)`,
	"mailboxes_quiet_within_a_day":  `update mailboxes set quiet_to = 1440`,
	"mailboxes_closed_since_a_time": `update mailboxes set closed = 'no shared server'`,
	"deliveries_user_known":         `insert into deliveries (user_id, kind, started_at) values (99, 'test', now())`,
	"deliveries_sent_somewhere":     `insert into deliveries (user_id, kind, started_at, message_id) values (1, 'test', now(), '5')`,
	"notices_order_known":           `update notices set order_id = 99`,
	"notices_delivery_known":        `update notices set delivery_id = 99`,
	"notices_kind_known":            `update notices set kind = 'gossip'`,
	"notices_state_known":           `update notices set state = 'lost', settled_at = now()`,
	"notices_settled_once_ended":    `update notices set state = 'delivered'`,
}

func TestTableConstraintsAreEnforcedWithTheirMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open, closed := w.Post(w.Ann), w.Post(w.Ann)
	w.OfferOn(w.Bob, open, 5)
	_, err := w.Trade.LogSale(t.Context(), w.Ann, open.ID, trade.SaleDraft{Quantity: 2})
	must(t, err)
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, closed.ID)
	must(t, err)

	_, err = w.Moderation.ReportOrder(t.Context(), w.Bob, open.ID, "No such item")
	must(t, err)
	must(t, w.Moderation.RemoveOrder(t.Context(), w.Moderator(), w.Post(w.Ann).ID, "No such item"))

	for name, statement := range brokenConstraints {
		err := w.SQL(statement)
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || kernel.Violated(pg) != name {
			t.Errorf("%s: %s: got %v", name, statement, err)
			continue
		}
		var coreErr *core.Error
		if !errors.As(kernel.Translate(err), &coreErr) || coreErr.Message == "" || strings.Contains(coreErr.Message, "_") {
			t.Errorf("%s has no sentence: %v", name, kernel.Translate(err))
		}
	}
	w.CheckInvariants()
}

func TestEveryTableConstraintIsTested(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows, err := w.Store.Pool().Query(t.Context(), `
select conname::text from pg_constraint
where contype in ('c', 'f') and connamespace = any(current_schemas(false)::text[]::regnamespace[]) and conrelid::regclass::text not like 'river_%'
    and conrelid::regclass::text not in ('drafts', 'boards', 'board_posts', 'lives', 'nonce_prefixes', 'report_keys',
        'identity_keys', 'report_channels', 'traders', 'trader_names', 'trader_search', 'trust_shares', 'trust_market', 'shared_reach', 'vouch_candidates', 'proposed_rings', 'proposed_ring_members', 'settled_against', 'set_aside', 'look_alikes', 'allowed_names', 'market_rules', 'last_backup', 'handovers', 'catalogue_items', 'catalogue_names', 'stock_falls', 'wanted_channels', 'ping_servers', 'ping_roles', 'trader_roles', 'held_roles')
union all select 'users_one_per_account' union all select 'offers_one_per_seller'
union all select 'stock_one_per_item' union all select 'saved_searches_one_per_name' union all select 'closings_on_order' union all select 'standing_acceptances_one_stands' union all select 'reports_one_per_reporter' union all select 'reports_one_per_network'
union all select tgname::text from pg_trigger where tgname in ('orders_status_never_goes_back', 'audit_entries_append_only')`)
	must(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	kept := map[string]bool{}
	for _, name := range names {
		kept[name] = true
		if brokenConstraints[name] == "" {
			t.Errorf("nothing breaks %s", name)
		}
		if kernel.ConstraintErrors[name] == nil {
			t.Errorf("%s has no sentence", name)
		}
	}
	for name := range kernel.ConstraintErrors {
		if !kept[name] {
			t.Errorf("no table keeps %s", name)
		}
	}
}

func TestAConstraintIsKnownByItsNameOrByTheMessageOfAWorker(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, message, want string
	}{
		{"offers_one_per_seller", `duplicate key value violates unique constraint "offers_one_per_seller"`, "offers_one_per_seller"},
		{"", `duplicate key value violates unique constraint "offers_one_per_seller_102010"`, "offers_one_per_seller"},
		{"", `new row for relation "orders_102008" violates check constraint "orders_sold_within_quantity_102008"`, "orders_sold_within_quantity"},
		{"", `insert or update on table "offers_102010" violates foreign key constraint "offers_order_known_102010"`, "offers_order_known"},
		{"", `value for domain price violates check constraint "prices_positive"`, "prices_positive"},
		{"", "what moderators did stays as it is noted", "audit_entries_append_only"},
		{"", "order 7 is fulfilled and stays so", "orders_status_never_goes_back"},
		{"", `relation "orders" does not exist`, ""},
	} {
		if got := kernel.Violated(&pgconn.PgError{ConstraintName: tt.name, Message: tt.message}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.message, got, tt.want)
		}
	}
}

func TestAuditLogIsAppendOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.Moderation.RemoveOrder(t.Context(), w.Moderator(), w.Post(w.Ann).ID, "No such item"))
	for _, statement := range []string{"update audit_entries set reason = 'a whim'", "delete from audit_entries", "truncate audit_entries", "truncate audit_entries cascade"} {
		var refused *pgconn.PgError
		if err := w.SQL(statement); !errors.As(err, &refused) || kernel.Violated(refused) != "audit_entries_append_only" {
			t.Errorf("by the owner: %s: %v", statement, err)
		}
		if _, err := w.Store.Pool().Exec(t.Context(), statement); !errors.As(err, &refused) || refused.Code != "42501" {
			t.Errorf("by the role that serves: %s: %v, want no permission", statement, err)
		}
	}
	for _, statement := range []string{"alter table audit_entries disable trigger user", "drop table audit_entries", "drop trigger audit_entries_chain on audit_entries",
		"delete from goose_db_version", "create or replace function audit_entries_chain() returns trigger language plpgsql as 'begin return new; end'"} {
		if _, err := w.Store.Pool().Exec(t.Context(), statement); err == nil {
			t.Errorf("by the role that serves: %s went through", statement)
		}
	}
	if may, err := schema.MayChangeLog(t.Context(), w.Store.Pool()); may || err != nil {
		t.Errorf("the role that serves may change the log: %v, %v", may, err)
	}
	owner, err := pgconnect.Open(t.Context(), w.DSN, pgconnect.Options{MaxConns: 1})
	must(t, err)
	defer owner.Close()
	if may, err := schema.MayChangeLog(t.Context(), owner); !may || err != nil {
		t.Errorf("the owner may change the log: %v, %v", may, err)
	}
	must(t, w.SQL("update users set blocked_at = now(), blocked_for = 'a whim' where username = 'bob'"))
	violations, err := invariants.Check(t.Context(), w.Store.Pool())
	must(t, err)
	if len(violations) != 1 || violations[0].Invariant != "I9 a block has an audit entry" {
		t.Errorf("a block without an audit entry: %v", violations)
	}
}
