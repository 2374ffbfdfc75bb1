package bot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// needed are the permissions that the bot asks for when it is invited, by the names that Discord's pages give them.
var needed = []struct {
	name string
	bit  uint64
}{{"View Channels", viewChannel}, {"Send Messages", sendMessages}, {"Embed Links", embedLinks}}

// InviteURL is where somebody who manages a server invites the bot to it, with the scopes and permissions that it needs.
func InviteURL(clientID string) string {
	var permissions uint64
	for _, p := range needed {
		permissions |= p.bit
	}
	return fmt.Sprintf("https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=%d", clientID, permissions)
}

// Inspection is what Discord says of the application that a token belongs to.
type Inspection struct {
	ApplicationID   string
	ApplicationName string
	RedirectURIs    []string // registered for signing in
	Servers         []Server // that the bot was invited to; 100 at most
}

// Server is one that the bot was invited to.
type Server struct {
	Name    string
	Missing []string // permissions that the bot lacks, as Discord's pages call them
}

// Inspect asks Discord about the application of a bot's token. It fails with ErrToken when Discord does not accept the token.
func Inspect(ctx context.Context, token string, transport http.RoundTripper) (Inspection, error) {
	r := &rest{
		client: &http.Client{Transport: transport}, token: strings.TrimPrefix(token, "Bot "), now: time.Now, routes: map[string]time.Time{},
		agent: "DiscordBot (https://discord.com, 1)", limited: func(string) {}, refused: func() {},
	}
	ask := func(path string, out any) error {
		return patiently(ctx, func(ctx context.Context) error {
			return r.do(ctx, call{method: "GET", path: path, route: "GET " + path}, out)
		})
	}
	var app struct {
		ID           string   `json:"id"`
		Name         string   `json:"name"`
		RedirectURIs []string `json:"redirect_uris"`
	}
	if err := ask("/applications/@me", &app); err != nil {
		var refused *restError
		if errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
			return Inspection{}, ErrToken
		}
		return Inspection{}, err
	}
	var servers []struct {
		Name        string `json:"name"`
		Permissions string `json:"permissions"`
	}
	if err := ask("/users/@me/guilds", &servers); err != nil {
		return Inspection{}, err
	}
	found := Inspection{ApplicationID: app.ID, ApplicationName: app.Name, RedirectURIs: app.RedirectURIs}
	for _, s := range servers {
		found.Servers = append(found.Servers, Server{Name: s.Name, Missing: missing(s.Permissions)})
	}
	return found, nil
}

// missing names what a set of permissions, as Discord writes it, lacks.
func missing(permissions string) (names []string) {
	held, err := strconv.ParseUint(permissions, 10, 64)
	if err != nil || held&administrator != 0 {
		return nil
	}
	for _, p := range needed {
		if held&p.bit == 0 {
			names = append(names, p.name)
		}
	}
	return names
}
