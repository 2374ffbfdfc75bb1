package discordtest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"

	"tradepost/bot/discordtest"
)

const callback = "http://127.0.0.1:8080/auth/discord/callback"

// application is what a web service would sign people in with.
func application(t *testing.T, scopes ...string) (*discordtest.Discord, *oauth2.Config, context.Context) {
	t.Helper()
	d := discordtest.New(t, discordtest.Options{RedirectURIs: []string{callback}})
	c := &oauth2.Config{ClientID: d.ClientID(), ClientSecret: d.ClientSecret(), Endpoint: d.OAuthEndpoint(), RedirectURL: callback, Scopes: scopes}
	return d, c, context.WithValue(t.Context(), oauth2.HTTPClient, d.Client())
}

func me(t *testing.T, client *http.Client) (int, map[string]any) {
	t.Helper()
	resp, err := client.Get("https://discord.com/api/v10/users/@me")
	if err != nil {
		t.Fatalf("ask who signed in: %v", err)
	}
	defer resp.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		t.Fatalf("read who signed in: %v", err)
	}
	return resp.StatusCode, body
}

func TestAUserSignsIn(t *testing.T) {
	t.Parallel()
	for name, endpoint := range map[string]func(*discordtest.Discord) oauth2.Endpoint{
		"at the stand-in's own address": (*discordtest.Discord).OAuthEndpoint,
		"at Discord's address":          func(*discordtest.Discord) oauth2.Endpoint { return endpoints.Discord },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, app, ctx := application(t, "identify", "email")
			app.Endpoint = endpoint(d)
			verifier := oauth2.GenerateVerifier()
			to := d.Player(t, "maple").Authorize(app.AuthCodeURL("state-1", oauth2.S256ChallengeOption(verifier)))
			if !strings.HasPrefix(to.String(), callback+"?") || to.Query().Get("state") != "state-1" {
				t.Fatalf("sent back to %s", to)
			}
			if _, err := app.Exchange(ctx, to.Query().Get("code"), oauth2.VerifierOption(oauth2.GenerateVerifier())); err == nil {
				t.Error("another verifier was taken")
			}
			token, err := app.Exchange(ctx, to.Query().Get("code"), oauth2.VerifierOption(verifier))
			if err != nil {
				t.Fatalf("exchange the code: %v", err)
			}
			if left := time.Until(token.Expiry); left < 6*24*time.Hour || token.RefreshToken == "" {
				t.Errorf("token %+v", token)
			}
			status, body := me(t, app.Client(ctx, token))
			if status != 200 || body["username"] != "maple" || body["email"] != "maple@example.com" || body["verified"] != true || body["id"] != d.Player(t, "maple").ID() {
				t.Errorf("who signed in: %d %v", status, body)
			}
			if _, err := app.Exchange(ctx, to.Query().Get("code"), oauth2.VerifierOption(verifier)); err == nil {
				t.Error("a code was taken twice")
			}
		})
	}
}

func TestWithoutTheScopeThereIsNoAddress(t *testing.T) {
	t.Parallel()
	d, app, ctx := application(t, "identify")
	to := d.Player(t, "maple").Authorize(app.AuthCodeURL("s"))
	token, err := app.Exchange(ctx, to.Query().Get("code"))
	if err != nil {
		t.Fatalf("exchange the code: %v", err)
	}
	_, body := me(t, app.Client(ctx, token))
	if _, there := body["email"]; there || body["username"] != "maple" {
		t.Errorf("who signed in: %v", body)
	}
}

func TestADeniedAuthorizationReturnsToTheApplication(t *testing.T) {
	t.Parallel()
	d, app, _ := application(t, "identify")
	maple := d.Player(t, "maple")
	if to := maple.Deny(app.AuthCodeURL("s")); to.Query().Get("error") != "access_denied" || to.Query().Get("state") != "s" {
		t.Errorf("cancelled, sent to %s", to)
	}
	app.Scopes = []string{"everything"}
	if to := maple.Authorize(app.AuthCodeURL("s")); to.Query().Get("error") != "invalid_scope" {
		t.Errorf("with an unknown scope, sent to %s", to)
	}
}

func TestAForeignAddressIsNotSentTo(t *testing.T) {
	t.Parallel()
	d, app, _ := application(t, "identify")
	app.RedirectURL = "https://evil.example/callback"
	resp, err := d.Client().Get(app.AuthCodeURL("s"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 400 || resp.Header.Get("Location") != "" {
		t.Errorf("answered %d, to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
}

func TestRefreshingAndRevoking(t *testing.T) {
	t.Parallel()
	d, app, ctx := application(t, "identify")
	to := d.Player(t, "maple").Authorize(app.AuthCodeURL("s"))
	first, err := app.Exchange(ctx, to.Query().Get("code"))
	if err != nil {
		t.Fatalf("exchange the code: %v", err)
	}
	second, err := app.TokenSource(ctx, &oauth2.Token{RefreshToken: first.RefreshToken}).Token()
	if err != nil || second.AccessToken == first.AccessToken {
		t.Fatalf("refresh: %v, %v", second, err)
	}
	resp, err := d.Client().PostForm("https://discord.com/api/oauth2/token/revoke", url.Values{
		"client_id": {app.ClientID}, "client_secret": {app.ClientSecret}, "token": {second.RefreshToken}})
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("revoke: %v, %v", resp, err)
	}
	resp.Body.Close()
	if status, body := me(t, oauth2.NewClient(ctx, oauth2.StaticTokenSource(second))); status != 401 || body["message"] != "401: Unauthorized" {
		t.Errorf("after revoking one token the other gives %d %v", status, body)
	}
}

func TestTokensAreHadByFormOnly(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	resp, err := d.Client().Post("https://discord.com/api/oauth2/token", "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 400 || len(d.Violations()) != 1 {
		t.Errorf("answered %d, violations %v", resp.StatusCode, d.Violations())
	}
}
