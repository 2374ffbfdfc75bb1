package web

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/people"
	"tradepost/core/token"
)

// theSecret is of the only token that there is, in the form that secrets have.
const theSecret = "tp_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp"

// tokenStore knows one token, of user 2, which may read, and who asked for their levels last.
type tokenStore struct {
	rulesStore
	asked core.UserID
}

func (s *tokenStore) Skills(_ context.Context, user core.UserID) ([]people.Skill, error) {
	s.asked = user
	return nil, nil
}

func (s *tokenStore) FindToken(_ context.Context, hash []byte) (token.Found, people.User, error) {
	if !bytes.Equal(hash, token.Hash(theSecret)) {
		return token.Found{}, people.User{}, core.NewError(core.NotFound, core.NewText("token_unknown"))
	}
	made := token.Token{ID: 1, Owner: 2, Scopes: []token.Scope{token.Read}, CreatedAt: coretest.Noon, ExpiresAt: coretest.Noon.Add(core.Day)}
	return token.Found{Token: made}, people.User{ID: 2, Username: "rowan", DisplayName: "Rowan"}, nil
}

func (s *tokenStore) TouchToken(context.Context, core.TokenID, time.Time) error { return nil }

// FuzzAuthorization sends any Authorization beside the cookie of user 1. Who names a token is its owner or
// unknown, and never the one whose cookie came along.
func FuzzAuthorization(f *testing.F) {
	for _, header := range []string{
		"", "Bearer", "Bearer ", "Bearer " + theSecret, "bearer\t" + theSecret, "BEARER   " + theSecret + " ", "Basic " + theSecret, theSecret,
		"Bearer " + theSecret[:38], "Bearer " + strings.ToLower(theSecret), "Bearer tp_", "Bearer " + theSecret + "," + theSecret,
		"Bearer é", "Bearer \x00", "Bearer " + strings.Repeat("tp_", 4000), "Bearer session=1", "Bearer Bearer " + theSecret,
	} {
		f.Add(header)
	}
	if !token.WellFormed(theSecret) {
		f.Fatalf("%s is no secret", theSecret)
	}
	store := &tokenStore{}
	s, cookie := signedIn(f, store, core.EveryFeature())
	f.Fuzz(func(t *testing.T, header string) {
		store.asked = 0
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/me/skills", nil)
		r.Header.Set("Authorization", header)
		r.AddCookie(cookie)
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, r)
		status, asked := http.StatusOK, core.UserID(1) // the cookie counts
		if scheme, rest, _ := strings.Cut(header, " "); strings.EqualFold(scheme, "Bearer") {
			status, asked = http.StatusUnauthorized, 0
			if strings.TrimSpace(rest) == theSecret {
				status, asked = http.StatusOK, 2
			}
		}
		if recorder.Code != status || store.asked != asked {
			t.Errorf("%q is answered with %d and the levels of user %d, want %d and %d: %s",
				header, recorder.Code, store.asked, status, asked, recorder.Body)
		}
	})
}
