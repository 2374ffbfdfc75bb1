package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/alecthomas/kong"
)

// serve is the command that runs the market.
type serve struct{ marketSettings }

// marketSettings are the settings of a market, for the command that runs it and for the doctor, which finds the same wrong in them.
type marketSettings struct {
	Only string `enum:",web,bot" default:"" placeholder:"web|bot" help:"Run only the page or only the bot."`
	site
	game
	database
	discordApp
	moderation
	quotas
	retention
	logging
}

// standInState is where a demo keeps its Discord, in its folder.
const standInState = "discord.json"

// wrong names what is wrong or missing, before anything is started.
func (s *marketSettings) wrong() wrongSettings {
	wrong := slices.Concat(s.site.wrong(), s.game.wrong(), s.database.wrong(), s.discordApp.wrong(), s.moderation.wrong(), s.quotas.wrong(), s.retention.wrong())
	if s.Only != "web" && s.DiscordToken == "" {
		wrong.add("DISCORD_TOKEN", "it is missing: the bot cannot sign in. Set it (the page \"Bot\" of your application at %s shows it), "+
			"or run the page alone with --only web, or try everything without an account: tradepost demo", portal)
	}
	if _, err := os.Stat(filepath.Join(s.Data, standInState)); s.DatabaseURL == "" && err == nil {
		wrong.add("DATA_DIR", "%s holds a demo, which would become the market: set DATABASE_URL, or choose another folder with --data", s.Data)
	}
	if s.Only != "bot" && s.DiscordClientID == "" && s.DiscordClientSecret != "" {
		wrong.add("DISCORD_CLIENT_ID", "it is missing: it and DISCORD_CLIENT_SECRET belong together. Set both, or neither for a page without sign-in")
	}
	if s.Only != "bot" && s.DiscordClientID != "" && s.DiscordClientSecret == "" {
		wrong.add("DISCORD_CLIENT_SECRET", "it is missing: it and DISCORD_CLIENT_ID belong together. Set both, or neither for a page without sign-in")
	}
	return wrong
}

// Run serves until ctx ends.
func (s *serve) Run(ctx context.Context, parsed *kong.Context) (err error) {
	game, err := s.game.load()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		followHeap()
	}
	log := s.logger()
	log.Info("tradepost: starting", "version", version(), slog.Group("settings", differingSettings(parsed.Selected().Flags)...))
	defer func() {
		if err == nil || errors.Is(err, context.Canceled) {
			log.Info("tradepost: stopped", "version", version())
		}
	}()
	discord, err := s.transport()
	if err != nil {
		return err
	}
	if warning := s.discordAddress.warning(); warning != "" {
		log.Warn("discord: "+warning, "address", s.DiscordAPIURL)
	}
	m := &market{
		log: log, site: s.site, game: game, moderators: s.moderators(), servers: trimmed(s.Servers), quotas: s.limits(), keep: s.policy(), web: s.Only != "bot", bot: s.Only != "web",
		token: s.DiscordToken, discord: discord, heartbeat: s.DiscordHeartbeat, editEvery: s.DiscordEditEvery, dmPause: s.DiscordOpenDMPause, signIn: s.signIn(),
		addressKey: s.keyFor("client address"), data: s.Data,
	}
	if m.web {
		if m.listener, err = listen(s.Listen, "--listen"); err != nil {
			return err
		}
		defer m.listener.Close()
		if m.site.PublicURL == "" {
			m.site.PublicURL = "http://" + m.listener.Addr().String()
		}
	}
	if s.DatabaseURL == "" && !onLoopback(s.Listen) {
		log.Warn("database: "+privateIsBeta, "listen", s.Listen, "data_dir", s.Data)
	}
	if m.db, err = openDatabase(ctx, s.database, log); err != nil {
		return err
	}
	defer m.db.stop()
	return m.run(ctx)
}

// healthcheck is the command that asks a running market whether it is well, or a folder whether its newest backup is young.
type healthcheck struct {
	Listen  string `env:"LISTEN" default:"127.0.0.1:8080" help:"Address that the market serves on."`
	Backups string `placeholder:"FOLDER" help:"Look at the age of the newest backup in this folder instead: it is healthy while it is less than 26 hours old."`
}

// Run returns an error unless the market answers that it is well.
func (h *healthcheck) Run(ctx context.Context) error {
	if h.Backups != "" {
		return youngEnough(h.Backups, time.Now())
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(h.Listen)+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("not running: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not well: %s", resp.Status)
	}
	return nil
}

func youngEnough(folder string, now time.Time) error {
	newest, err := newestBackup(folder)
	switch age := now.Sub(newest); {
	case err != nil:
		return err
	case newest.IsZero():
		return fmt.Errorf("no backup is in %s", folder)
	case age > mostBackupAge:
		return fmt.Errorf("the newest backup in %s is %s old", folder, age.Round(time.Minute))
	}
	return nil
}
