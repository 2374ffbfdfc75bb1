package people

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

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/security"
	"tradepost/web/kernel"
)

// Discord configures the OAuth client. URL fields default to Discord's own.
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

// Auth signs users in and out.
type Auth struct {
	*kernel.Kernel
	discord *signIn
}

// NewAuth returns the sign-in with a client of Discord.
func NewAuth(k *kernel.Kernel, d Discord) *Auth { return &Auth{k, newSignIn(d, k.Public)} }

// BeginSignIn sends the browser to Discord.
func (a *Auth) BeginSignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	back := returnAddress(r.URL.Query().Get("return"))
	if a.discord.oauth.ClientID == "" {
		a.signInEnds(w, r, back, signInUnavailable)
		return
	}
	if a.elsewhere(r) {
		// The cookie must be set where Discord sends the browser back to: localhost is not 127.0.0.1.
		query := url.Values{"return": {back}, "moved": {"1"}}
		http.Redirect(w, r, a.Public.String()+"/auth/discord?"+query.Encode(), http.StatusFound)
		return
	}
	begun := kernel.PendingSignIn{State: rand.Text(), Verifier: oauth2.GenerateVerifier(), Return: back,
		BegunAt: a.Now().Unix()}
	pending := append(a.pendingSignIns(r.Context()), begun)
	a.Session.Put(r.Context(), kernel.KeyPending, pending[max(0, len(pending)-signInsAtOnce):])
	a.Session.EndWithSignIn(r.Context())
	http.Redirect(w, r, a.discord.oauth.AuthCodeURL(begun.State, oauth2.S256ChallengeOption(begun.Verifier)),
		http.StatusFound)
}

// elsewhere reports whether the browser uses another host name than the public one and was not redirected
// yet.
func (a *Auth) elsewhere(r *http.Request) bool {
	return r.Host != a.Public.Host && r.URL.Query().Get("moved") == ""
}

func (a *Auth) pendingSignIns(ctx context.Context) []kernel.PendingSignIn {
	all, _ := a.Session.Get(ctx, kernel.KeyPending).([]kernel.PendingSignIn)
	oldest := a.Now().Add(-kernel.SignInLife).Unix()
	return slices.DeleteFunc(slices.Clone(all),
		func(p kernel.PendingSignIn) bool { return p.BegunAt < oldest })
}

// FinishSignIn handles the redirect back from Discord.
func (a *Auth) FinishSignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	query := r.URL.Query()
	begun, ok := a.takePending(r.Context(), query.Get("state"))
	if !ok {
		a.signInEnds(w, r, "/", signInExpired)
		return
	}
	if query.Get("error") != "" || query.Get("code") == "" {
		a.signInEnds(w, r, begun.Return, signInDenied)
		return
	}
	profile, err := a.discord.profile(r.Context(), query.Get("code"), begun.Verifier)
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
		a.signInEnds(w, r, begun.Return, signInExpired)
		return
	case err != nil:
		a.Log.WarnContext(r.Context(), "sign-in: Discord request failed", "error", err)
		a.signInEnds(w, r, begun.Return, signInUnavailable)
		return
	}
	user, err := a.Market.People.SignIn(r.Context(), profile)
	if err == nil {
		err = a.Session.Begin(r.Context(), user.ID, agentOf(r.UserAgent()))
	}
	if err != nil {
		level := slog.LevelError
		if core.KindOf(err) == core.Unavailable {
			level = slog.LevelWarn // it passes, as when the database is restarted
		}
		a.Log.Log(r.Context(), level, "sign-in failed", "error", err)
		a.signInEnds(w, r, begun.Return, signInFailed)
		return
	}
	a.agreeOnLanguage(w, r, user)
	kernel.NoteUser(r.Context(), user.ID)
	kernel.NoteEvent(r.Context(), security.SignIn)
	http.Redirect(w, r, a.Public.String()+begun.Return, http.StatusSeeOther)
}

// agreeOnLanguage stores a language that the user chose as a visitor with the account, unless it has one.
// The account's goes into the browser's cookie.
func (a *Auth) agreeOnLanguage(w http.ResponseWriter, r *http.Request, user people.User) {
	chosen := a.Languages.Chosen(r)
	switch {
	case user.Language == chosen:
	case user.Language != "" && a.Languages.Has(user.Language):
		w.Header().Add("Set-Cookie", a.LanguageCookieFor(user.Language))
	case user.Language == "" && !user.Leaving():
		if err := a.Market.People.SetLanguage(r.Context(), user.Actor(), chosen); err != nil {
			a.Log.WarnContext(r.Context(), "sign-in: language not stored", "error", err)
		}
	}
}

// takePending removes and returns the pending sign-in of a state: a state works once, in the
// browser it was made for.
func (a *Auth) takePending(ctx context.Context, state string) (kernel.PendingSignIn, bool) {
	pending := a.pendingSignIns(ctx)
	i := slices.IndexFunc(pending, func(p kernel.PendingSignIn) bool { return p.State == state })
	if i < 0 {
		return kernel.PendingSignIn{}, false
	}
	begun := pending[i]
	a.Session.Put(ctx, kernel.KeyPending, slices.Delete(pending, i, i+1))
	return begun, true
}

// signInEnds redirects to the page with the result of the sign-in.
func (a *Auth) signInEnds(w http.ResponseWriter, r *http.Request, back, outcome string) {
	to, err := url.Parse(back)
	if err != nil {
		to = &url.URL{Path: "/"}
	}
	if outcome != signInDenied { // their own choice
		kernel.NoteEvent(r.Context(), security.SignInFailed)
	}
	query := to.Query()
	query.Set("signin", outcome)
	to.RawQuery = query.Encode()
	http.Redirect(w, r, a.Public.String()+to.String(), http.StatusSeeOther)
}

func (d *signIn) exchange(ctx context.Context, code, verifier string) (*oauth2.Token, error) {
	return d.oauth.Exchange(context.WithValue(ctx, oauth2.HTTPClient, d.client), code,
		oauth2.VerifierOption(verifier))
}

// profile exchanges the code and fetches the account's profile. The token is not stored.
func (d *signIn) profile(ctx context.Context, code, verifier string) (people.Profile, error) {
	token, err := d.exchange(ctx, code, verifier)
	if err != nil {
		return people.Profile{}, fmt.Errorf("exchange code: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.apiURL+"/users/@me", nil)
	if err != nil {
		return people.Profile{}, fmt.Errorf("fetch account: %w", err)
	}
	token.SetAuthHeader(request)
	response, err := d.client.Do(request)
	if err != nil {
		return people.Profile{}, fmt.Errorf("fetch account: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return people.Profile{}, fmt.Errorf("fetch account: status %d", response.StatusCode)
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
		return people.Profile{}, fmt.Errorf("decode account: %w", err)
	}
	if account.ID == "" || strings.Trim(account.ID, "0123456789") != "" || account.Username == "" {
		return people.Profile{}, errors.New("decode account: id or username is missing")
	}
	profile := people.Profile{DiscordID: account.ID, Username: account.Username,
		DisplayName: account.Username,
		Locale:      account.Locale}
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

// SignOut ends the session. No Discord token is stored, so none is revoked. The cookie is deleted
// even when the store fails, so that the next user of a shared device is not signed in.
func (a *Auth) SignOut(w http.ResponseWriter, r *http.Request) {
	if user := a.Session.UserID(r.Context()); user != 0 {
		kernel.NoteUser(r.Context(), user)
		kernel.NoteEvent(r.Context(), security.SignOut)
	}
	if err := a.Session.Destroy(r.Context()); err != nil {
		a.Session.WriteSessionCookie(r.Context(), w, "", time.Time{})
		kernel.ProblemOf(r.Context(), fmt.Errorf("end session: %w", err), a.Now()).Write(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// Describe describes signing in and out.
func (a *Auth) Describe(in *kernel.API) {
	text := &huma.Schema{Type: huma.TypeString}
	leads := func(where string) map[string]*huma.Response {
		headers := map[string]*huma.Param{"Location": {Description: where, Schema: text}}
		return map[string]*huma.Response{
			"302": {Description: "Found", Headers: headers},
			"303": {Description: "See Other", Headers: headers},
		}
	}
	tags := []string{"auth"}
	in.Describe(huma.Operation{
		Method: http.MethodGet, Path: "/auth/discord", OperationID: "begin-sign-in", Tags: tags,
		Summary: "Sign in with Discord: sends the browser there",
		Parameters: []*huma.Param{{
			Name: "return", In: "query", Schema: text, Example: "/requests/7",
			Description: "The path to return to; any other address means the front page",
		}},
		Responses: leads("Discord, or the page with ?signin=unavailable"),
	})
	in.Describe(huma.Operation{
		Method: http.MethodGet, Path: "/auth/discord/callback", OperationID: "finish-sign-in", Tags: tags,
		Summary: "Where Discord sends the browser back to",
		Parameters: []*huma.Param{
			{Name: "state", In: "query", Schema: text, Description: "Names the sign-in that was begun"},
			{Name: "code", In: "query", Schema: text, Description: "What Discord gives for the account"},
			{Name: "error", In: "query", Schema: text, Description: "Why Discord did not sign in"},
		},
		Responses: leads("The page; with ?signin=denied, expired, unavailable or failed " +
			"when sign-in did not succeed"),
	})
	in.Describe(huma.Operation{
		Method: http.MethodPost, Path: kernel.SignOutPath, OperationID: "sign-out", Tags: tags,
		Summary:   "End the session",
		Responses: map[string]*huma.Response{"204": {Description: "Done, also without a session"}},
	})
}
