package discordtest

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// grant is what a user has allowed the application, from the code to the end of its tokens.
type grant struct {
	UserID      string
	Scopes      []string
	RedirectURI string
	Challenge   string // PKCE, S256; empty when the application did not use it
	Code        string // until it is exchanged
	CodeUsed    bool
	CodeExpires time.Time
	Access      string
	Refresh     string
	Expires     time.Time // of the access token
	Revoked     bool
}

const (
	codeLife   = 10 * time.Minute
	accessLife = 7 * 24 * time.Hour
)

// scopes that the application may ask for.
var scopes = []string{"identify", "email", "guilds", "guilds.members.read", "openid", "bot",
	"applications.commands"}

// OAuthEndpoint is where people sign in, for golang.org/x/oauth2.
func (d *Discord) OAuthEndpoint() oauth2.Endpoint {
	return oauth2.Endpoint{AuthURL: d.URL() + "/oauth2/authorize", TokenURL: d.URL() + "/api/oauth2/token"}
}

// ClientID is the application's id.
func (d *Discord) ClientID() string { return appID }

// ClientSecret is the application's secret.
func (d *Discord) ClientSecret() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.world.App.Secret
}

// AllowRedirect adds an address that people may be sent back to after signing in.
func (d *Discord) AllowRedirect(uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(d.world.App.RedirectURIs, uri) {
		d.world.App.RedirectURIs = append(d.world.App.RedirectURIs, uri)
		d.announce()
	}
}

// grantFor returns the grant of a bearer token.
func (d *Discord) grantFor(token string) *grant {
	for _, g := range d.world.Grants {
		if g.Access == token && token != "" && !g.Revoked && d.now().Before(g.Expires) {
			return g
		}
	}
	return nil
}

// authorization is a request to sign a user in, as the page receives it.
type authorization struct {
	RedirectURI, State, Challenge string
	Scopes                        []string
}

// parseAuthorization reads the address of the page. The error is shown to the user; a problem is
// sent back to the application, as the address of it is known by then.
func (d *Discord) parseAuthorization(q url.Values) (a authorization, apiErr *Error, problem string) {
	a = authorization{RedirectURI: q.Get("redirect_uri"), State: q.Get("state"),
		Challenge: q.Get("code_challenge"), Scopes: strings.Fields(q.Get("scope"))}
	switch {
	case q.Get("client_id") != d.world.App.ID:
		return a, refuse(10002), ""
	case !slices.Contains(d.world.App.RedirectURIs, a.RedirectURI):
		return a, &Error{Status: 400, Code: 50035, Message: "Invalid OAuth2 redirect_uri",
			Problems: []Problem{{[]string{"redirect_uri"}, "OAUTH2_REDIRECT_URI",
				"not one that the application has registered"}}}, ""
	case q.Get("response_type") != "code":
		return a, nil, "unsupported_response_type"
	case len(a.Scopes) == 0 || slices.ContainsFunc(a.Scopes,
		func(s string) bool { return !slices.Contains(scopes, s) }):
		return a, nil, "invalid_scope"
	case a.Challenge != "" && q.Get("code_challenge_method") != "S256":
		return a, nil, "invalid_request"
	}
	return a, nil, ""
}

// back is the address that sends the person to the application again.
func (a *authorization) back(values url.Values) string {
	u, _ := url.Parse(a.RedirectURI) // registered, so it parses
	q := u.Query()
	for key, v := range values {
		q[key] = v
	}
	if a.State != "" {
		q.Set("state", a.State)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func (a *authorization) denied(why, description string) string {
	return a.back(url.Values{"error": {why}, "error_description": {description}})
}

const ownerDenied = "The resource owner or authorization server denied the request"

// consent notes that a user agreed and gives the address to send them to.
func (d *Discord) consent(a authorization, u *user) string {
	g := &grant{UserID: u.ID, Scopes: a.Scopes, RedirectURI: a.RedirectURI, Challenge: a.Challenge,
		Code: secret(), CodeExpires: d.now().Add(codeLife)}
	d.world.Grants = append(d.world.Grants, g)
	d.announce()
	return a.back(url.Values{"code": {g.Code}})
}

// oauthError is an OAuth2 error response.
func oauthError(status int, code, description string) (any, *Error) {
	return nil, &Error{Status: status, oauth: map[string]any{"error": code, "error_description": description}}
}

// client checks who asks for a token: the application, by form or by basic authentication.
func (c *call) client() bool {
	id, secret := c.form.Get("client_id"), c.form.Get("client_secret")
	if c.basic[0] != "" {
		id, secret = c.basic[0], c.basic[1]
	}
	return id == c.world.App.ID && secret == c.world.App.Secret
}

func (c *call) token() (any, *Error) {
	if !c.client() {
		return oauthError(http.StatusUnauthorized, "invalid_client", "")
	}
	switch c.form.Get("grant_type") {
	case "authorization_code":
		return c.exchange()
	case "refresh_token":
		return c.refresh()
	}
	return oauthError(http.StatusBadRequest, "unsupported_grant_type", "")
}

func (c *call) exchange() (any, *Error) {
	code := c.form.Get("code")
	i := slices.IndexFunc(c.world.Grants, func(g *grant) bool { return g.Code == code && code != "" })
	if i < 0 {
		return oauthError(http.StatusBadRequest, "invalid_grant", `Invalid "code" in request.`)
	}
	g := c.world.Grants[i]
	switch {
	case g.CodeUsed || c.now().After(g.CodeExpires):
		return oauthError(http.StatusBadRequest, "invalid_grant", `Invalid "code" in request.`)
	case g.RedirectURI != c.form.Get("redirect_uri"):
		return oauthError(http.StatusBadRequest, "invalid_grant", `Invalid "redirect_uri" in request.`)
	case !proves(g.Challenge, c.form.Get("code_verifier")):
		return oauthError(http.StatusBadRequest, "invalid_grant", `Invalid "code_verifier" in request.`)
	}
	g.CodeUsed = true
	return c.issue(g), nil
}

// proves checks PKCE: the verifier must hash to the challenge that came with the authorisation.
func proves(challenge, verifier string) bool {
	if challenge == "" {
		return true
	}
	sum := sha256.Sum256([]byte(verifier))
	return len(verifier) >= 43 && len(verifier) <= 128 &&
		base64.RawURLEncoding.EncodeToString(sum[:]) == challenge
}

func (c *call) refresh() (any, *Error) {
	token := c.form.Get("refresh_token")
	for _, g := range c.world.Grants {
		if g.Refresh == token && token != "" && !g.Revoked {
			return c.issue(g), nil
		}
	}
	return oauthError(http.StatusBadRequest, "invalid_grant", `Invalid "refresh_token" in request.`)
}

// issue makes fresh tokens for a grant.
func (c *call) issue(g *grant) any {
	g.Access, g.Refresh, g.Expires = secret(), secret(), c.now().Add(accessLife)
	return map[string]any{"token_type": "Bearer", "access_token": g.Access, "refresh_token": g.Refresh,
		"expires_in": int(accessLife.Seconds()), "scope": strings.Join(g.Scopes, " ")}
}

// revoke ends a grant: naming one of its tokens ends both.
func (c *call) revoke() (any, *Error) {
	if !c.client() {
		return oauthError(http.StatusUnauthorized, "invalid_client", "")
	}
	token := c.form.Get("token")
	for _, g := range c.world.Grants {
		if token != "" && (g.Access == token || g.Refresh == token) {
			g.Revoked = true
		}
	}
	return map[string]any{}, nil
}

func (d *Discord) oauthRoutes(mux *http.ServeMux) {
	for _, path := range []string{"/oauth2/authorize", "/api/oauth2/authorize"} {
		mux.HandleFunc("GET "+path, d.showAuthorize)
		mux.HandleFunc("POST "+path, d.decideAuthorize)
	}
}
