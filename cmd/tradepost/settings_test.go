package main_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgtest"
)

// attempt runs the program with nothing but env in its environment. It returns its exit status and what it printed.
func attempt(t *testing.T, dir string, env []string, args ...string) (status int, out string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LISTEN=127.0.0.1:0"}, env...)
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return cmd.ProcessState.ExitCode(), string(said)
}

// Each ends with status 80 and one line that names the setting, and nothing is started: no private
// PostgreSQL, which would leave its folder, no port and no connection to Discord.
func TestInvalidSettingStopsTheStart(t *testing.T) {
	t.Parallel()
	demoFolder := t.TempDir()
	if err := os.WriteFile(filepath.Join(demoFolder, "discord.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	web := []string{"serve", "--only", "web"}
	for name, tt := range map[string]struct {
		env     []string
		args    []string
		setting string
		want    string // part of the line
	}{
		"no token":                        {args: []string{"serve"}, setting: "DISCORD_TOKEN", want: "it is missing"},
		"a token with a space":            {args: []string{"serve"}, env: []string{"DISCORD_TOKEN=Bot abc"}, setting: "DISCORD_TOKEN", want: "want the token alone"},
		"a demo's folder":                 {args: []string{"serve", "--data", demoFolder}, env: []string{"DISCORD_TOKEN=1"}, setting: "DATA_DIR", want: "holds a demo"},
		"a folder that is a file":         {args: web, env: []string{"DATA_DIR=" + binary}, setting: "DATA_DIR", want: "no folder"},
		"an id without a secret":          {args: web, env: []string{"DISCORD_CLIENT_ID=1"}, setting: "DISCORD_CLIENT_SECRET", want: "belong together"},
		"a secret without an id":          {args: web, env: []string{"DISCORD_CLIENT_SECRET=1"}, setting: "DISCORD_CLIENT_ID", want: "belong together"},
		"an id that is a name":            {args: web, env: []string{"DISCORD_CLIENT_ID=maple", "DISCORD_CLIENT_SECRET=1"}, setting: "DISCORD_CLIENT_ID", want: "want the number"},
		"a moderator by name":             {args: web, env: []string{"MODERATORS=872031946600157194, maple"}, setting: "MODERATORS", want: `"maple" is no Discord id`},
		"an unknown language":             {args: web, env: []string{"LANGUAGES=en,tlh"}, setting: "LANGUAGES", want: `"tlh" is no language of Tradepost: want some of en, de`},
		"a role by name":                  {args: web, env: []string{"MODERATOR_ROLES=guards"}, setting: "MODERATOR_ROLES", want: `"guards" is no Discord id`},
		"a database of another kind":      {args: web, env: []string{"DATABASE_URL=mysql://u:hush@db/x"}, setting: "DATABASE_URL", want: "want postgres://"},
		"a database without an address":   {args: web, env: []string{"DATABASE_URL=db.example"}, setting: "DATABASE_URL", want: "want postgres://"},
		"a bad port of the database":      {args: web, env: []string{"DATABASE_URL=postgres://u:hush@db:x/y"}, setting: "DATABASE_URL", want: "want postgres://"},
		"a bad database to migrate":       {args: []string{"migrate"}, env: []string{"DATABASE_URL=nowhere"}, setting: "DATABASE_URL", want: "want postgres://"},
		"a bad database to check":         {args: []string{"check"}, env: []string{"DATABASE_URL=nowhere"}, setting: "DATABASE_URL", want: "want postgres://"},
		"a bad database to back up":       {args: []string{"backup", "x"}, env: []string{"DATABASE_URL=nowhere"}, setting: "DATABASE_URL", want: "want postgres://"},
		"a bad database to restore":       {args: []string{"restore", "x"}, env: []string{"DATABASE_URL=nowhere"}, setting: "DATABASE_URL", want: "want postgres://"},
		"backups at no time":              {args: []string{"backup", "x"}, env: []string{"BACKUP_EVERY=daily"}, setting: "BACKUP_EVERY", want: "such as 500ms or 24h"},
		"no backup kept":                  {args: []string{"backup", "x"}, env: []string{"BACKUP_KEEP=0"}, setting: "BACKUP_KEEP", want: "1 or more"},
		"a negative request limit":        {args: web, env: []string{"REQUEST_LIMIT=-1"}, setting: "REQUEST_LIMIT", want: "want a whole number of 1 or more"},
		"a request limit in words":        {args: web, env: []string{"REQUEST_LIMIT=many"}, setting: "REQUEST_LIMIT", want: "want a whole number of 1 or more"},
		"a negative limit by a flag":      {args: append(web, "--request-limit=-1"), setting: "REQUEST_LIMIT", want: "want a whole number of 1 or more"},
		"a negative write limit":          {args: web, env: []string{"WRITE_LIMIT=-5"}, setting: "WRITE_LIMIT", want: "1 or more"},
		"a negative limit of clients":     {args: web, env: []string{"CONNECTIONS_PER_CLIENT=-1"}, setting: "CONNECTIONS_PER_CLIENT", want: "want a whole number of 0 or more"},
		"no connections":                  {args: web, env: []string{"CONNECTION_LIMIT=0"}, setting: "CONNECTION_LIMIT", want: "1 or more"},
		"a negative shutdown delay":       {args: web, env: []string{"SHUTDOWN_DELAY=-1s"}, setting: "SHUTDOWN_DELAY", want: "want 0 or more"},
		"a quota without a unit":          {args: web, env: []string{"NEW_REQUESTS=20"}, setting: "NEW_REQUESTS", want: "such as 20/h or 5/day"},
		"a quota in words":                {args: web, env: []string{"OFFERS=many/h"}, setting: "OFFERS", want: `"many/h" is no quota`},
		"a quota of an unknown unit":      {args: web, env: []string{"REPORTS=5/year"}, setting: "REPORTS", want: "such as 20/h or 5/day"},
		"fewer than no open requests":     {args: web, env: []string{"OPEN_REQUESTS=-1"}, setting: "OPEN_REQUESTS", want: "0 or more"},
		"too many open requests":          {args: web, env: []string{"OPEN_REQUESTS=1001"}, setting: "OPEN_REQUESTS", want: "up to 1000"},
		"a shutdown delay without a unit": {args: web, env: []string{"SHUTDOWN_DELAY=5"}, setting: "SHUTDOWN_DELAY", want: "such as 500ms"},
		"an address to listen on":         {args: web, env: []string{"LISTEN=nowhere"}, setting: "LISTEN", want: "want HOST:PORT"},
		"a port that is too high":         {args: web, env: []string{"LISTEN=127.0.0.1:70000"}, setting: "LISTEN", want: "want HOST:PORT"},
		"an address for metrics":          {args: web, env: []string{"METRICS_LISTEN=9090"}, setting: "METRICS_LISTEN", want: "want HOST:PORT"},
		"a public address without http":   {args: web, env: []string{"PUBLIC_URL=trade.example"}, setting: "PUBLIC_URL", want: "want something like https://trade.example"},
		"a public address with a path":    {args: web, env: []string{"PUBLIC_URL=https://trade.example/market"}, setting: "PUBLIC_URL", want: "want something like https://trade.example"},
		"proxies":                         {args: web, env: []string{"TRUSTED_PROXIES=caddy"}, setting: "TRUSTED_PROXIES", want: "caddy"},
		"no proxies and one":              {args: web, env: []string{"TRUSTED_PROXIES=none,10.0.0.1"}, setting: "TRUSTED_PROXIES", want: "stands alone"},
		"a network that is too narrow":    {args: web, env: []string{"TRUSTED_PROXIES=10.0.0.0/33"}, setting: "TRUSTED_PROXIES", want: "10.0.0.0/33"},
		"IPv4 written as IPv6":            {args: web, env: []string{"TRUSTED_PROXIES=::ffff:10.0.0.1"}, setting: "TRUSTED_PROXIES", want: "is no network"},
		"a log level":                     {args: web, env: []string{"LOG_LEVEL=loud"}, setting: "LOG_LEVEL", want: "want debug, info, warn or error"},
		"a log format":                    {args: web, env: []string{"LOG_FORMAT=xml"}, setting: "LOG_FORMAT", want: "want one of auto, text, json"},
		"a colour":                        {args: append(web, "--accent", "green"), setting: "ACCENT", want: "green"},
		"a logo":                          {args: append(web, "--logo", binary), setting: "LOGO", want: binary},
		"a logo that is not there":        {args: web, env: []string{"LOGO=nowhere.svg"}, setting: "LOGO", want: "nowhere.svg"},
		"items that are not there":        {args: web, env: []string{"ITEMS=nowhere.txt"}, setting: "ITEMS", want: "nowhere.txt"},
		"a game":                          {args: append(web, "--game", binary), setting: "GAME", want: "it is no JSON"},
		"a game that is not there":        {args: web, env: []string{"GAME=nowhere.json"}, setting: "GAME", want: "nowhere.json"},
		"a game of a demo":                {args: []string{"demo"}, env: []string{"GAME=nowhere.json"}, setting: "GAME", want: "nowhere.json"},
		"a secret that is not there":      {args: []string{"serve"}, env: []string{"DISCORD_TOKEN_FILE=/nowhere/token"}, setting: "DISCORD_TOKEN", want: "/nowhere/token"},
		"notices for a minute":            {args: web, env: []string{"KEEP_NOTICES=1m"}, setting: "KEEP_NOTICES", want: "want at least 24h"},
		"keys for less than answers":      {args: web, env: []string{"KEEP_KEYS=59m"}, setting: "KEEP_KEYS", want: "want at least 1h"},
		"a span without a unit":           {args: web, env: []string{"KEEP_CLOSED=90"}, setting: "KEEP_CLOSED", want: "want 90d"},
		"a negative span":                 {args: web, env: []string{"KEEP_ARCHIVED=-90d"}, setting: "KEEP_ARCHIVED", want: "want 90d"},
		"a public address without TLS":    {args: web, env: []string{"PUBLIC_URL=http://trade.example"}, setting: "PUBLIC_URL", want: "set https://trade.example"},
		"an address of the LAN":           {args: web, env: []string{"PUBLIC_URL=http://192.168.1.7:8080"}, setting: "PUBLIC_URL", want: "reverse proxy with TLS"},
		"a name like this machine's":      {args: web, env: []string{"PUBLIC_URL=http://localhost.example"}, setting: "PUBLIC_URL", want: "unencrypted"},
		"no public address":               {args: web, env: []string{"LISTEN=0.0.0.0:0"}, setting: "PUBLIC_URL", want: "other machines reach the page"},
		"a contact without a scheme":      {args: web, env: []string{"SECURITY_CONTACT=security@trade.example"}, setting: "SECURITY_CONTACT", want: "mailto:"},
		"edits without a pause":           {args: []string{"serve"}, env: []string{"DISCORD_TOKEN=1", "DISCORD_EDIT_EVERY=0s"}, setting: "DISCORD_EDIT_EVERY", want: "want 1s to 24h"},
		"conversations without a pause":   {args: []string{"serve"}, env: []string{"DISCORD_TOKEN=1", "DISCORD_OPEN_DM_PAUSE=0s"}, setting: "DISCORD_OPEN_DM_PAUSE", want: "want 1s to 24h"},
		"a stand-in elsewhere":            {args: web, env: []string{"DISCORD_API_URL=https://discord.example"}, setting: "DISCORD_API_URL", want: "would get the bot's token"},
		"a stand-in that looks near":      {args: web, env: []string{"DISCORD_API_URL=http://127.0.0.1@discord.example"}, setting: "DISCORD_API_URL", want: "write it as"},
		"a stand-in in the network":       {args: web, env: []string{"DISCORD_API_URL=http://192.168.1.7:8081"}, setting: "DISCORD_API_URL", want: "must run on this one"},
		"a stand-in":                      {args: web, env: []string{"DISCORD_API_URL=ftp://x"}, setting: "DISCORD_API_URL", want: "write it as"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			status, out := attempt(t, dir, tt.env, tt.args...)
			if status != 80 || !strings.HasPrefix(out, "tradepost: "+tt.setting+": ") || !strings.Contains(out, tt.want) || strings.Count(out, "\n") != 1 {
				t.Errorf("status %d, printed %q; want 80 and one line about %s with %q", status, out, tt.setting, tt.want)
			}
			if strings.Contains(out, "hush") {
				t.Errorf("a password is printed: %s", out)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v were started or written (%v)", left, err)
			}
		})
	}
}

func TestSeveralWrongSettingsAreNamedTogether(t *testing.T) {
	t.Parallel()
	status, out := attempt(t, t.TempDir(), []string{
		"REQUEST_LIMIT=-1", "WRITE_LIMIT=many", "PUBLIC_URL=trade.example", "TRUSTED_PROXIES=caddy", "GAME=nowhere.json", "LOG_FORMAT=xml",
		"DISCORD_CLIENT_SECRET_FILE=/nowhere/secret", "DATABASE_URL=mysql://db", "MODERATORS=maple", "SHUTDOWN_DELAY=soon",
		"BACKUP_KEEP=0",  // of another command
		"LOG_LEVEL=loud", // a flag takes its place
	}, "serve", "--log-level", "warn", "--only", "web", "--accent", "green")
	var named []string
	for line := range strings.Lines(out) {
		_, rest, _ := strings.Cut(line, "tradepost: ")
		setting, _, _ := strings.Cut(rest, ":")
		named = append(named, setting)
	}
	slices.Sort(named)
	want := []string{"ACCENT", "DATABASE_URL", "DISCORD_CLIENT_SECRET", "GAME", "LOG_FORMAT", "MODERATORS", "PUBLIC_URL", "REQUEST_LIMIT", "SHUTDOWN_DELAY",
		"TRUSTED_PROXIES", "WRITE_LIMIT"}
	if status != 80 || !slices.Equal(named, want) {
		t.Errorf("status %d, named %v, want 80 and %v:\n%s", status, named, want, out)
	}
}

func TestARenamedVariableIsStillReadWithAWarning(t *testing.T) {
	t.Parallel()
	status, out := attempt(t, t.TempDir(), []string{"FAREWELL=soon"}, "serve", "--only", "web")
	if status != 80 || !strings.Contains(out, "SHUTDOWN_DELAY: \"soon\" is no duration") {
		t.Errorf("status %d, want 80 and the new name with the old variable's value:\n%s", status, out)
	}
	if !strings.Contains(out, "warning: FAREWELL is now called SHUTDOWN_DELAY") {
		t.Errorf("no warning:\n%s", out)
	}
	_, out = attempt(t, t.TempDir(), []string{"FAREWELL=soon", "SHUTDOWN_DELAY=1s", "DATABASE_URL=nowhere"}, "serve", "--only", "web")
	if strings.Contains(out, "SHUTDOWN_DELAY") {
		t.Errorf("the old name has replaced the new one:\n%s", out)
	}
}

func TestAnEmptyVariableIsLeftOut(t *testing.T) {
	t.Parallel()
	_, out := attempt(t, t.TempDir(), []string{
		"REQUEST_LIMIT=", "SHUTDOWN_DELAY=", "TRUSTED_PROXIES=", "LOG_LEVEL=", "LOG_FORMAT=", "GAME=", "LOGO=", "VISITOR_OFFERS=", "VISITOR_LIMIT=",
		"OPEN_REQUESTS=", "NEW_REQUESTS=", "DM_PAIR=", "CONNECTIONS_PER_CLIENT=", "SUSPICIOUS_PHRASES=",
		"DATABASE_URL=nowhere",
	}, "serve", "--only", "web")
	if !strings.HasPrefix(out, "tradepost: DATABASE_URL: ") || strings.Count(out, "\n") != 1 {
		t.Errorf("printed %s", out)
	}
}

// What is not the settings' fault may be different at the next start.
func TestAFailureThatMayPassHasAnotherStatus(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	config, err := pgconn.ParseConfig(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	nowhere := fmt.Sprintf("host=%s port=%d user=%s dbname=nothing", config.Host, config.Port, config.User)
	for name, tt := range map[string]struct{ setting, want string }{
		"no such database":   {"DATABASE_URL=" + nowhere, "connect to the database"},
		"an address in use":  {"LISTEN=" + taken.Addr().String(), "is taken by another program"},
		"an unknown address": {"LISTEN=nowhere.invalid:8080", "--listen"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out := attempt(t, t.TempDir(), []string{"DATABASE_URL=postgres://127.0.0.1:1/nothing", "PUBLIC_URL=https://trade.example", tt.setting}, "serve", "--only", "web")
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if last := lines[len(lines)-1]; status != 1 || !strings.HasPrefix(last, "tradepost: ") || !strings.Contains(last, tt.want) {
				t.Errorf("status %d, printed %s", status, out)
			}
		})
	}
}

func TestDoctorListsEveryWrongSetting(t *testing.T) {
	t.Parallel()
	status, out := attempt(t, t.TempDir(), []string{
		"REQUEST_LIMIT=-1", "WRITE_LIMIT=many", "TRUSTED_PROXIES=caddy", "GAME=nowhere.json", "DISCORD_TOKEN_FILE=/nowhere/token", "MODERATORS=maple",
		"DATABASE_URL=" + pgtest.New(t), "DISCORD_API_URL=http://127.0.0.1:1",
	}, "doctor")
	says(t, out, "✗ the settings", "REQUEST_LIMIT: -1 is too small", "WRITE_LIMIT: \"many\"", "TRUSTED_PROXIES: ", "GAME: ", "/nowhere/token", "MODERATORS: ",
		"✓ the database", "! Discord's address: a stand-in takes the place of Discord")
	if status != 1 {
		t.Errorf("status %d", status)
	}
}

func TestAPrivateDatabaseThatOthersReachIsWarnedOf(t *testing.T) {
	t.Parallel()
	const warning = "the private PostgreSQL is a beta build"
	for listen, warned := range map[string]bool{"127.0.0.1:0": false, "[::1]:0": false, "localhost:0": false, "0.0.0.0:0": true, ":0": true} {
		if _, out := attempt(t, t.TempDir(), []string{"LISTEN=" + listen}, "doctor"); strings.Contains(out, "✗ the database") != warned ||
			strings.Contains(out, warning) != warned || warned && !strings.Contains(out, "set DATABASE_URL") {
			t.Errorf("LISTEN=%s: warned of it should be %t:\n%s", listen, warned, out)
		}
	}
}
