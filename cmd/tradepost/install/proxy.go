package install

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"tradepost/cmd/tradepost/settings"
	"tradepost/deploy"
)

// proxyPaths are the files of the reverse proxies: the one in deploy, and its place on a machine.
var proxyPaths = map[string][2]string{
	"caddy": {"Caddyfile", "/etc/caddy/Caddyfile"},
	"nginx": {"nginx.conf", "/etc/nginx/conf.d/tradepost.conf"},
}

// proxyFile returns the configuration of the proxy that was asked for; nil for none.
func (i *Command) proxyFile() (*installedFile, error) {
	if i.Proxy == "" {
		return nil, nil
	}
	domain := i.Domain
	if public, err := url.Parse(os.Getenv("PUBLIC_URL")); domain == "" && err == nil {
		domain = public.Hostname()
	}
	if domain == "" || strings.ContainsAny(domain, " /;{}\n\"") {
		return nil, settings.WrongSettings{{Name: "--domain",
			Want: "want the domain of the market, such as trade.example"}}
	}
	paths := proxyPaths[i.Proxy]
	content, err := deploy.Files.ReadFile(paths[0])
	if err != nil {
		return nil, err
	}
	return &installedFile{paths[1], bytes.ReplaceAll(content, []byte("trade.example"), []byte(domain))}, nil
}

// WriteCaddyfile writes the configuration of the Caddy of this machine for a domain. It asks before it
// replaces another than Debian's, which shows a welcome page.
func WriteCaddyfile(ctx context.Context, domain string) error {
	i := &Command{Proxy: "caddy", Domain: domain, machine: machine{Root: "/"}}
	file, err := i.proxyFile()
	if err != nil {
		return err
	}
	c, err := i.write(*file)
	if err != nil {
		return err
	}
	before, _ := os.ReadFile(file.path) // without it there is nothing to lose
	if strings.Contains(string(before), "root * /usr/share/caddy") {
		c.lost = ""
	}
	return apply(ctx, os.Stdout, false, []change{c}, asker(ctx, os.Stdin, os.Stdout, false))
}

// HasProxy reports whether a reverse proxy is installed on this machine.
func HasProxy(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// Installed returns the folder of the market that systemd runs on this machine, for root. There is none
// where the folder is not the market's user's.
func Installed() (home string, there bool) {
	m := machine{Root: "/"}
	home, unit := UnitHome()
	uid, gid, err := m.account()
	return home, unit != "" && err == nil && os.Geteuid() == 0 && belongsTo(home, uid, gid, 0o750)
}

// AsMarket runs a command of this program as the market's user in its folder, on the same terminal.
func AsMarket(ctx context.Context, home string, args ...string) error {
	program := packagedProgram
	if _, err := os.Stat(program); err != nil {
		program = installedProgram // which that user reaches, unlike an unpacked archive
	}
	cmd := exec.CommandContext(ctx, "runuser", append([]string{"-u", User, "--", program}, args...)...)
	cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// Ctrl-C at the terminal reaches the command itself, which then ends as it likes.
	cmd.Cancel = func() error { return nil }
	return cmd.Run()
}

// Systemctl asks this machine's systemd.
func Systemctl(ctx context.Context, args ...string) error {
	return machine{Root: "/"}.systemctl(ctx, args...)
}
