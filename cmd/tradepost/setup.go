package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/web"
)

// setup is the command that asks for what a market needs, checks each answer as it is given, and writes it down.
type setup struct {
	Env      string `default:".env" type:"path" help:"Where the settings are written."`
	Secrets  string `default:"secrets" type:"path" help:"Folder for the secrets, a file each."`
	Rehearse bool   `help:"Ask everything against a stand-in for Discord, and write nothing."`
	discordAddress
}

// portal is where applications are made at Discord.
const portal = "https://discord.com/developers/applications"

// answers are what setup has learnt.
type answers struct {
	name, publicURL               string
	clientID, clientSecret, token string
	databaseURL, postgresPassword string // compose's own server where there is a password
	proxies, moderators           string
}

// public is the address that people open; it was checked when it was given.
func (a answers) public() *url.URL {
	public, err := publicAddress(a.publicURL)
	if err != nil {
		return &url.URL{}
	}
	return public
}

func (a answers) redirect() string { return a.public().String() + "/auth/discord/callback" }

// Run asks and writes.
func (s *setup) Run(ctx context.Context) error {
	talk := newConversation(ctx, os.Stdin, os.Stdout)
	earlier, err := s.earlier()
	if err != nil {
		return err
	}
	talk.say("This sets up a market. Each answer is checked as you give it; Enter accepts the value in brackets, and %q leads to the question before.", goBack)
	if earlier.name != "" && !s.Rehearse {
		talk.say("%s is there: your earlier answers are offered again, and settings that this does not ask for stay as they are.", s.Env)
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
		talk.say("\nThat was the rehearsal. Nothing was written; without --rehearse the same questions set up your market.")
		return nil
	}
	if err := s.write(a); err != nil {
		return err
	}
	start, check := os.Args[0]+" serve", os.Args[0]+" doctor"
	if _, unit := unitHome(); unit != "" { // systemd runs the market here, also one that is set up again
		start, check = "sudo systemctl restart tradepost", "sudo -iu "+installedUser+" tradepost doctor"
	}
	if a.postgresPassword != "" {
		start, check = "docker compose up -d", "docker compose exec tradepost /tradepost doctor"
	}
	talk.say(`
Written: %s, and the secrets in %s. Keep both to yourself.

Start it:    %s
Check it:    %s
Invite it:   %s`, s.Env, s.Secrets, start, check, discord.InviteURL(a.clientID, true))
	return talk.failed
}

// rehearse starts a stand-in for Discord and tells what to answer.
func (s *setup) rehearse(talk *conversation) (*discordtest.Discord, error) {
	standIn, err := discordtest.Serve(discordtest.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		return nil, err
	}
	s.DiscordAPIURL = standIn.URL()
	talk.say(`
A rehearsal: a stand-in plays Discord, and nothing is written. Where you are asked, give
   the token          %s
   the client secret  %s`, standIn.Token(), standIn.ClientSecret())
	return standIn, nil
}

// ask asks for everything, offering the earlier answers.
func (s *setup) ask(ctx context.Context, talk *conversation, earlier answers, registerRedirect func(string)) (answers, error) {
	a := earlier
	var found discord.Inspection
	steps := []step{
		{ask: func(n int) {
			talk.say("")
			keep(&a.name, talk.ask(fmt.Sprintf("%d. What is your market called?", n), cmp.Or(a.name, "Tradepost"), func(string) error { return nil }))
		}},
		{ask: func(n int) {
			talk.say(`
%d. Where will people open it? An address with https://, such as https://trade.example.
   To try it on this computer only: http://localhost:8080.`, n)
			keep(&a.publicURL, talk.ask("   Address", cmp.Or(a.publicURL, "http://localhost:8080"), func(answer string) error {
				_, err := publicAddress(answer)
				return err
			}))
		}},
		{ask: func(n int) {
			talk.say(`
%d. The bot's token. Open %s, press "New Application" (or open the one that you
   have), go to its page "Bot", press "Reset Token" and copy what it shows. It is shown only once.`, n, portal)
			keep(&a.token, talk.askSecret("   Token", a.token, func(answer string) (err error) {
				found, err = s.inspect(ctx, answer)
				return err
			}))
			if talk.failed == nil && !talk.back {
				a.clientID = found.ApplicationID
				talk.say("   It is the bot of %q (application ID %s).\n   Who may invite it: %s.", found.ApplicationName, found.ApplicationID, whoInvites(found, 0))
			}
		}},
		{ask: func(n int) {
			talk.say(`
%d. The client secret, with which people sign in on the page. Open %s/%s/oauth2, press "Reset Secret" and copy it.`, n, portal, a.clientID)
			keep(&a.clientSecret, talk.askSecret("   Client secret", a.clientSecret, func(answer string) error {
				return s.app(a.clientID, answer).CheckSecret(ctx, a.public())
			}))
		}},
		{ask: func(n int) {
			talk.say(`
%d. On the same page, under "Redirects", add this address and save:
       %s`, n, a.redirect())
			registerRedirect(a.redirect())
			talk.until("   Press Enter when it is saved.", func() error {
				found, err := s.inspect(ctx, a.token)
				if err == nil {
					err = registered(found, a.redirect())
				}
				return err
			})
		}},
		{ask: func(n int) { s.askDatabase(ctx, talk, n, &a) }},
		{skip: func() bool { return a.public().Scheme != "https" }, // without a proxy
			ask: func(n int) { s.askProxies(talk, n, &a) }},
		{ask: func(n int) { s.askModerators(talk, n, &a) }},
		{ask: func(n int) {
			talk.say(`
%d. Invite the bot to your server. Open this address and choose the server:
       %s`, n, discord.InviteURL(a.clientID, true))
			talk.until("   Press Enter when it is there (or write \"later\").", func() error {
				found, err := s.inspect(ctx, a.token)
				if err == nil {
					err = invited(found, true)
				}
				return err
			})
		}},
	}
	return a, talk.walk(steps)
}

// askDatabase asks where the market is kept.
func (s *setup) askDatabase(ctx context.Context, talk *conversation, n int, a *answers) {
	talk.say(`
%d. The database. "private" runs a private PostgreSQL in the folder .tradepost, which is right for trying things out. For a community
   give the address of a server of your own as postgres://user:password@host/name; with containers write "compose".`, n)
	check := func(answer string) error {
		if answer == "private" || answer == "compose" {
			return nil
		}
		return reachesDatabase(ctx, answer)
	}
	var answer string
	switch {
	case a.postgresPassword != "":
		answer = talk.ask("   Database", "compose", check)
	case a.databaseURL != "":
		answer = talk.askSecret("   Database", a.databaseURL, check) // it may contain a password
	default:
		answer = talk.ask("   Database", "private", check)
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

// askProxies asks whose word for a visitor's address is believed.
func (s *setup) askProxies(talk *conversation, n int, a *answers) {
	standard := "loopback"
	if a.postgresPassword != "" {
		standard = "private"
	}
	talk.say(`
%d. The reverse proxy that speaks HTTPS in front of the market. Limits count each visitor by the address that it passes on.
   loopback: it runs on this machine. private: it runs in a container or a private network of yours.
   Anything else: its addresses or networks, such as 203.0.113.5 or 198.51.100.0/24, separated by commas.`, n)
	keep(&a.proxies, talk.ask("   Proxy", cmp.Or(a.proxies, standard), func(answer string) error {
		_, err := parseProxies(answer)
		return err
	}))
}

// nobody is the answer for no moderators.
const nobody = "nobody"

// askModerators asks who keeps the market in order.
func (s *setup) askModerators(talk *conversation, n int, a *answers) {
	talk.say(`
%d. Who may remove requests and offers and block users? Their Discord IDs, separated by commas. To see IDs, turn on the developer
   mode in Discord (Settings, Advanced), right-click a name and choose "Copy User ID". You can add more later.`, n)
	answer := talk.ask("   Moderators", cmp.Or(a.moderators, nobody), func(answer string) error {
		if answer == nobody {
			return nil
		}
		if wrong := (moderation{Moderators: strings.Split(answer, ",")}).wrong(); len(wrong) > 0 {
			return errors.New(wrong[0].want)
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

// publicAddress reads the address that people open.
func publicAddress(text string) (*url.URL, error) {
	address, err := url.Parse(strings.TrimRight(text, "/"))
	switch {
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return nil, errors.New("write it as https://trade.example")
	case address.Path != "" || address.RawQuery != "" || address.Fragment != "" || address.User != nil:
		return nil, errors.New("only the site itself, without anything behind it: https://trade.example")
	case address.Scheme == "http" && !web.IsThisMachine(address.Hostname()):
		return nil, errors.New("people sign in there, so it must begin with https:// (http:// is for localhost only)")
	}
	return address, nil
}

// registered explains how to register a missing redirect address.
func registered(found discord.Inspection, redirect string) error {
	for _, address := range found.RedirectURIs {
		if address == redirect {
			return nil
		}
	}
	return fmt.Errorf("the application does not have the redirect %s: add it under \"Redirects\" at %s/%s/oauth2 and save",
		redirect, portal, found.ApplicationID)
}

// sentToBot explains how to have Discord send interactions to the bot, which takes them from the gateway only.
func sentToBot(app discord.Inspection) error {
	if app.InteractionsURL == "" {
		return nil
	}
	return fmt.Errorf("Discord sends commands and buttons to %s, and the bot gets none: empty \"Interactions Endpoint URL\" on the page "+
		"\"General Information\" at %s/%s/information and save", app.InteractionsURL, portal, app.ApplicationID)
}

// invited explains what to do when the bot is in no server, or lacks permissions there.
func invited(found discord.Inspection, threads bool) error {
	if len(found.Servers) == 0 {
		return fmt.Errorf("the bot is in no server: invite it with %s", discord.InviteURL(found.ApplicationID, threads))
	}
	var lacking []string
	for _, server := range found.Servers {
		if len(server.Missing) > 0 {
			lacking = append(lacking, fmt.Sprintf("in %q it may not: %s", server.Name, strings.Join(server.Missing, ", ")))
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("%s: give the bot's role these permissions, or invite it again with %s",
			strings.Join(lacking, "; "), discord.InviteURL(found.ApplicationID, threads))
	}
	return nil
}

// pingsRoles says in which servers /board pings is possible. No server needs it.
func pingsRoles(app discord.Inspection, threads bool) error {
	var can []string
	for _, server := range app.Servers {
		if server.Pings {
			can = append(can, strconv.Quote(server.Name))
		}
	}
	if len(can) > 0 {
		return found("possible with /board pings in " + strings.Join(can, ", "))
	}
	return notNeeded("not possible without Manage Roles. For /board pings, invite the bot again with " + discord.PingInviteURL(app.ApplicationID, threads))
}

// whoInvites says what it means that an application is public or not. servers is how many the bot is limited to.
func whoInvites(app discord.Inspection, servers int) error {
	switch {
	case !app.Public:
		return found("only you: the application is not public")
	case servers > 0:
		return found(fmt.Sprintf("everyone, as the application is public; it serves only the servers in SERVERS (%d)", servers))
	}
	return caution("the application is public, so everyone may invite the bot, and members of their servers trade on your market: " +
		"if you don't want that, switch off \"Public Bot\" on the page \"Bot\" (and set the install link on the page \"Installation\" to \"None\" before), " +
		"or name your servers in SERVERS")
}

func (s *setup) inspect(ctx context.Context, token string) (discord.Inspection, error) {
	transport, err := s.transport()
	if err != nil {
		return discord.Inspection{}, err
	}
	return inspect(ctx, token, transport, true) // as FEATURES has it by default
}

func (s *setup) app(clientID, secret string) web.Discord {
	return discordApp{DiscordClientID: clientID, DiscordClientSecret: secret, discordAddress: s.discordAddress}.signIn()
}
