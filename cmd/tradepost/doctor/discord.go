package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tradepost/bot/discord"
	"tradepost/cmd/tradepost/settings"
	"tradepost/web"
)

// Inspect asks Discord about a token, and explains Discord's error.
func Inspect(
	ctx context.Context, token string, transport http.RoundTripper, threads bool,
) (discord.Inspection, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	found, err := discord.Inspect(ctx, token, transport, threads)
	switch {
	case errors.Is(err, discord.ErrToken):
		return found, errors.New("Discord does not accept this token: " +
			"press \"Reset Token\" on the page \"Bot\" and copy the new one")
	case err != nil:
		return found, errDiscordAway{err}
	}
	return found, nil
}

// errDiscordAway is the error of a Discord that does not answer.
type errDiscordAway struct{ cause error }

func (e errDiscordAway) Error() string {
	return fmt.Sprintf("Discord does not answer: look at https://discordstatus.com, "+
		"and whether this machine reaches https://discord.com (DNS, firewall). "+
		"The market goes on without it, and sends its messages later (%s)", e.cause)
}

func (e errDiscordAway) Unwrap() error { return e.cause }

// PublicAddress reads the address that people open.
func PublicAddress(text string) (*url.URL, error) {
	address, err := url.Parse(strings.TrimRight(text, "/"))
	switch {
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return nil, errors.New("write it as https://trade.example")
	case address.Path != "" || address.RawQuery != "" || address.Fragment != "" || address.User != nil:
		return nil, errors.New("only the site itself, without anything behind it: https://trade.example")
	case address.Scheme == "http" && !web.IsThisMachine(address.Hostname()):
		return nil, errors.New("people sign in there, so it must begin with https:// " +
			"(http:// is for localhost only)")
	}
	return address, nil
}

// Registered explains how to register a missing redirect address.
func Registered(found discord.Inspection, redirect string) error {
	for _, address := range found.RedirectURIs {
		if address == redirect {
			return nil
		}
	}
	return fmt.Errorf("the application does not have the redirect %s: "+
		"add it under \"Redirects\" at %s/%s/oauth2 and save",
		redirect, settings.Portal, found.ApplicationID)
}

// sentToBot explains how to have Discord send interactions to the bot, which takes them from the gateway
// only.
func sentToBot(app discord.Inspection) error {
	if app.InteractionsURL == "" {
		return nil
	}
	return fmt.Errorf("Discord sends commands and buttons to %s, and the bot gets none: "+
		"empty \"Interactions Endpoint URL\" on the page "+
		"\"General Information\" at %s/%s/information and save", app.InteractionsURL, settings.Portal,
		app.ApplicationID)
}

// Invited explains what to do when the bot is in no server, or lacks permissions there.
func Invited(found discord.Inspection, threads bool) error {
	if len(found.Servers) == 0 {
		return fmt.Errorf("the bot is in no server: invite it with %s",
			discord.InviteURL(found.ApplicationID, threads))
	}
	var lacking []string
	for _, server := range found.Servers {
		if len(server.Missing) > 0 {
			lacking = append(lacking, fmt.Sprintf("in %q it may not: %s", server.Name,
				strings.Join(server.Missing, ", ")))
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("%s: give the bot's role these permissions, or invite it again with %s",
			strings.Join(lacking, "; "), discord.InviteURL(found.ApplicationID, threads))
	}
	return nil
}

// pingsRoles says in which servers /board pings and /board role are possible. No server needs it.
func pingsRoles(app discord.Inspection, threads bool) error {
	var can []string
	for _, server := range app.Servers {
		if server.Pings {
			can = append(can, strconv.Quote(server.Name))
		}
	}
	if len(can) > 0 {
		return found("possible with /board pings and /board role in " + strings.Join(can, ", "))
	}
	return notNeeded("not possible without Manage Roles. For /board pings and /board role, " +
		"invite the bot again with " +
		discord.PingInviteURL(app.ApplicationID, threads))
}

// WhoInvites explains the effect of a public or private application. servers is the number of servers that
// the bot is limited to.
func WhoInvites(app discord.Inspection, servers int) error {
	switch {
	case !app.Public:
		return found("only you: the application is not public")
	case servers > 0:
		return found(fmt.Sprintf("everyone, as the application is public; "+
			"it serves only the servers in SERVERS (%d)", servers))
	}
	return caution("the application is public, so everyone may invite the bot, " +
		"and members of their servers trade on your market: if you don't want that, " +
		"switch off \"Public Bot\" on the page \"Bot\" (and set the install link on the page " +
		"\"Installation\" to \"None\" before), or name your servers in SERVERS")
}
