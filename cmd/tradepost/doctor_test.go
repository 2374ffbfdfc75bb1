package main_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/bot/discordtest"
	"tradepost/sql/pgtest"
)

// Each set-up is broken in one place, and the doctor's words hold the remedy.
func TestTheDoctorSaysWhatHelps(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(elsewhere.Close)
	running := httptest.NewServer(health("up", "ready"))
	t.Cleanup(running.Close)
	unready := httptest.NewServer(health("up", "not ready"))
	t.Cleanup(unready.Close)
	silent := speaksNoHTTP(t)
	at := func(server *httptest.Server) string { return "LISTEN=" + strings.TrimPrefix(server.URL, "http://") }
	demoFolder := t.TempDir()
	if err := os.WriteFile(filepath.Join(demoFolder, "discord.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	newer := pgtest.New(t)
	conn, err := pgx.Connect(t.Context(), newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "insert into goose_db_version (version_id, is_applied) values (90001, true)"); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	ahead := pgtest.New(t)
	if err := do(t, ahead, leaderAhead); err != nil {
		t.Fatal(err)
	}
	untrusted := pgtest.New(t)
	if err := do(t, untrusted, roleOutOfReach); err != nil {
		t.Fatal(err)
	}
	database := func(user, name string) string {
		return fmt.Sprintf("DATABASE_URL=host=%s port=%d user=%s dbname=%s sslmode=disable", config.Host, config.Port, user, name)
	}
	for name, tt := range map[string]struct {
		broken []string // variables
		do     func(h *host)
		want   string
		not    string // must not be said
		status int    // 1 where there is none
	}{
		"no address":                  {broken: []string{"PUBLIC_URL="}, want: "Set it to the address that people open"},
		"an address with a path":      {broken: []string{"PUBLIC_URL=https://trade.example/market"}, want: "is no address of a site: want something like https://trade.example"},
		"an address in the clear":     {broken: []string{"PUBLIC_URL=http://trade.example"}, want: "and set https://trade.example"},
		"nothing at the address":      {broken: []string{"PUBLIC_URL=http://127.0.0.1:1", at(running)}, want: "look at the reverse proxy, the DNS record and the firewall"},
		"another site at the address": {broken: []string{"PUBLIC_URL=" + elsewhere.URL, at(running)}, want: "look at where the reverse proxy leads"},
		"no market": {
			want: "nothing answers at 127.0.0.1:1, so the market is not running: start it with tradepost serve, or with containers docker compose up -d",
			not:  "look at the reverse proxy",
		},
		"no market where systemd runs it": {
			do:   func(h *host) { h.unit("") },
			want: "is not running: sudo systemctl restart tradepost; if it ends again, journalctl -u tradepost -n 50 says why",
		},
		"another program on the port":         {broken: []string{at(elsewhere)}, want: "find it with sudo ss -ltnp 'sport = :"},
		"a program on the port, without HTTP": {broken: []string{"LISTEN=" + silent}, want: "another program answers at " + silent},
		"a market that is not ready":          {broken: []string{at(unready)}, want: "the market runs and is not ready. Mostly the database is away"},
		"a time that is ahead":                {broken: []string{"DATABASE_URL=" + ahead}, want: "I15 nothing waits longer than it ever has to: river_leader.expires_at"},
		"a role out of reach":                 {broken: []string{"DATABASE_URL=" + untrusted}, want: `in "Harbour" the role "Trader" cannot be given. It is above mine`},
		"no database server":                  {broken: []string{"DATABASE_URL=postgres://127.0.0.1:1/market"}, want: "Nothing answers at 127.0.0.1:1. Is PostgreSQL running there?"},
		"an unknown machine":                  {broken: []string{"DATABASE_URL=postgres://nowhere.invalid/market"}, want: `There is no machine called "nowhere.invalid". Check the name in DATABASE_URL.`},
		"no database":                         {broken: []string{database(config.User, "nothing")}, want: "Create it: createdb --owner USER NAME"},
		"no user at the database":             {broken: []string{database("nobody", config.Database)}, want: "Create it: createuser NAME"},
		"an address of another kind":          {broken: []string{"DATABASE_URL=mysql://127.0.0.1/market"}, want: "want postgres://user:password@host:5432/name"},
		"a newer database":                    {broken: []string{"DATABASE_URL=" + newer}, want: `The release before that one works with them, too ("Go back" in docs/operations.md)`, not: "restore"},
		"a private one for others":            {broken: []string{"DATABASE_URL=", "LISTEN=0.0.0.0:1"}, want: "set DATABASE_URL to a PostgreSQL 15 or newer of your own"},
		"a clock that is off":                 {broken: []string{"CLOCK_OFFSET=-5m"}, want: "check NTP on both machines"},
		"no token":                            {broken: []string{"DISCORD_TOKEN="}, want: `DISCORD_TOKEN: it is missing: the bot cannot sign in. Set it (the page "Bot" of your application at`},
		"an old token":                        {do: func(h *host) { h.discord.RevokeToken() }, want: `press "Reset Token" on the page "Bot" and copy the new one`},
		"the ID of another":                   {broken: []string{"DISCORD_CLIENT_ID=111111111111111111"}, want: "take both from the same application"},
		"a wrong client secret":               {broken: []string{"DISCORD_CLIENT_SECRET=wrong"}, want: "✗ the client secret"},
		"no redirect":                         {want: `add it under "Redirects" at`},
		"a bot without permissions":           {do: func(h *host) { h.discord.SetBotPermissions(0) }, want: "give the bot's role these permissions, or invite it again with"},
		"settings that others read": {do: func(h *host) {
			if err := os.WriteFile(filepath.Join(h.dir, ".env"), []byte("SITE_NAME=Harbour\n"), 0o644); err != nil {
				h.t.Fatal(err)
			}
			if err := os.Chmod(h.dir, 0o755); err != nil {
				h.t.Fatal(err)
			}
		}, want: "other users of this machine can read .env: chmod 600 .env"},
		"a moderator's name":  {broken: []string{"MODERATORS=maple"}, want: "Copy ID in Discord's developer mode"},
		"an unknown proxy":    {broken: []string{"TRUSTED_PROXIES=caddy"}, want: "TRUSTED_PROXIES: "},
		"no file of the game": {broken: []string{"GAME=nowhere.json"}, want: "GAME: "},

		"notices kept for an hour":     {broken: []string{"KEEP_NOTICES=1h"}, want: "KEEP_NOTICES: 1h0m0s is too short: want at least 24h0m0s, or 0 to keep for ever"},
		"reports without a unit":       {broken: []string{"KEEP_REPORTS=90"}, want: "KEEP_REPORTS: "},
		"an unknown level of the log":  {broken: []string{"LOG_LEVEL=loud"}, want: `LOG_LEVEL: "loud" is unknown: want debug, info, warn or error`},
		"an unknown form of the log":   {broken: []string{"LOG_FORMAT=xml"}, want: `LOG_FORMAT: "xml" is unknown: want one of auto, text, json`},
		"an unknown feature":           {broken: []string{"FEATURES=trades"}, want: "FEATURES: "},
		"a span without a unit":        {broken: []string{"SHUTDOWN_DELAY=5"}, want: "SHUTDOWN_DELAY: "},
		"a folder of a demo":           {broken: []string{"DATABASE_URL=", "DATA_DIR=" + demoFolder}, want: "DATA_DIR: " + demoFolder + " holds a demo"},
		"a secret file that is gone":   {broken: []string{"DISCORD_TOKEN=", "DISCORD_TOKEN_FILE=/nowhere/token"}, want: "DISCORD_TOKEN_FILE names a file that cannot be read"},
		"a pooler without a database":  {broken: []string{"DATABASE_URL=", "DATABASE_POOLER_URL=postgres://127.0.0.1:1/market"}, want: "set it to the PostgreSQL behind the pooler"},
		"an id without its secret":     {broken: []string{"DISCORD_CLIENT_SECRET="}, want: "DISCORD_CLIENT_SECRET: it is missing"},
		"a key that is none":           {broken: []string{"BACKUP_RECIPIENT=maple"}, want: "BACKUP_RECIPIENT: "},
		"a misspelt name":              {do: env("SITE_NAM=Harbour\n"), want: "SITE_NAM is no setting, so it does nothing: SITE_NAME is meant. Rename it in .env"},
		"a misspelt name of a file":    {do: env("DISCORD_TOKN_FILE=x\n"), want: "DISCORD_TOKN_FILE is no setting, so it does nothing: DISCORD_TOKEN_FILE is meant"},
		"a name with a word too few":   {do: env("CLIENT_SECRET=x\n"), want: "DISCORD_CLIENT_SECRET is meant"},
		"a name that nothing reads":    {do: env("HARBOUR_CRANE=x\n"), want: "no setting is called HARBOUR_CRANE: docs/configuration.md lists them all"},
		"lines that are no settings":   {do: env("SITE_NAME\n"), want: "it cannot be read as lines of NAME=value", status: 80},
		"the settings of the unit":     {do: func(h *host) { h.unit("SITE_NAM=Harbour\n") }, want: "SITE_NAM is no setting"},
		"a unit without settings":      {do: func(h *host) { h.unit("") }, want: "reads no .env, as there is none in its folder: sudo -iu tradepost tradepost setup writes it"},
		"other settings than the unit": {do: func(h *host) { env("SITE_NAME=Harbour\n")(h); h.unit("SITE_NAME=Market\n") }, want: "was read, and the market reads"},
		"interactions sent elsewhere": {
			do:   func(h *host) { h.discord.SetInteractionsURL("https://old.example/interactions") },
			want: `Discord sends commands and buttons to https://old.example/interactions, and the bot gets none: empty "Interactions Endpoint URL"`,
		},
		"Discord away": {
			do: func(h *host) {
				h.discord.Fail("GET /applications/@me", discordtest.Always, discordtest.Outage(http.StatusBadGateway))
			},
			want: "Discord does not answer: look at https://discordstatus.com", not: "the token is not good",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			variables := []string{
				"DISCORD_API_URL=" + h.discord.URL(), "DISCORD_TOKEN=" + h.discord.Token(), "DISCORD_CLIENT_ID=" + h.discord.ClientID(),
				"DISCORD_CLIENT_SECRET=" + h.discord.ClientSecret(), "PUBLIC_URL=http://127.0.0.1:1", "DATABASE_URL=" + dsn, "LISTEN=127.0.0.1:1",
			}
			if tt.do != nil {
				tt.do(h)
			}
			variables = append(variables, "SYSTEMD_UNIT_PATH="+filepath.Join(h.dir, "units"))
			status, out := attempt(t, h.dir, append(variables, tt.broken...), "doctor")
			if says(t, out, tt.want); status != cmp.Or(tt.status, 1) || strings.Contains(out, "SQLSTATE") {
				t.Errorf("status %d:\n%s", status, out)
			}
			if tt.not != "" && strings.Contains(out, tt.not) {
				t.Errorf("it says %q:\n%s", tt.not, out)
			}
			if n := strings.Count(out, tt.want); n > 1 && tt.status == 0 {
				t.Errorf("it says %q %d times:\n%s", tt.want, n, out)
			}
		})
	}
}

// Programs can read the doctor's findings, too, with the figures that an operator looks at every day.
func TestTheDoctorAnswersPrograms(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	if _, said, err := tradepost(t, nil, "backup", "--database-url", dsn, filepath.Join(t.TempDir(), "market.tar.gz")); err != nil {
		t.Fatalf("%v, said %q", err, said)
	}
	h := newHost(t)
	h.discord.AllowRedirect("http://127.0.0.1:1/auth/discord/callback")
	status, out := attempt(t, h.dir, []string{
		"DISCORD_API_URL=" + h.discord.URL(), "DISCORD_TOKEN=" + h.discord.Token(), "DISCORD_CLIENT_ID=" + h.discord.ClientID(),
		"DISCORD_CLIENT_SECRET=" + h.discord.ClientSecret(), "PUBLIC_URL=http://127.0.0.1:1", "DATABASE_URL=" + dsn, "LISTEN=127.0.0.1:1",
	}, "doctor", "--json")
	var report struct {
		Version string
		At      time.Time
		Wrong   int
		Figures struct{ BackupAgeSeconds, DiskFreePercent, CertificateDays *int }
		Checks  []struct{ ID, What, State, Says string }
	}
	// Its other words come behind it, on the other stream.
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&report); err != nil || status != 1 || !strings.Contains(out, "are not as they should be") {
		t.Fatalf("%v, status %d:\n%s", err, status, out)
	}
	if f := report.Figures; f.BackupAgeSeconds == nil || *f.BackupAgeSeconds > 600 || f.DiskFreePercent == nil || *f.DiskFreePercent > 100 || f.CertificateDays != nil {
		t.Errorf("its figures are not those of this machine:\n%s", out)
	}
	states, wrong := map[string]string{}, 0
	for _, c := range report.Checks {
		if states[c.ID] != "" || c.ID == "" || c.What == "" {
			t.Errorf("the check %+v has no name of its own", c)
		}
		if states[c.ID] = c.State; c.State == "wrong" {
			wrong++
		}
	}
	for id, want := range map[string]string{"token": "good", "database": "good", "market": "wrong", "certificate": "notChecked", "settings": "good", "backup": "good"} {
		if states[id] != want {
			t.Errorf("%s is %q, want %q", id, states[id], want)
		}
	}
	if wrong != report.Wrong || report.Version == "" || time.Since(report.At) > 10*time.Minute {
		t.Errorf("%d are wrong, and it says\n%s", wrong, out)
	}
}

// health answers health checks as a market does.
func health(alive, ready string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"status":%q}`, alive) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if ready != "ready" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		fmt.Fprintf(w, `{"status":%q}`, ready)
	})
	return mux
}

// speaksNoHTTP starts a server that greets who connects, as a mail server does, and returns its address.
func speaksNoHTTP(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("220 mail.example\r\n"))
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

// env writes the settings into the folder that the doctor is started in.
func env(settings string) func(*host) {
	return func(h *host) { h.write(filepath.Join(h.dir, ".env"), settings) }
}

// unit installs the market's unit, with its settings in another folder; none where they are empty.
func (h *host) unit(settings string) {
	home := filepath.Join(h.dir, "home")
	h.write(filepath.Join(h.dir, "units", "tradepost.service"), "[Service]\nWorkingDirectory=/nowhere\n")
	h.write(filepath.Join(h.dir, "units", "tradepost.service.d", "folder.conf"), "[Service]\nWorkingDirectory="+home+"\n")
	if settings != "" {
		h.write(filepath.Join(home, ".env"), settings)
	}
}

func (h *host) write(path, text string) {
	h.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		h.t.Fatal(err)
	}
}

// leaderAhead is a row that a clock has stored which was ahead for a moment: no periodic job runs before.
const leaderAhead = `insert into river_leader (leader_id, elected_at, expires_at) values ('gone', now(), now() + interval '1 hour')`

// roleOutOfReach is a server's role for established traders that the bot could not give.
const roleOutOfReach = `with manager as (insert into users (discord_id, username, display_name, created_at, updated_at)
    values ('500000000000000009', 'maple', 'Maple', now(), now()) returning id)
insert into trader_roles (guild_id, role_id, guild_name, role_name, user_id, trouble)
select '600000000000000001', '700000000000000001', 'Harbour', 'Trader', id, 'It is above mine' from manager`

func do(t *testing.T, dsn, statement string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		return err
	}
	_, err = conn.Exec(t.Context(), statement)
	return errors.Join(err, conn.Close(t.Context()))
}

func TestCheckTellsLivenessFromAMarketThatDoesNotRun(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	const stopped = "I13 and I16 to I18 were not checked: no program with the bot has run for two minutes, so nothing is owed yet. Notices that wait: 0"
	if out, said, err := tradepost(t, nil, "check", "--database-url", dsn); err != nil || !strings.Contains(string(out), stopped) {
		t.Errorf("a stopped market: %s%s%v", out, said, err)
	}
	if err := do(t, dsn, leaderAhead); err != nil {
		t.Fatal(err)
	}
	if out, said, err := tradepost(t, nil, "check", "--database-url", dsn); err == nil || !strings.Contains(string(out), "I15 ") || !strings.Contains(string(out), stopped) {
		t.Errorf("a time that is ahead: %s%s%v", out, said, err)
	}
}
