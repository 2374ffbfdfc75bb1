package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// clusterNode is a machine of the cluster: a network namespace with etcd, Patroni and PostgreSQL in it.
type clusterNode struct {
	name      string
	address   string
	folder    string
	processes []*exec.Cmd // etcd and Patroni; PostgreSQL is Patroni's child
}

// patroniCluster is three machines and what is in front of them.
type patroniCluster struct {
	folder string
	run    string // marks the namespaces and links of this run
	nodes  []*clusterNode
	front  []*exec.Cmd
	uid    int
	gid    int
}

const (
	clusterNet      = "10.77.0."
	clusterGate     = clusterNet + "254"
	clusterPassword = "change-this" // as in deploy/ha
	clusterDatabase = "tradepost"
	pgBin           = "/usr/lib/postgresql/15/bin"
)

// clusterPackages are what the cluster is made of: a file that shows that a package is there, by its name.
var clusterPackages = map[string]string{
	"postgresql-15": pgBin + "/postgres", "patroni": "/usr/bin/patroni", "etcd-server": "/usr/bin/etcd", "haproxy": "/usr/sbin/haproxy",
	"iproute2": "/usr/sbin/ip", "util-linux": "/usr/bin/setpriv",
}

// missingPackages are those that are not there, sorted.
func missingPackages() (missing []string) {
	for name, file := range clusterPackages {
		if _, err := os.Stat(file); err != nil && exec.Command("sh", "-c", "command -v "+filepath.Base(file)).Run() != nil {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// installPackages installs with apt what is missing, without starting it.
func installPackages(missing []string) error {
	const policy = "/usr/sbin/policy-rc.d"
	if _, err := os.Stat(policy); errors.Is(err, os.ErrNotExist) { // keeps the packages' own services from starting
		if err := os.WriteFile(policy, []byte("#!/bin/sh\nexit 101\n"), 0o755); err != nil {
			return err
		}
		defer func() { _ = os.Remove(policy) }() // it was ours
	}
	for _, args := range [][]string{{"update"}, append([]string{"install", "-y", "--no-install-recommends", "--no-upgrade"}, missing...)} {
		cmd := exec.Command("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}

// startPatroni starts three machines and HAProxy, and returns when there is a primary with a synchronous standby.
func startPatroni(ctx context.Context) (c *patroniCluster, err error) {
	postgres, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	c = &patroniCluster{run: strconv.Itoa(os.Getpid() % 10000)}
	c.uid, _ = strconv.Atoi(postgres.Uid) // numbers on Linux
	c.gid, _ = strconv.Atoi(postgres.Gid)
	if c.folder, err = os.MkdirTemp("", "tradepost-cluster-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, errors.New(c.lastWords()))
			c.stop()
		}
	}()
	if err := errors.Join(os.Chmod(c.folder, 0o755), c.network()); err != nil {
		return c, err
	}
	for i := range 3 {
		if err := c.startNode(i + 1); err != nil {
			return c, err
		}
	}
	if err := c.startFront(); err != nil {
		return c, err
	}
	if err := c.awaitHealthy(ctx, 3*time.Minute); err != nil {
		return c, err
	}
	if err := c.makeDatabase(ctx); err != nil {
		return c, err
	}
	return c, c.awaitDatabase(ctx)
}

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (c *patroniCluster) bridge() string            { return "tp" + c.run }
func (c *patroniCluster) space(i int) string        { return "tp" + c.run + "n" + strconv.Itoa(i) }
func (c *patroniCluster) link(i int) string         { return "tp" + c.run + "v" + strconv.Itoa(i) }
func (c *patroniCluster) number(n *clusterNode) int { return slices.Index(c.nodes, n) + 1 }

// network makes a bridge and three namespaces with one link each.
func (c *patroniCluster) network() error {
	err := errors.Join(
		ip("link", "add", c.bridge(), "type", "bridge"), ip("addr", "add", clusterGate+"/24", "dev", c.bridge()), ip("link", "set", c.bridge(), "up"))
	for i := 1; i <= 3 && err == nil; i++ {
		inside := c.link(i) + "i"
		for _, step := range [][]string{
			{"netns", "add", c.space(i)},
			{"link", "add", c.link(i), "type", "veth", "peer", "name", inside},
			{"link", "set", inside, "netns", c.space(i)},
			{"link", "set", c.link(i), "master", c.bridge()},
			{"link", "set", c.link(i), "up"},
			{"-n", c.space(i), "addr", "add", clusterNet + strconv.Itoa(i) + "/24", "dev", inside},
			{"-n", c.space(i), "link", "set", inside, "up"},
			{"-n", c.space(i), "link", "set", "lo", "up"},
		} {
			if err = ip(step...); err != nil {
				break
			}
		}
	}
	return err
}

// configured is a file of deploy/ha as this run needs it.
func (c *patroniCluster) configured(file string, replace ...string) (string, error) {
	text, err := os.ReadFile(filepath.Join("deploy", "ha", file))
	if err != nil {
		return "", err
	}
	return strings.NewReplacer(replace...).Replace(string(text)), nil
}

func (c *patroniCluster) startNode(i int) error {
	n := &clusterNode{name: "db" + strconv.Itoa(i), address: clusterNet + strconv.Itoa(i)}
	n.folder = filepath.Join(c.folder, n.name)
	c.nodes = append(c.nodes, n)
	if err := errors.Join(os.Mkdir(n.folder, 0o700), os.Chown(n.folder, c.uid, c.gid)); err != nil {
		return err
	}
	text, err := c.configured("patroni.yml", "name: db1", "name: "+n.name, "listen: 10.77.0.1", "listen: "+n.address, "connect_address: 10.77.0.1",
		"connect_address: "+n.address, "/var/lib/postgresql/tradepost", filepath.Join(n.folder, "data"), "/run/postgresql", n.folder, "local all all peer", "local all all trust")
	if err != nil {
		return err
	}
	file := filepath.Join(n.folder, "patroni.yml")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.Chown(file, c.uid, c.gid)); err != nil {
		return err
	}
	if err := c.launch(n, "etcd", c.etcd(n)...); err != nil {
		return err
	}
	return c.launch(n, "patroni", "patroni", file)
}

func (c *patroniCluster) etcd(n *clusterNode) []string {
	peer, client := "http://"+n.address+":2380", "http://"+n.address+":2379"
	return []string{
		"etcd", "--name", n.name, "--data-dir", filepath.Join(n.folder, "etcd"), "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
		"--listen-client-urls", client, "--advertise-client-urls", client, "--initial-cluster-state", "new", "--initial-cluster-token", c.run,
		"--initial-cluster", "db1=http://10.77.0.1:2380,db2=http://10.77.0.2:2380,db3=http://10.77.0.3:2380", "--pre-vote", "--log-level", "error",
	}
}

// launch starts a process on a node, as the user postgres.
func (c *patroniCluster) launch(n *clusterNode, what string, args ...string) error {
	cmd := exec.Command("ip", append([]string{
		"netns", "exec", c.space(c.number(n)), "setpriv", "--reuid", strconv.Itoa(c.uid), "--regid", strconv.Itoa(c.gid), "--clear-groups",
	}, args...)...)
	cmd.Dir = n.folder
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + n.folder, "LANG=C.UTF-8"}
	if err := begin(cmd, filepath.Join(c.folder, n.name+"-"+what+".log")); err != nil {
		return err
	}
	n.processes = append(n.processes, cmd)
	return nil
}

// begin starts a process that ends with this one, with its words in a file.
func begin(cmd *exec.Cmd, log string) error {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", cmd.Args[0], err)
	}
	go func() { _ = cmd.Wait() }() // its end is seen by what no longer answers
	return nil
}

func (c *patroniCluster) startFront() error {
	text, err := c.configured("haproxy.cfg")
	if err != nil {
		return err
	}
	file := filepath.Join(c.folder, "haproxy.cfg")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("haproxy", "-db", "-f", file)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
	c.front = append(c.front, cmd)
	if err := begin(cmd, filepath.Join(c.folder, "haproxy.log")); err != nil {
		c.front = nil
		return err
	}
	return nil
}

// is reports whether Patroni of a node answers 200 to a path.
func (n *clusterNode) is(what string) bool {
	client := http.Client{Timeout: time.Second}
	resp, err := client.Get("http://" + n.address + ":8008/" + what)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// primary returns the node that is the primary; nil for none.
func (c *patroniCluster) primary() *clusterNode {
	for _, n := range c.nodes {
		if n.is("primary") {
			return n
		}
	}
	return nil
}

// awaitHealthy waits until there is a primary, a synchronous standby and another one.
func (c *patroniCluster) awaitHealthy(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		primaries, sync, standbys := 0, 0, 0
		for _, n := range c.nodes {
			switch {
			case n.is("primary"):
				primaries++
			case n.is("synchronous"):
				sync++
			case n.is("replica"):
				standbys++
			}
		}
		if primaries == 1 && sync == 1 && standbys == 1 {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond): // Patroni does not tell
		case <-ctx.Done():
			return fmt.Errorf("the cluster is not whole after %s: %d primaries, %d synchronous, %d other standbys", most, primaries, sync, standbys)
		}
	}
}

// dsn is the address of a database as a user, at a place such as host:port.
func (c *patroniCluster) dsn(user, at, database, more string) string {
	return fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable%s", user, clusterPassword, at, database, more)
}

func (c *patroniCluster) hosts() string {
	var all []string
	for _, n := range c.nodes {
		all = append(all, n.address+":5432")
	}
	return strings.Join(all, ",")
}

func (c *patroniCluster) makeDatabase(ctx context.Context) error {
	var err error
	for range 50 { // HAProxy may not know of the primary yet
		var conn *pgx.Conn
		if conn, err = pgx.Connect(ctx, c.dsn("postgres", clusterGate+":5000", "postgres", "")); err == nil {
			defer conn.Close(ctx)
			for _, statement := range []string{
				"create role " + role + " login password '" + clusterPassword + "'", "create database " + clusterDatabase + " owner " + role, "create table proof (n bigint, at timestamptz)",
			} {
				if _, err := conn.Exec(ctx, statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

// awaitDatabase waits until the standbys have the database, too.
func (c *patroniCluster) awaitDatabase(ctx context.Context) error {
	for _, n := range c.nodes {
		var err error
		for range 100 {
			var conn *pgx.Conn
			if conn, err = pgx.Connect(ctx, c.dsn(role, n.address+":5432", clusterDatabase, "")); err == nil {
				_ = conn.Close(ctx) // it was to be opened only
				break
			}
			time.Sleep(100 * time.Millisecond) // a standby does not tell
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inside returns the processes of a node: those in its namespace.
func (c *patroniCluster) inside(n *clusterNode) (pids []int) {
	out, _ := exec.Command("ip", "netns", "pids", c.space(c.number(n))).Output() // none when it fails
	for _, word := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (c *patroniCluster) signal(n *clusterNode, sig syscall.Signal, which func(command string) bool) {
	for _, pid := range c.inside(n) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		if which == nil || which(string(command)) {
			_ = syscall.Kill(pid, sig) // it may have ended just now
		}
	}
}

// kill kills PostgreSQL of a node, as running out of memory does.
func (c *patroniCluster) kill(n *clusterNode) {
	c.signal(n, syscall.SIGKILL, func(command string) bool {
		return strings.Contains(command, "postgres") && !strings.Contains(command, "patroni.yml")
	})
}

func (c *patroniCluster) freeze(n *clusterNode) { c.signal(n, syscall.SIGSTOP, nil) }
func (c *patroniCluster) thaw(n *clusterNode)   { c.signal(n, syscall.SIGCONT, nil) }
func (c *patroniCluster) cut(n *clusterNode) error {
	return ip("link", "set", c.link(c.number(n)), "down")
}
func (c *patroniCluster) rejoin(n *clusterNode) error {
	return ip("link", "set", c.link(c.number(n)), "up")
}

// switchOver has another node become the primary, on purpose.
func (c *patroniCluster) switchOver(n *clusterNode) error {
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Post("http://"+n.address+":8008/switchover", "application/json", strings.NewReader(`{"leader":"`+n.name+`"}`))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("switchover: %s", resp.Status)
	}
	return nil
}

// lastWords are the ends of all logs.
func (c *patroniCluster) lastWords() string {
	var all strings.Builder
	logs, _ := filepath.Glob(filepath.Join(c.folder, "*.log")) // the pattern is right
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&all, "%s:\n    %s\n", filepath.Base(log), strings.Join(lines[max(0, len(lines)-8):], "\n    "))
	}
	return all.String()
}

// stop ends everything and removes it.
func (c *patroniCluster) stop() {
	for _, cmd := range c.front {
		_ = syscall.Kill(cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	}
	for _, n := range c.nodes {
		for range 3 { // what is killed may have started something just before
			c.signal(n, syscall.SIGKILL, nil)
			time.Sleep(50 * time.Millisecond)
		}
	}
	for i := 1; i <= 3; i++ {
		_ = ip("netns", "del", c.space(i)) // it is not there when the start has failed before it
		_ = ip("link", "del", c.link(i))   // it goes with its namespace, mostly
	}
	_ = ip("link", "del", c.bridge())
	_ = os.RemoveAll(c.folder)
}
