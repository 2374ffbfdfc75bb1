package setup

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"tradepost/cmd/tradepost/install"
)

// secretFiles maps the settings that setup keeps in files of their own to the names of these.
var secretFiles = map[string]string{"DISCORD_TOKEN": "discord_token",
	"DISCORD_CLIENT_SECRET": "discord_client_secret", "DATABASE_URL": "database_url"}

// passwordFile has the password of compose's PostgreSQL.
const passwordFile = "postgres_password"

// earlier returns the answers that were written before; empty ones when there are none.
func (s *Command) earlier() (a answers, err error) {
	settings, err := godotenv.Read(s.Env)
	if errors.Is(err, fs.ErrNotExist) {
		return answers{}, nil
	}
	if err != nil {
		return a, fmt.Errorf("read %s: %w", s.Env, err)
	}
	secret := func(name string) string {
		if path := settings[name+"_FILE"]; path != "" {
			text, _ := os.ReadFile(path) // without it, it is asked for
			return strings.TrimSpace(string(text))
		}
		return settings[name]
	}
	password, _ := os.ReadFile(filepath.Join(s.Secrets, passwordFile)) // only compose has one
	a = answers{
		name: settings["SITE_NAME"], publicURL: settings["PUBLIC_URL"],
		clientID: settings["DISCORD_CLIENT_ID"], clientSecret: secret("DISCORD_CLIENT_SECRET"),
		token:       secret("DISCORD_TOKEN"),
		databaseURL: secret("DATABASE_URL"), proxies: settings["TRUSTED_PROXIES"],
		moderators: settings["MODERATORS"],
	}
	if address, err := url.Parse(a.databaseURL); err == nil && address.Hostname() == "postgres" {
		a.postgresPassword = strings.TrimSpace(string(password))
	}
	return a, nil
}

// write keeps the secrets in files of a folder that only its owner enters, and everything else beside
// their names. The files themselves are readable, because a container that one is mounted into has
// another user. Settings that setup does not ask for stay as they are.
func (s *Command) write(a answers) error {
	if err := errors.Join(os.MkdirAll(s.Secrets, 0o700), os.Chmod(s.Secrets, 0o700)); err != nil {
		return fmt.Errorf("make the folder for secrets: %w", err)
	}
	settings := map[string]string{
		"SITE_NAME": a.name, "PUBLIC_URL": a.publicURL, "DISCORD_CLIENT_ID": a.clientID,
		"MODERATORS": a.moderators, "TRUSTED_PROXIES": "",
	}
	if public := a.public(); public.Scheme == "http" {
		settings["LISTEN"] = "127.0.0.1:" + cmp.Or(public.Port(), "80")
	} else {
		settings["TRUSTED_PROXIES"] = a.proxies
	}
	secrets := map[string]string{"DISCORD_TOKEN": a.token, "DISCORD_CLIENT_SECRET": a.clientSecret,
		"DATABASE_URL": a.databaseURL}
	for name, value := range secrets {
		settings[name], settings[name+"_FILE"] = "", ""
		if value == "" {
			continue
		}
		path := filepath.Join(s.Secrets, secretFiles[name])
		if err := install.ReplaceFile(path, value+"\n", 0o644); err != nil {
			return err
		}
		settings[name+"_FILE"] = path
	}
	if a.postgresPassword != "" {
		if err := install.ReplaceFile(filepath.Join(s.Secrets, passwordFile), a.postgresPassword+"\n",
			0o644); err != nil {
			return err
		}
	}
	before, err := os.ReadFile(s.Env)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", s.Env, err)
	}
	if len(before) == 0 {
		before = []byte("# Written by tradepost setup. Every other setting: docs/configuration.md\n")
	}
	text, err := mergeSettings(string(before), settings)
	if err != nil {
		return err
	}
	return install.ReplaceFile(s.Env, text, 0o600)
}

// settingLine is a line that sets a variable.
var settingLine = regexp.MustCompile(`^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=`)

// mergeSettings returns a file with lines of NAME=value in which the settings have their values, or no
// line where the value is empty. All other lines stay, in their order.
func mergeSettings(before string, settings map[string]string) (string, error) {
	lines, written := []string{}, map[string]bool{}
	line := func(name string) error {
		if written[name] || settings[name] == "" {
			return nil
		}
		written[name] = true
		text, err := godotenv.Marshal(map[string]string{name: settings[name]})
		lines = append(lines, text)
		return err
	}
	for text := range strings.Lines(before) {
		text = strings.TrimRight(text, "\r\n")
		if found := settingLine.FindStringSubmatch(text); found != nil {
			if _, ours := settings[found[1]]; ours {
				if err := line(found[1]); err != nil {
					return "", fmt.Errorf("write the settings: %w", err)
				}
				continue
			}
		}
		lines = append(lines, text)
	}
	names := make([]string, 0, len(settings))
	for name := range settings {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := line(name); err != nil {
			return "", fmt.Errorf("write the settings: %w", err)
		}
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// newPassword returns a random password.
func newPassword() string { return rand.Text() }
