package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2/endpoints"

	"tradepost/web"
)

// signIn says where people sign in and who we are to Discord.
func (d discordApp) signIn() web.Discord {
	app := web.Discord{
		ClientID: d.DiscordClientID, ClientSecret: d.DiscordClientSecret,
		AuthURL: endpoints.Discord.AuthURL, TokenURL: endpoints.Discord.TokenURL, APIURL: "https://discord.com/api/v10",
	}
	if d.DiscordAPIURL != "" {
		base := strings.TrimRight(d.DiscordAPIURL, "/")
		app.AuthURL, app.TokenURL, app.APIURL = base+"/oauth2/authorize", base+"/api/oauth2/token", base+"/api/v10"
	}
	return app
}

// transport is how the bot reaches Discord; nil for the usual way.
func (d discordAddress) transport() (http.RoundTripper, error) {
	if d.DiscordAPIURL == "" {
		return nil, nil
	}
	to, err := url.Parse(d.DiscordAPIURL)
	if err == nil && (to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || strings.Trim(to.Path, "/") != "") {
		err = errors.New("write it as http://127.0.0.1:8081")
	}
	if err != nil {
		return nil, fmt.Errorf("%q is no address: %w", d.DiscordAPIURL, err)
	}
	return standIn{to: to, next: http.DefaultTransport}, nil
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
