package main_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

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
	newer := pgtest.New(t)
	conn, err := pgx.Connect(t.Context(), newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "insert into goose_db_version (version_id, is_applied) values (90001, true)"); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	database := func(user, name string) string {
		return fmt.Sprintf("DATABASE_URL=host=%s port=%d user=%s dbname=%s sslmode=disable", config.Host, config.Port, user, name)
	}
	for name, tt := range map[string]struct {
		broken []string // variables; h: marks what is done to the host's Discord or folder
		do     func(h *host)
		want   string
	}{
		"no address":                  {broken: []string{"PUBLIC_URL="}, want: "Set it to the address that people open"},
		"an address with a path":      {broken: []string{"PUBLIC_URL=https://trade.example/market"}, want: "only the site itself, without anything behind it"},
		"an address in the clear":     {broken: []string{"PUBLIC_URL=http://trade.example"}, want: "https://"},
		"nothing at the address":      {broken: []string{"PUBLIC_URL=http://127.0.0.1:1"}, want: "look at the reverse proxy, the DNS record and the firewall"},
		"another site at the address": {broken: []string{"PUBLIC_URL=" + elsewhere.URL}, want: "look at where the reverse proxy leads"},
		"no market":                   {want: "not running"},
		"no database server":          {broken: []string{"DATABASE_URL=postgres://127.0.0.1:1/market"}, want: "Nothing answers at 127.0.0.1:1. Is PostgreSQL running there?"},
		"an unknown machine":          {broken: []string{"DATABASE_URL=postgres://nowhere.invalid/market"}, want: `There is no machine called "nowhere.invalid". Check the name in DATABASE_URL.`},
		"no database":                 {broken: []string{database(config.User, "nothing")}, want: "Create it: createdb --owner USER NAME"},
		"no user at the database":     {broken: []string{database("nobody", config.Database)}, want: "Create it: createuser NAME"},
		"an address of another kind":  {broken: []string{"DATABASE_URL=mysql://127.0.0.1/market"}, want: "want postgres://user:password@host:5432/name"},
		"a newer database":            {broken: []string{"DATABASE_URL=" + newer}, want: "Install that release again, or restore the backup from before the upgrade"},
		"a private one for others":    {broken: []string{"DATABASE_URL=", "LISTEN=0.0.0.0:1"}, want: "set DATABASE_URL to a PostgreSQL 15 or newer of your own"},
		"a clock that is off":         {broken: []string{"CLOCK_OFFSET=-5m"}, want: "check NTP on both machines"},
		"no token":                    {broken: []string{"DISCORD_TOKEN="}, want: `The token is on the page "Bot" of your application`},
		"an old token":                {do: func(h *host) { h.discord.RevokeToken() }, want: `press "Reset Token" on the page "Bot" and copy the new one`},
		"the ID of another":           {broken: []string{"DISCORD_CLIENT_ID=111111111111111111"}, want: "take both from the same application"},
		"a wrong client secret":       {broken: []string{"DISCORD_CLIENT_SECRET=wrong"}, want: "✗ the client secret"},
		"no redirect":                 {want: `add it under "Redirects" at`},
		"a bot without permissions":   {do: func(h *host) { h.discord.SetBotPermissions(0) }, want: "give the bot's role these permissions, or invite it again with"},
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
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			env := []string{
				"DISCORD_API_URL=" + h.discord.URL(), "DISCORD_TOKEN=" + h.discord.Token(), "DISCORD_CLIENT_ID=" + h.discord.ClientID(),
				"DISCORD_CLIENT_SECRET=" + h.discord.ClientSecret(), "PUBLIC_URL=http://127.0.0.1:1", "DATABASE_URL=" + dsn, "LISTEN=127.0.0.1:1",
			}
			if tt.do != nil {
				tt.do(h)
			}
			status, out := attempt(t, h.dir, append(env, tt.broken...), "doctor")
			if says(t, out, tt.want); status != 1 || strings.Contains(out, "SQLSTATE") {
				t.Errorf("status %d:\n%s", status, out)
			}
		})
	}
}
