package kernel

import (
	"context"

	"tradepost/core"
	"tradepost/core/security"
)

// SecurityEvents are the commands and buttons that matter to security once they have succeeded.
var SecurityEvents = map[string]security.Event{
	"/moderate remove": security.Moderation, "/moderate block": security.Moderation,
	"/moderate unblock":        security.Moderation,
	"/moderate signed-in-only": security.Moderation,
	"/moderate programs":       security.Moderation,
	"/moderate here":           security.Moderation, "stop-reports": security.Moderation,
	"dismiss": security.Moderation, "decided": security.Moderation, "removed-order": security.Moderation,
	"removed-offer": security.Moderation, "removed-listing": security.Moderation,
	"blocked": security.Moderation, "undo": security.Moderation,
	"set-aside": security.Moderation, "leave-ring": security.Moderation,
	"count-again":     security.Moderation,
	"/moderate merge": security.Moderation, "confirm-name": security.Moderation,
	"merge-name": security.Moderation, "ignore-name": security.Moderation,
	"ignore-names": security.Moderation,

	"leave": security.Leaving, CancelLeaving: security.Leaving,

	"kinds": security.Settings, "quieted": security.Settings, "gather-offers": security.Settings,
	"hours-picked": security.Settings, "hours-erased": security.Settings,
	"block-seller": security.Settings, "/offer unblock": security.Settings,
	"unblock-picked": security.Settings,
}

// noteSecurity logs an interaction that matters to security. Discord does not pass on the user's address.
func (k *Kernel) noteSecurity(ctx context.Context, name string, user core.UserID, err error) {
	event := SecurityEvents[name]
	switch core.KindOf(err) {
	case core.Unauthenticated, core.Forbidden:
		event = security.Forbidden
	case core.TooMany:
		event = security.Limited
	case core.Invalid, core.NotFound, core.Conflict, core.Unavailable:
		return
	default:
		if err != nil {
			return
		}
	}
	if event != "" {
		k.Security.Note(ctx, security.Fact{Event: event, User: user, Action: name})
	}
}
