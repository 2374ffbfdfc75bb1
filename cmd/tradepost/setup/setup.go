// Package setup has the command that asks for the settings of a market and writes them.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/cmd/tradepost/conversation"
	"tradepost/cmd/tradepost/doctor"
	"tradepost/cmd/tradepost/install"
	"tradepost/cmd/tradepost/settings"
	"tradepost/web"
)

// Command is the command that asks for what a market needs, checks each answer as it is given, and writes
// it down.
type Command struct {
	Env      string `default:".env" type:"path" help:"Where the settings are written."`
	Secrets  string `default:"secrets" type:"path" help:"Folder for the secrets, a file each."`
	Rehearse bool   `help:"Ask everything against a stand-in for Discord, and write nothing."`
	Started  bool   `hidden:"" help:"Do not say how to start and check it: root does both afterwards."`
	settings.DiscordAddress
}

// answers are the answers that setup has got.
type answers struct {
	name, publicURL               string
	clientID, clientSecret, token string
	databaseURL, postgresPassword string // compose's own server where there is a password
	proxies, moderators           string
}

// public is the address that people open; it was checked when it was given.
func (a answers) public() *url.URL {
	public, err := doctor.PublicAddress(a.publicURL)
	if err != nil {
		return &url.URL{}
	}
	return public
}

func (a answers) redirect() string { return a.public().String() + "/auth/discord/callback" }

// Run asks and writes.
func (s *Command) Run(ctx context.Context) error {
	if home, there := install.Installed(); there && !s.Rehearse && s.isElsewhere(home) {
		return s.onMachine(ctx, home)
	}
	talk := conversation.New(ctx, os.Stdin, os.Stdout)
	earlier, err := s.earlier()
	if err != nil {
		return err
	}
	talk.Say("This sets up a market. Each answer is checked as you give it; "+
		"Enter accepts the value in brackets, and %q leads to the question before.", conversation.GoBack)
	if earlier.name != "" && !s.Rehearse {
		talk.Say("%s is there: your earlier answers are offered again, "+
			"and settings that this does not ask for stay as they are.", s.Env)
	}
	registerRedirect := func(string) {}
	if s.Rehearse {
		standIn, err := s.rehearse(talk)
		if err != nil {
			return err
		}
		defer standIn.Close()
		earlier, registerRedirect = answers{}, standIn.AllowRedirect
	}
	a, err := s.ask(ctx, talk, earlier, registerRedirect)
	if err != nil {
		return err
	}
	if s.Rehearse {
		talk.Say("\nThat was the rehearsal. Nothing was written; without --rehearse the same questions " +
			"set up your market.")
		return nil
	}
	if err := s.write(a); err != nil {
		return err
	}
	start, check := os.Args[0]+" serve", os.Args[0]+" doctor"
	if _, unit := install.UnitHome(); unit != "" { // systemd runs the market here, also after another setup
		start, check = "sudo systemctl restart tradepost", "sudo -iu "+install.User+" tradepost doctor"
	}
	if a.postgresPassword != "" {
		start, check = "docker compose up -d", "docker compose exec tradepost /tradepost doctor"
	}
	if s.Started {
		talk.Say("\nWritten: %s, and the secrets in %s. Keep both to yourself.\nInvite it:   %s", s.Env,
			s.Secrets, discord.InviteURL(a.clientID, true))
		return talk.Failed
	}
	talk.Say(`
Written: %s, and the secrets in %s. Keep both to yourself.

Start it:    %s
Check it:    %s
Invite it:   %s`, s.Env, s.Secrets, start, check, discord.InviteURL(a.clientID, true))
	return talk.Failed
}

// rehearse starts a stand-in for Discord and tells what to answer.
func (s *Command) rehearse(talk *conversation.Conversation) (*discordtest.Discord, error) {
	standIn, err := discordtest.Serve(discordtest.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		return nil, err
	}
	s.DiscordAPIURL = standIn.URL()
	talk.Say(`
A rehearsal: a stand-in plays Discord, and nothing is written. Where you are asked, give
   the token          %s
   the client secret  %s`, standIn.Token(), standIn.ClientSecret())
	return standIn, nil
}

// ask asks for everything, offering the earlier answers.
func (s *Command) ask(
	ctx context.Context, talk *conversation.Conversation, earlier answers, registerRedirect func(string),
) (answers, error) {
	a := earlier
	var found discord.Inspection
	steps := []conversation.Step{
		{Ask: func(n int) {
			talk.Say("")
			keep(&a.name, talk.Ask(fmt.Sprintf("%d. What is your market called?", n),
				cmp.Or(a.name, "Tradepost"), func(string) error { return nil }))
		}},
		{Ask: func(n int) {
			talk.Say(`
%d. Where will people open it? An address with https://, such as https://trade.example.
   To try it on this computer only: http://localhost:8080.`, n)
			keep(&a.publicURL, talk.Ask("   Address", cmp.Or(a.publicURL, "http://localhost:8080"),
				func(answer string) error {
					_, err := doctor.PublicAddress(answer)
					return err
				}))
		}},
		{Ask: func(n int) {
			talk.Say(`
%d. The bot's token. Open %s, press "New Application" (or open the one that you
   have), go to its page "Bot", press "Reset Token" and copy what it shows. It is shown only once.`,
				n, settings.Portal)
			keep(&a.token, talk.AskSecret("   Token", a.token, func(answer string) (err error) {
				found, err = s.inspect(ctx, answer)
				return err
			}))
			if talk.Failed == nil && !talk.Back {
				a.clientID = found.ApplicationID
				talk.Say("   It is the bot of %q (application ID %s).\n   Who may invite it: %s.",
					found.ApplicationName, found.ApplicationID, doctor.WhoInvites(found, 0))
			}
		}},
		{Ask: func(n int) {
			talk.Say(`
%d. The client secret, with which people sign in on the page. Open %s/%s/oauth2, `+
				`press "Reset Secret" and copy it.`, n, settings.Portal, a.clientID)
			keep(&a.clientSecret, talk.AskSecret("   Client secret", a.clientSecret,
				func(answer string) error {
					return s.app(a.clientID, answer).CheckSecret(ctx, a.public())
				}))
		}},
		{Ask: func(n int) {
			talk.Say(`
%d. On the same page, under "Redirects", add this address and save:
       %s`, n, a.redirect())
			registerRedirect(a.redirect())
			talk.Until("   Press Enter when it is saved.", func() error {
				found, err := s.inspect(ctx, a.token)
				if err == nil {
					err = doctor.Registered(found, a.redirect())
				}
				return err
			})
		}},
		{Ask: func(n int) { s.askDatabase(ctx, talk, n, &a) }},
		{Skip: func() bool { return a.public().Scheme != "https" }, // without a proxy
			Ask: func(n int) { s.askProxies(talk, n, &a) }},
		{Ask: func(n int) { s.askModerators(talk, n, &a) }},
		{Ask: func(n int) {
			talk.Say(`
%d. Invite the bot to your server. Open this address and choose the server:
       %s`, n, discord.InviteURL(a.clientID, true))
			talk.Until("   Press Enter when it is there (or write \"later\").", func() error {
				found, err := s.inspect(ctx, a.token)
				if err == nil {
					err = doctor.Invited(found, true)
				}
				return err
			})
		}},
	}
	return a, talk.Walk(steps)
}

// askDatabase asks where the market is kept.
func (s *Command) askDatabase(ctx context.Context, talk *conversation.Conversation, n int, a *answers) {
	talk.Say(`
%d. The database. "private" runs a private PostgreSQL in the folder .tradepost, which is right `+
		`for trying things out. For a community
   give the address of a server of your own as postgres://user:password@host/name; `+
		`with containers write "compose".`, n)
	check := func(answer string) error {
		if answer == "private" || answer == "compose" {
			return nil
		}
		return doctor.ReachesDatabase(ctx, answer)
	}
	var answer string
	switch {
	case a.postgresPassword != "":
		answer = talk.Ask("   Database", "compose", check)
	case a.databaseURL != "":
		answer = talk.AskSecret("   Database", a.databaseURL, check) // it may contain a password
	default:
		answer = talk.Ask("   Database", "private", check)
	}
	switch answer {
	case "":
	case "private":
		a.databaseURL, a.postgresPassword = "", ""
	case "compose":
		// The server in the container knows its first password only.
		a.postgresPassword = cmp.Or(a.postgresPassword, newPassword())
		a.databaseURL = "postgres://tradepost:" + a.postgresPassword + "@postgres:5432/tradepost"
	default:
		a.databaseURL, a.postgresPassword = answer, ""
	}
}

// askProxies asks for the reverse proxies that may pass on a visitor's address.
func (s *Command) askProxies(talk *conversation.Conversation, n int, a *answers) {
	standard := "loopback"
	if a.postgresPassword != "" {
		standard = "private"
	}
	talk.Say(`
%d. The reverse proxy that speaks HTTPS in front of the market. Limits count each visitor by the address `+
		`that it passes on.
   loopback: it runs on this machine. private: it runs in a container or a private network of yours.
   Anything else: its addresses or networks, such as 203.0.113.5 or 198.51.100.0/24, separated by commas.`, n)
	keep(&a.proxies, talk.Ask("   Proxy", cmp.Or(a.proxies, standard), func(answer string) error {
		_, err := settings.ParseProxies(answer)
		return err
	}))
}

// nobody is the answer for no moderators.
const nobody = "nobody"

// askModerators asks who keeps the market in order.
func (s *Command) askModerators(talk *conversation.Conversation, n int, a *answers) {
	talk.Say(`
%d. Who may remove requests and offers and block users? Their Discord IDs, separated by commas. `+
		`To see IDs, turn on the developer
   mode in Discord (Settings, Advanced), right-click a name and choose "Copy User ID". `+
		`You can add more later.`, n)
	answer := talk.Ask("   Moderators", cmp.Or(a.moderators, nobody), func(answer string) error {
		if answer == nobody {
			return nil
		}
		if wrong := (settings.Moderation{Moderators: strings.Split(answer, ",")}).Wrong(); len(wrong) > 0 {
			return errors.New(wrong[0].Want)
		}
		return nil
	})
	if keep(&a.moderators, answer); answer == nobody {
		a.moderators = ""
	}
}

// keep sets an answer, unless there is none because the question before is asked again.
func keep(field *string, answer string) {
	if answer != "" {
		*field = answer
	}
}

func (s *Command) inspect(ctx context.Context, token string) (discord.Inspection, error) {
	transport, err := s.Transport()
	if err != nil {
		return discord.Inspection{}, err
	}
	return doctor.Inspect(ctx, token, transport, true) // as FEATURES has it by default
}

func (s *Command) app(clientID, secret string) web.Discord {
	return settings.DiscordApp{DiscordClientID: clientID, DiscordClientSecret: secret,
		DiscordAddress: s.DiscordAddress}.SignIn()
}
