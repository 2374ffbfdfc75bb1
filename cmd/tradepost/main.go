// Command tradepost runs the market: its web page, its Discord bot, or both.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"tradepost/bot/discord"
	"tradepost/cmd/tradepost/backups"
	"tradepost/cmd/tradepost/demo"
	"tradepost/cmd/tradepost/doctor"
	"tradepost/cmd/tradepost/install"
	"tradepost/cmd/tradepost/settings"
	"tradepost/cmd/tradepost/setup"
	"tradepost/cmd/tradepost/version"
	"tradepost/dashboard"
	"tradepost/sql/pgconnect"
)

// commands lists the commands of the program. Every setting is a flag, an environment variable, and a file
// named by that variable with _FILE behind it.
type commands struct {
	Version kong.VersionFlag `help:"Print the version and exit."`

	Serve         serve                  `cmd:"" default:"withargs" help:"Run the market: the page and the bot."`
	Setup         setup.Command          `cmd:"" help:"Ask for the settings, check them and write them to .env."`
	Doctor        doctor.Command         `cmd:"" help:"Check the configuration and report problems."`
	Install       install.Command        `cmd:"" help:"Have systemd run the market on this machine: program, user, folders, units, nightly backup. Can be repeated."`
	Uninstall     install.Uninstall      `cmd:"" help:"Undo install. The market's folder, user and database stay."`
	Demo          demo.Command           `cmd:"" help:"Run a complete market with sample data and a stand-in for Discord."`
	Migrate       migrate                `cmd:"" help:"Migrate the database to this version and exit."`
	Configuration settings.Configuration `cmd:"" help:"Print a table of all settings."`
	OpenAPI       openAPI                `cmd:"" name:"openapi" help:"Print the OpenAPI description of the HTTP API."`
	Healthcheck   doctor.Healthcheck     `cmd:"" help:"Ask a running market for its health; exit status 0 if it is healthy."`
	Check         check                  `cmd:"" help:"Check the invariants of the stored data."`
	Items         itemsCommand           `cmd:"" help:"Manage the catalogue of items."`
	Backup        backups.Commands       `cmd:"" help:"Back up the market to a file while it runs."`
	Forget        forgetCommand          `cmd:"" help:"Delete what is stored about a user or a visitor."`
	Restore       backups.Restore        `cmd:"" help:"Restore a backup into a database."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	place := install.Place{}
	if len(args) > 0 && args[0] == "doctor" { // it is about the market that runs here, wherever it is asked
		var err error
		if place, err = install.FindSettings(); err != nil {
			return complain(err)
		}
	}
	if err := settings.ReadEnvFile(settings.EnvFile); err != nil {
		return complain(err)
	}
	parsed, wrong, err := parse(ctx, args)
	if err != nil {
		complain(err)
		return settings.ExitSettings
	}
	if _, lists := parsed.Selected().Target.Addr().Interface().(*doctor.Command); len(wrong) > 0 && !lists {
		return complain(wrong)
	}
	if err := parsed.Run(wrong, parsed, place); err != nil && !errors.Is(err, context.Canceled) {
		return complain(err)
	}
	return 0
}

// newParser returns the parser of the command line, with the settings that it has for commands.
func newParser(ctx context.Context) *kong.Kong {
	var cli commands
	parser, err := kong.New(&cli, kong.Name("tradepost"), kong.UsageOnError(),
		kong.Description("A community market for in-game items: a web page and a Discord bot."),
		kong.Vars{"version": "tradepost " + version.String()}, settings.LimitDefaults(),
		kong.BindTo(ctx, (*context.Context)(nil)),
		// Only this package imports the page: every other one is compiled while the page is built.
		kong.BindTo(dashboard.Dist, (*fs.FS)(nil)))
	if err != nil {
		panic(err) // a mistake in the tags above
	}
	return parser
}

// parse reads the command line and the variables. It returns the errors in the settings of the command that
// was asked for.
func parse(
	ctx context.Context, args []string,
) (parsed *kong.Context, wrong settings.WrongSettings, err error) {
	parser := newParser(ctx)
	for _, warning := range settings.ReadRenamed() {
		fmt.Fprintln(os.Stderr, "tradepost: warning:", warning)
	}
	wrong = settings.ReadVariables(parser.Model)
	if parsed, err = parser.Parse(args); err != nil {
		return nil, nil, err
	}
	return parsed, settings.WrongIn(parsed, wrong), nil
}

// exitConfig is the exit status when Discord refuses the bot, after which starting again does not help;
// EX_CONFIG of sysexits.
const exitConfig = 78

func complain(err error) int {
	// On one line each, so that it can be found in a log.
	var wrong settings.WrongSettings
	if errors.As(err, &wrong) {
		for _, s := range wrong {
			fmt.Fprintf(os.Stderr, "tradepost: %s: %s\n", s.Name, settings.OneLine(s.Want))
		}
		return settings.ExitSettings
	}
	text := err.Error()
	if plain := pgconnect.Explain(err); plain != "" {
		text = plain + " (" + text + ")"
	}
	fmt.Fprintf(os.Stderr, "tradepost: %s\n", settings.OneLine(text))
	if errors.Is(err, discord.ErrToken) || errors.Is(err, discord.ErrRefused) {
		return exitConfig
	}
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 1
}
