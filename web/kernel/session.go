package kernel

import (
	"context"
	"crypto/rand"
	"encoding/gob"
	"fmt"
	"html"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/text"
	"tradepost/web/kernel/bearer"
)

const (
	// touchEvery is how often the last use of a session is stored.
	touchEvery = time.Hour
)

// The keys of a session.
const (
	keyUser    = "user"    // int64, the core.UserID
	keySeen    = "seen"    // int64, unix seconds of the last stored use
	KeyPending = "pending" // []pendingSignIn
	keyID      = "id"      // string, the core.SessionID
	keySince   = "since"   // int64, unix microseconds of the sign-in
	keyAgent   = "agent"   // string, see agentOf
)

// storedPending names the type []pendingSignIn in stored sessions. Other versions read it, so it stays when
// the type moves.
const storedPending = "[]web.pendingSignIn"

// sessions manages the sessions of signed-in users. The browser has only a random token; the store
// has its hash.
//
// Idle sessions expire here and not in scs, which would write the session on every request: that
// costs time, and a read concurrent with a sign-out would write the deleted session back.
type sessions struct {
	*scs.SessionManager
	now func() time.Time
}

// NewSessions returns the sessions of a store. Their cookies are for TLS alone when secure is set.
func NewSessions(store scs.Store, secure bool, languages Languages, now func() time.Time) *sessions {
	gob.RegisterName(storedPending, []PendingSignIn{}) // see sessionCodec
	m := scs.New()
	m.Store = store
	if kept, ok := store.(userSessions); ok {
		m.Store = describedStore{kept}
	}
	m.HashTokenInStore, m.Codec = true, sessionCodec{}
	m.Lifetime = people.SessionLife
	m.Cookie.Name = "session"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	if secure {
		m.Cookie.Name = "__Host-session"
		m.Cookie.Secure = true
	}
	m.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) {
		if r.URL.Path == SignOutPath {
			m.WriteSessionCookie(r.Context(), w, "", time.Time{})
		}
		if strings.HasPrefix(r.URL.Path, "/auth/discord") {
			noSignInNow(w, r, languages.Of(r), err)
			return
		}
		ProblemOf(r.Context(), fmt.Errorf("session: %w", err), now()).Write(w, r)
	}
	return &sessions{SessionManager: m, now: now}
}

// noSignInPage is shown while sessions cannot be stored. It needs nothing from the market.
const noSignInPage = `<!doctype html>
<html lang="LANGUAGE">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>TITLE</title>
  </head>
  <body>
    <h1>TITLE</h1>
    <p>SENTENCE</p>
  </body>
</html>
`

func noSignInPageIn(language string) string {
	t := text.For(language)
	link := func(to, key string) string {
		return `<a href="` + to + `">` + html.EscapeString(t.Page(key)) + `</a>`
	}
	sentence := html.EscapeString(t.Page("site_no_sign_in", "again", "AGAIN", "board", "BOARD"))
	return strings.NewReplacer("LANGUAGE", language,
		"TITLE", html.EscapeString(t.Page("site_no_sign_in_title")),
		"SENTENCE", strings.NewReplacer("AGAIN", link("/auth/discord", "site_no_sign_in_again"),
			"BOARD", link("/", "site_no_sign_in_board")).Replace(sentence)).Replace(noSignInPage)
}

// noSignInNow responds to a browser on its way to or from Discord with a page. It replaces the
// handler's headers; the Content-Length keeps the handler from writing more.
func noSignInNow(w http.ResponseWriter, r *http.Request, language string, err error) {
	page := noSignInPageIn(language)
	NoteFailure(r.Context(), fmt.Errorf("session: %w", err))
	h := w.Header()
	h.Del("Location")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(page)))
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Language", language)
	h.Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, page) // the status is sent already
	}
}

// LoadSession loads the session of a request. The public lists do not depend on the user, so requests for
// them skip it.
func (s *sessions) LoadSession(next http.Handler) http.Handler {
	known := s.LoadAndSave(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/orders", "/api/orders/counts", "/api/openapi.json":
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				next.ServeHTTP(w, r)
				return
			}
		}
		known.ServeHTTP(w, r.WithContext(withFoundUser(r.Context())))
	})
}

// EndWithSignIn expires the session of a visitor together with its pending sign-in.
func (s *sessions) EndWithSignIn(ctx context.Context) {
	if s.UserID(ctx) == 0 {
		s.SetDeadline(ctx, time.Now().Add(SignInLife).UTC()) // scs computes with the host's clock
	}
}

// UserID returns the signed-in user, or the one for whom a program acts; zero for a visitor.
func (s *sessions) UserID(ctx context.Context) core.UserID {
	if p := bearer.Of(ctx); p != nil {
		return p.User.ID
	}
	if s.now().Sub(time.Unix(s.GetInt64(ctx, keySeen), 0)) > people.SessionIdle {
		return 0
	}
	return core.UserID(s.GetInt64(ctx, keyUser))
}

// Begin signs a user in under a new token, so that an earlier token cannot be used (session
// fixation).
func (s *sessions) Begin(ctx context.Context, id core.UserID, agent string) error {
	if err := s.Clear(ctx); err != nil {
		return fmt.Errorf("clear session: %w", err)
	}
	if err := s.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	now := s.now()
	s.Put(ctx, keyUser, int64(id))
	s.Put(ctx, keySeen, now.Unix())
	s.Put(ctx, keySince, now.UnixMicro())
	s.Put(ctx, keyID, rand.Text())
	s.Put(ctx, keyAgent, agent)
	return nil
}

// Touch stores the time of the last use, and what a session of an earlier version does not say about itself.
func (s *sessions) Touch(ctx context.Context) {
	if bearer.Of(ctx) != nil {
		return
	}
	if s.ID(ctx) == "" {
		s.Put(ctx, keySince, s.since(ctx).UnixMicro())
		s.Put(ctx, keyID, rand.Text())
		s.Put(ctx, keySeen, s.now().Unix())
	}
	if s.now().Sub(time.Unix(s.GetInt64(ctx, keySeen), 0)) > touchEvery {
		s.Put(ctx, keySeen, s.now().Unix())
	}
}

// ID names the session; empty for a visitor's and one of an earlier version.
func (s *sessions) ID(ctx context.Context) core.SessionID {
	return core.SessionID(s.GetString(ctx, keyID))
}

// since returns when a session began. For a session of an earlier version, which did not store this, it
// computes the time from the end.
func (s *sessions) since(ctx context.Context) time.Time {
	if micros := s.GetInt64(ctx, keySince); micros != 0 {
		return time.UnixMicro(micros).UTC()
	}
	return s.Deadline(ctx).Add(-people.SessionLife)
}

// PendingSignIn is a sign-in that was started in this browser.
type PendingSignIn = pendingSignIn

// pendingSignIn keeps its name: gob stores it.
type pendingSignIn struct {
	State, Verifier, Return string
	BegunAt                 int64 // unix seconds
}

// SignInLife is how long a sign-in may take.
const SignInLife = 10 * time.Minute

// CookieFor signs a user in without Discord, and returns the cookie of the session.
func (s *sessions) CookieFor(ctx context.Context, id core.UserID, agent string) (*http.Cookie, error) {
	ctx, err := s.Load(ctx, "")
	if err == nil {
		err = s.Begin(ctx, id, agent)
	}
	if err != nil {
		return nil, err
	}
	token, _, err := s.Commit(ctx)
	if err != nil {
		return nil, err
	}
	return &http.Cookie{Name: s.Cookie.Name, Value: token}, nil
}
