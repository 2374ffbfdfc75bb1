package web

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core"
)

const (
	// sessionLife is how long a sign-in lasts at most, and sessionIdle how long one that is not used.
	sessionLife = 30 * 24 * time.Hour
	sessionIdle = 7 * 24 * time.Hour
	// touchEvery is how often the use of a session is noted.
	touchEvery = 24 * time.Hour
)

// What a session holds.
const (
	keyUser    = "user"    // int64, the core.UserID
	keySeen    = "seen"    // int64, unix seconds of the last noted use
	keyPending = "pending" // []pendingSignIn
)

// sessions keeps who is signed in. The browser holds a random token and nothing else; the store holds its hash.
//
// Idle sessions are ended here and not by scs, which would write every session on every request: besides the cost, a read
// that runs beside a sign-out would write the ended session back.
type sessions struct {
	*scs.SessionManager
	now func() time.Time
}

func newSessions(store scs.Store, secure bool, now func() time.Time) *sessions {
	gob.Register([]pendingSignIn{})
	m := scs.New()
	m.Store = store
	m.HashTokenInStore = true
	m.Lifetime = sessionLife
	m.Cookie.Name = "session"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	if secure {
		m.Cookie.Name = "__Host-session"
		m.Cookie.Secure = true
	}
	m.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) {
		if r.URL.Path == signOutPath {
			m.WriteSessionCookie(r.Context(), w, "", time.Time{})
		}
		if strings.HasPrefix(r.URL.Path, "/auth/discord") {
			noSignInNow(w, r, err)
			return
		}
		problemOf(fmt.Errorf("session: %w", err), now()).write(w, r)
	}
	return &sessions{SessionManager: m, now: now}
}

// noSignInPage is what somebody sees whose sign-in cannot be kept. It needs nothing of the market.
const noSignInPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Signing in is not possible just now</title>
  </head>
  <body>
    <h1>Signing in is not possible just now</h1>
    <p>The market cannot be reached for the moment. Nothing is lost. Wait a little, then <a href="/auth/discord">try again</a>,
      or <a href="/">go back to the board</a>.</p>
  </body>
</html>
`

// noSignInNow answers a browser on its way to or from Discord: it shows people what it gets. What the handler has said or
// still says is put aside; the length given keeps more from following.
func noSignInNow(w http.ResponseWriter, r *http.Request, err error) {
	noteFailure(r.Context(), fmt.Errorf("session: %w", err))
	h := w.Header()
	h.Del("Location")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(noSignInPage)))
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, noSignInPage) // the status is out
	}
}

// load makes the session known to what follows. The public lists are the same for everybody, so nobody is asked for there.
func (s *sessions) load(next http.Handler) http.Handler {
	known := s.LoadAndSave(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/orders", "/api/orders/counts", "/api/openapi.json":
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				next.ServeHTTP(w, r)
				return
			}
		}
		known.ServeHTTP(w, r)
	})
}

// endWithSignIn lets the session of a visitor end when the sign-in that it is for can no longer succeed.
func (s *sessions) endWithSignIn(ctx context.Context) {
	if s.userID(ctx) == 0 {
		s.SetDeadline(ctx, time.Now().Add(signInLife).UTC()) // by the clock that the store goes by
	}
}

// userID returns who is signed in, zero for nobody.
func (s *sessions) userID(ctx context.Context) core.UserID {
	if s.now().Sub(time.Unix(s.GetInt64(ctx, keySeen), 0)) > sessionIdle {
		return 0
	}
	return core.UserID(s.GetInt64(ctx, keyUser))
}

// begin signs a user in under a new token, so that one that was known before is worth nothing.
func (s *sessions) begin(ctx context.Context, id core.UserID) error {
	if err := s.Clear(ctx); err != nil {
		return fmt.Errorf("clear session: %w", err)
	}
	if err := s.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	s.Put(ctx, keyUser, int64(id))
	s.Put(ctx, keySeen, s.now().Unix())
	return nil
}

// touch notes that the session is in use.
func (s *sessions) touch(ctx context.Context) {
	if s.now().Sub(time.Unix(s.GetInt64(ctx, keySeen), 0)) > touchEvery {
		s.Put(ctx, keySeen, s.now().Unix())
	}
}

// user returns who is signed in, nil for a visitor.
func (s *Server) user(ctx context.Context) (*core.User, error) {
	id := s.session.userID(ctx)
	if id == 0 {
		return nil, nil
	}
	user, err := s.market.User(ctx, id)
	switch {
	case core.KindOf(err) == core.NotFound: // they have left, from another browser or through Discord
		if err := s.session.Destroy(ctx); err != nil {
			return nil, fmt.Errorf("end session: %w", err)
		}
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &user, nil
}

// actor returns who is asking. key names a write, empty for none.
func (s *Server) actor(ctx context.Context, key string) (core.Actor, error) {
	var actor core.Actor
	user, err := s.user(ctx)
	if err != nil {
		return actor, err
	}
	if user != nil {
		actor = user.Actor()
	}
	actor.Address = addressOf(ctx)
	actor.Key = key
	return actor, nil
}

const signOutPath = "/auth/sign-out"

// signOut ends the session. It asks nothing of Discord: no token of theirs is kept. When it fails the browser forgets the
// token all the same, so that whoever sits there next is not signed in.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if err := s.session.Destroy(r.Context()); err != nil {
		s.session.WriteSessionCookie(r.Context(), w, "", time.Time{})
		problemOf(fmt.Errorf("end session: %w", err), s.now()).write(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}
