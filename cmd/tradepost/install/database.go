package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/joho/godotenv"
)

// socketDatabase is the market's database by PostgreSQL's socket on Debian, where the user's name is enough.
const socketDatabase = "postgres:///tradepost?host=/run/postgresql"

// makeDatabase are the commands that make the market's role and database. The role may make databases: in
// one of its own, a backup is tried.
var makeDatabase = []struct{ what, exists, command string }{
	{"add the database role " + User, "select 1 from pg_roles where rolname = '" + User + "'",
		"createuser --createdb " + User},
	{"make the database " + User, "select 1 from pg_database where datname = '" + User + "'",
		"createdb --owner " + User + " " + User},
}

// database makes the role and the database of a market that is not set up yet and has the settings that
// install wrote. It returns the steps that are left where PostgreSQL cannot be asked.
func (i *Command) database(ctx context.Context) (changes []change, left []string) {
	settings, err := godotenv.Read(i.at(filepath.Join(installedHome, ".env")))
	if i.isSetUp() || err == nil && settings["DATABASE_URL"] != socketDatabase ||
		err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it has one
	}
	asked := error(nil)
	if !i.isThis() {
		asked = errors.New("it is not asked for a machine in a folder")
	}
	for _, thing := range makeDatabase {
		if asked != nil {
			break
		}
		var there string
		if there, asked = asPostgres(ctx, "psql", "-XtAc", thing.exists); asked != nil {
			break
		}
		c := change{what: thing.what}
		if there != "1" {
			c.do = func(ctx context.Context) error {
				_, err := asPostgres(ctx, strings.Fields(thing.command)...)
				return err
			}
		}
		changes = append(changes, c)
	}
	if asked == nil {
		return changes, nil
	}
	left = []string{fmt.Sprintf("\nThe market has no database yet (%s). Once PostgreSQL runs here:", asked)}
	for _, thing := range makeDatabase {
		left = append(left, "    sudo -u postgres "+thing.command)
	}
	return changes, append(left, "One elsewhere needs neither: tradepost setup asks for its address.")
}

// asPostgres runs a command as the superuser of a PostgreSQL on this machine, and returns what it printed.
func asPostgres(ctx context.Context, command ...string) (string, error) {
	if _, err := exec.LookPath(command[0]); err != nil {
		return "", errors.New("PostgreSQL is not installed here")
	}
	if os.Geteuid() != 0 {
		return "", errors.New("only root may ask PostgreSQL")
	}
	cmd := exec.CommandContext(ctx, "runuser", append([]string{"-u", "postgres", "--"}, command...)...)
	cmd.Dir = "/" // the user postgres may enter it
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("PostgreSQL does not answer: %s",
			strings.Join(strings.Fields(string(out)), " "))
	}
	return strings.TrimSpace(string(out)), nil
}
