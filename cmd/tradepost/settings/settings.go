// Package settings has every setting of the program, reads them from variables and files, and reports errors
// in them.
package settings

import (
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/people"
	"tradepost/sql/pgconnect"
	"tradepost/web"
)

// Database says where the market is kept.
type Database struct {
	DatabaseURL string   `env:"DATABASE_URL" secret:"" help:"PostgreSQL 15 or newer, as postgres://user:password@host/name. If unset, a private PostgreSQL starts in the data folder."`
	OwnerURL    string   `name:"database-owner-url" env:"DATABASE_OWNER_URL" secret:"" help:"PostgreSQL as the role that owns the tables: it migrates and restores, and gives the role of DATABASE_URL what a running market needs, which may then not change the log of moderation. If unset, DATABASE_URL does everything."`
	PoolerURL   string   `name:"database-pooler-url" env:"DATABASE_POOLER_URL" secret:"" help:"A pooler in transaction mode in front of DATABASE_URL, such as PgBouncer (deploy/pgbouncer.ini), with the same database and role. All statements are sent there but those that need a session, for which each process connects to DATABASE_URL itself, three times at most."`
	Replicas    []string `name:"database-replicas" env:"DATABASE_REPLICAS" secret:"" sep:"," help:"Standbys of DATABASE_URL that may answer what is public: lists, searches, counts, item pages and requests. Each by its own address, not through a balancer, separated by commas. One that is more than 250 ms behind is left until it is not."`
	Data        string   `env:"DATA_DIR" default:".tradepost" type:"path" help:"Folder for the private PostgreSQL."`
	identity

	BinDir string `name:"pg-bin-dir" env:"PG_BIN_DIR" type:"path" help:"Folder with initdb and postgres for the private PostgreSQL. If unset, it is searched for beside the program, on PATH and in the usual folders."`

	ClockOffset time.Duration `env:"CLOCK_OFFSET" hidden:"" help:"For tests: how far the host's clock is to be wrong, such as 5m or -5m."`
	ClockSteps  string        `env:"CLOCK_STEPS" type:"path" hidden:"" help:"For tests: a file with how much further the host's clock is to be wrong. It is read at each look at the clock, so that the clock steps."`
}

// Wrong returns the errors in the settings.
func (d Database) Wrong() (wrong WrongSettings) {
	wrong = d.identity.Wrong()
	if d.DatabaseURL != "" {
		if err := pgconnect.CheckURL(d.DatabaseURL); err != nil {
			wrong.Add("DATABASE_URL", "%s", err)
		}
		if err := pgconnect.CheckURL(d.OwnerURL); d.OwnerURL != "" && err != nil {
			wrong.Add("DATABASE_OWNER_URL", "%s", err)
		}
		if err := pgconnect.CheckURL(d.PoolerURL); d.PoolerURL != "" && err != nil {
			wrong.Add("DATABASE_POOLER_URL", "%s", err)
		}
		for _, replica := range d.Replicas {
			if err := pgconnect.CheckURL(replica); err != nil {
				wrong.Add("DATABASE_REPLICAS", "%s", err)
			}
		}
	} else if len(d.Replicas) > 0 {
		wrong.Add("DATABASE_REPLICAS", "DATABASE_URL is missing: set it to the primary of these standbys")
	} else if d.PoolerURL != "" {
		wrong.Add("DATABASE_POOLER_URL",
			"DATABASE_URL is missing: set it to the PostgreSQL behind the pooler")
	} else if d.OwnerURL != "" {
		wrong.Add("DATABASE_OWNER_URL", "DATABASE_URL is missing: set it to the same database, "+
			"as the role that serves")
	} else if info, err := os.Stat(d.Data); err == nil && !info.IsDir() {
		wrong.Add("DATA_DIR", "%s is no folder", d.Data)
	}
	return wrong
}

// Logging sets the level and the format of the log.
type Logging struct {
	LogLevel  slog.Level `env:"LOG_LEVEL" default:"info" help:"Lowest level to log: debug, info, warn or error."`
	LogFormat string     `env:"LOG_FORMAT" default:"auto" enum:"auto,text,json" help:"Log format: text, json, or auto (text on a terminal, otherwise json)."`
}

// Logger returns the log that the settings describe.
func (l Logging) Logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: l.LogLevel, ReplaceAttr: inSeconds}
	if l.LogFormat == "text" || l.LogFormat == "auto" && IsTerminal(os.Stderr) {
		return slog.New(slog.NewTextHandler(os.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, options))
}

// inSeconds logs every duration in seconds, as the metrics have them, and says so in its name.
func inSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindDuration {
		return a
	}
	return slog.Float64(strings.ReplaceAll(a.Key, " ", "_")+"_seconds",
		a.Value.Duration().Round(time.Microsecond).Seconds())
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Site has the settings of the page: its addresses, limits, name, look and features.
type Site struct {
	Listen          string         `env:"LISTEN" default:"127.0.0.1:8080" help:"Address to serve the page and the API on."`
	MetricsListen   string         `env:"METRICS_LISTEN" help:"Address to serve /metrics on. If unset, metrics are not served."`
	PublicURL       string         `env:"PUBLIC_URL" help:"Public address of the page, as https://trade.example. Defaults to the listen address."`
	TrustedProxies  TrustedProxies `env:"TRUSTED_PROXIES" default:"loopback" help:"Reverse proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas. loopback is this machine, private is this machine and all private networks, none is no proxy."`
	RequestLimit    int            `env:"REQUEST_LIMIT" default:"${REQUEST_LIMIT}" min:"1" help:"Requests per minute and client, by all replicas together."`
	WriteLimit      int            `env:"WRITE_LIMIT" default:"${WRITE_LIMIT}" min:"1" help:"Writes per minute and client, by all replicas together."`
	ConnectionLimit int            `env:"CONNECTION_LIMIT" default:"${CONNECTION_LIMIT}" min:"1" help:"Open connections of one process; more are refused with 503. All trusted proxies together may hold nine tenths of them."`
	ClientConns     uint           `name:"connections-per-client" env:"CONNECTIONS_PER_CLIENT" default:"${CONNECTIONS_PER_CLIENT}" help:"Open connections per client (an IPv4 address or an IPv6 /64). Connections of a trusted proxy do not count while their requests carry X-Forwarded-For. 0 for no limit."`
	ClientInFlight  uint           `name:"in-flight-per-client" env:"IN_FLIGHT_PER_CLIENT" default:"${IN_FLIGHT_PER_CLIENT}" help:"Requests per client that are processed at the same time, of 512 in total. 0 for no limit."`
	CachePurge      []string       `name:"cache-purge-url" env:"CACHE_PURGE_URL" sep:"," help:"Where caches in front of the page take purges, as http://127.0.0.1:6083; several are separated by commas. Responses that are the same for everybody then say that these may keep them, and every change is sent there."`
	VisitorOffers   string         `env:"VISITOR_OFFERS" default:"on" enum:"on,off" help:"Whether visitors may send offers without signing in: on or off."`
	VisitorLimit    uint           `env:"VISITOR_LIMIT" default:"${VISITOR_LIMIT}" help:"Offers that all visitors together may send in ten minutes before visitors are asked to sign in; one network (IPv6 /48, IPv4 /24) may send a fifth of it. 0 for no limit."`
	ShutdownDelay   time.Duration  `env:"SHUTDOWN_DELAY" aliases:"farewell" default:"500ms" help:"How long the page keeps answering after it was asked to stop, while /readyz answers 503. Set it longer than the interval of the load balancer's health checks."`
	SlowRequest     time.Duration  `env:"SLOW_REQUEST" default:"1s" help:"A request that takes this long gets a line in the log as a warning. 0 for none."`
	SecurityContact string         `env:"SECURITY_CONTACT" placeholder:"mailto:security@trade.example" help:"Contact to report weaknesses to, as mailto: or https: address. It is shown in /.well-known/security.txt, which is missing without it."`
	HSTSSubdomains  bool           `name:"hsts-subdomains" env:"HSTS_SUBDOMAINS" help:"Tell browsers to use TLS for all subdomains of the site, too."`
	SiteName        string         `env:"SITE_NAME" default:"Tradepost" help:"Name of the market."`
	Look
	LanguageList
	FeatureList
	SuspiciousPhrases []string `env:"SUSPICIOUS_PHRASES" sep:"," placeholder:"cheap coins" help:"Phrases to refuse in posts, offers and notes, in addition to the built-in ones; separated by commas."`
	CanarySettings
	Tagline string `env:"TAGLINE" default:"Powered by your own community" help:"Text below the name."`

	WebhooksAnywhere bool `env:"WEBHOOKS_ANYWHERE" hidden:"" help:"For tests: webhooks may have addresses with plain HTTP and of private networks."`
}

// Wrong returns the errors in the settings.
func (s Site) Wrong() (wrong WrongSettings) {
	wrong = append(wrong, wrongAddress("LISTEN", s.Listen)...)
	if s.MetricsListen != "" {
		wrong = append(wrong, wrongAddress("METRICS_LISTEN", s.MetricsListen)...)
	}
	switch {
	case s.PublicURL != "":
		if err := web.CheckPublicURL(s.PublicURL); err != nil {
			wrong.Add("PUBLIC_URL", "%s", err)
		}
	case len(wrong) == 0 && !OnLoopback(s.Listen):
		wrong.Add("PUBLIC_URL", "it is missing: LISTEN is %s, so other machines reach the page. "+
			"Set it to the address that people open, as https://trade.example", s.Listen)
	}
	for _, address := range s.CachePurge {
		if err := web.CheckPurgeURL(address); err != nil {
			wrong.Add("CACHE_PURGE_URL", "%s", err)
		}
	}
	if s.SecurityContact != "" {
		if err := web.CheckSecurityContact(s.SecurityContact); err != nil {
			wrong.Add("SECURITY_CONTACT", "%s", err)
		}
	}
	_, _, looks := s.Read()
	return slices.Concat(wrong, looks, s.LanguageList.Wrong(), s.FeatureList.Wrong())
}

// wrongAddress checks an address to listen on.
func wrongAddress(name, address string) (wrong WrongSettings) {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		wrong.Add(name, "%q is no address to listen on: want HOST:PORT, such as 127.0.0.1:8080 or :8080",
			address)
	}
	return wrong
}

// PageLimits returns the limits of one client and of all together on the page.
func (s Site) PageLimits() web.Limits {
	perClient := func(setting uint) int {
		if setting == 0 {
			return -1 // no limit
		}
		return int(min(setting, math.MaxInt32))
	}
	visitors := perClient(s.VisitorLimit)
	if visitors < 0 {
		visitors = math.MaxInt32
	}
	return web.Limits{
		VisitorsInAll:  visitors,
		VisitorNetwork: max(visitors*core.LimitNetworkOffers.Limit/core.LimitVisitors.Limit, 1),
		Requests:       s.RequestLimit, Writes: s.WriteLimit, Share: perClient(s.ClientInFlight),
		Connections: s.ConnectionLimit, ConnectionsPerClient: perClient(s.ClientConns),
	}
}

// CanarySettings turn the market's check of itself on.
type CanarySettings struct {
	Canary      bool          `env:"CANARY" help:"Trade once a minute in a hidden corner of the market, through PUBLIC_URL, and count how that goes in the metrics."`
	CanaryEvery time.Duration `env:"CANARY_EVERY" default:"1m" hidden:"" help:"How often, for tests."`
}

// OnLoopback reports whether an address to listen on is reached from this machine only.
func OnLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Look sets the appearance of the page.
type Look struct {
	Accent  string `env:"ACCENT" placeholder:"#1f6f63" help:"Colour of buttons and links, as #1f6f63. Readable shades for both themes are derived from it."`
	Logo    string `env:"LOGO" type:"existingfile" help:"Logo beside the name: an SVG, PNG or WebP file of up to 256 KiB. A PNG or WebP is on phones' home screens too; with an SVG they show a letter."`
	Welcome string `env:"WELCOME" help:"Text above the board."`
	View    string `name:"default-view" env:"DEFAULT_VIEW" default:"cards" enum:"cards,list" help:"How the board shows the requests until a user chooses: cards or list."`
	Items   string `env:"ITEMS" type:"existingfile" help:"File with item names to suggest in forms, one per line. Those that are not in the catalogue become provisional items."`
}

// Read returns the look, the items that are suggested, and the errors in the settings.
func (l Look) Read() (looks web.Branding, items []string, wrong WrongSettings) {
	var err error
	looks.Welcome, looks.ListFirst = strings.TrimSpace(l.Welcome), l.View == "list"
	if l.Accent != "" {
		if looks.Accent, err = web.ParseColour(l.Accent); err != nil {
			wrong.Add("ACCENT", "%s", err)
		}
	}
	if l.Logo != "" {
		data, err := os.ReadFile(l.Logo)
		if err == nil {
			looks.Logo, err = web.ParseLogo(data)
		}
		if err != nil {
			wrong.Add("LOGO", "%s: %s", l.Logo, err)
		}
	}
	if l.Items != "" {
		data, err := os.ReadFile(l.Items)
		if err != nil {
			wrong.Add("ITEMS", "%s", err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" {
				items = append(items, line)
			}
		}
	}
	return looks, items, wrong
}

// FeatureList lists the enabled parts of the market.
type FeatureList struct {
	Features []string `env:"FEATURES" default:"all" sep:"," help:"What is on: all, none, or some of items (names, pages and completion of the items that the game has), prices (what items were traded for; needs items), watches (searches that notify), stock (what sellers have; needs items), handover (both sides of an accepted offer say whether they met), records (what a trader's handovers came to; needs handover), lists (several requests posted from one text) and threads (a private thread in Discord for each trade; needs handover), separated by commas. Not in all, but on where it is named, such as with all,listings: listings (stock that is shown for sale, which buyers ask for; needs stock), tokens (with which programs of a person act for them), webhooks (addresses that events are sent to), crossing (requests that accept offers as they come trade with listings that sell without asking; needs listings and records), hours (people say when they play, and one time to meet is proposed to both sides of a trade; needs handover). What is off leaves no trace in page, bot and API."`
}

// On returns the features that are on.
func (f FeatureList) On() (core.Features, error) { return core.ParseFeatures(Trimmed(f.Features)) }

// Threads reports whether each trade has a thread in Discord. It is asked of settings that may be wrong.
func (f FeatureList) Threads() bool {
	on, err := f.On()
	return err == nil && on.Threads
}

// Wrong returns the errors in the settings.
func (f FeatureList) Wrong() (wrong WrongSettings) {
	if _, err := f.On(); err != nil {
		wrong.Add("FEATURES", "%s", err)
	}
	return wrong
}

// GameFile names the file of the game.
type GameFile struct {
	Game string `env:"GAME" type:"existingfile" help:"File with the professions and coins of another game, in the form of core/game/game.json."`
}

// Load returns the operator's game, or the standard game.
func (g GameFile) Load() (game.Game, error) {
	if g.Game == "" {
		return game.Standard(), nil
	}
	read, err := g.read()
	if err != nil {
		return game.Game{}, fmt.Errorf("GAME %s: %w", g.Game, err)
	}
	return read, nil
}

func (g GameFile) read() (game.Game, error) {
	data, err := os.ReadFile(g.Game)
	if err != nil {
		return game.Game{}, err
	}
	return game.Read(data)
}

// Wrong returns the errors in the settings.
func (g GameFile) Wrong() (wrong WrongSettings) {
	if g.Game == "" {
		return nil
	}
	if _, err := g.read(); err != nil {
		wrong.Add("GAME", "%s: %s", g.Game, err)
	}
	return wrong
}

// DiscordApp is the application at Discord that people sign in with and that the bot is.
type DiscordApp struct {
	DiscordToken        string `env:"DISCORD_TOKEN" secret:"" help:"Token of the bot. Use the variable or DISCORD_TOKEN_FILE; flags are visible in the process list."`
	DiscordClientID     string `env:"DISCORD_CLIENT_ID" help:"Client id, for signing in on the page."`
	DiscordClientSecret string `env:"DISCORD_CLIENT_SECRET" secret:"" help:"Client secret. Use the variable or DISCORD_CLIENT_SECRET_FILE."`
	DiscordAddress
	DiscordEditEvery   time.Duration `env:"DISCORD_EDIT_EVERY" default:"3m" help:"How often a Discord message older than an hour, or a direct message about offers, is edited at most where only a count changes. Discord limits such edits and publishes no number: the default is a guess. Set it longer if the log often says \"edit waits\"."`
	DiscordOpenDMPause time.Duration `env:"DISCORD_OPEN_DM_PAUSE" default:"10m" help:"How long the bot begins no conversation with people it has not written to after Discord said that it began too many. Discord names no number: the default is a guess."`
	DiscordHeartbeat   time.Duration `env:"DISCORD_HEARTBEAT" hidden:"" help:"Heartbeat interval of the stand-in's gateway."`
}

// Wrong returns the errors in the settings.
func (d DiscordApp) Wrong() (wrong WrongSettings) {
	if strings.ContainsAny(d.DiscordToken, " \t\r\n") {
		wrong.Add("DISCORD_TOKEN", "it has a space in it: want the token alone, as the page \"Bot\" shows it")
	}
	if _, err := strconv.ParseUint(d.DiscordClientID, 10, 64); d.DiscordClientID != "" && err != nil {
		wrong.Add("DISCORD_CLIENT_ID", "%q is no id: want the number that the application has "+
			"as its Application ID", d.DiscordClientID)
	}
	if d.DiscordEditEvery < time.Second || d.DiscordEditEvery > 24*time.Hour {
		wrong.Add("DISCORD_EDIT_EVERY", "%s is out of range: want 1s to 24h", d.DiscordEditEvery)
	}
	if d.DiscordOpenDMPause < time.Second || d.DiscordOpenDMPause > 24*time.Hour {
		wrong.Add("DISCORD_OPEN_DM_PAUSE", "%s is out of range: want 1s to 24h", d.DiscordOpenDMPause)
	}
	if _, err := d.Transport(); err != nil {
		wrong.Add("DISCORD_API_URL", "%s", err)
	}
	return wrong
}

// DiscordAddress says where Discord is, for tests.
type DiscordAddress struct {
	DiscordAPIURL string `env:"DISCORD_API_URL" hidden:"" help:"A stand-in to use instead of Discord, as http://127.0.0.1:8081."`
}

// Moderation names the moderators, and the servers that the bot serves.
type Moderation struct {
	Moderators     []string `env:"MODERATORS" help:"Discord ids of users who may remove requests and offers and block users, separated by commas."`
	Servers        []string `env:"SERVERS" help:"Discord ids of the servers that the bot may serve, separated by commas; all that it is invited to when empty. In others its commands answer that it belongs elsewhere, and in direct messages it answers members of these servers only. The page stays open to everyone."`
	Operators      []string `env:"OPERATORS" help:"Discord ids of users who may read on the page how the market's machine is, as tradepost doctor says it, separated by commas; no one when empty."`
	ModeratorRoles []string `env:"MODERATOR_ROLES" help:"Discord ids of roles whose members may moderate, separated by commas. They apply in Discord only; the page goes by MODERATORS."`
}

// Core returns the moderators as core names them.
func (m Moderation) Core() people.Moderators {
	return people.Moderators{Accounts: Trimmed(m.Moderators), Roles: Trimmed(m.ModeratorRoles)}
}

// Wrong lists the values that are not IDs: a name would match no account.
func (m Moderation) Wrong() (wrong WrongSettings) {
	for _, list := range []struct {
		name string
		ids  []string
	}{{"MODERATORS", m.Moderators}, {"MODERATOR_ROLES", m.ModeratorRoles}, {"SERVERS", m.Servers},
		{"OPERATORS", m.Operators}} {
		for _, id := range Trimmed(list.ids) {
			if number, err := strconv.ParseUint(id, 10, 64); err != nil || number == 0 {
				wrong.Add(list.name, "%q is no Discord id: want numbers such as 872031946600157194 "+
					"(Copy ID in Discord's developer mode), separated by commas", id)
				break
			}
		}
	}
	return wrong
}

// Trimmed is a list without the space around its words, and without words that are none.
func Trimmed(words []string) []string {
	var kept []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}
