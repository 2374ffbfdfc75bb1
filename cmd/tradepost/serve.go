package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/doctor"
	"tradepost/cmd/tradepost/program"
	"tradepost/cmd/tradepost/serving"
	"tradepost/cmd/tradepost/settings"
	"tradepost/cmd/tradepost/version"
)

// serve is the command that runs the market.
type serve struct{ settings.Market }

// Run serves until ctx ends.
func (s *serve) Run(ctx context.Context, parsed *kong.Context, page fs.FS) (err error) {
	game, err := s.GameFile.Load()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		followHeap()
	}
	log := s.Logger()
	log.Info("tradepost: starting", "version", version.String(),
		slog.Group("settings", settings.Differing(parsed.Selected().Flags)...))
	defer func() {
		if err == nil || errors.Is(err, context.Canceled) {
			log.Info("tradepost: stopped", "version", version.String())
		}
	}()
	discord, err := s.Transport()
	if err != nil {
		return err
	}
	if warning := s.DiscordAddress.Warning(); warning != "" {
		log.Warn("discord: "+warning, "address", s.DiscordAPIURL)
	}
	m := &program.Market{
		Log: log, Site: s.Site, Page: page, Game: game, Moderators: s.Core(),
		Operators: settings.Trimmed(s.Operators), Examine: doctor.Examiner(s.Market),
		Servers: settings.Trimmed(s.Servers),
		Quotas:  s.Limits(), Keep: s.Policy(), Web: s.Only != "bot", Bot: s.Only != "web",
		Token: s.DiscordToken, Discord: discord, Heartbeat: s.DiscordHeartbeat, EditEvery: s.DiscordEditEvery,
		DMPause: s.DiscordOpenDMPause, SignIn: s.SignIn(),
		AddressKey: s.KeyFor("client address"), Data: s.Data,
	}
	if m.Web {
		if m.Listener, err = serving.Listen(s.Listen, "--listen"); err != nil {
			return err
		}
		defer m.Listener.Close()
		if m.Site.PublicURL == "" {
			m.Site.PublicURL = "http://" + m.Listener.Addr().String()
		}
	}
	if s.DatabaseURL == "" && !settings.OnLoopback(s.Listen) {
		log.Warn("database: "+database.PrivateIsBeta, "listen", s.Listen, "data_dir", s.Data)
	}
	if m.DB, err = database.Open(ctx, s.Database, log); err != nil {
		return err
	}
	defer m.DB.Stop()
	return m.Run(ctx)
}
