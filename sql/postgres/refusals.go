package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core"
)

// refusals gives a broken constraint its meaning in the marketplace. The core has checked all of this before; whoever
// meets one of these has found a way around it, or has raced with somebody.
var refusals = map[string]*core.Error{
	"orders_item_name_given":        invalid("itemName", "Item name is required"),
	"orders_item_name_short":        invalid("itemName", tooLong("Item name", core.MaxItemName)),
	"orders_quantity_positive":      invalid("quantity", "Quantity must be greater than 0"),
	"orders_quantity_within_limit":  invalid("quantity", fmt.Sprintf("Quantity must be %d or less", core.MaxQuantity)),
	"prices_positive":               invalid("maxPricePerUnit", "Max price must be greater than 0"),
	"prices_within_limit":           invalid("maxPricePerUnit", "Max price is too high"),
	"orders_description_short":      invalid("description", tooLong("Description", core.MaxDescription)),
	"orders_contact_given":          invalid("buyerContact", "Discord username is required"),
	"orders_contact_short":          invalid("buyerContact", tooLong("Discord username", core.MaxContact)),
	"orders_ign_short":              invalid("ign", tooLong("In-game name", core.MaxInGameName)),
	"orders_level_valid":            invalid("levelRequirement", "Level requirement must be between 1 and 500"),
	"orders_category_short":         invalid("category", "Choose one of the categories"),
	"orders_importance_known":       invalid("importance", "Importance must be low, medium, high or urgent"),
	"orders_status_known":           invalid("status", "Status must be active or fulfilled"),
	"orders_close_reason_known":     invalid("closeReason", "An order is closed because it is filled, or early"),
	"orders_end_after_start":        invalid("expiresAt", "A request ends after it was posted"),
	"orders_sold_within_quantity":   conflict("There is not that much left of this request"),
	"orders_progress_true":          conflict("This request has changed. Look at it again."),
	"orders_closed_for_a_reason":    conflict("This request has changed. Look at it again."),
	"orders_status_never_goes_back": conflict("This request is already closed"),
	"orders_owner_known":            {Kind: core.Unauthenticated, Message: "Sign in with Discord to do that"},

	"offers_order_known":          notFound("Order not found"),
	"offers_seller_name_given":    invalid("sellerName", "Your name is required"),
	"offers_seller_name_short":    invalid("sellerName", tooLong("Your name", core.MaxSellerName)),
	"offers_seller_contact_given": invalid("sellerContact", "Discord username is required"),
	"offers_seller_contact_short": invalid("sellerContact", tooLong("Discord username", core.MaxContact)),
	"offers_message_given":        invalid("message", "Message is required"),
	"offers_message_short":        invalid("message", tooLong("Message", core.MaxOfferMessage)),
	"offers_quantity_positive":    conflict("That offer has just been taken"),
	"offers_one_per_seller":       conflict("You already have an offer on this request"),

	"sent_offers_order_known":             notFound("Order not found"),
	"sent_offers_state_known":             conflict("That offer has changed. Look at it again."),
	"sent_offers_accepted_within_offered": conflict("That offer has just been taken"),

	"order_updates_order_known":       notFound("Order not found"),
	"order_updates_quantity_positive": invalid("quantitySold", "Quantity sold must be greater than 0"),
	"order_updates_notes_short":       invalid("notes", tooLong("Notes", core.MaxNotes)),

	"users_one_per_account": conflict("That account is already known"),
	"users_account_known":   {Kind: core.Unauthenticated, Message: "Sign in with Discord to do that"},

	"mailboxes_user_known":          {Kind: core.Unauthenticated, Message: "Sign in with Discord to do that"},
	"mailboxes_quiet_within_a_day":  invalid("quietFrom", "Quiet hours lie between 00:00 and 23:59"),
	"mailboxes_closed_since_a_time": conflict("These settings have changed. Look at them again."),
	"deliveries_user_known":         notFound("That user is no longer here"),
	"deliveries_sent_somewhere":     conflict("That message has changed. Look at it again."),
	"notices_order_known":           notFound("Order not found"),
	"notices_delivery_known":        notFound("That message is no longer here"),
	"notices_kind_known":            invalid("kind", "There is no such notice"),
	"notices_state_known":           conflict("That notice has changed. Look at it again."),
	"users_blocked_for_a_reason":    invalid("reason", "Reason is required"),

	"audit_entries_action_known": invalid("action", "There is no such action"),
	"audit_entries_reason_short": invalid("reason", tooLong("Reason", core.MaxReason)),
	"audit_entries_append_only":  conflict("What moderators did stays as it is noted"),

	"reports_reporter_known":       {Kind: core.Unauthenticated, Message: "Sign in with Discord to do that"},
	"reports_subject_known":        notFound("That user is no longer here"),
	"reports_state_known":          conflict("That report has changed. Look at it again."),
	"reports_reason_given":         invalid("reason", "Reason is required"),
	"reports_reason_short":         invalid("reason", tooLong("Reason", core.MaxReason)),
	"reports_settled_once_decided": conflict("That report has changed. Look at it again."),
	"reports_one_per_reporter":     conflict("You have reported this already. A moderator will look at it."),
	"blocked_sellers_buyer_known":  {Kind: core.Unauthenticated, Message: "Sign in with Discord to do that"},
	"blocked_sellers_seller_known": notFound("That user is no longer here"),

	"notices_settled_once_ended": conflict("That notice has changed. Look at it again."),
}

func invalid(field, message string) *core.Error {
	return &core.Error{Kind: core.Invalid, Message: message, Fields: []core.FieldError{{Field: field, Message: message}}}
}

func conflict(message string) *core.Error { return &core.Error{Kind: core.Conflict, Message: message} }
func notFound(message string) *core.Error { return &core.Error{Kind: core.NotFound, Message: message} }

func tooLong(label string, limit int) string {
	return fmt.Sprintf("%s must be %d characters or fewer", label, limit)
}

// translate turns what the database said into what it means to the market. An error it knows nothing of stays as it is.
func translate(err error) error {
	var (
		refusal *core.Error
		pg      *pgconn.PgError
	)
	switch {
	case err == nil, errors.As(err, &refusal):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return notFound("That is no longer here")
	case errors.As(err, &pg) && refusals[pg.ConstraintName] != nil:
		return fmt.Errorf("%w (%w)", refusals[pg.ConstraintName], err)
	case connectionFailed(err), outOfResources(err), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w (%w)", unavailable, err)
	}
	return err
}

// orderNotFound gives a missing order the specification's sentence.
func orderNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return notFound("Order not found")
	}
	return err
}

var unavailable = &core.Error{
	Kind: core.Unavailable, Message: "The market cannot be reached just now. Please try again.", RetryAfter: time.Second,
}

const maxAttempts = 8

// backoff is how long to wait after the given attempt: a few milliseconds at first, a second at last, never twice the same.
func backoff(attempt int) time.Duration {
	longest := min(5*time.Millisecond<<attempt, time.Second)
	return longest/2 + rand.N(longest/2)
}

// retryable tells whether the database asks to run a transaction again.
func retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01") // serialization failure, deadlock
}

// connectionFailed tells whether a connection could not be had, or broke.
func connectionFailed(err error) bool {
	var (
		pg      *pgconn.PgError
		connect *pgconn.ConnectError
		network net.Error
	)
	if errors.As(err, &pg) {
		switch pg.Code {
		case "57P01", "57P02", "57P03", // shut down, crashed, not up yet
			"25P03", "57P05": // idle for too long
			return true
		}
		return pg.Code[:2] == "08"
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	return errors.As(err, &connect) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &network) || pgconn.SafeToRetry(err)
}

// outOfResources tells whether the server is there but cannot serve now: no disk, memory or connections, a standby.
func outOfResources(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code[:2] == "53" || pg.Code == "25006" || pg.Code == "57014" || pg.Code == "55P03")
}
