package settings

import (
	"os"
	"path/filepath"
	"slices"
)

// Market are the settings of a market, for the command that runs it and for the doctor, which finds the
// same wrong in them.
type Market struct {
	Only string `enum:",web,bot" default:"" placeholder:"web|bot" help:"Run only the page or only the bot."`
	Site
	GameFile
	Database
	DiscordApp
	Moderation
	quotas
	retention
	Logging
}

// StandInState is where a demo keeps its Discord, in its folder.
const StandInState = "discord.json"

// Wrong lists wrong or missing settings, before anything is started.
func (s *Market) Wrong() WrongSettings {
	wrong := slices.Concat(s.Site.Wrong(), s.GameFile.Wrong(), s.Database.Wrong(), s.DiscordApp.Wrong(),
		s.Moderation.Wrong(), s.quotas.Wrong(), s.retention.Wrong())
	if s.Only != "web" && s.DiscordToken == "" {
		wrong.Add("DISCORD_TOKEN", "it is missing: the bot cannot sign in. "+
			"Set it (the page \"Bot\" of your application at %s shows it), "+
			"or run the page alone with --only web, or try everything without an account: "+
			"tradepost demo", Portal)
	}
	if _, err := os.Stat(filepath.Join(s.Data, StandInState)); s.DatabaseURL == "" && err == nil {
		wrong.Add("DATA_DIR", "%s holds a demo, which would become the market: set DATABASE_URL, "+
			"or choose another folder with --data", s.Data)
	}
	if s.Only != "bot" && s.DiscordClientID == "" && s.DiscordClientSecret != "" {
		wrong.Add("DISCORD_CLIENT_ID", "it is missing: it and DISCORD_CLIENT_SECRET belong together. "+
			"Set both, or neither for a page without sign-in")
	}
	if s.Only != "bot" && s.DiscordClientID != "" && s.DiscordClientSecret == "" {
		wrong.Add("DISCORD_CLIENT_SECRET",
			"it is missing: it and DISCORD_CLIENT_ID belong together. "+
				"Set both, or neither for a page without sign-in")
	}
	return wrong
}
