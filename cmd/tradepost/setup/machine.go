package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/joho/godotenv"

	"tradepost/cmd/tradepost/doctor"
	"tradepost/cmd/tradepost/install"
)

// isElsewhere reports whether the settings that are asked for are those of the market that systemd runs
// from home, and not others that are named, or lie where setup was started.
func (s *Command) isElsewhere(home string) bool {
	here, err := filepath.Abs(".env")
	if err != nil || s.Env != here || filepath.Dir(here) == home {
		return false
	}
	_, err = os.Stat(here)
	return err != nil
}

// onMachine sets up the market of this machine, for root: its own user answers the questions, and then the
// web server is told, the market is started, and everything is checked.
func (s *Command) onMachine(ctx context.Context, home string) error {
	args := append(slices.Clone(os.Args[1:]), "--started")
	if err := install.AsMarket(ctx, home, args...); err != nil {
		if said := (*exec.ExitError)(nil); errors.As(err, &said) {
			return stopped{said.ExitCode()} // the questions have said why
		}
		return err
	}
	written, err := godotenv.Read(filepath.Join(home, ".env"))
	if err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	public, err := url.Parse(written["PUBLIC_URL"])
	if err != nil {
		return err
	}
	fmt.Println()
	if public.Scheme == "https" {
		if err := setProxy(ctx, public.Hostname()); err != nil {
			return err
		}
	}
	if err := install.Systemctl(ctx, "restart", "tradepost.service"); err != nil {
		return err
	}
	fmt.Println("✓ start the market")
	doctor.Await(ctx, cmp.Or(written["LISTEN"], "127.0.0.1:8080"), written["PUBLIC_URL"])
	fmt.Println()
	// The doctor tells about problems; the set-up is done all the same.
	if err := install.AsMarket(ctx, home, "doctor"); err != nil && ctx.Err() == nil {
		fmt.Println("\nOnce that is done: sudo -iu " + install.User + " tradepost doctor")
	}
	return ctx.Err()
}

// setProxy tells the web server of this machine about the market, or names the steps that are left.
func setProxy(ctx context.Context, domain string) error {
	switch {
	case install.HasProxy("caddy"):
		if err := install.WriteCaddyfile(ctx, domain); err != nil {
			return err
		}
		return install.Systemctl(ctx, "reload-or-restart", "caddy.service")
	case install.HasProxy("nginx"):
		if _, err := os.Stat("/etc/nginx/conf.d/tradepost.conf"); err != nil {
			fmt.Printf("! nginx does not know the market yet. Once it has a certificate for %s:\n"+
				"    sudo tradepost install --proxy nginx --domain %s && sudo systemctl reload nginx\n",
				domain, domain)
		}
	default:
		fmt.Println("! There is no web server with HTTPS in front of the market yet. " +
			"The least to do: sudo apt-get install caddy, then sudo tradepost setup again")
	}
	return nil
}

// stopped is the error of questions that have said themselves why they ended.
type stopped struct{ status int }

func (stopped) Error() string { return "the market is not set up" }

// ExitCode is the status that the questions ended with.
func (s stopped) ExitCode() int { return s.status }
