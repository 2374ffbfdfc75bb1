package pgconnect_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
)

func TestAFailedConnectionIsExplained(t *testing.T) {
	t.Parallel()
	there, err := pgconn.ParseConfig(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	at := func(host, user, database string) string {
		return "postgres://" + user + ":hush@/" + database + "?sslmode=disable&connect_timeout=1&host=" + url.QueryEscape(host) + fmt.Sprintf("&port=%d", there.Port)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	for name, tt := range map[string]struct{ dsn, want string }{
		"nothing listens":     {"postgres://127.0.0.1:1/market", "Nothing answers at 127.0.0.1:1. Is PostgreSQL running there?"},
		"no socket":           {at(t.TempDir(), "market", "market"), "Is PostgreSQL running on this machine?"},
		"no such machine":     {"postgres://nowhere.invalid/market", `There is no machine called "nowhere.invalid". Check the name in DATABASE_URL.`},
		"no such database":    {at(there.Host, there.User, "nothing"), `There is no database of that name: the database "nothing". Create it: createdb --owner USER NAME, as the user postgres.`},
		"no such user":        {at(there.Host, "nobody", there.Database), `PostgreSQL does not know the user "nobody". Create it: createuser NAME, as the user postgres.`},
		"a server that hangs": {"postgres://" + silent.Addr().String() + "/market?sslmode=disable&connect_timeout=1", "does not answer. Is the address right, and does a firewall let this machine through?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err := pgconnect.Open(ctx, tt.dsn, pgconnect.Options{})
			if got := pgconnect.Explain(err); !strings.HasSuffix(got, tt.want) || strings.Contains(got, "hush") {
				t.Errorf("explained as %q, want %q; the error is %v", got, tt.want, err)
			}
		})
	}
	for code, want := range map[string]string{
		"28P01": "does not accept the password", "28000": "does not let", "42501": "alter database", "53300": "max_connections", "53100": "disk of PostgreSQL is full",
		"57P03": "just starting or stopping", "25006": "it is a standby", "23505": "",
	} {
		if got := pgconnect.Explain(&pgconn.PgError{Code: code}); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s is explained as %q, want %q in it", code, got, want)
		}
	}
	if got := pgconnect.Explain(errors.New("something else")); got != "" {
		t.Errorf("another error is explained as %q", got)
	}
}
