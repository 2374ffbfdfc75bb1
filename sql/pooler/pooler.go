// Package pooler runs a PgBouncer with the settings of deploy/pgbouncer.ini, for tests and benchmarks.
package pooler

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/deploy"
)

// ErrMissing is the error of a machine without PgBouncer.
var ErrMissing = errors.New("PgBouncer is not installed: apt-get install pgbouncer")

// settings is the file of deploy that is used.
const settings = "pgbouncer.ini"

// Options of a Pooler. Server is required.
type Options struct {
	Server string // an address of PostgreSQL; every database there is served
	// who may connect, with their passwords; the user of Server may, with the password Password, where it
	// has none
	Users map[string]string
	Extra []string // settings instead of those in the file, as "pool_mode = session"
}

// Password is the pooler's password for a server's user who has none.
const Password = "pooler"

// Pooler is a running PgBouncer.
type Pooler struct {
	cmd     *exec.Cmd
	dir     string
	address string
	users   map[string]string
	exited  chan struct{}
}

// Find returns the path of PgBouncer, or ErrMissing.
func Find() (string, error) {
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		return path, nil
	}
	const sbin = "/usr/sbin/pgbouncer" // not on everybody's PATH
	if _, err := os.Stat(sbin); err != nil {
		return "", ErrMissing
	}
	return sbin, nil
}

// Start starts a PgBouncer that ends with this process, or by Stop, and returns when it takes connections.
func Start(ctx context.Context, opts Options) (*Pooler, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	server, err := pgconn.ParseConfig(opts.Server)
	if err != nil {
		return nil, fmt.Errorf("read the address of the server: %w", err)
	}
	p := &Pooler{users: map[string]string{}, exited: make(chan struct{})}
	if p.users[server.User] = server.Password; server.Password == "" {
		p.users[server.User] = Password
	}
	for user, password := range opts.Users {
		p.users[user] = password
	}
	beside := "" // a server's socket; its folder is removed when the server ends
	if info, err := os.Stat(server.Host); err == nil && info.IsDir() {
		beside = server.Host
	}
	if p.dir, err = os.MkdirTemp(beside, "pgbouncer-"); err != nil {
		return nil, err
	}
	if err := p.run(ctx, path, server, opts.Extra); err != nil {
		log, _ := os.ReadFile(filepath.Join(p.dir, "log"))
		p.Stop()
		return nil, fmt.Errorf("start PgBouncer: %w\n%s", err, log)
	}
	return p, nil
}

func (p *Pooler) run(ctx context.Context, path string, server *pgconn.Config, extra []string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	p.address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	text, err := p.settings(server, port)
	if err != nil {
		return err
	}
	var users strings.Builder
	for user, password := range p.users {
		fmt.Fprintf(&users, "%q %q\n", user, password)
	}
	ini := filepath.Join(p.dir, settings)
	for name, content := range map[string]string{ini: text + "\n" + strings.Join(extra, "\n") + "\n",
		filepath.Join(p.dir, "users"): users.String()} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(p.dir, 0o777); err != nil { // it writes its log as another user
		return err
	}
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), path, "-q", ini)
	p.cmd.Dir = p.dir
	p.cmd.SysProcAttr = attributes(server)
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	for {
		conn, err := net.Dial("tcp", p.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-p.exited:
			return errors.New("it has ended")
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settings returns deploy's settings with other addresses: this server, with all of its databases, and this
// process's own paths and port.
func (p *Pooler) settings(server *pgconn.Config, port int) (string, error) {
	file, err := deploy.Files.ReadFile(settings)
	if err != nil {
		return "", err
	}
	text := string(file)
	for _, change := range [][2]string{
		{"\ntradepost = host=127.0.0.1 port=5432 dbname=tradepost ",
			fmt.Sprintf("\n* = host=%s port=%d ", server.Host, server.Port)},
		{"\nlisten_port = 6432\n", fmt.Sprintf("\nlisten_port = %d\n", port)},
		{"\nunix_socket_dir = /var/run/postgresql\n", "\nunix_socket_dir =\n"},
		{"\nauth_file = /etc/pgbouncer/userlist.txt\n",
			"\nauth_file = " + filepath.Join(p.dir, "users") + "\n"},
		{"\nlogfile = /var/log/postgresql/pgbouncer.log\n",
			"\nlogfile = " + filepath.Join(p.dir, "log") + "\n"},
		{"\npidfile = /var/run/postgresql/pgbouncer.pid\n", "\npidfile =\n"},
	} {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("%s has no line %q", settings, strings.TrimSpace(change[0]))
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	// the address wins, as it does without a pooler
	if mode := server.RuntimeParams["plan_cache_mode"]; mode != "" {
		text = strings.Replace(text, "plan_cache_mode = force_generic_plan", "plan_cache_mode = "+mode, 1)
	}
	return text, nil
}

// URL returns the address of a database of a server through the pooler, for the user that the given address
// has.
func (p *Pooler) URL(dsn string) (string, error) {
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return "", fmt.Errorf("read the address of the server: %w", err)
	}
	u := url.URL{Scheme: "postgres", User: url.UserPassword(config.User, p.users[config.User]),
		Host: p.address, Path: "/" + config.Database, RawQuery: "sslmode=disable"}
	return u.String(), nil
}

// PID is PgBouncer's process.
func (p *Pooler) PID() int { return p.cmd.Process.Pid }

// Stop ends it and removes its files.
func (p *Pooler) Stop() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
	_ = os.RemoveAll(p.dir)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	address, _ := l.Addr().(*net.TCPAddr)
	return address.Port, nil
}
