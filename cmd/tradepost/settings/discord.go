package settings

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2/endpoints"

	"tradepost/web"
)

// SignIn returns the settings of signing in with Discord.
func (d DiscordApp) SignIn() web.Discord {
	app := web.Discord{
		ClientID: d.DiscordClientID, ClientSecret: d.DiscordClientSecret,
		AuthURL: endpoints.Discord.AuthURL, TokenURL: endpoints.Discord.TokenURL,
		APIURL: "https://discord.com/api/v10",
	}
	if !d.isDiscord() {
		base := strings.TrimRight(d.DiscordAPIURL, "/")
		app.AuthURL, app.TokenURL, app.APIURL = base+"/oauth2/authorize", base+"/api/oauth2/token",
			base+"/api/v10"
	}
	return app
}

// isDiscord reports whether the address is left out or Discord's own.
func (d DiscordAddress) isDiscord() bool {
	return d.DiscordAPIURL == "" || strings.TrimRight(d.DiscordAPIURL, "/") == "https://discord.com"
}

// Transport returns the bot's transport to Discord; nil for the usual one.
func (d DiscordAddress) Transport() (http.RoundTripper, error) {
	if d.isDiscord() {
		return nil, nil
	}
	to, err := url.Parse(d.DiscordAPIURL)
	if err == nil && (to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || to.User != nil ||
		strings.Trim(to.Path, "/") != "") {
		err = errors.New("write it as http://127.0.0.1:8081")
	}
	if err != nil {
		return nil, fmt.Errorf("%q is no address: %w", d.DiscordAPIURL, err)
	}
	if !web.IsThisMachine(to.Hostname()) {
		return nil, fmt.Errorf("%q is another machine, which would get the bot's token, "+
			"the client secret and every sign-in: a stand-in for Discord must run on this one. "+
			"Leave it out to use Discord", d.DiscordAPIURL)
	}
	return standIn{to: to, next: http.DefaultTransport}, nil
}

// Warning returns a warning if a stand-in takes Discord's place, and nothing otherwise.
func (d DiscordAddress) Warning() string {
	if d.isDiscord() {
		return ""
	}
	return "a stand-in takes the place of Discord and gets every secret: " +
		"leave DISCORD_API_URL out for a market that people use"
}

// standIn redirects requests for Discord to a stand-in.
type standIn struct {
	to   *url.URL
	next http.RoundTripper
}

func (s standIn) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == "discord.com" {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host, r.Host = s.to.Scheme, s.to.Host, ""
	}
	return s.next.RoundTrip(r)
}

// Portal is where applications are made at Discord.
const Portal = "https://discord.com/developers/applications"
