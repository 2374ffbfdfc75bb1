package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"

	"tradepost/core"
	"tradepost/core/security"
)

// Discord configures the OAuth client. The addresses default to those of Discord.
type Discord struct {
	ClientID     string // empty: sign-in is off
	ClientSecret string
	AuthURL      string       // where the browser is redirected to
	TokenURL     string       // where a code is exchanged
	APIURL       string       // "https://discord.com/api/v10"; base of /users/@me
	Client       *http.Client // nil for a client with a timeout
}

// The results of a sign-in in ?signin=. The page has a message for each.
const (
	signInDenied      = "denied"      // the user cancelled at Discord
	signInExpired     = "expired"     // started in another browser, too long ago, or used already
	signInUnavailable = "unavailable" // Discord's response was missing or invalid
	signInFailed      = "failed"      // internal error
)

const (
	signInsAtOnce = 5 // pending sign-ins per browser
)

// signIn is the OAuth2 code flow with Discord.
type signIn struct {
	oauth  oauth2.Config
	apiURL string
	client *http.Client
}

func newSignIn(d Discord, public *url.URL) *signIn {
	endpoint := endpoints.Discord
	if d.AuthURL != "" {
		endpoint.AuthURL = d.AuthURL
	}
	if d.TokenURL != "" {
		endpoint.TokenURL = d.TokenURL
	}
	endpoint.AuthStyle = oauth2.AuthStyleInParams
	if d.APIURL == "" {
		d.APIURL = "https://discord.com/api/v10"
	}
	client := &http.Client{}
	if d.Client != nil {
		*client = *d.Client
	}
	if client.Timeout == 0 {
		client.Timeout = 10 * time.Second
	}
	client.Transport = named{client.Transport, "DiscordBot (" + public.String() + ", 1)"}
	return &signIn{
		oauth: oauth2.Config{
			ClientID: d.ClientID, ClientSecret: d.ClientSecret, Endpoint: endpoint,
			RedirectURL: public.String() + "/auth/discord/callback", Scopes: []string{"identify", "email"},
		},
		apiURL: strings.TrimSuffix(d.APIURL, "/"),
		client: client,
	}
}

// named sets the User-Agent header, without which Discord rejects requests.
type named struct {
	next  http.RoundTripper
	agent string
}

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", n.agent)
	next := n.next
	if next == nil {
		next = http.DefaultTransport
	}
	return next.RoundTrip(r)
}

// beginSignIn sends the browser to Discord.
func (s *Server) beginSignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	back := returnAddress(r.URL.Query().Get("return"))
	if s.discord.oauth.ClientID == "" {
		s.signInEnds(w, r, back, signInUnavailable)
		return
	}
	if s.elsewhere(r) {
		// The cookie must be set where Discord sends the browser back to: localhost is not 127.0.0.1.
		query := url.Values{"return": {back}, "moved": {"1"}}
		http.Redirect(w, r, s.public.String()+"/auth/discord?"+query.Encode(), http.StatusFound)
		return
	}
	begun := pendingSignIn{State: rand.Text(), Verifier: oauth2.GenerateVerifier(), Return: back, BegunAt: s.now().Unix()}
	pending := append(s.pendingSignIns(r.Context()), begun)
	s.session.Put(r.Context(), keyPending, pending[max(0, len(pending)-signInsAtOnce):])
	s.session.endWithSignIn(r.Context())
	http.Redirect(w, r, s.discord.oauth.AuthCodeURL(begun.State, oauth2.S256ChallengeOption(begun.Verifier)), http.StatusFound)
}

// elsewhere reports whether the browser uses another host name than the public one and was not redirected yet.
func (s *Server) elsewhere(r *http.Request) bool {
	return r.Host != s.public.Host && r.URL.Query().Get("moved") == ""
}

func (s *Server) pendingSignIns(ctx context.Context) []pendingSignIn {
	all, _ := s.session.Get(ctx, keyPending).([]pendingSignIn)
	oldest := s.now().Add(-signInLife).Unix()
	return slices.DeleteFunc(slices.Clone(all), func(p pendingSignIn) bool { return p.BegunAt < oldest })
}

// finishSignIn handles the redirect back from Discord.
func (s *Server) finishSignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	query := r.URL.Query()
	begun, ok := s.takePending(r.Context(), query.Get("state"))
	if !ok {
		s.signInEnds(w, r, "/", signInExpired)
		return
	}
	if query.Get("error") != "" || query.Get("code") == "" {
		s.signInEnds(w, r, begun.Return, signInDenied)
		return
	}
	profile, err := s.discord.profile(r.Context(), query.Get("code"), begun.Verifier)
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
		s.signInEnds(w, r, begun.Return, signInExpired)
		return
	case err != nil:
		s.log.WarnContext(r.Context(), "sign-in: Discord request failed", "error", err)
		s.signInEnds(w, r, begun.Return, signInUnavailable)
		return
	}
	user, err := s.market.SignIn(r.Context(), profile)
	if err == nil {
		err = s.session.begin(r.Context(), user.ID, agentOf(r.UserAgent()))
	}
	if err != nil {
		level := slog.LevelError
		if core.KindOf(err) == core.Unavailable {
			level = slog.LevelWarn // it passes, as when the database is restarted
		}
		s.log.Log(r.Context(), level, "sign-in failed", "error", err)
		s.signInEnds(w, r, begun.Return, signInFailed)
		return
	}
	noteUser(r.Context(), user.ID)
	noteEvent(r.Context(), security.SignIn)
	http.Redirect(w, r, s.public.String()+begun.Return, http.StatusSeeOther)
}

// takePending removes and returns the pending sign-in of a state: a state works once, in the
// browser it was made for.
func (s *Server) takePending(ctx context.Context, state string) (pendingSignIn, bool) {
	pending := s.pendingSignIns(ctx)
	i := slices.IndexFunc(pending, func(p pendingSignIn) bool { return p.State == state })
	if i < 0 {
		return pendingSignIn{}, false
	}
	begun := pending[i]
	s.session.Put(ctx, keyPending, slices.Delete(pending, i, i+1))
	return begun, true
}

// signInEnds redirects to the page with the result of the sign-in.
func (s *Server) signInEnds(w http.ResponseWriter, r *http.Request, back, outcome string) {
	to, err := url.Parse(back)
	if err != nil {
		to = &url.URL{Path: "/"}
	}
	if outcome != signInDenied { // their own choice
		noteEvent(r.Context(), security.SignInFailed)
	}
	query := to.Query()
	query.Set("signin", outcome)
	to.RawQuery = query.Encode()
	http.Redirect(w, r, s.public.String()+to.String(), http.StatusSeeOther)
}

func (d *signIn) exchange(ctx context.Context, code, verifier string) (*oauth2.Token, error) {
	return d.oauth.Exchange(context.WithValue(ctx, oauth2.HTTPClient, d.client), code, oauth2.VerifierOption(verifier))
}

// profile exchanges the code and fetches the account's profile. The token is not stored.
func (d *signIn) profile(ctx context.Context, code, verifier string) (core.Profile, error) {
	token, err := d.exchange(ctx, code, verifier)
	if err != nil {
		return core.Profile{}, fmt.Errorf("exchange code: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.apiURL+"/users/@me", nil)
	if err != nil {
		return core.Profile{}, fmt.Errorf("fetch account: %w", err)
	}
	token.SetAuthHeader(request)
	response, err := d.client.Do(request)
	if err != nil {
		return core.Profile{}, fmt.Errorf("fetch account: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return core.Profile{}, fmt.Errorf("fetch account: status %d", response.StatusCode)
	}
	var account struct {
		ID         string
		Username   string
		Avatar     *string
		GlobalName *string `json:"global_name"`
		Email      *string
		Locale     string
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&account); err != nil {
		return core.Profile{}, fmt.Errorf("decode account: %w", err)
	}
	if account.ID == "" || strings.Trim(account.ID, "0123456789") != "" || account.Username == "" {
		return core.Profile{}, errors.New("decode account: id or username is missing")
	}
	profile := core.Profile{DiscordID: account.ID, Username: account.Username, DisplayName: account.Username, Locale: account.Locale}
	if account.GlobalName != nil && *account.GlobalName != "" {
		profile.DisplayName = *account.GlobalName
	}
	if account.Avatar != nil {
		profile.Avatar = *account.Avatar
	}
	if account.Email != nil {
		profile.Email = *account.Email
	}
	return profile, nil
}

// signOut ends the session. No Discord token is stored, so none is revoked. The cookie is deleted
// even when the store fails, so that the next user of a shared device is not signed in.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if user := s.session.userID(r.Context()); user != 0 {
		noteUser(r.Context(), user)
		noteEvent(r.Context(), security.SignOut)
	}
	if err := s.session.Destroy(r.Context()); err != nil {
		s.session.WriteSessionCookie(r.Context(), w, "", time.Time{})
		problemOf(r.Context(), fmt.Errorf("end session: %w", err), s.now()).write(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}
