package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// serve is the command that runs the market.
type serve struct {
	Only string `enum:",web,bot" default:"" placeholder:"web|bot" help:"Run one of the two doors only."`
	site
	game
	database
	discordApp
	moderation
	logging
}

// standInState is where a demo keeps its Discord, in its folder.
const standInState = "discord.json"

// Validate names what is missing before anything is started.
func (s *serve) Validate() error {
	if err := s.moderation.Validate(); err != nil {
		return err
	}
	if _, _, err := s.of(); err != nil { // of the looks: a private PostgreSQL need not be started to find that out
		return err
	}
	if s.Only != "web" && s.DiscordToken == "" {
		return errors.New("DISCORD_TOKEN is missing: the bot cannot sign in. " +
			"Set it, or run the page alone with --only web, or try everything without an account: tradepost demo")
	}
	if _, err := os.Stat(filepath.Join(s.Data, standInState)); s.DatabaseURL == "" && err == nil {
		return fmt.Errorf("%s holds a demo, which would become the market: set DATABASE_URL, or choose another folder with --data", s.Data)
	}
	if s.Only != "bot" && (s.DiscordClientID == "") != (s.DiscordClientSecret == "") {
		return errors.New("DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET belong together: set both, or neither for a page without sign-in")
	}
	return nil
}

// roomToCollect is how far the heap may grow over what is alive before the garbage collector runs, in percent of that. Go's own
// 100 spends a tenth of the processor on a heap of 20 MiB, which is all that this program holds of a market of any size.
const roomToCollect = 400

// Run serves until ctx ends.
func (s *serve) Run(ctx context.Context) error {
	if err := s.play(); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(roomToCollect)
	}
	log := s.logger()
	discord, err := s.transport()
	if err != nil {
		return err
	}
	m := &market{
		log: log, site: s.site, moderators: s.moderators(), web: s.Only != "bot", bot: s.Only != "web",
		token: s.DiscordToken, discord: discord, heartbeat: s.DiscordHeartbeat, signIn: s.signIn(),
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
	if m.db, err = s.open(ctx, log); err != nil {
		return err
	}
	defer m.db.stop()
	return m.run(ctx)
}

// healthcheck is the command that asks a running market whether it is well.
type healthcheck struct {
	Listen string `env:"LISTEN" default:"127.0.0.1:8080" help:"Address that the market serves on."`
}

// Run returns an error unless the market answers that it is well.
func (h *healthcheck) Run(ctx context.Context) error {
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
