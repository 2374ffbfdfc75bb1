package security_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tradepost/core/coretest"
	"tradepost/core/security"
)

func TestAFloodOfRefusalsIsOneLineASecond(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	counted, now := 0, coretest.Noon
	l := security.NewLog(security.Options{
		Log: slog.New(slog.NewTextHandler(&out, nil)), Key: []byte("key"), Count: func(security.Event) { counted++ }, Now: func() time.Time { return now },
	})
	for range 100 {
		l.Note(t.Context(), security.Fact{Event: security.Limited, User: 7, Address: "203.0.113.7", Action: "/api/orders"})
	}
	now = now.Add(time.Second)
	l.Note(t.Context(), security.Fact{Event: security.Limited, Address: "203.0.113.8"})
	l.Note(t.Context(), security.Fact{Event: security.Moderation, User: 1})
	l.Note(t.Context(), security.Fact{Event: security.Moderation, User: 1})
	text := out.String()
	if counted != 103 || strings.Count(text, "\n") != 4 || !strings.Contains(text, "security.suppressed=99") {
		t.Errorf("counted %d, logged\n%s", counted, text)
	}
	if want := "security.event=limited security.user=7 security.client=" + l.Client("203.0.113.7") + " security.action=/api/orders\n"; !strings.Contains(text, want) {
		t.Errorf("logged\n%s, want %s", text, want)
	}
	if strings.Contains(text, "203.0.113") {
		t.Errorf("an address is in the log: %s", text)
	}
}

func TestAHashOfAnAddressTakesTheKey(t *testing.T) {
	t.Parallel()
	of := func(key []byte) string { return security.NewLog(security.Options{Key: key}).Client("203.0.113.7") }
	first, again, other := of([]byte("a")), of([]byte("a")), of([]byte("b"))
	random, another := of(nil), of(nil)
	if first != again || first == other || random == another {
		t.Error("the hash of an address can be made without the key")
	}
}
