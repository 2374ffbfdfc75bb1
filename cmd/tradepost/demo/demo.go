// Package demo has the command that runs a market with sample data and a stand-in for Discord.
package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tradepost/bot/discordtest"
	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/program"
	"tradepost/cmd/tradepost/seed"
	"tradepost/cmd/tradepost/serving"
	"tradepost/cmd/tradepost/settings"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/web"
)

// Command is the command that runs a market with everything it needs.
type Command struct {
	Listen        string `default:"127.0.0.1:8080" help:"Address of the board."`
	DiscordListen string `default:"127.0.0.1:8081" help:"Address of the stand-in Discord."`
	PublicURL     string `placeholder:"URL" help:"Address that browsers use if it differs from --listen, as with make dev."`
	Data          string `default:".tradepost-demo" type:"path" help:"Folder for the data of the market."`
	Fresh         bool   `help:"Delete the folder's data first."`
	Empty         bool   `help:"Start with an empty board."`
	Verbose       bool   `help:"Log everything."`
	SiteName      string `env:"SITE_NAME" default:"Tradepost" help:"Name of the market."`
	Tagline       string `env:"TAGLINE" default:"Powered by your own community" help:"Text below the name."`

	settings.Look
	settings.LanguageList
	settings.FeatureList
	settings.GameFile
}

// Wrong returns the errors in the settings.
func (d *Command) Wrong() settings.WrongSettings {
	_, _, wrong := d.Look.Read()
	wrong = slices.Concat(wrong, d.LanguageList.Wrong(), d.FeatureList.Wrong(), d.GameFile.Wrong())
	if d.PublicURL != "" {
		if err := web.CheckPublicURL(d.PublicURL); err != nil {
			wrong.Add("--public-url", "%s", err)
		}
	}
	return wrong
}

// Run opens the demo until ctx ends.
func (d *Command) Run(ctx context.Context, page fs.FS) error {
	game, err := d.GameFile.Load()
	if err != nil {
		return err
	}
	logs := settings.Logging{LogLevel: 4, LogFormat: "text"} // warnings; the two addresses are what matters
	if d.Verbose {
		logs.LogLevel = -4
	}
	log := logs.Logger()

	board, err := serving.Listen(d.Listen, "--listen")
	if err != nil {
		return err
	}
	defer board.Close()
	if probe, err := serving.Listen(d.DiscordListen, "--discord-listen"); err != nil {
		return err
	} else if err := probe.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(d.Data, 0o755); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	alone, err := onlyDemoIn(d.Data)
	if err != nil {
		return err
	}
	defer alone.Close()
	if d.Fresh {
		if err := forget(d.Data); err != nil {
			return err
		}
	}

	tell("starting PostgreSQL")
	db, err := database.Open(ctx, settings.Database{Data: d.Data}, log)
	if err != nil {
		return err
	}
	defer db.Stop()

	tell("starting the stand-in Discord")
	publicURL := cmp.Or(d.PublicURL, "http://"+board.Addr().String())
	discord, err := discordtest.Serve(discordtest.Options{
		Listen: d.DiscordListen, StatePath: filepath.Join(d.Data, settings.StandInState),
		RedirectURIs: []string{publicURL + "/auth/discord/callback"}, Log: log,
	})
	if err != nil {
		return err
	}
	defer discord.Close()

	if slices.Equal(d.Features, []string{"all"}) { // a demo shows everything
		d.Features = core.EveryFeature().Names()
	}
	if !d.Empty {
		if err := d.seed(ctx, db, game, discord); err != nil {
			return err
		}
	}

	m := &program.Market{
		Game: game,
		Keep: core.DefaultRetention,
		DB:   db, Log: log, Listener: board, Web: true, Bot: true, Page: page,
		Site: settings.Site{
			PublicURL: publicURL, SiteName: d.SiteName, Tagline: d.Tagline, Look: d.Look,
			LanguageList: d.LanguageList, FeatureList: d.FeatureList,
			// every player of a demo is at this one address
			RequestLimit: 100_000, WriteLimit: 10_000, ConnectionLimit: 10_000,
			TrustedProxies: settings.Loopback(), ShutdownDelay: serving.ShutdownDelay,
			// A receiver on the same machine can be tried, unless others reach the demo and could reach the
			// machine's network through it.
			WebhooksAnywhere: settings.OnLoopback(d.Listen),
		},
		Token:   discord.Token(),
		Discord: discord.Transport(),
		SignIn: web.Discord{
			ClientID: discord.ClientID(), ClientSecret: discord.ClientSecret(),
			AuthURL: discord.URL() + "/oauth2/authorize", TokenURL: discord.URL() + "/api/oauth2/token",
			APIURL: discord.URL() + "/api/v10",
		},
	}
	moderator := discord.People()[3] // of the four who are always there
	m.Moderators.Accounts = []string{moderator.ID}
	m.Ready = func() {
		fmt.Printf("\n  The market is open.\n\n    the board             %s\n"+
			"    the stand-in Discord  %s\n\n"+
			"  %s moderates. Ctrl-C closes it; what happened is kept in %s.\n\n",
			publicURL, discord.URL(), moderator.DisplayName, d.Data)
	}
	return m.Run(ctx)
}

// seed fills an empty market.
func (d *Command) seed(
	ctx context.Context, db database.Server, game game.Game, discord *discordtest.Discord,
) error {
	quiet := settings.Logging{LogLevel: 4, LogFormat: "text"}.Logger()
	store, clock, err := db.OpenStore(ctx, quiet)
	if err != nil {
		return err
	}
	defer store.Close()
	var players [4]seed.Player
	names := [4]string{"Mapleleaf", "Ashdown", "Fox of the Fen", "Tamsin the Elder"}
	for i, p := range discord.People() {
		if i == len(players) {
			break
		}
		players[i] = seed.Player{
			Profile:    people.Profile{DiscordID: p.ID, Username: p.Username, DisplayName: p.DisplayName},
			InGameName: names[i],
		}
	}
	posted, err := seed.Market(ctx, store, market.Options{
		Game: game, Forms: program.TextForms,
		Features: core.Features{Listings: slices.Contains(d.Features, "listings"),
			Crossing: slices.Contains(d.Features, "crossing"), Hours: slices.Contains(d.Features, "hours")},
	}, players, clock.Now())
	if err != nil {
		return err
	}
	if posted > 0 {
		tell(fmt.Sprintf("posted %d requests", posted))
	}
	return nil
}

// onlyDemoIn locks a demo's folder until the file that it returns is closed. Two demos in one folder
// would share their market and overwrite each other's Discord.
func onlyDemoIn(data string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(data, "demo.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the data folder: %w", err)
	}
	alone, err := tryLock(file)
	if err == nil && !alone {
		err = fmt.Errorf("another demo runs in %s: stop it, or choose another folder with --data "+
			"(make run DATA=FOLDER)", data)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// forget removes what a demo keeps, and nothing else that may lie in the folder.
func forget(data string) error {
	for _, name := range []string{"postgres", settings.StandInState} {
		if err := os.RemoveAll(filepath.Join(data, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("start over: %w", err)
		}
	}
	return nil
}

func tell(what string) { fmt.Printf("  %s ...\n", what) }
