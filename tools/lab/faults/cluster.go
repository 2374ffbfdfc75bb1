//go:build unix

package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/schema"
)

// cluster is a PostgreSQL to break, with a migrated database to copy.
type cluster struct {
	server    *pgembed.Server
	databases atomic.Int64
	copying   sync.Mutex // one CREATE DATABASE at a time
}

// The programs' user is no superuser, as on a server that another team runs.
const (
	template = "faults_template"
	role     = "market"
)

// startCluster starts a server. Its data is in dataDir, or in the system's temporary folder when that is
// empty.
func startCluster(ctx context.Context, dataDir string) (*cluster, error) {
	server, err := pgembed.Start(ctx, pgembed.Options{Temporary: true, Fast: true, DataDir: dataDir})
	if err != nil {
		return nil, fmt.Errorf("start a PostgreSQL to break: %w", err)
	}
	c := &cluster{server: server}
	if err := c.makeTemplate(ctx); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

func (c *cluster) makeTemplate(ctx context.Context) error {
	if err := c.exec(ctx, "create role "+role+" login"); err != nil {
		return err
	}
	if err := c.exec(ctx, "create database "+template+" owner "+role); err != nil {
		return err
	}
	pool, err := pgconnect.Open(ctx, c.dsn(template), pgconnect.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	return schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler))
}

// dsn is the address of a database for the programs.
func (c *cluster) dsn(database string) string {
	return strings.Replace(c.server.DSN(database), "user="+pgembed.Superuser, "user="+role, 1)
}

// exec runs a statement as the superuser, outside of every fault's database.
func (c *cluster) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, c.server.DSN("postgres"))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// database makes a migrated database and returns its name.
func (c *cluster) database(ctx context.Context) (name string, err error) {
	name = fmt.Sprintf("fault_%d", c.databases.Add(1))
	c.copying.Lock()
	defer c.copying.Unlock()
	return name, c.exec(ctx, "create database "+name+" template "+template+" strategy file_copy owner "+role)
}

func (c *cluster) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.server.Stop(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "faults: stop PostgreSQL:", err)
	}
}
