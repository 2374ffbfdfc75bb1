// Command tradepost runs the market: its web page, its Discord bot, or both.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"

	"tradepost/bot"
)

// commands are what the program can do. Every setting is a flag, an environment variable, and a file named by that
// variable with _FILE behind it.
type commands struct {
	Serve         serve         `cmd:"" default:"withargs" help:"Run the market: the page and the bot."`
	Setup         setup         `cmd:"" help:"Ask for what a market needs, check it, and write it to .env."`
	Doctor        doctor        `cmd:"" help:"Look a set-up over and say what is wrong."`
	Demo          demo          `cmd:"" help:"Run a market with everything it needs, and a stand-in for Discord."`
	Migrate       migrate       `cmd:"" help:"Bring the database to this version, and stop."`
	Configuration configuration `cmd:"" help:"Print every setting there is."`
	OpenAPI       openAPI       `cmd:"" name:"openapi" help:"Print the description of the HTTP API."`
	Healthcheck   healthcheck   `cmd:"" help:"Ask a running market whether it is well: exit status 0 when it is."`
	Check         check         `cmd:"" help:"Verify the promises of the market's data."`
	Backup        backup        `cmd:"" help:"Write the whole market into a file, while it runs."`
	Restore       restore       `cmd:"" help:"Put the market of a backup into a database."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	if err := readEnvFile(".env"); err != nil {
		return complain(err)
	}
	var cli commands
	parser, err := kong.New(&cli, kong.Name("tradepost"), kong.UsageOnError(),
		kong.Description("A community's market for in-game items, with two doors: a web page and a Discord bot."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	if err != nil {
		panic(err) // a mistake in the tags above
	}
	if err := readFiles(parser.Model); err != nil {
		return complain(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return complain(err)
	}
	if err := parsed.Run(); err != nil && !errors.Is(err, context.Canceled) {
		return complain(err)
	}
	return 0
}

// exitConfig is the status when Discord will not have the bot: to start again does not help. It is EX_CONFIG of sysexits.
const exitConfig = 78

func complain(err error) int {
	// On one line, so that it can be found in a log.
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\t' })
	fmt.Fprintf(os.Stderr, "tradepost: %s\n", strings.Join(lines, " "))
	if errors.Is(err, bot.ErrToken) || errors.Is(err, bot.ErrRefused) {
		return exitConfig
	}
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 1
}

// readEnvFile sets the variables of a file that are not set. It need not be there.
func readEnvFile(path string) error {
	if err := godotenv.Load(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readFiles sets each variable that is not set from the file that the same name with _FILE behind it points to, so that
// a secret need stand neither on the command line nor in the environment of whoever starts the program.
func readFiles(model *kong.Application) error {
	for _, node := range append([]*kong.Node{model.Node}, model.Children...) {
		for _, flag := range node.Flags {
			for _, name := range flag.Envs {
				path := os.Getenv(name + "_FILE")
				if path == "" || os.Getenv(name) != "" {
					continue
				}
				value, err := os.ReadFile(path)
				if err != nil {
					return fmt.Errorf("%s_FILE: %w", name, err)
				}
				if err := os.Setenv(name, strings.TrimSpace(string(value))); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}
