package kernel

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/security"
)

func TestSecurityEventsInDiscord(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	k := &Kernel{Security: security.NewLog(security.Options{Log: slog.New(slog.NewTextHandler(&out, nil)), Key: []byte("k"), Now: func() time.Time { return coretest.Noon }})}
	refused := core.NewError(core.Forbidden, core.NewText("moderator_only"))
	k.noteSecurity(t.Context(), "removed-order", 7, nil)
	k.noteSecurity(t.Context(), "quieted", 8, nil)
	k.noteSecurity(t.Context(), "leave", 8, nil)
	k.noteSecurity(t.Context(), "/moderate reports", 9, refused)
	k.noteSecurity(t.Context(), "offered", 9, core.NewError(core.TooMany, core.Text{Plain: "Too many"}))
	logged := strings.Count(out.String(), "security event")
	k.noteSecurity(t.Context(), "removed-order", 7, errors.New("the database is gone"))
	k.noteSecurity(t.Context(), "removed-order", 7, core.NewError(core.NotFound, core.NewText("gone")))
	k.noteSecurity(t.Context(), "/request browse", 7, nil)
	text := out.String()
	for _, want := range []string{
		"security.event=moderation security.user=7 security.action=removed-order", `security.event=settings security.user=8 security.action=quieted`,
		"security.event=leaving security.user=8", `security.event=forbidden security.user=9 security.action="/moderate reports"`,
		"security.event=limited security.user=9 security.action=offered",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %s in\n%s", want, text)
		}
	}
	if strings.Count(text, "security event") != logged {
		t.Errorf("what had no effect is an event:\n%s", text)
	}
}
