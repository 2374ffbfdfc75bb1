package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/joho/godotenv"
	"golang.org/x/term"

	"tradepost/bot/discord"
	"tradepost/web"
)

// setup is the command that asks for what a market needs, checks each answer as it is given, and writes it down.
type setup struct {
	Env     string `default:".env" type:"path" help:"Where the settings are written."`
	Secrets string `default:"secrets" type:"path" help:"Folder for the secrets, a file each."`
	discordAddress
}

// portal is where applications are made at Discord.
const portal = "https://discord.com/developers/applications"

// answers are what setup has learnt.
type answers struct {
	name, publicURL               string
	clientID, clientSecret, token string
	databaseURL, postgresPassword string
	proxies                       string
	redirect, invite              string
}

// Run asks and writes.
func (s *setup) Run(ctx context.Context) error {
	talk := &conversation{in: bufio.NewReader(os.Stdin), out: os.Stdout, secret: readSecret}
	if _, err := os.Stat(s.Env); err == nil {
		if !talk.yes(s.Env + " exists. Overwrite it?") {
			return errors.New("nothing was changed")
		}
	}
	a, err := s.ask(ctx, talk)
	if err != nil {
		return err
	}
	if err := s.write(a); err != nil {
		return err
	}
	start, check := os.Args[0]+" serve", os.Args[0]+" doctor"
	if a.postgresPassword != "" {
		start, check = "docker compose up -d", "docker compose exec tradepost /tradepost doctor"
	}
	talk.say(`
Written: %s, and the secrets in %s. Keep both to yourself.

Start it:    %s
Check it:    %s
Invite it:   %s`, s.Env, s.Secrets, start, check, a.invite)
	return talk.failed
}

func (s *setup) ask(ctx context.Context, talk *conversation) (a answers, err error) {
	talk.say("This sets up a market. Each answer is checked as you give it; Enter accepts the value in brackets.")
	a.name = talk.ask("\n1. What is your market called?", "Tradepost", func(string) error { return nil })

	talk.say(`
2. Where will people open it? An address with https://, such as https://trade.example.
   To try it on this computer only: http://localhost:8080.`)
	a.publicURL = talk.ask("   Address", "http://localhost:8080", func(answer string) error {
		_, err := publicAddress(answer)
		return err
	})
	public, err := publicAddress(a.publicURL)
	if err != nil {
		return a, err
	}
	a.publicURL = public.String()
	a.redirect = a.publicURL + "/auth/discord/callback"

	talk.say(`
3. The application at Discord. Open %s, press "New Application" (or open the one
   that you have) and copy its "Application ID" from the page "General Information".`, portal)
	a.clientID = talk.ask("   Application ID", "", func(answer string) error {
		if !snowflake.MatchString(answer) {
			return errors.New("an application id is a number of 17 to 20 digits")
		}
		return nil
	})

	talk.say(`
4. The bot's token. Open %s/%s/bot, press "Reset Token" and copy what it shows. It is shown only once.`, portal, a.clientID)
	var found discord.Inspection
	a.token = talk.askSecret("   Token", func(answer string) (err error) {
		found, err = s.inspect(ctx, answer)
		if err == nil && found.ApplicationID != a.clientID {
			err = fmt.Errorf("that token belongs to another application, %q (%s)", found.ApplicationName, found.ApplicationID)
		}
		return err
	})
	if talk.failed == nil {
		talk.say("   It is the bot of %q.", found.ApplicationName)
	}

	talk.say(`
5. The client secret, with which people sign in on the page. Open %s/%s/oauth2, press "Reset Secret" and copy it.`, portal, a.clientID)
	a.clientSecret = talk.askSecret("   Client secret", func(answer string) error {
		return s.app(a.clientID, answer).CheckSecret(ctx, public)
	})

	talk.say(`
6. On the same page, under "Redirects", add this address and save:
       %s`, a.redirect)
	talk.until("   Press Enter when it is saved.", func() error {
		found, err := s.inspect(ctx, a.token)
		if err == nil {
			err = registered(found, a.redirect)
		}
		return err
	})

	talk.say(`
7. The database. Enter runs a private PostgreSQL in the folder .tradepost, which is right for trying things out. For a community
   give the address of a server of your own as postgres://user:password@host/name; with containers write "compose".`)
	a.databaseURL = talk.ask("   Database", "private", func(answer string) error {
		if answer == "private" || answer == "compose" {
			return nil
		}
		return reachesDatabase(ctx, answer)
	})
	switch a.databaseURL {
	case "private":
		a.databaseURL = ""
	case "compose":
		a.postgresPassword = rand.Text()
		a.databaseURL = "postgres://tradepost:" + a.postgresPassword + "@postgres:5432/tradepost"
	}

	if public.Scheme == "https" { // a proxy speaks it
		a.proxies = s.askProxies(talk, a.postgresPassword != "")
	}

	a.invite = discord.InviteURL(a.clientID)
	talk.say(`
9. Invite the bot to your server. Open this address and choose the server:
       %s`, a.invite)
	talk.until("   Press Enter when it is there (or write \"later\").", func() error {
		found, err := s.inspect(ctx, a.token)
		if err == nil {
			err = invited(found)
		}
		return err
	})
	return a, talk.failed
}

// askProxies asks whose word for a visitor's address is believed.
func (s *setup) askProxies(talk *conversation, containers bool) string {
	standard := "loopback"
	if containers {
		standard = "private"
	}
	talk.say(`
8. The reverse proxy that speaks HTTPS in front of the market. Limits count each visitor by the address that it passes on.
   loopback: it runs on this machine. private: it runs in a container or a private network of yours.
   Anything else: its addresses or networks, such as 203.0.113.5 or 198.51.100.0/24, separated by commas.`)
	return talk.ask("   Proxy", standard, func(answer string) error {
		_, err := parseProxies(answer)
		return err
	})
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

// snowflake is an id of Discord's.
var snowflake = regexp.MustCompile(`^[0-9]{17,20}$`)

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

// invited explains what to do when the bot is in no server, or lacks permissions there.
func invited(found discord.Inspection) error {
	if len(found.Servers) == 0 {
		return fmt.Errorf("the bot is in no server: invite it with %s", discord.InviteURL(found.ApplicationID))
	}
	var lacking []string
	for _, server := range found.Servers {
		if len(server.Missing) > 0 {
			lacking = append(lacking, fmt.Sprintf("in %q it may not: %s", server.Name, strings.Join(server.Missing, ", ")))
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("%s: give the bot's role these permissions, or invite it again with %s",
			strings.Join(lacking, "; "), discord.InviteURL(found.ApplicationID))
	}
	return nil
}

// write keeps the secrets in files of a folder that only its owner enters, and everything else beside their names. The
// files themselves are readable, because a container that one is mounted into has another user.
func (s *setup) write(a answers) error {
	if err := errors.Join(os.MkdirAll(s.Secrets, 0o700), os.Chmod(s.Secrets, 0o700)); err != nil {
		return fmt.Errorf("make the folder for secrets: %w", err)
	}
	settings := map[string]string{"SITE_NAME": a.name, "PUBLIC_URL": a.publicURL, "DISCORD_CLIENT_ID": a.clientID}
	if a.proxies != "" {
		settings["TRUSTED_PROXIES"] = a.proxies
	}
	if public, err := url.Parse(a.publicURL); err == nil && public.Scheme == "http" {
		settings["LISTEN"] = "127.0.0.1:" + or(public.Port(), "80")
	}
	for name, value := range map[string]string{
		"discord_token": a.token, "discord_client_secret": a.clientSecret, "database_url": a.databaseURL, "postgres_password": a.postgresPassword,
	} {
		if value == "" {
			continue
		}
		path := filepath.Join(s.Secrets, name)
		if err := replaceFile(path, value+"\n", 0o644); err != nil {
			return err
		}
		if name != "postgres_password" {
			settings[strings.ToUpper(name)+"_FILE"] = path
		}
	}
	text, err := godotenv.Marshal(settings)
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return replaceFile(s.Env, "# Written by tradepost setup. Every other setting: docs/configuration.md\n"+text+"\n", 0o600)
}

func or(text, standard string) string {
	if text == "" {
		return standard
	}
	return text
}

// replaceFile replaces a file as a whole.
func replaceFile(path, text string, mode fs.FileMode) error {
	part := path + ".part"
	if err := os.WriteFile(part, []byte(text), mode); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func (s *setup) inspect(ctx context.Context, token string) (discord.Inspection, error) {
	transport, err := s.transport()
	if err != nil {
		return discord.Inspection{}, err
	}
	return inspect(ctx, token, transport)
}

func (s *setup) app(clientID, secret string) web.Discord {
	return discordApp{DiscordClientID: clientID, DiscordClientSecret: secret, discordAddress: s.discordAddress}.signIn()
}

// conversation asks one question after another. The first failure to ask ends it: what is asked later is answered with
// nothing.
type conversation struct {
	in     *bufio.Reader
	out    io.Writer
	secret func(*bufio.Reader) (string, error) // reads a line that should not be seen
	failed error
}

func (c *conversation) say(text string, args ...any) {
	if c.failed == nil {
		fmt.Fprintf(c.out, text+"\n", args...)
	}
}

// ask repeats a question until the answer is right. An empty answer is the standard one, where there is one.
func (c *conversation) ask(question, standard string, check func(string) error) string {
	return c.repeat(question, standard, readLine, check)
}

// askSecret is ask for what should not be seen on a screen.
func (c *conversation) askSecret(question string, check func(string) error) string {
	answer := c.repeat(question, "", c.secret, check)
	return answer
}

func (c *conversation) repeat(question, standard string, read func(*bufio.Reader) (string, error), check func(string) error) string {
	for c.failed == nil {
		prompt := question
		if standard != "" {
			prompt += " [" + standard + "]"
		}
		fmt.Fprint(c.out, prompt+": ")
		answer, err := read(c.in)
		if err != nil {
			c.failed = fmt.Errorf("no answer to %q: %w", strings.TrimSpace(question), err)
			break
		}
		if answer = strings.TrimSpace(answer); answer == "" {
			answer = standard
		}
		if answer == "" {
			continue
		}
		if err := check(answer); err != nil {
			c.say("   ✗ %s.", strings.TrimSuffix(err.Error(), "."))
			continue
		}
		c.say("   ✓")
		return answer
	}
	return ""
}

// until repeats a check, each time that Enter is pressed, until it passes or "later" is entered.
func (c *conversation) until(prompt string, check func() error) {
	for c.failed == nil {
		fmt.Fprint(c.out, prompt+" ")
		answer, err := readLine(c.in)
		if err != nil {
			c.failed = fmt.Errorf("no answer to %q: %w", strings.TrimSpace(prompt), err)
			return
		}
		if strings.TrimSpace(answer) == "later" {
			c.say("   Later, then: tradepost doctor will remind you.")
			return
		}
		if err := check(); err != nil {
			c.say("   ✗ %s.", strings.TrimSuffix(err.Error(), "."))
			continue
		}
		c.say("   ✓")
		return
	}
}

func (c *conversation) yes(question string) bool {
	fmt.Fprint(c.out, question+" (yes/no) ")
	answer, err := readLine(c.in)
	return err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
}

func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
		return "", err
	}
	return line, nil
}

// readSecret reads a line from the terminal without showing it, or from whatever else the input is.
func readSecret(in *bufio.Reader) (string, error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return readLine(in)
	}
	text, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Println()
	return string(text), err
}
