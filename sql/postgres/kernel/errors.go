package kernel

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/pgconnect"
)

// ReadAgain returns the error with which the database asks to run a transaction again: the transaction has
// read what is no longer true.
func ReadAgain() error {
	return &pgconn.PgError{Severity: "ERROR", Code: "40001", Message: "what was read has changed since"}
}

// constraintErrors translates a broken constraint into the core's error. The core has checked all of this
// before: a client sees one of these only after a race, or a bug.
var constraintErrors = withTexts(map[string]*core.Error{
	"orders_quantity_positive": invalid(
		"quantity", core.NewText("quantity_not_positive"),
	),
	"orders_quantity_within_limit": invalid(
		"quantity", core.NewText("quantity_too_high", "most", core.MaxQuantity),
	),
	"prices_positive": invalid(
		"maxPricePerUnit", core.NewText("max_price_not_positive"),
	),
	"prices_within_limit": invalid(
		"maxPricePerUnit", core.NewText("max_price_too_high"),
	),
	"orders_level_valid": invalid(
		"levelRequirement", core.NewText("level_requirement_range", "most", core.MaxLevel),
	),
	"orders_category_short": invalid(
		"category", core.NewText("category_unknown"),
	),
	"orders_importance_known": invalid(
		"importance", core.NewText("importance_unknown"),
	),
	"orders_status_known": invalid(
		"status", core.NewText("status_unknown"),
	),
	"orders_close_reason_known": invalid(
		"closeReason", core.NewText("close_reason_unknown"),
	),
	"orders_end_after_start": invalid(
		"expiresAt", core.NewText("end_before_start"),
	),
	"orders_sold_within_quantity":   conflict(core.NewText("request_overdrawn")),
	"orders_progress_true":          conflict(core.NewText("request_changed")),
	"orders_closed_for_a_reason":    conflict(core.NewText("request_changed")),
	"orders_status_never_goes_back": conflict(core.NewText("request_closed")),
	"orders_owner_known":            signInRequired,

	"offers_order_known": orderNotFound,
	"offers_seller_name_given": invalid(
		"sellerName", core.NewText("seller_name_required"),
	),
	"offers_seller_name_short": invalid(
		"sellerName", core.TooLong("seller_name_too_long", core.MaxSellerName),
	),
	"offers_seller_contact_given": invalid(
		"sellerContact", core.NewText("discord_username_required"),
	),
	"offers_seller_contact_short": invalid(
		"sellerContact", core.TooLong("discord_username_too_long", core.MaxContact),
	),
	"offers_message_given": invalid(
		"message", core.NewText("message_required"),
	),
	"offers_message_short": invalid(
		"message", core.TooLong("message_too_long", core.MaxOfferMessage),
	),
	"offers_quantity_positive": conflict(core.NewText("offer_taken")),
	"offers_one_per_seller":    conflict(core.NewText("offer_exists")),

	"offer_links_order_known":             orderNotFound,
	"sent_offers_order_known":             orderNotFound,
	"sent_offers_state_known":             conflict(core.NewText("offer_changed")),
	"sent_offers_accepted_within_offered": conflict(core.NewText("offer_taken")),

	"order_updates_order_known": orderNotFound,
	"order_updates_quantity_positive": invalid(
		"quantitySold", core.NewText("quantity_sold_not_positive"),
	),
	"order_updates_notes_short": invalid("notes", core.TooLong("notes_too_long", core.MaxNotes)),

	"users_one_per_account": conflict(core.NewText("account_known")),
	"users_account_known":   signInRequired,
	"users_language_wellformed": invalid(
		"language", core.NewText("language_unknown"),
	),

	"mailboxes_user_known": signInRequired,
	"mailboxes_quiet_within_a_day": invalid(
		"quietFrom", core.NewText("quiet_hours_range"),
	),
	"mailboxes_closed_since_a_time": conflict(core.NewText("settings_changed")),
	"deliveries_user_known":         userGone,
	"deliveries_sent_somewhere":     conflict(core.NewText("message_changed")),
	"notices_order_known":           orderNotFound,
	"notices_delivery_known":        NotFound(core.NewText("message_gone")),
	"notices_kind_known": invalid(
		"kind", core.NewText("notice_kind_unknown"),
	),
	"notices_state_known":        conflict(core.NewText("notice_changed")),
	"users_blocked_for_a_reason": reasonRequired,

	"audit_entries_action_known": invalid(
		"action", core.NewText("audit_action_unknown"),
	),
	"audit_entries_reason_short": invalid("reason", core.TooLong("reason_too_long", core.MaxReason)),
	"audit_entries_append_only":  conflict(core.NewText("audit_append_only")),

	"sale_reversals_sale_known": saleGone,
	"ended_offers_order_known":  orderNotFound,

	"order_places_order_known": orderNotFound,
	"trade_threads_sale_known": saleGone,

	"closings_order_known":          orderNotFound,
	"closings_on_order":             conflict(core.NewText("request_closed")),
	"lapsed_offers_closing_known":   conflict(core.NewText("undo_closing_gone")),
	"reopenings_within_ten_minutes": conflict(core.NewText("undo_closing_gone")),

	"skills_user_known": signInRequired,
	"stock_user_known":  signInRequired,
	"stock_quantity_within_limit": invalid(
		"quantity", core.NewText("quantity_too_high", "most", core.MaxQuantity),
	),
	"stock_sells_daily_within_limit": invalid(
		"sellsDaily", core.NewText("quantity_too_high", "most", core.MaxQuantity),
	),
	"stock_note_short":   invalid("note", core.TooLong("stock_note_too_long", core.MaxStockNote)),
	"stock_one_per_item": conflict(core.NewText("stock_changed")),

	"saved_searches_user_known": signInRequired,
	"saved_searches_name_given": invalid(
		"name", core.NewText("search_name_required"),
	),
	"saved_searches_name_short": invalid(
		"name", core.TooLong("search_name_too_long", core.MaxSearchName),
	),
	"saved_searches_one_per_name": conflict(core.NewText("search_name_taken")),

	"watches_user_known": signInRequired,
	"watches_name_short": invalid("name", core.TooLong("search_name_too_long", core.MaxSearchName)),
	"watches_way_known": invalid(
		"way", core.NewText("way_unknown"),
	),
	"watches_pause_within_a_day": invalid(
		"pause", core.NewText("watch_pause_range"),
	),
	"watch_keys_watch_known":   NotFound(core.NewText("watch_gone")),
	"watch_turns_user_known":   userGone,
	"muted_buyers_user_known":  signInRequired,
	"muted_buyers_buyer_known": userGone,

	"removals_subject_known": userGone,

	"reports_reporter_known":  signInRequired,
	"reports_subject_known":   userGone,
	"reports_about_one_thing": conflict(core.NewText("report_changed")),

	"reports_state_known":  conflict(core.NewText("report_changed")),
	"reports_reason_given": reasonRequired,
	"reports_reason_short": invalid(
		"reason", core.TooLong("reason_too_long", core.MaxReason),
	),
	"reports_settled_once_decided":       conflict(core.NewText("report_changed")),
	"reports_one_per_reporter":           conflict(core.NewText("report_repeated")),
	"reports_one_per_network":            conflict(reportedNearby),
	"deleted_orders_user_known":          signInRequired,
	"blocked_sellers_buyer_known":        signInRequired,
	"blocked_former_sellers_buyer_known": userGone,
	"kept_contacts_sale_known":           saleGone,

	"standing_acceptances_order_known":   orderNotFound,
	"standing_acceptances_within_limits": conflict(core.NewText("offer_taken")),
	"standing_acceptances_one_stands":    conflict(requestChangedSince),
	"least_records_order_known":          orderNotFound,

	"standing_acceptances_sellers_known": sellersUnknown,
	"least_records_sellers_known":        sellersUnknown,

	"orders_list_known":     NotFound(core.NewText("list_not_found")),
	"handovers_word_known":  invalid("word", core.NewText("word_unknown")),
	"handovers_state_known": conflict(core.NewText("handover_over")),
	"handovers_side_known":  invalid("against", core.NewText("side_unknown")),

	"play_hours_user_known":         signInRequired,
	"play_hours_said_a_week":        invalid("hours", core.NewText("play_hour_range", "most", 167)),
	"play_hours_learned_a_week":     invalid("hours", core.NewText("play_hour_range", "most", 167)),
	"play_hours_learned_by_consent": invalid("hours", core.NewText("play_hour_range", "most", 167)),

	"meeting_places_user_known":    userGone,
	"meeting_places_partner_known": userGone,
	"meeting_places_in_order":      NotFound(core.NewText("slip_gone")),
	"meeting_places_said_by_one":   NotFound(core.NewText("slip_gone")),
	"meeting_places_place_given":   invalid("place", core.NewText("place_required")),
	"meeting_places_place_short": invalid(
		"place", core.TooLong("place_too_long", core.MaxMeetingPlace),
	),

	"posted_lists_user_known": signInRequired,
	"posted_lists_name_given": invalid("name", core.NewText("list_name_required")),
	"posted_lists_name_short": invalid("name", core.TooLong("list_name_too_long", trade.MaxListName)),

	"blocked_sellers_seller_known": userGone,

	"notices_settled_once_ended": conflict(core.NewText("notice_changed")),
})

// withTexts adds the errors of the constraints of a request's texts: orders_<column>_given and
// orders_<column>_short.
func withTexts(known map[string]*core.Error) map[string]*core.Error {
	for _, f := range trade.Fields {
		constraint := "orders_" + strings.TrimPrefix(f.Column, "buyer_")
		known[constraint+"_short"] = invalid(f.Name, f.TooLong())
		if f.Required {
			known[constraint+"_given"] = invalid(f.Name, f.Missing())
		}
	}
	return known
}

var (
	signInRequired = core.NewError(core.Unauthenticated, core.NewText("sign_in_required"))
	orderNotFound  = NotFound(core.NewText("request_not_found"))
	userGone       = NotFound(core.NewText("user_gone"))
	saleGone       = NotFound(core.NewText("sale_gone"))
	sellersUnknown = invalid("sellers", core.NewText("sellers_unknown"))
	reasonRequired = invalid("reason", core.NewText("reason_required"))

	requestChangedSince = core.NewText("request_changed_since")
	reportedNearby      = core.NewText("report_repeated_network")
)

var invalid = core.NewFieldError

func conflict(text core.Text) *core.Error { return core.NewError(core.Conflict, text) }

// NotFound returns a NotFound error with a sentence.
func NotFound(text core.Text) *core.Error { return core.NewError(core.NotFound, text) }

// inMessage finds the name of a constraint in a message, without the number of a shard at its end.
var inMessage = regexp.MustCompile(`constraint "([a-z_]+?)(?:_[0-9]+)?"`)

// raised maps each constraint that a trigger enforces to the error message of the trigger.
var raised = map[string]*regexp.Regexp{
	"audit_entries_append_only":     regexp.MustCompile(`^what moderators did stays`),
	"orders_status_never_goes_back": regexp.MustCompile(`^order [0-9]+ is fulfilled and stays so$`),
}

// violated returns the constraint that an error is about. A distributed PostgreSQL passes on a worker's
// message without the name, and the message has the name of a shard's constraint.
func violated(err *pgconn.PgError) string {
	if err.ConstraintName != "" {
		return err.ConstraintName
	}
	if found := inMessage.FindStringSubmatch(err.Message); found != nil {
		return found[1]
	}
	for name, message := range raised {
		if message.MatchString(err.Message) {
			return name
		}
	}
	return ""
}

// Translate turns an error of the database into the core's. An unknown error is returned as it is.
func Translate(err error) error {
	var (
		known *core.Error
		pg    *pgconn.PgError
	)
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return NotFound(core.NewText("gone"))
	case errors.As(err, &pg) && constraintErrors[violated(pg)] != nil:
		return fmt.Errorf("%w (%w)", constraintErrors[violated(pg)], err)
	case pgconnect.ConnectionFailed(err), pgconnect.OutOfResources(err), errors.Is(
		err, context.DeadlineExceeded,
	):
		return fmt.Errorf("%w (%w)", unavailable, err)
	}
	return err
}

var unavailable = core.NewUnavailable(core.NewText("market_unreachable"))
