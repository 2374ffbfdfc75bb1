package web_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
)

// sessions lists the user's sessions.
func (b *browser) sessions() []object {
	b.s.t.Helper()
	var all []object
	for _, s := range b.get("/api/me/sessions").wants(http.StatusOK).json()["sessions"].([]any) {
		all = append(all, s.(object))
	}
	return all
}

func TestAUserSeesAndEndsTheirSessions(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.readsChanges() // streams hear of an end through the database, as those of other replicas do
	desk := s.signedIn("maple")
	s.clock.forward(time.Hour)
	phone := s.visitor()
	phone.header.Set("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1")
	phone.signsIn("maple")
	rowan := s.signedIn("rowan.ashdown")

	all := desk.sessions()
	if len(all) != 2 || all[0]["agent"] != "Safari on iPhone" || all[0]["current"] != false || all[1]["current"] != true {
		t.Fatalf("the sessions are %v", all)
	}
	if all[0]["since"] == all[1]["since"] {
		t.Errorf("both began at once: %v", all)
	}
	onDesk, onPhone, others := desk.listens(), phone.listens(), rowan.listens()
	id := all[0]["id"].(string)
	rowan.delete("/api/me/sessions/" + id).wants(http.StatusNoContent) // it is not theirs: nothing happens
	if n := len(desk.sessions()); n != 2 {
		t.Fatalf("another user leaves %d sessions", n)
	}
	desk.delete("/api/me/sessions/" + id).wants(http.StatusNoContent)
	onPhone.ends()
	phone.get("/api/me/data").wantsProblem(http.StatusUnauthorized)
	if all = desk.sessions(); len(all) != 1 || all[0]["current"] != true {
		t.Errorf("left are %v", all)
	}

	phone.signsIn("maple")
	onPhone = phone.listens()
	gone := desk.delete("/api/me/sessions").wants(http.StatusNoContent)
	onDesk.ends()
	onPhone.ends()
	for _, b := range []*browser{desk, phone} {
		b.get("/api/me/sessions").wantsProblem(http.StatusUnauthorized)
	}
	if gone.header.Get("Set-Cookie") == "" {
		t.Error("the cookie stays")
	}
	rowan.get("/api/me/sessions").wants(http.StatusOK)
	select {
	case e, open := <-others.events:
		if !open {
			t.Errorf("another user's stream ended after %v", e)
		}
	default:
	}

	onDesk = desk.signsIn("maple").listens()
	desk.post("/auth/sign-out", nil).wants(http.StatusNoContent)
	onDesk.ends()
}

func TestSigningOutEverywhereEndsSessionsOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	s := open(t)
	old, now := s.signedIn("maple"), s.signedIn("maple")
	s.clock.forward(time.Minute)
	s.sql("update sessions set user_id = null, public_id = null, since = null, used_at = null")
	now.delete("/api/me/sessions").wants(http.StatusNoContent)
	old.get("/api/me/data").wantsProblem(http.StatusUnauthorized)
	s.signedIn("maple").get("/api/me/data").wants(http.StatusOK)
}

// An earlier version beside this one reads the data alone, and what it wrote is read as well.
func TestASessionIsReadFromItsColumnsAndByAnEarlierVersionFromItsData(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	var data []byte
	if err := s.store.Pool().QueryRow(t.Context(), "select data from sessions").Scan(&data); err != nil {
		t.Fatal(err)
	}
	if _, values, err := (scs.GobCodec{}).Decode(data); err != nil || values["user"] != int64(maple.User.ID) || values["id"] == "" {
		t.Errorf("an earlier version reads %v: %v", values, err)
	}
	s.sql("update sessions set data = 'no gob'")
	maple.get("/api/me/data").wants(http.StatusOK)
	s.clock.forward(2 * time.Hour) // its last use is stored
	maple.get("/api/me").wants(http.StatusOK)
	if all := maple.sessions(); len(all) != 1 || all[0]["current"] != true {
		t.Errorf("the sessions are %v", all)
	}
	if err := s.store.Pool().QueryRow(t.Context(), "select data from sessions").Scan(&data); err != nil {
		t.Fatal(err)
	}
	if _, values, err := (scs.GobCodec{}).Decode(data); err != nil || values["id"] == "" {
		t.Errorf("an earlier version then reads %v: %v", values, err)
	}
}
