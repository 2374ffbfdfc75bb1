package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tradepost/core"
	"tradepost/web"
)

// database says where the market is kept.
type database struct {
	DatabaseURL string `env:"DATABASE_URL" help:"PostgreSQL 15 or newer, as postgres://user:password@host/name. Left out, a private one is started in the data folder."`
	Data        string `env:"DATA_DIR" default:".tradepost" type:"path" help:"Folder for the private PostgreSQL."`
}

// logging says what is logged and how.
type logging struct {
	LogLevel  slog.Level `env:"LOG_LEVEL" default:"info" help:"The least that is logged: debug, info, warn or error."`
	LogFormat string     `env:"LOG_FORMAT" default:"auto" enum:"auto,text,json" help:"How it is logged: text, json, or auto: text on a terminal, else json."`
}

func (l logging) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: l.LogLevel}
	if l.LogFormat == "text" || l.LogFormat == "auto" && isTerminal(os.Stderr) {
		return slog.New(slog.NewTextHandler(os.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, options))
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// site says how the page is reached and what it calls itself.
type site struct {
	Listen          string         `env:"LISTEN" default:"127.0.0.1:8080" help:"Address to serve the page and the API on."`
	MetricsListen   string         `env:"METRICS_LISTEN" help:"Address to serve /metrics on; nowhere when left out."`
	PublicURL       string         `env:"PUBLIC_URL" help:"Where people open the page, as https://trade.example. Left out, it is the address served on."`
	TrustedProxies  []netip.Prefix `env:"TRUSTED_PROXIES" help:"Networks of the reverse proxies whose X-Forwarded-For is believed."`
	RequestLimit    int            `env:"REQUEST_LIMIT" default:"600" help:"Requests that one client may make in a minute."`
	WriteLimit      int            `env:"WRITE_LIMIT" default:"120" help:"How many of them may change something."`
	ConnectionLimit int            `env:"CONNECTION_LIMIT" default:"10000" help:"Connections that may be open at once; those beyond are turned away with 503."`
	Farewell        time.Duration  `env:"FAREWELL" default:"500ms" help:"How long the page goes on answering once it was asked to stop, while /readyz says 503: longer than the checks of a load balancer are apart."`
	SiteName        string         `env:"SITE_NAME" default:"Tradepost" help:"What the market is called."`
	look
	Tagline string `env:"TAGLINE" default:"Powered by your own community" help:"What stands under the name."`
}

// look says what the page looks like.
type look struct {
	Accent  string `env:"ACCENT" placeholder:"#1f6f63" help:"Colour of buttons and links, as #1f6f63. Shades that can be read in both themes are made of it."`
	Logo    string `env:"LOGO" type:"existingfile" help:"SVG, PNG or WebP picture that stands beside the name, up to 256 KiB."`
	Welcome string `env:"WELCOME" help:"Text that stands above the board."`
	Items   string `env:"ITEMS" type:"existingfile" help:"File with names of items to suggest to whoever posts, a line each."`
}

// of returns the look, and the items that are suggested.
func (l look) of() (looks web.Look, items []string, err error) {
	looks.Welcome = strings.TrimSpace(l.Welcome)
	if l.Accent != "" {
		if looks.Accent, err = web.ParseColour(l.Accent); err != nil {
			return looks, nil, fmt.Errorf("ACCENT: %w", err)
		}
	}
	if l.Logo != "" {
		data, err := os.ReadFile(l.Logo)
		if err != nil {
			return looks, nil, fmt.Errorf("LOGO: %w", err)
		}
		if looks.Logo, err = web.ParseLogo(data); err != nil {
			return looks, nil, fmt.Errorf("LOGO %s: %w", l.Logo, err)
		}
	}
	if l.Items != "" {
		data, err := os.ReadFile(l.Items)
		if err != nil {
			return looks, nil, fmt.Errorf("ITEMS: %w", err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" {
				items = append(items, line)
			}
		}
	}
	return looks, items, nil
}

// game says what is played.
type game struct {
	Game string `env:"GAME" type:"existingfile" help:"File with the professions and coins of another game, in the form of core/game.json."`
}

// play makes the host's game the one that everything goes by. It comes before all else that is built.
func (g game) play() error {
	if g.Game == "" {
		return nil
	}
	data, err := os.ReadFile(g.Game)
	if err != nil {
		return fmt.Errorf("GAME: %w", err)
	}
	read, err := core.ReadGame(data)
	if err != nil {
		return fmt.Errorf("GAME %s: %w", g.Game, err)
	}
	core.Play(read)
	return nil
}

// discordApp is the application at Discord that people sign in with and that the bot is.
type discordApp struct {
	DiscordToken        string `env:"DISCORD_TOKEN" help:"Token of the bot. Use the variable or DISCORD_TOKEN_FILE: flags show in the process list."`
	DiscordClientID     string `env:"DISCORD_CLIENT_ID" help:"Client id, for signing in on the page."`
	DiscordClientSecret string `env:"DISCORD_CLIENT_SECRET" help:"Client secret. Use the variable or DISCORD_CLIENT_SECRET_FILE."`
	discordAddress
	DiscordHeartbeat time.Duration `env:"DISCORD_HEARTBEAT" hidden:"" help:"What the stand-in's gateway asks for between heartbeats."`
}

// discordAddress says where Discord is, for tests.
type discordAddress struct {
	DiscordAPIURL string `env:"DISCORD_API_URL" hidden:"" help:"A stand-in to use instead of Discord, as http://127.0.0.1:8081."`
}

// moderation says who keeps the market in order.
type moderation struct {
	Moderators     []string `env:"MODERATORS" help:"Discord ids of the people who may remove requests and offers and block users, parted by commas."`
	ModeratorRoles []string `env:"MODERATOR_ROLES" help:"Ids of Discord roles that make a moderator of whoever has one. They count in Discord; the page knows people by their ids only."`
}

func (m moderation) moderators() core.Moderators {
	return core.Moderators{Accounts: trimmed(m.Moderators), Roles: trimmed(m.ModeratorRoles)}
}

// Validate refuses what is no id: a name would make a moderator of nobody, and nobody would notice.
func (m moderation) Validate() error {
	for _, id := range slices.Concat(trimmed(m.Moderators), trimmed(m.ModeratorRoles)) {
		if number, err := strconv.ParseUint(id, 10, 64); err != nil || number == 0 {
			return fmt.Errorf("%q is no Discord id: MODERATORS and MODERATOR_ROLES take numbers such as 872031946600157194 (Copy ID in Discord's developer mode)", id)
		}
	}
	return nil
}

// trimmed is a list without the space around its words, and without words that are none.
func trimmed(words []string) []string {
	var kept []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// listen opens an address, and says in plain words why it cannot.
func listen(address, flag string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program: stop it, or choose another address with %s", address, flag)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %q: %w: choose another address with %s", address, err, flag)
	}
	return withLastCalls(listener), nil
}
