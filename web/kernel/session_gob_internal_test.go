package kernel

import (
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/alexedwards/scs/v2/memstore"
)

// A session that another version of the program has stored is read, and the name under which its sign-ins are stored stays, whatever
// the type or its package is called.
func TestPendingSignInsAreStoredAsBefore(t *testing.T) {
	t.Parallel()
	NewSessions(memstore.NewWithCleanupInterval(0), false, NewLanguages(nil), time.Now)
	text, err := os.ReadFile("testdata/pending_session.hex")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	_, values, err := sessionCodec{}.Decode(stored)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := values[KeyPending].([]PendingSignIn)
	want := PendingSignIn{State: "state", Verifier: "verifier", Return: "/mine", BegunAt: 1777636800}
	if len(got) != 1 || got[0] != want {
		t.Errorf("an older session has %+v, want %+v", values, want)
	}
	again, err := scs.GobCodec{}.Encode(time.Unix(0, 0).UTC(), map[string]any{KeyPending: []PendingSignIn{want}})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(again, []byte("[]web.pendingSignIn")) || !bytes.Contains(again, []byte("\rpendingSignIn\x01")) {
		t.Errorf("a session is stored without the name that older programs read: %q", again)
	}
}
