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

// constraintErrors translates a broken constraint into the core's error. The core has checked all of this
// before: a client sees one of these only after a race, or a bug.
var constraintErrors = withTexts(map[string]*core.Error{
	"orders_quantity_positive": invalid(
		"quantity", core.NewText("quantity_not_positive", "Quantity must be greater than 0"),
	),
	"orders_quantity_within_limit": invalid(
		"quantity", core.NewText("quantity_too_high", "Quantity must be %d or less", core.MaxQuantity),
	),
	"prices_positive": invalid(
		"maxPricePerUnit", core.NewText("max_price_not_positive", "Max price must be greater than 0"),
	),
	"prices_within_limit": invalid(
		"maxPricePerUnit", core.NewText("max_price_too_high", "Max price is too high"),
	),
	"orders_level_valid": invalid(
		"levelRequirement",
		core.NewText("level_requirement_range", "Level requirement must be between 1 and %d", core.MaxLevel),
	),
	"orders_category_short": invalid(
		"category", core.NewText("category_unknown", "Choose one of the categories"),
	),
	"orders_importance_known": invalid(
		"importance", core.NewText("importance_unknown", "Importance must be low, medium, high or urgent"),
	),
	"orders_status_known": invalid(
		"status", core.NewText("status_unknown", "Status must be active or fulfilled"),
	),
	"orders_close_reason_known": invalid(
		"closeReason",
		core.NewText("close_reason_unknown", "An order is closed because it is filled, or early"),
	),
	"orders_end_after_start": invalid(
		"expiresAt", core.NewText("end_before_start", "A request ends after it was posted"),
	),
	"orders_sold_within_quantity": conflict(
		core.NewText("request_overdrawn", "There is not that much left of this request"),
	),
	"orders_progress_true": conflict(
		core.NewText("request_changed", "This request has changed. Look at it again."),
	),
	"orders_closed_for_a_reason": conflict(
		core.NewText("request_changed", "This request has changed. Look at it again."),
	),
	"orders_status_never_goes_back": conflict(
		core.NewText("request_closed", "This request is already closed"),
	),
	"orders_owner_known": signInRequired,

	"offers_order_known": orderNotFound,
	"offers_seller_name_given": invalid(
		"sellerName", core.NewText("seller_name_required", "Your name is required"),
	),
	"offers_seller_name_short": invalid(
		"sellerName", tooLong("seller_name_too_long", "Your name", core.MaxSellerName),
	),
	"offers_seller_contact_given": invalid(
		"sellerContact", core.NewText("discord_username_required", "Discord username is required"),
	),
	"offers_seller_contact_short": invalid(
		"sellerContact", tooLong("discord_username_too_long", "Discord username", core.MaxContact),
	),
	"offers_message_given": invalid(
		"message", core.NewText("message_required", "Message is required"),
	),
	"offers_message_short": invalid(
		"message", tooLong("message_too_long", "Message", core.MaxOfferMessage),
	),
	"offers_quantity_positive": conflict(core.NewText("offer_taken", "That offer has just been taken")),
	"offers_one_per_seller": conflict(
		core.NewText("offer_exists", "You already have an offer on this request"),
	),

	"offer_links_order_known": orderNotFound,
	"sent_offers_order_known": orderNotFound,
	"sent_offers_state_known": conflict(
		core.NewText("offer_changed", "That offer has changed. Look at it again."),
	),
	"sent_offers_accepted_within_offered": conflict(
		core.NewText("offer_taken", "That offer has just been taken"),
	),

	"order_updates_order_known": orderNotFound,
	"order_updates_quantity_positive": invalid(
		"quantitySold", core.NewText("quantity_sold_not_positive", "Quantity sold must be greater than 0"),
	),
	"order_updates_notes_short": invalid("notes", tooLong("notes_too_long", "Notes", core.MaxNotes)),

	"users_one_per_account": conflict(core.NewText("account_known", "That account is already known")),
	"users_account_known":   signInRequired,
	"users_language_wellformed": invalid(
		"language", core.NewText("language_unknown", "Choose one of the languages offered here"),
	),

	"mailboxes_user_known": signInRequired,
	"mailboxes_quiet_within_a_day": invalid(
		"quietFrom", core.NewText("quiet_hours_range", "Quiet hours lie between 00:00 and 23:59"),
	),
	"mailboxes_closed_since_a_time": conflict(
		core.NewText("settings_changed", "These settings have changed. Look at them again."),
	),
	"deliveries_user_known": userGone,
	"deliveries_sent_somewhere": conflict(
		core.NewText("message_changed", "That message has changed. Look at it again."),
	),
	"notices_order_known":    orderNotFound,
	"notices_delivery_known": NotFound(core.NewText("message_gone", "That message is no longer here")),
	"notices_kind_known": invalid(
		"kind", core.NewText("notice_kind_unknown", "There is no such notice"),
	),
	"notices_state_known": conflict(
		core.NewText("notice_changed", "That notice has changed. Look at it again."),
	),
	"users_blocked_for_a_reason": reasonRequired,

	"audit_entries_action_known": invalid(
		"action", core.NewText("audit_action_unknown", "There is no such action"),
	),
	"audit_entries_reason_short": invalid("reason", tooLong("reason_too_long", "Reason", core.MaxReason)),
	"audit_entries_append_only": conflict(
		core.NewText("audit_append_only", "What moderators did stays as it is noted"),
	),

	"sale_reversals_sale_known": saleGone,
	"ended_offers_order_known":  orderNotFound,

	"order_places_order_known": orderNotFound,
	"trade_threads_sale_known": saleGone,

	"closings_order_known": orderNotFound,
	"closings_on_order": conflict(
		core.NewText("request_closed", "This request is already closed"),
	),
	"lapsed_offers_closing_known": conflict(
		core.NewText("undo_closing_gone", "This can't be undone any more"),
	),
	"reopenings_within_ten_minutes": conflict(
		core.NewText("undo_closing_gone", "This can't be undone any more"),
	),

	"skills_user_known": signInRequired,
	"stock_user_known":  signInRequired,
	"stock_quantity_within_limit": invalid(
		"quantity", core.NewText("quantity_too_high", "Quantity must be %d or less", core.MaxQuantity),
	),
	"stock_note_short": invalid("note", tooLong("stock_note_too_long", "Note", core.MaxStockNote)),
	"stock_one_per_item": conflict(
		core.NewText("stock_changed", "Your stock has changed. Look at it again."),
	),

	"saved_searches_user_known": signInRequired,
	"saved_searches_name_given": invalid(
		"name", core.NewText("search_name_required", "Give the search a name"),
	),
	"saved_searches_name_short": invalid(
		"name", tooLong("search_name_too_long", "Name", core.MaxSearchName),
	),
	"saved_searches_one_per_name": conflict(
		core.NewText("search_name_taken", "You have another search of this name"),
	),

	"watches_user_known": signInRequired,
	"watches_name_short": invalid("name", tooLong("search_name_too_long", "Name", core.MaxSearchName)),
	"watches_way_known": invalid(
		"way", core.NewText("way_unknown", "Way must be direct, digest or inbox"),
	),
	"watches_pause_within_a_day": invalid(
		"pause", core.NewText("watch_pause_range", "Pause must not be longer than a day"),
	),
	"watch_keys_watch_known":   NotFound(core.NewText("watch_gone", "That watch is no longer here")),
	"watch_turns_user_known":   userGone,
	"muted_buyers_user_known":  signInRequired,
	"muted_buyers_buyer_known": userGone,

	"removals_subject_known": userGone,

	"reports_reporter_known": signInRequired,
	"reports_subject_known":  userGone,
	"reports_state_known": conflict(
		core.NewText("report_changed", "That report has changed. Look at it again."),
	),
	"reports_reason_given": reasonRequired,
	"reports_reason_short": invalid(
		"reason", tooLong("reason_too_long", "Reason", core.MaxReason),
	),
	"reports_settled_once_decided": conflict(
		core.NewText("report_changed", "That report has changed. Look at it again."),
	),
	"reports_one_per_reporter": conflict(
		core.NewText("report_repeated", "You have reported this already. A moderator will look at it."),
	),
	"reports_one_per_network":            conflict(reportedNearby),
	"deleted_orders_user_known":          signInRequired,
	"blocked_sellers_buyer_known":        signInRequired,
	"blocked_former_sellers_buyer_known": userGone,
	"kept_contacts_sale_known":           saleGone,

	"standing_acceptances_order_known": orderNotFound,
	"standing_acceptances_within_limits": conflict(
		core.NewText("offer_taken", "That offer has just been taken"),
	),
	"standing_acceptances_one_stands": conflict(requestChangedSince),
	"least_records_order_known":       orderNotFound,

	"standing_acceptances_sellers_known": sellersUnknown,
	"least_records_sellers_known":        sellersUnknown,

	"orders_list_known":    NotFound(core.NewText("list_not_found", "That list is no longer here")),
	"handovers_word_known": invalid("word", core.NewText("word_unknown", "Say whether you met")),
	"handovers_state_known": conflict(
		core.NewText("handover_over", "This was settled already. Reload to see how."),
	),
	"handovers_side_known": invalid("against", core.NewText("side_unknown", "Say buyer, seller, or nobody")),

	"meeting_places_user_known":    userGone,
	"meeting_places_partner_known": userGone,
	"meeting_places_in_order": NotFound(
		core.NewText("slip_gone", "Nothing is open between you and this trader"),
	),
	"meeting_places_said_by_one": NotFound(
		core.NewText("slip_gone", "Nothing is open between you and this trader"),
	),
	"meeting_places_place_given": invalid("place", core.NewText("place_required", "Say where you meet")),
	"meeting_places_place_short": invalid(
		"place", tooLong("place_too_long", "Place", core.MaxMeetingPlace),
	),

	"posted_lists_user_known": signInRequired,
	"posted_lists_name_given": invalid("name", core.NewText("list_name_required", "Give the list a name")),
	"posted_lists_name_short": invalid("name", tooLong("list_name_too_long", "Name", trade.MaxListName)),

	"blocked_sellers_seller_known": userGone,

	"notices_settled_once_ended": conflict(
		core.NewText("notice_changed", "That notice has changed. Look at it again."),
	),
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
	signInRequired = core.NewError(core.Unauthenticated, core.NewText("sign_in_required",
		"Sign in with Discord to do that"))
	orderNotFound  = NotFound(core.NewText("request_not_found", "Order not found"))
	userGone       = NotFound(core.NewText("user_gone", "That user is no longer here"))
	saleGone       = NotFound(core.NewText("sale_gone", "That sale is no longer here"))
	sellersUnknown = invalid("sellers", core.NewText("sellers_unknown",
		"Choose trusted sellers, people you have met, or anybody"))
	reasonRequired = invalid("reason", core.NewText("reason_required", "Reason is required"))

	requestChangedSince = core.NewText("request_changed_since",
		"This request has changed since you opened it. Look at it again and repeat your change.")
	reportedNearby = core.NewText("report_repeated_network",
		"This was already reported from your network. A moderator will look at it.")
)

var invalid = core.NewFieldError

func conflict(text core.Text) *core.Error { return core.NewError(core.Conflict, text) }

// NotFound returns a NotFound error with a sentence.
func NotFound(text core.Text) *core.Error { return core.NewError(core.NotFound, text) }

func tooLong(code, label string, limit int) core.Text {
	return core.NewText(code, label+" must be %d characters or fewer", limit)
}

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
		return NotFound(core.NewText("gone", "That is no longer here"))
	case errors.As(err, &pg) && constraintErrors[violated(pg)] != nil:
		return fmt.Errorf("%w (%w)", constraintErrors[violated(pg)], err)
	case pgconnect.ConnectionFailed(err), pgconnect.OutOfResources(err), errors.Is(
		err, context.DeadlineExceeded,
	):
		return fmt.Errorf("%w (%w)", unavailable, err)
	}
	return err
}

var unavailable = core.NewUnavailable(
	core.NewText("market_unreachable", "The market cannot be reached just now. Please try again."),
)
