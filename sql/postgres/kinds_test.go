package postgres_test

import (
	"testing"

	"tradepost/core"
)

func TestTheDatabaseKnowsEveryKindAndState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	taken(w, "notice_kind", append(core.NoticeKinds, core.NoticeDigest))
	taken(w, "notice_state", core.NoticeStates)
	taken(w, "audit_action", core.AuditActions)
	taken(w, "offer_state", core.OfferStates)
	taken(w, "report_state", core.ReportStates)
	taken(w, "order_status", core.Statuses)
	taken(w, "close_reason", core.CloseReasons)
	taken(w, "importance", core.Importances)
	taken(w, "handover_word", core.Words)
	taken(w, "handover_state", core.HandoverStates)
	taken(w, "handover_side", core.Sides)
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
