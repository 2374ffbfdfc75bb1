// Package doctor has the commands that check the configuration and the health of a market.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tradepost/bot/discord"
	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/disk"
	"tradepost/cmd/tradepost/install"
	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/pgconnect"
)

// Command is the command that checks a set-up, and explains problems and their fixes in plain words. It has
// the settings of serve, and reports the same errors in them as serve does.
type Command struct {
	JSON bool `name:"json" help:"Print what was found as JSON, for programs."`
	settings.Market
	settings.BackupRecipients
}

// Wrong returns the errors in the settings.
func (d *Command) Wrong() settings.WrongSettings {
	return slices.Concat(d.Market.Wrong(), d.BackupRecipients.Wrong())
}

// examination is one thing that is looked at.
type examination struct {
	id   string // for programs, and for the page to translate
	what string
	look func(context.Context) error
}

// Run prints a line for each thing and returns an error when one of them is wrong.
func (d *Command) Run(
	ctx context.Context, wrong settings.WrongSettings, place install.Place, app *kong.Kong,
) error {
	values := examination{"settings", "the settings", func(context.Context) error {
		if len(wrong) > 0 {
			return wrong
		}
		return nil
	}}
	var figures Figures
	return d.say(os.Stdout, examine(ctx, &figures, append([]examination{
		{"place", "where the settings are", func(context.Context) error { return sayPlace(place) }},
		values,
		{"names", "names in .env", func(context.Context) error {
			return namesAreKnown(settings.UnknownSettings(settings.EnvFile, app.Model))
		}},
		{"secrets", "the secrets",
			func(context.Context) error { return areSecret(filesOf(secretNames(app.Model))) }},
	}, d.examinations(wrong, &figures)...)))
}

// keyIsShared returns an error when several processes serve from a database that also keeps the key of
// its hashes.
func keyIsShared(ctx context.Context, dsn string) error {
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database is not reached")
	}
	defer pool.Close()
	var replicas int
	const listening = "select count(*) from pg_stat_activity where datname = current_database() " +
		"and application_name = 'tradepost changes'"
	if err := pool.QueryRow(ctx, listening).Scan(&replicas); err != nil {
		return fmt.Errorf("count the processes: %w", err)
	}
	if replicas > 1 {
		return fmt.Errorf("%d processes share the database and IDENTITY_KEY is not set: "+
			"the key of deleted accounts is in the database, beside what it hides. "+
			"Set the same IDENTITY_KEY for every process, and keep it with the backups", replicas)
	}
	return found("kept in the database and its backups, as IDENTITY_KEY is not set")
}

// notNeeded is why something was not looked at.
type notNeeded string

func (n notNeeded) Error() string { return string(n) }

// found is the result of a successful examination.
type found string

func (f found) Error() string { return string(f) }

// caution is a warning to the operator, although the market runs.
type caution string

func (c caution) Error() string { return string(c) }

// examinations returns the examinations that follow the settings. It skips the subject of a wrong setting.
func (d *Command) examinations(wrong settings.WrongSettings, figures *Figures) []examination {
	var app discord.Inspection
	unasked := errors.New("not asked") // why Discord has not answered, nil once it has
	atDiscord := func(look func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			switch away := (errDiscordAway{}); {
			case errors.As(unasked, &away):
				return notNeeded("not looked at, as Discord does not answer")
			case unasked != nil:
				return notNeeded("not looked at, as the token is not good")
			}
			return look(ctx)
		}
	}
	with := func(setting string, look func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			if slices.ContainsFunc(wrong, func(s settings.WrongSetting) bool { return s.Name == setting }) {
				return notNeeded("not looked at, as " + setting + " is wrong")
			}
			return look(ctx)
		}
	}
	up := false // the market answers here
	whenUp := func(look func(context.Context) error) func(context.Context) error {
		return with("PUBLIC_URL", func(ctx context.Context) error {
			if !up {
				return notNeeded("not looked at, as the market does not answer here")
			}
			return look(ctx)
		})
	}
	return []examination{
		{"address", "the address that people open", with("PUBLIC_URL", func(context.Context) error {
			if d.PublicURL == "" {
				return errors.New("PUBLIC_URL is not set: links in messages lead to this machine only. " +
					"Set it to the address that people open")
			}
			_, err := PublicAddress(d.PublicURL)
			return err
		})},
		{"game", "the game", with("GAME", func(context.Context) error {
			if d.Game == "" {
				return notNeeded("the one that comes along")
			}
			_, err := d.GameFile.Load()
			return err
		})},
		{"database", "the database", with("DATABASE_URL", func(ctx context.Context) error {
			if d.DatabaseURL == "" {
				if !settings.OnLoopback(d.Listen) {
					return fmt.Errorf("LISTEN is %s, so other machines reach the market: %s", d.Listen,
						database.PrivateIsBeta)
				}
				return notNeeded("a private PostgreSQL in " + d.Data + ", a beta build for trying things out")
			}
			if err := ReachesDatabase(ctx, d.DatabaseURL); err != nil {
				return err
			}
			return isEncrypted(ctx, d.DatabaseURL)
		})},
		{"pooler", "the pooler", with("DATABASE_POOLER_URL",
			func(ctx context.Context) error { return reachesPooler(ctx, d.Database) })},
		{"roles", "the database's roles",
			func(ctx context.Context) error { return rolesAreTwo(ctx, d.Database) }},
		{"tables", "the tables in the database", func(ctx context.Context) error {
			if d.DatabaseURL == "" {
				return notNeeded("the private PostgreSQL's are brought up to date at the start")
			}
			return schemaFits(ctx, d.DatabaseURL)
		}},
		{"alerts", "alerts to watchers", func(ctx context.Context) error {
			return watchersAreAlerted(ctx,
				d.DatabaseURL)
		}},
		{"late", "messages, handovers and expiries", with("DATABASE_URL", func(ctx context.Context) error {
			if d.DatabaseURL == "" {
				return notNeeded("the private PostgreSQL runs with the market; look at its log")
			}
			return nothingIsLate(ctx, d.Database, d.FeatureList)
		})},
		{"disk", "the disk", func(context.Context) error { return hasSpace(d.Data, disk.Of, figures) }},
		{"clock", "the clock", func(ctx context.Context) error {
			if d.DatabaseURL == "" {
				return notNeeded("a private PostgreSQL shares this machine's clock")
			}
			return clockIsRight(ctx, d.Database)
		}},
		{"encryption", "backups",
			func(context.Context) error { return backupsAreEncrypted(d.BackupRecipients) }},
		{"backup", "the last backup",
			func(ctx context.Context) error { return backupIsRecent(ctx, d.Database, figures) }},
		{"discord-address", "Discord's address", func(context.Context) error {
			if warning := d.DiscordAddress.Warning(); warning != "" {
				return caution(warning)
			}
			return nil
		}},
		{"identity-key", "the key of deleted accounts", func(ctx context.Context) error {
			if d.DatabaseURL == "" || d.IdentityKey != "" {
				return nil
			}
			return keyIsShared(ctx, d.DatabaseURL)
		}},
		{"token", "the bot's token", with("DISCORD_TOKEN", with("DISCORD_API_URL", func(
			ctx context.Context,
		) error {
			if d.DiscordToken == "" {
				return notNeeded("the page runs alone, with --only web")
			}
			transport, err := d.Transport()
			if err != nil {
				return err
			}
			app, unasked = Inspect(ctx, d.DiscordToken, transport, d.Threads())
			return unasked
		}))},
		{"application", "the application that the token belongs to", atDiscord(func(context.Context) error {
			if d.DiscordClientID != "" && d.DiscordClientID != app.ApplicationID {
				return fmt.Errorf("DISCORD_CLIENT_ID is %s, and the token belongs to %s: "+
					"take both from the same application", d.DiscordClientID, app.ApplicationID)
			}
			return nil
		})},
		{"interactions", "where Discord sends interactions",
			atDiscord(func(context.Context) error { return sentToBot(app) })},
		{"client-secret", "the client secret, with which people sign in",
			with("DISCORD_CLIENT_SECRET", with("DISCORD_API_URL", func(ctx context.Context) error {
				if d.DiscordClientID == "" || d.DiscordClientSecret == "" {
					return errors.New("DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET are not both set: " +
						"nobody can sign in on the page")
				}
				public, err := PublicAddress(cmp.Or(d.PublicURL, "http://localhost"))
				if err != nil {
					return notNeeded("not looked at, as the address is not good")
				}
				if away := (errDiscordAway{}); errors.As(unasked, &away) {
					return notNeeded("not looked at, as Discord does not answer")
				}
				return d.SignIn().CheckSecret(ctx, public)
			}))},
		{"redirect", "the redirect address at Discord", with("PUBLIC_URL", atDiscord(func(
			context.Context,
		) error {
			return Registered(app, strings.TrimRight(d.PublicURL, "/")+"/auth/discord/callback")
		}))},
		{"server", "the bot in your server", atDiscord(func(context.Context) error {
			return Invited(app,
				d.Threads())
		})},
		{"pings", "roles to ping",
			atDiscord(func(context.Context) error { return pingsRoles(app, d.Threads()) })},
		{"trader-roles", "roles of established traders", with("DATABASE_URL",
			func(ctx context.Context) error { return rolesAreGiven(ctx, d.DatabaseURL) })},
		{"inviting", "who may invite the bot", atDiscord(func(context.Context) error {
			return WhoInvites(app,
				len(settings.Trimmed(d.Servers)))
		})},
		{"market", "the running market", with("LISTEN", func(ctx context.Context) error {
			if d.Only == "bot" {
				return notNeeded("the bot runs alone, with --only bot")
			}
			err := marketRuns(ctx, d.Listen)
			up = err == nil
			return err
		})},
		{"reached", "the market as people reach it", whenUp(func(ctx context.Context) error {
			err := answersAt(ctx, d.PublicURL)
			up = err == nil
			return err
		})},
		{"certificate", "the certificate", whenUp(func(ctx context.Context) error {
			return certificateLasts(ctx, d.PublicURL, nil, figures)
		})},
		{"visitors", "the address that visitors are seen from",
			whenUp(func(ctx context.Context) error { return seenFrom(ctx, d.PublicURL, d.TrustedProxies) })},
	}
}

// answersAt asks the market at the address that people open.
func answersAt(ctx context.Context, public string) error {
	if public == "" {
		return notNeeded("PUBLIC_URL is not set")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimRight(public, "/")+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("nothing answers at %s: look at the reverse proxy, "+
			"the DNS record and the firewall (%w)", public, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1000))
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"up"`) {
		return fmt.Errorf("%s answers, but it is not the market (%s): look at where the reverse proxy leads",
			public, resp.Status)
	}
	return nil
}

// clockIsRight compares this machine's clock with the database's.
func clockIsRight(ctx context.Context, db settings.Database) error {
	pool, err := pgconnect.Open(ctx, db.DatabaseURL, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not compared, as the database does not answer")
	}
	defer pool.Close()
	clock := pgconnect.NewClock(database.HostClock(db))
	if err := clock.Measure(ctx, pool); err != nil {
		return err
	}
	if !clock.Reliable() {
		return fmt.Errorf("this machine's clock is %s: check NTP on both machines. "+
			"The market follows the database's time", aheadOrBehind(-clock.Offset()))
	}
	return nil
}

// reachesPooler reports whether the pooler, if there is one, leads to the database.
func reachesPooler(ctx context.Context, db settings.Database) error {
	if db.PoolerURL == "" {
		return notNeeded("none; many replicas share connections through one (DATABASE_POOLER_URL)")
	}
	direct, err := database.WithSessions(ctx, "DATABASE_URL", db.DatabaseURL)
	if err != nil {
		return notNeeded("not looked at, as the database is not reached")
	}
	defer direct.Close()
	var warned strings.Builder
	err = database.CheckPooler(ctx, direct, db.PoolerURL, slog.New(slog.NewTextHandler(&warned, nil)))
	if plain := pgconnect.Explain(err); plain != "" {
		return errors.New(strings.ReplaceAll(plain, "DATABASE_URL", "DATABASE_POOLER_URL"))
	}
	if err == nil && warned.Len() > 0 {
		return caution(database.PoolerUnlimited)
	}
	return err
}

// aheadOrBehind describes a clock's offset from the database's.
func aheadOrBehind(ahead time.Duration) string {
	if ahead < 0 {
		return (-ahead).Round(time.Second).String() + " behind the database's"
	}
	return ahead.Round(time.Second).String() + " ahead of the database's"
}

func isEncrypted(ctx context.Context, address string) error {
	pool, err := pgconnect.Open(ctx, address, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	if encrypted, err := pgconnect.Encrypted(ctx, pool); err != nil || encrypted {
		return err
	}
	return caution(pgconnect.NotEncrypted)
}

// ReachesDatabase reports whether there is a database at the address that the market can use.
func ReachesDatabase(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	pool, err := database.WithSessions(ctx, "DATABASE_URL", address)
	if err != nil {
		if plain := pgconnect.Explain(err); plain != "" {
			return errors.New(plain)
		}
		return err
	}
	defer pool.Close()
	var version int
	err = pool.QueryRow(ctx, "select current_setting('server_version_num')::int / 10000").Scan(&version)
	if err != nil {
		return fmt.Errorf("ask the database for its version: %w", err)
	}
	if version < 15 {
		return fmt.Errorf("it is PostgreSQL %d; 15 or newer is needed", version)
	}
	return nil
}
