package postgres_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

func TestTheDatabaseKnowsEveryKindAndState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	taken(w, "notice_kind", append(notify.Kinds, notify.NoticeDigest))
	taken(w, "notice_state", notify.States)
	taken(w, "audit_action", core.AuditActions)
	taken(w, "offer_state", trade.OfferStates)
	taken(w, "report_state", moderation.ReportStates)
	taken(w, "order_status", trade.Statuses)
	taken(w, "close_reason", trade.CloseReasons)
	taken(w, "importance", game.Importances)
	taken(w, "handover_word", trade.Words)
	taken(w, "handover_state", trust.HandoverStates)
	taken(w, "handover_side", trust.Sides)
}

// taken checks that a domain takes the values, and nothing that was forgotten.
func taken[T ~string](w *world, domain string, values []T) {
	w.T.Helper()
	for _, v := range values {
		if err := w.SQL("select $1::text::"+domain, v); err != nil {
			w.T.Errorf("%s refuses %q: %v", domain, v, err)
		}
	}
	if err := w.SQL("select ''::" + domain); err == nil {
		w.T.Errorf("%s takes a value that was left out", domain)
	}
}
