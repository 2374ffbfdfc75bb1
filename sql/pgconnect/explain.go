package pgconnect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// Explain says in plain words why a database cannot be used, and what helps. It returns an empty text for
// an error that is not about reaching or entering it. The text contains no password.
func Explain(err error) string {
	var (
		pg      *pgconn.PgError
		connect *pgconn.ConnectError
	)
	if errors.Is(err, ErrNoSession) {
		return "This is a pooler, such as PgBouncer in transaction mode, where a connection has no session " +
			"of its own. The market listens and holds locks at DATABASE_URL: set it to PostgreSQL itself, " +
			"and DATABASE_POOLER_URL to the pooler."
	}
	hasConfig := errors.As(err, &connect) && connect.Config != nil
	if errors.As(err, &pg) {
		user, database := "the user", "the database"
		if hasConfig {
			user, database = fmt.Sprintf("the user %q", connect.Config.User),
				fmt.Sprintf("the database %q", connect.Config.Database)
		}
		return refusal(pg, user, database)
	}
	if !hasConfig {
		return ""
	}
	network, address := pgconn.NetworkAddress(connect.Config.Host, connect.Config.Port)
	return silence(err, network, address, connect.Config.Host)
}

// refusal explains what a server answered (https://www.postgresql.org/docs/current/errcodes-appendix.html).
func refusal(pg *pgconn.PgError, user, database string) string {
	switch pg.Code {
	case "28P01":
		return fmt.Sprintf("PostgreSQL does not accept the password of %s. Check it in DATABASE_URL, "+
			"or set a new one: \\password in psql.", user)
	case "28000":
		if strings.Contains(pg.Message, "does not exist") {
			return fmt.Sprintf("PostgreSQL does not know %s. "+
				"Create it: createuser NAME, as the user postgres.", user)
		}
		return fmt.Sprintf("PostgreSQL does not let %s in from here. "+
			"Over a socket the system's user must have the same name; otherwise see pg_hba.conf.", user)
	case "3D000":
		return fmt.Sprintf("There is no database of that name: %s. "+
			"Create it: createdb --owner USER NAME, as the user postgres.", database)
	case "42501":
		return fmt.Sprintf("%s may not do this in %s: %s. "+
			"Make it the owner: alter database NAME owner to USER.", capital(user), database, pg.Message)
	case "53300":
		return "PostgreSQL has no connection left. Raise max_connections there, or stop what else uses it."
	case "53100":
		return "The disk of PostgreSQL is full. Free some space there."
	case "57P03":
		return "PostgreSQL is just starting or stopping. Try again in a moment."
	case "25006":
		return "This PostgreSQL only reads: it is a standby. Name the primary in DATABASE_URL."
	}
	return ""
}

// silence explains why no server answered.
func silence(err error, network, address, host string) string {
	var (
		dns  *net.DNSError
		slow net.Error
	)
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("There is no machine called %q. Check the name in DATABASE_URL.", host)
	case network == "unix" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)):
		return fmt.Sprintf("Nothing answers at the socket %s. Is PostgreSQL running on this machine?",
			address)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("Nothing answers at %s. Is PostgreSQL running there?", address)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("This user may not open %s. Run as the user of the market.", address)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout(),
		errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return fmt.Sprintf("%s does not answer. Is the address right, "+
			"and does a firewall let this machine through?", address)
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return fmt.Sprintf("PostgreSQL at %s does not offer TLS. "+
			"Add ?sslmode=disable to DATABASE_URL where the network is private.", address)
	}
	return ""
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
