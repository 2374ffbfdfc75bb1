// Package install has the commands that install the market as services of systemd, and finds where it is
// installed.
package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/joho/godotenv"

	"tradepost/cmd/tradepost/conversation"
	"tradepost/cmd/tradepost/settings"
	"tradepost/deploy"
)

// Where a market is installed. The units name the same places.
const (
	installedProgram = "/usr/local/bin/tradepost"
	installedHome    = "/srv/tradepost"
	User             = "tradepost"
	unitFolder       = "/etc/systemd/system"

	// packagedProgram is where the Debian package has the program. Its units are in systemd's own folder.
	packagedProgram = "/usr/bin/tradepost"
)

// installedUnits are the files of deploy that systemd reads; those with an [Install] section are enabled.
var (
	installedUnits = []string{"tradepost.service", "tradepost-backup.service", "tradepost-backup.timer"}
	enabledUnits   = []string{"tradepost.service", "tradepost-backup.timer"}
)

// Command is the command that makes a machine with systemd run the market. It can be repeated.
type Command struct {
	DryRun bool   `help:"Print what would be done, and do nothing."`
	Yes    bool   `help:"Replace files that differ without asking."`
	Proxy  string `enum:",caddy,nginx" default:"" placeholder:"caddy|nginx" help:"Also write the configuration of this reverse proxy, for the domain."`
	Domain string `placeholder:"trade.example" help:"With --proxy: the domain of the market. Defaults to that of PUBLIC_URL."`
	machine
}

// Uninstall is the command that undoes install. The market's folder, user and database stay.
type Uninstall struct {
	DryRun bool `help:"Print what would be done, and do nothing."`
	machine
}

// machine is where install and uninstall work.
type machine struct {
	Root string `default:"/" placeholder:"FOLDER" help:"The machine's root, for an image that is prepared in a folder."`
}

func (m machine) at(path string) string { return filepath.Join(m.Root, path) }

// packaged reports whether this is the program of the machine's package, which brings the program and the
// units along.
func (m machine) packaged() bool {
	self, err := os.Executable()
	return err == nil && sameFile(self, m.at(packagedProgram))
}

// isThis reports whether the program runs on the machine.
func (m machine) isThis() bool { return filepath.Clean(m.Root) == "/" }

// running reports whether the machine's systemd can be asked to start something.
func (m machine) running() bool {
	_, err := os.Stat("/run/systemd/system")
	return m.isThis() && err == nil
}

// check returns an error for a machine that nothing can be installed on.
func (m machine) check(dryRun bool) error {
	if _, err := exec.LookPath("systemctl"); err != nil {
		return errors.New("this machine has no systemd (systemctl is not found): " +
			"run the market in containers, or start tradepost serve by what starts your services")
	}
	if m.isThis() && os.Geteuid() != 0 && !dryRun {
		return errors.New("only root may do this: sudo tradepost install; --dry-run shows what it would do")
	}
	return nil
}

// run runs a command of the machine.
func (m machine) run(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err,
			settings.OneLine(strings.TrimSpace(string(out))))
	}
	return nil
}

func (m machine) systemctl(ctx context.Context, args ...string) error {
	if !m.isThis() {
		args = append([]string{"--root=" + m.Root}, args...)
	}
	return m.run(ctx, "systemctl", args...)
}

// change is one thing that install does to a machine.
type change struct {
	what string
	do   func(context.Context) error // nil when it is as it should be
	// what is asked about before; empty when nothing of the operator's is replaced
	lost string
}

// apply does the changes one after another, or only says them.
func apply(
	ctx context.Context, out io.Writer, dryRun bool, changes []change, ask func(string) (bool, error),
) error {
	for _, c := range changes {
		if c.lost != "" {
			fmt.Fprintf(out, "? This would %s. It differs:\n%s", c.what, c.lost)
		}
		switch {
		case c.do == nil:
			fmt.Fprintf(out, "= %s\n", c.what)
			continue
		case dryRun:
			fmt.Fprintf(out, "would %s\n", c.what)
			continue
		case c.lost != "":
			if yes, err := ask("  Replace it?"); err != nil {
				return fmt.Errorf("%s: %w", c.what, err)
			} else if !yes {
				fmt.Fprintf(out, "= not done: %s\n", c.what)
				continue
			}
		}
		if err := c.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.what, err)
		}
		fmt.Fprintf(out, "✓ %s\n", c.what)
	}
	return nil
}

// Run installs.
func (i *Command) Run(ctx context.Context) error {
	if err := i.check(i.DryRun); err != nil {
		return err
	}
	proxy, err := i.proxyFile()
	if err != nil {
		return err
	}
	ask := asker(ctx, os.Stdin, os.Stdout, i.Yes)
	// The user first: what follows belongs to it. Each list is made once the one before is done.
	var left []string // steps to do by hand
	for _, list := range []func() ([]change, error){
		func() ([]change, error) { return i.programAndUser() },
		func() ([]change, error) { return i.home() },
		func() (changes []change, err error) { changes, left = i.database(ctx); return changes, nil },
		func() ([]change, error) { return i.units(proxy) },
		func() ([]change, error) { return i.enable(), nil },
	} {
		changes, err := list()
		if err == nil {
			err = apply(ctx, os.Stdout, i.DryRun, changes, ask)
		}
		if err != nil {
			return fmt.Errorf("install: %w", err)
		}
	}
	if !i.DryRun {
		i.sayWhatIsNext(os.Stdout, left)
	}
	return nil
}

func (i *Command) programAndUser() (changes []change, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return nil, err
	}
	program := change{what: "copy the program to " + installedProgram}
	if same, err := sameContent(self, i.at(installedProgram)); err != nil {
		return nil, err
	} else if !same {
		program.do = func(context.Context) error { return copyProgram(self, i.at(installedProgram)) }
	}
	if i.packaged() {
		program = change{what: "run the package's program, " + packagedProgram}
		if _, err := os.Lstat(i.at(installedProgram)); err == nil {
			program.what = "remove " + installedProgram + ", which hides the package's program"
			program.do = func(context.Context) error { return os.Remove(i.at(installedProgram)) }
		}
	}
	user := change{what: "add the user " + User}
	if _, _, err := i.account(); errors.Is(err, fs.ErrNotExist) {
		user.do = func(ctx context.Context) error {
			args := []string{"--system", "--user-group", "--no-create-home", "--home-dir", installedHome,
				"--shell", "/bin/sh", User}
			if !i.isThis() {
				args = append([]string{"--prefix", i.Root}, args...)
			}
			return i.run(ctx, "useradd", args...)
		}
	} else if err != nil {
		return nil, err
	}
	return []change{program, user}, nil
}

// home makes the market's folder, the one for backups and the file with the settings.
func (i *Command) home() (changes []change, err error) {
	uid, gid, err := i.account()
	if err != nil && !i.DryRun {
		return nil, err
	}
	own := func(path string, mode fs.FileMode, make func() error) change {
		c := change{what: fmt.Sprintf("give %s to the user %s, with mode %04o", path, User, mode)}
		if !belongsTo(i.at(path), uid, gid, mode) {
			c.do = func(context.Context) error {
				if info, err := os.Lstat(i.at(path)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
					return errors.New("it is a link, and what it leads to may belong to another user: " +
						"remove it")
				}
				return errors.Join(make(), os.Lchown(i.at(path), uid, gid), os.Chmod(i.at(path), mode))
			}
		}
		return c
	}
	folder := func(path string) func() error { return func() error { return os.MkdirAll(i.at(path), 0o750) } }
	env := filepath.Join(installedHome, ".env")
	return []change{
		own(installedHome, 0o750, folder(installedHome)),
		own(filepath.Join(installedHome, "backups"), 0o700, folder(filepath.Join(installedHome, "backups"))),
		own(env, 0o600, func() error {
			if _, err := os.Stat(i.at(env)); err == nil {
				return nil
			}
			return os.WriteFile(i.at(env), []byte(firstSettings), 0o600)
		}),
	}, nil
}

// firstSettings are the settings of a market before setup has asked for the others.
const firstSettings = `# The settings of the market: "sudo tradepost setup" asks for them, ` +
	`docs/configuration.md lists all.
DATABASE_URL=` + socketDatabase + `
`

// units writes the files of systemd and of the proxy.
func (i *Command) units(proxy *installedFile) (changes []change, err error) {
	var files []installedFile
	for _, name := range installedUnits {
		content, err := deploy.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		unit := installedFile{filepath.Join(unitFolder, name), content}
		if !i.packaged() {
			files = append(files, unit)
			continue
		}
		hides, err := i.putAway(unit)
		if err != nil {
			return nil, err
		}
		changes = append(changes, hides...)
	}
	if proxy != nil {
		files = append(files, *proxy)
	}
	for _, f := range files {
		c, err := i.write(f)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

func (i *Command) enable() []change {
	now := i.running()
	what := "have systemd start at every boot: " + strings.Join(enabledUnits, ", ")
	changes := []change{{what: what, do: func(ctx context.Context) error {
		if now {
			if err := i.systemctl(ctx, "daemon-reload"); err != nil {
				return err
			}
		}
		return i.systemctl(ctx, append([]string{"enable"}, enabledUnits...)...)
	}}}
	if now {
		changes = append(changes, change{what: "start the timer of the backups",
			do: func(ctx context.Context) error {
				return i.systemctl(ctx, "start", "tradepost-backup.timer")
			}})
		if i.isSetUp() {
			changes = append(changes, change{what: "start the market, or start it again",
				do: func(ctx context.Context) error {
					return i.systemctl(ctx, "restart", "--no-block", "tradepost.service")
				}})
		}
	}
	return changes
}

// isSetUp reports whether the settings have what a market cannot start without.
func (i *Command) isSetUp() bool {
	settings, err := godotenv.Read(i.at(filepath.Join(installedHome, ".env")))
	return err == nil && cmp.Or(settings["DISCORD_TOKEN"], settings["DISCORD_TOKEN_FILE"]) != ""
}

func (i *Command) sayWhatIsNext(out io.Writer, left []string) {
	for _, line := range left {
		fmt.Fprintln(out, line)
	}
	if !i.isSetUp() {
		fmt.Fprint(out, "\nNext, set it up and start it:\n    sudo tradepost setup\n")
	} else if !i.running() {
		fmt.Fprint(out, "\nIt starts with the machine, or now: sudo systemctl restart tradepost\n")
	}
}

// Run removes what install has put in place, except what belongs to the market.
func (u *Uninstall) Run(ctx context.Context) error {
	if err := u.check(u.DryRun); err != nil {
		return err
	}
	if u.packaged() {
		return errors.New("the Debian package has put the market here: sudo apt-get remove tradepost")
	}
	stop := []string{"disable"}
	if u.running() {
		stop = []string{"disable", "--now"}
	}
	var changes []change
	remove := func(path string) {
		if _, err := os.Lstat(u.at(path)); err == nil {
			changes = append(changes, change{what: "remove " + path,
				do: func(context.Context) error { return os.Remove(u.at(path)) }})
		}
	}
	for _, name := range installedUnits {
		remove(filepath.Join(unitFolder, name))
	}
	if len(changes) > 0 {
		changes = append([]change{{what: "stop the market and its backups",
			do: func(ctx context.Context) error {
				return u.systemctl(ctx, append(stop, enabledUnits...)...)
			}}}, changes...)
	}
	remove(installedProgram)
	if u.running() {
		changes = append(changes, change{what: "have systemd read its units again",
			do: func(ctx context.Context) error { return u.systemctl(ctx, "daemon-reload") }})
	}
	if err := apply(ctx, os.Stdout, u.DryRun, changes, nil); err != nil {
		return fmt.Errorf("uninstall: %w", err)
	}
	fmt.Fprintf(os.Stdout, "The settings and backups in %s, the user %s, the database and a proxy's "+
		"configuration stay. To remove the first two:\n    sudo userdel %s && sudo rm -r %s\n",
		installedHome, User, User, installedHome)
	return nil
}

// asker returns a function that asks whether to go on.
func asker(ctx context.Context, in io.Reader, out io.Writer, yes bool) func(string) (bool, error) {
	talk := conversation.New(ctx, in, out)
	return func(question string) (bool, error) {
		if yes {
			return true, nil
		}
		fmt.Fprintf(out, "%s [y/N] ", question)
		answer, err := talk.ReadLine()
		if errors.Is(err, io.EOF) {
			return false, errors.New("nobody answers: --yes replaces it")
		}
		return strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y"), err
	}
}
