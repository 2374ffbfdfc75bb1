package main

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
	"tradepost/cmd/tradepost/seed"
	"tradepost/core"
	"tradepost/web"
)

// demo is the command that runs a market with everything it needs.
type demo struct {
	Listen        string `default:"127.0.0.1:8080" help:"Address of the board."`
	DiscordListen string `default:"127.0.0.1:8081" help:"Address of the stand-in Discord."`
	PublicURL     string `placeholder:"URL" help:"Address that browsers use if it differs from --listen, as with make dev."`
	Data          string `default:".tradepost-demo" type:"path" help:"Folder for the data of the market."`
	Fresh         bool   `help:"Delete the folder's data first."`
	Empty         bool   `help:"Start with an empty board."`
	Verbose       bool   `help:"Log everything."`
	SiteName      string `env:"SITE_NAME" default:"Tradepost" help:"Name of the market."`
	Tagline       string `env:"TAGLINE" default:"Powered by your own community" help:"Text below the name."`
	look
	features
	game
}

func (d *demo) wrong() wrongSettings {
	_, _, wrong := d.look.of()
	wrong = slices.Concat(wrong, d.features.wrong(), d.game.wrong())
	if d.PublicURL != "" {
		if err := web.CheckPublicURL(d.PublicURL); err != nil {
			wrong.add("--public-url", "%s", err)
		}
	}
	return wrong
}

// Run opens the demo until ctx ends.
func (d *demo) Run(ctx context.Context) error {
	game, err := d.game.load()
	if err != nil {
		return err
	}
	logs := logging{LogLevel: 4, LogFormat: "text"} // warnings; the two addresses are what matters
	if d.Verbose {
		logs.LogLevel = -4
	}
	log := logs.logger()

	board, err := listen(d.Listen, "--listen")
	if err != nil {
		return err
	}
	defer board.Close()
	if probe, err := listen(d.DiscordListen, "--discord-listen"); err != nil {
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
	db, err := openDatabase(ctx, database{Data: d.Data}, log)
	if err != nil {
		return err
	}
	defer db.stop()

	tell("starting the stand-in Discord")
	publicURL := cmp.Or(d.PublicURL, "http://"+board.Addr().String())
	discord, err := discordtest.Serve(discordtest.Options{
		Listen: d.DiscordListen, StatePath: filepath.Join(d.Data, standInState),
		RedirectURIs: []string{publicURL + "/auth/discord/callback"}, Log: log,
	})
	if err != nil {
		return err
	}
	defer discord.Close()

	if !d.Empty {
		if err := d.seed(ctx, db, game, discord); err != nil {
			return err
		}
	}

	m := &market{
		game: game,
		keep: core.DefaultRetention,
		db:   db, log: log, listener: board, web: true, bot: true,
		site: site{
			PublicURL: publicURL, SiteName: d.SiteName, Tagline: d.Tagline, look: d.look, features: d.features,
			RequestLimit: 100_000, WriteLimit: 10_000, ConnectionLimit: 10_000, ShutdownDelay: shutdownDelay, // every player of a demo is at this one address
		},
		token:   discord.Token(),
		discord: discord.Transport(),
		signIn: web.Discord{
			ClientID: discord.ClientID(), ClientSecret: discord.ClientSecret(),
			AuthURL: discord.URL() + "/oauth2/authorize", TokenURL: discord.URL() + "/api/oauth2/token", APIURL: discord.URL() + "/api/v10",
		},
	}
	moderator := discord.People()[3] // of the four who are always there
	m.moderators.Accounts = []string{moderator.ID}
	m.ready = func() {
		fmt.Printf("\n  The market is open.\n\n    the board             %s\n    the stand-in Discord  %s\n\n  %s moderates. Ctrl-C closes it; what happened is kept in %s.\n\n",
			publicURL, discord.URL(), moderator.DisplayName, d.Data)
	}
	return m.run(ctx)
}

// seed fills an empty market.
func (d *demo) seed(ctx context.Context, db server, game core.Game, discord *discordtest.Discord) error {
	quiet := logging{LogLevel: 4, LogFormat: "text"}.logger()
	store, clock, err := db.openStore(ctx, quiet)
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
			Profile:    core.Profile{DiscordID: p.ID, Username: p.Username, DisplayName: p.DisplayName},
			InGameName: names[i],
		}
	}
	posted, err := seed.Market(ctx, store, core.Options{Game: game, Forms: textForms}, players, clock.Now())
	if err != nil {
		return err
	}
	if posted > 0 {
		tell(fmt.Sprintf("posted %d requests", posted))
	}
	return nil
}

// onlyDemoIn locks a demo's folder until the file that it returns is closed. Two demos in one folder would share their market
// and overwrite each other's Discord.
func onlyDemoIn(data string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(data, "demo.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the data folder: %w", err)
	}
	alone, err := tryLock(file)
	if err == nil && !alone {
		err = fmt.Errorf("another demo runs in %s: stop it, or choose another folder with --data (make run DATA=FOLDER)", data)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// forget removes what a demo keeps, and nothing else that may lie in the folder.
func forget(data string) error {
	for _, name := range []string{"postgres", standInState} {
		if err := os.RemoveAll(filepath.Join(data, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("start over: %w", err)
		}
	}
	return nil
}

func tell(what string) { fmt.Printf("  %s ...\n", what) }
