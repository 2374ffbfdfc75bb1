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
	"strconv"
	"strings"
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
	logs   string // the folder of the logs
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
	pgBin           = "/usr/lib/postgresql/15/bin"
)

// startPatroni starts three machines and HAProxy, and returns when there is a primary with two synchronous
// standbys. Its logs are kept in a folder, and removed at its end when that is empty.
func startPatroni(ctx context.Context, logs string) (c *patroniCluster, err error) {
	if err := clearFormerRuns(); err != nil {
		return nil, err
	}
	postgres, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	c = &patroniCluster{run: strconv.Itoa(os.Getpid()), logs: logs}
	c.uid, _ = strconv.Atoi(postgres.Uid) // numbers on Linux
	c.gid, _ = strconv.Atoi(postgres.Gid)
	if c.folder, err = os.MkdirTemp("", clusterFolder+c.run+"-"); err != nil {
		return nil, err
	}
	if c.logs == "" {
		c.logs = c.folder
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, errors.New(c.lastWords()), c.stop())
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
	text, err := c.configured("patroni.yml", "name: db1", "name: "+n.name, "listen: 10.77.0.1",
		"listen: "+n.address, "connect_address: 10.77.0.1",
		"connect_address: "+n.address, "/var/lib/postgresql/tradepost", filepath.Join(n.folder, "data"),
		"/run/postgresql", n.folder, "local all all peer", "local all all trust")
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
		"etcd", "--name", n.name, "--data-dir", filepath.Join(n.folder, "etcd"), "--listen-peer-urls", peer,
		"--initial-advertise-peer-urls", peer,
		"--listen-client-urls", client, "--advertise-client-urls", client, "--initial-cluster-state", "new",
		"--initial-cluster-token", c.run,
		"--initial-cluster", "db1=http://10.77.0.1:2380,db2=http://10.77.0.2:2380,db3=http://10.77.0.3:2380",
		"--pre-vote", "--enable-v2", "--log-level", "error",
	}
}

// launch starts a process on a node, as the user postgres.
func (c *patroniCluster) launch(n *clusterNode, what string, args ...string) error {
	cmd := exec.Command("ip", append([]string{
		"netns", "exec", c.space(c.number(n)), "setpriv", "--reuid", strconv.Itoa(c.uid), "--regid",
		strconv.Itoa(c.gid), "--clear-groups",
		"--pdeathsig", "KILL", // it ends with this process, whatever ends that
	}, args...)...)
	cmd.Dir = n.folder
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + n.folder,
		"LANG=C.UTF-8"}
	if err := begin(cmd, filepath.Join(c.logs, n.name+"-"+what+".log")); err != nil {
		return err
	}
	n.processes = append(n.processes, cmd)
	return nil
}

// begin starts a process with its words in a file.
func begin(cmd *exec.Cmd, log string) error {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = dieWithUs()
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
	if err := begin(cmd, filepath.Join(c.logs, "haproxy.log")); err != nil {
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

// awaitOther waits until another node than one is the primary.
func (c *patroniCluster) awaitOther(ctx context.Context, than *clusterNode) error {
	for {
		for _, n := range c.nodes {
			if n != than && n.is("primary") {
				return nil
			}
		}
		select {
		case <-time.After(50 * time.Millisecond): // Patroni does not tell
		case <-ctx.Done():
			return fmt.Errorf("no other node than %s becomes the primary: %w", than.name, ctx.Err())
		}
	}
}

// awaitHealthy waits until there are a primary and two synchronous standbys.
func (c *patroniCluster) awaitHealthy(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		primaries, standbys := 0, 0
		for _, n := range c.nodes {
			switch {
			case n.is("primary"):
				primaries++
			case n.is("synchronous"):
				standbys++
			}
		}
		if primaries == 1 && standbys == 2 {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond): // Patroni does not tell
		case <-ctx.Done():
			return fmt.Errorf("the cluster is not whole after %s: %d primaries, %d synchronous standbys",
				most, primaries, standbys)
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
				"create role " + role + " login password '" + clusterPassword + "'",
				"create table proof (n bigint, at timestamptz)",
			} {
				if _, err := conn.Exec(ctx, statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			for _, w := range ways {
				if _, err := conn.Exec(ctx, "create database "+w.database+" owner "+role); err != nil {
					return fmt.Errorf("create the database %s: %w", w.database, err)
				}
			}
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

// awaitDatabase waits until the standbys have the last database, too.
func (c *patroniCluster) awaitDatabase(ctx context.Context) error {
	for _, n := range c.nodes {
		var err error
		for range 100 {
			var conn *pgx.Conn
			if conn, err = pgx.Connect(ctx,
				c.dsn(role, n.address+":5432", ways[len(ways)-1].database, "")); err == nil {
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

// switchOver has another node become the primary, on purpose.
func (c *patroniCluster) switchOver(ctx context.Context, n *clusterNode) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+n.address+":8008/switchover",
		strings.NewReader(`{"leader":"`+n.name+`"}`))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
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
	logs, _ := filepath.Glob(filepath.Join(c.logs, "*.log")) // the pattern is right
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&all, "%s:\n    %s\n", filepath.Base(log),
			strings.Join(lines[max(0, len(lines)-8):], "\n    "))
	}
	return all.String()
}
